"""Operators run by the Python interpreter: for debugging, and as the twin that others must match."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.base import Operator, Segments, WorkList


class Interpreted:
    """One element after the other, every operator as it is written."""

    name = "interpreted"

    def __init__(self, threads: int = 1):
        self.threads = 1

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        return np.empty(size, dtype)

    def zeros(self, size: int, dtype: Any) -> NDArray[Any]:
        return np.zeros(size, dtype)

    def split(self, size: int) -> Segments:
        return [(np.uint64(0), np.uint64(size))]

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        for first, last in self.split(where) if isinstance(where, int) else where:
            for i in range(int(first), int(last)):
                operator(i, *arrays)

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        kept = []
        for first, last in segments:
            slot = int(first)
            for i in range(slot, int(last)):
                keep, *values = operator(i, *arrays)
                if keep:
                    _store(into, slot, values)
                    slot += 1
            kept.append((first, np.uint64(slot)))
        return kept

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, shift: int, *arrays: Any
    ) -> Segments:
        emitted = (operator(i, *arrays) for i in range(size))
        kept = [values for keep, *values in emitted if keep]
        kept.sort(key=lambda values: int(values[0]) >> shift)
        for slot, values in enumerate(kept):
            _store(into, slot, values)
        return self.split(len(kept))

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        return sum(bool(member(i, *arrays)) for i in range(size))

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        k = 0
        for i in range(size):
            if member(i, *arrays):
                number[i] = begin + k
                k += 1
        return k

    def members(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        return np.flatnonzero(flags)


def _store(into: WorkList, slot: int, values: list[Any]) -> None:
    for array, value in zip(into, values, strict=False):
        array[slot] = value
