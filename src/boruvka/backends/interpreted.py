"""Operators run by the Python interpreter: for debugging, and the reference for the other backends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import on_host
from boruvka.backends.protocol import Operator, Segments, WorkList


class Interpreted:
    """Plain Python loops: one element after the other."""

    name = "interpreted"
    has_private_caches = True

    def __init__(self, threads: int = 1):
        self.threads = 1

    def to_device(self, array: Any) -> NDArray[Any]:
        return on_host(array)

    def to_host(self, array: Any) -> NDArray[Any]:
        return on_host(array)

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        return np.empty(size, dtype)

    def zeros(self, size: int, dtype: Any) -> NDArray[Any]:
        return np.zeros(size, dtype)

    def empty_worklist(self, size: int, dtypes: Sequence[Any]) -> WorkList:
        return [np.empty(size, dtype) for dtype in dtypes]

    def split(self, size: int) -> Segments:
        return [(np.uint64(0), np.uint64(size))]

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        for first, last in self.split(where) if isinstance(where, int) else where:
            for i in range(int(first), int(last)):
                operator(i, *arrays)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        self.for_each(operator, begins.size - 1, begins, *arrays)

    def for_each_block(
        self,
        operator: Operator,
        blocks: int,
        local: Sequence[tuple[int, Any]],
        *arrays: Any,
        shared: bool = False,
    ) -> None:
        self.for_each(operator, blocks, *(self.empty(*array) for array in local), *arrays)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        self.for_each(operator, size, *arrays)

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        into = into[:size]
        into.fill(np.iinfo(into.dtype).max)
        self.for_each(operator, segments, *arrays, into)

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        begin = slot = int(segments[0][0])
        for first, last in segments:
            for i in range(int(first), int(last)):
                keep, *values = operator(i, *arrays)
                if keep:
                    _store(into, slot, values)
                    slot += 1
        return [(np.uint64(begin), np.uint64(slot))]

    def filter_emit(
        self,
        member: Operator,
        member_arrays: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        def emit_member(i, *arrays):
            return operator(i, *arrays) if member(i, *member_arrays) else (False,)

        return self.emit(emit_member, segments, into, *arrays)

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        emitted = (operator(i, *arrays) for i in range(size))
        kept = [(int(group), values) for keep, group, *values in emitted if keep]
        kept.sort(key=lambda element: element[0])
        for slot, (_, values) in enumerate(kept):
            _store(into, slot, values)
        begins = np.searchsorted([group for group, _ in kept], np.arange(groups + 1))
        return begins.astype(np.uint64)

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        k = 0
        for i in range(size):
            if member(i, *arrays):
                number[i] = begin + k
                k += 1
        return k

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        return np.flatnonzero(flags)

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        return sum(bool(member(i, *arrays)) for i in range(size))

    def sort(self, values: NDArray[Any]) -> None:
        values[:] = sorted(values.tolist())

    def argsort(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        return np.array(sorted(range(values.size), key=values.tolist().__getitem__), np.uint64)

    def exclusive_sum(self, values: NDArray[Any]) -> int:
        total = 0
        for i, value in enumerate(values.tolist()):
            values[i] = total
            total += value
        return total

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        for i in range(1, values.size):
            if not starts[i]:
                values[i] = combine(values[i - 1], values[i], *arrays)


def _store(into: WorkList, slot: int, values: list[Any]) -> None:
    for array, value in zip(into, values, strict=False):
        array[slot] = value
