"""Operators compiled by Numba, on the threads of this machine.

A primitive is split into one range of elements for each thread. Loops of few elements run on the calling
thread, and so does everything with one thread; then nothing is atomic. A long range is run in several calls,
so that Ctrl-C is handled between them. The compiled loops are in `boruvka.backends.thread_kernels`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import thread_kernels as kernels
from boruvka.backends.memory_pool import MAX_OVERSIZE_OF_RESULT, POOL
from boruvka.backends.primitives import Backend, Operator, Segments, WorkList, is_set, size_of
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.kernel_functions import store_columns
from boruvka.runtime.processors import map_parts

INLINE_BELOW = 50_000
"""Minimum number of elements for several threads: waking the others takes 50 microseconds."""
PRIVATE_MINIMA = 2
"""Maximum number of private minima, of all threads but one, for each element that proposes."""
ELEMENTS_PER_CALL = 1 << 24
"""Maximum number of elements of one kernel call, which takes a few tenths of a second."""

ZERO, ONE = np.uint64(0), np.uint64(1)


class Threads(Backend):
    """Numba kernels on a pool of threads; the GIL is released while they run.

    Parameters
    ----------
    threads : int
        Number of threads, the calling one included.
    """

    name = "threads"

    def __init__(self, threads: int):
        self.threads = threads

    # Arrays

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        return POOL.empty(size, dtype)

    def zeros(self, size: int, dtype: Any) -> NDArray[Any]:
        return POOL.zeros(size, dtype)

    # Scheduling: a kernel runs on ranges of elements, in one of the three ways below

    def split(self, size: int) -> Segments:
        parts = self.threads if size >= INLINE_BELOW else 1
        return list(itertools.pairwise(np.uint64(size * part // parts) for part in range(parts + 1)))

    def _is_parallel(self, segments: Segments) -> bool:
        return len(segments) > 1 and size_of(segments) >= INLINE_BELOW

    def _map(self, run: Callable[[Any], Any], parts: Iterable[Any], parallel: bool) -> list[Any]:
        return map_parts(run, parts, self.threads if parallel else 1)

    # Map

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        segments = self.split(where) if isinstance(where, int) else where
        self._for_each(operator, segments, self._is_parallel(segments), *arrays)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        ends = [last for _, last in self.split(int(begins[-1]))]
        bounds = [ZERO, *np.searchsorted(begins[:-1], ends[:-1]).astype(np.uint64)]
        segments = list(itertools.pairwise([*bounds, np.uint64(begins.size - 1)]))
        self._for_each(operator, segments, len(segments) > 1, begins, *arrays)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        _run(kernels.for_each(operator, False), (ZERO, np.uint64(size)), *arrays)

    def _for_each(self, operator: Operator, segments: Segments, parallel: bool, *arrays: Any) -> None:
        kernel = kernels.for_each(operator, parallel)
        self._map(lambda segment: _run(kernel, segment, *arrays), segments, parallel)

    def for_each_block(
        self,
        operator: Operator,
        blocks: int,
        local: Sequence[tuple[int, Any]],
        *arrays: Any,
        atomic: bool = False,
    ) -> None:
        parallel = blocks > 1 and self.threads > 1
        kernel = kernels.for_each(operator, parallel and atomic)
        spare = [[np.empty(*array) for array in local] for _ in range(self.threads if parallel else 1)]

        def run(block: int) -> None:
            own = spare.pop()
            kernel(np.uint64(block), np.uint64(block + 1), *own, *arrays)
            spare.append(own)

        self._map(run, range(blocks), parallel)

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        into = into[:size]
        parallel = self._is_parallel(segments)
        # Per-thread minima, merged at the end, need no atomics. They are used if they are few enough.
        private = parallel and (len(segments) - 1) * size <= PRIVATE_MINIMA * size_of(segments)
        # Not from the pool, which would keep them after the solve: nothing else in a solve is as large.
        minima = [into, *(np.empty(size, into.dtype) for _ in segments[1:])] if private else [into]
        kernel = kernels.for_each(operator, parallel and not private)

        def merge(segment: tuple[np.uint64, np.uint64]) -> None:
            here = slice(*segment)
            for other in minima[1:]:
                np.minimum(into[here], other[here], out=into[here])

        self._map(lambda array: array.fill(~array.dtype.type(0)), minima, parallel)
        parts = zip(segments, itertools.cycle(minima))
        self._map(lambda part: _run(kernel, part[0], *arrays, part[1]), parts, parallel)
        if private:
            self._map(merge, self.split(size), parallel)

    # Stream compaction

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        parallel = self._is_parallel(segments)
        kernel = kernels.emit(operator, store_columns(1, len(into)), parallel)
        return self._compact(kernel, segments, parallel, tuple(into), *arrays)

    def filter_emit(
        self,
        member: Operator,
        member_arrays: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        parallel = self._is_parallel(segments)
        kernel = kernels.filter_emit(member, operator, store_columns(1, len(into)), parallel)
        return self._compact(kernel, segments, parallel, tuple(into), member_arrays, *arrays)

    def _compact(self, kernel: Kernel, segments: Segments, parallel: bool, *arguments: Any) -> Segments:
        def run(group: Segments) -> tuple[np.uint64, np.uint64]:
            begin = slot = group[0][0]
            for segment in group:
                slot = _fold(kernel, segment, slot, *arguments)
            return begin, slot

        return self._map(run, _group_segments(segments, self.threads if parallel else 1), parallel)

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        segments = self.split(size)
        parallel, parts = self._is_parallel(segments), range(len(segments))
        count = kernels.count_groups(operator, parallel)
        emit = kernels.emit_grouped(operator, store_columns(2, len(into)), parallel)
        columns, slots = tuple(into), np.zeros((len(segments), groups), np.uint64)
        self._map(lambda part: _run(count, segments[part], slots[part], *arrays), parts, parallel)
        # Slots are assigned group by group, and within a group segment by segment.
        ends = np.cumsum(slots.T, dtype=np.uint64).reshape(groups, -1).T
        np.subtract(ends, slots, out=slots)
        begins = np.append(slots[0], ends[-1, -1])
        self._map(lambda part: _run(emit, segments[part], slots[part], columns, *arrays), parts, parallel)
        return begins

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        segments = self.split(size)
        parallel = self._is_parallel(segments)
        counts = self._counts(member, segments, *arrays) if parallel else []
        firsts = itertools.accumulate(counts, initial=begin)
        kernel = kernels.number(member, parallel)

        def run(part: tuple[tuple[np.uint64, np.uint64], int]) -> np.uint64:
            segment, first = part
            return _fold(kernel, segment, np.uint64(first), number, *arrays)

        return int(self._map(run, zip(segments, firsts, strict=False), parallel)[-1]) - begin

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        if flags.size < INLINE_BELOW:
            return np.flatnonzero(flags)
        segments = self.split(flags.size)
        parallel = self._is_parallel(segments)
        counts = self._map(lambda segment: np.count_nonzero(flags[slice(*segment)]), segments, parallel)
        *begins, total = itertools.accumulate(counts, initial=0)
        found = POOL.empty(total, np.int64, MAX_OVERSIZE_OF_RESULT)
        kernel = kernels.filter_emit(is_set, _emit_index, store_columns(1, 1), parallel)

        def run(part: tuple[tuple[np.uint64, np.uint64], int]) -> None:
            segment, begin = part
            _fold(kernel, segment, np.uint64(begin), (found,), (flags,))

        self._map(run, zip(segments, begins, strict=True), parallel)
        return found

    # Reduction and scan

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        return sum(self._counts(member, self.split(size), *arrays))

    def _counts(self, member: Operator, segments: Segments, *arrays: Any) -> list[int]:
        parallel = self._is_parallel(segments)
        kernel = kernels.count(member, parallel)
        return self._map(lambda segment: int(_fold(kernel, segment, ZERO, *arrays)), segments, parallel)

    def sort(self, values: NDArray[Any]) -> None:
        segments = self.split(values.size)
        parallel = self._is_parallel(segments)
        if parallel:
            values.partition([int(begin) for begin, _ in segments[1:]])
        self._map(lambda segment: values[slice(*segment)].sort(), segments, parallel)

    def argsort(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        from boruvka.backends import sorting

        return sorting.argsort(values, self.for_each, self.sort)

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        segments = self.split(values.size)
        parallel = self._is_parallel(segments)
        kernel = kernels.segmented_scan(combine, parallel)

        def scan(segment: tuple[np.uint64, np.uint64]) -> None:
            first, last = segment
            _run(kernel, (min(first + ONE, last), last), False, values, starts, *arrays)

        self._map(scan, segments, parallel)
        for segment in segments[1:]:  # carry the last value before the range up to its first start
            kernel(*segment, True, values, starts, *arrays)


def _run(kernel: Kernel, segment: tuple[np.uint64, np.uint64], *arguments: Any) -> None:
    """Call a kernel for the elements of a segment."""
    for first, last in _pieces(segment):
        kernel(first, last, *arguments)


def _fold(
    kernel: Kernel, segment: tuple[np.uint64, np.uint64], slot: np.uint64, *arguments: Any
) -> np.uint64:
    """Call a kernel for the elements of a segment; it takes a number, and returns it for the next call."""
    for first, last in _pieces(segment):
        slot = np.uint64(kernel(first, last, slot, *arguments))
    return slot


def _pieces(segment: tuple[np.uint64, np.uint64]) -> Segments:
    """Cut a segment into the ranges of single kernel calls."""
    first, last = segment
    if last - first <= ELEMENTS_PER_CALL:
        return [segment]
    return list(itertools.pairwise(map(np.uint64, [*range(int(first), int(last), ELEMENTS_PER_CALL), last])))


def _group_segments(segments: Segments, groups: int) -> list[Segments]:
    """Group consecutive segments, so that all groups have about the same size."""
    if len(segments) <= groups:
        return [[segment] for segment in segments]
    wanted, before = size_of(segments) / groups, 0.0
    grouped: list[Segments] = []
    for segment in segments:
        if before >= wanted * len(grouped):
            grouped.append([])
        grouped[-1].append(segment)
        before += float(segment[1] - segment[0])
    return grouped


def _emit_index(i):
    return True, i
