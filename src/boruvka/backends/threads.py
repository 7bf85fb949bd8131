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

from boruvka.backends import sorting
from boruvka.backends import thread_kernels as kernels
from boruvka.backends.device_arrays import on_host
from boruvka.backends.kept_memory import KEPT, LOOSEST_FIT_OF_RESULT
from boruvka.backends.kernel_arguments import remember
from boruvka.backends.protocol import Operator, Segments, WorkList, size_of
from boruvka.runtime.thread_pool import map_parts

INLINE_BELOW = 50_000
"""Loops of fewer elements run on the calling thread: waking the others takes 50 microseconds."""
PRIVATE_MINIMA = 2
"""Most private minima, of all threads but one, for each element that proposes."""
PIECE = 1 << 24
"""Elements of one kernel call, a few tenths of a second at most."""

ZERO, ONE = np.uint64(0), np.uint64(1)


class Threads:
    """Numba kernels on a pool of threads; the GIL is released while they run.

    Parameters
    ----------
    threads : int
        Number of threads, the calling one included.
    """

    name = "threads"
    has_private_caches = True

    def __init__(self, threads: int):
        self.threads = threads

    # Arrays

    def to_device(self, array: Any) -> NDArray[Any]:
        host = on_host(array)
        return remember(host if host.base is not None else host.view())  # a view cannot be resized

    def to_host(self, array: Any) -> NDArray[Any]:
        return on_host(array)

    def empty(self, size: int, dtype: Any) -> NDArray[Any]:
        return remember(KEPT.empty(size, dtype))

    def zeros(self, size: int, dtype: Any) -> NDArray[Any]:
        return remember(KEPT.zeros(size, dtype))

    def empty_worklist(self, size: int, dtypes: Sequence[Any]) -> WorkList:
        return [self.empty(size, dtype) for dtype in dtypes]

    def split(self, size: int) -> Segments:
        if size < INLINE_BELOW:
            return [(ZERO, np.uint64(size))]
        bounds = [np.uint64(size * part // self.threads) for part in range(self.threads + 1)]
        return list(itertools.pairwise(bounds))

    # Map

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        segments = self.split(where) if isinstance(where, int) else where
        self._for_each(operator, segments, self._is_parallel(segments), *arrays)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        ends = [last for _, last in self.split(int(begins[-1]))]
        bounds = [np.uint64(0), *np.searchsorted(begins[:-1], ends[:-1]).astype(np.uint64)]
        segments = list(itertools.pairwise([*bounds, np.uint64(begins.size - 1)]))
        self._for_each(operator, segments, len(segments) > 1, begins, *arrays)

    def _for_each(self, operator: Operator, segments: Segments, parallel: bool, *arrays: Any) -> None:
        kernel = kernels.for_each(operator, parallel)

        def run(segment):
            for first, last in _pieces(segment):
                kernel(first, last, *arrays)

        self._map(run, segments, parallel)

    def for_each_block(
        self,
        operator: Operator,
        blocks: int,
        local: Sequence[tuple[int, Any]],
        *arrays: Any,
        shared: bool = False,
    ) -> None:
        parallel = blocks > 1 and self.threads > 1
        kernel = kernels.for_each(operator, parallel and shared)
        spare = [[np.empty(*array) for array in local] for _ in range(self.threads if parallel else 1)]

        def run(block):
            own = spare.pop()
            kernel(np.uint64(block), np.uint64(block + 1), *own, *arrays)
            spare.append(own)

        self._map(run, range(blocks), parallel)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        kernel = kernels.for_each(operator, False)
        for first, last in _pieces((ZERO, np.uint64(size))):
            kernel(first, last, *arrays)

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        into = into[:size]
        parallel = self._is_parallel(segments)
        # Per-thread minima, merged at the end, need no atomics. They are used if they are few enough.
        private = parallel and (len(segments) - 1) * size <= PRIVATE_MINIMA * size_of(segments)
        # Not in kept memory, which would keep them after the solve: nothing else in a solve is as large.
        minima = [into, *(np.empty(size, into.dtype) for _ in segments[1:])] if private else [into]
        kernel = kernels.for_each(operator, parallel and not private)

        def fill(array):
            array.fill(~array.dtype.type(0))

        def run(part):
            for first, last in _pieces(segments[part]):
                kernel(first, last, *arrays, minima[part if private else 0])

        def merge(segment):
            here = slice(*segment)
            for other in minima[1:]:
                np.minimum(into[here], other[here], out=into[here])

        self._map(fill, minima, parallel)
        self._map(run, range(len(segments)), parallel)
        if private:
            self._map(merge, self.split(size), parallel)

    # Stream compaction

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        parallel = self._is_parallel(segments)
        return self._compact(kernels.emit(operator, parallel), segments, parallel, tuple(into), *arrays)

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
        kernel = kernels.filter_emit(member, operator, parallel)
        return self._compact(kernel, segments, parallel, tuple(into), member_arrays, *arrays)

    def _compact(
        self, kernel: kernels.Kernel, segments: Segments, parallel: bool, *arguments: Any
    ) -> Segments:
        def run(group):
            begin = slot = group[0][0]
            for segment in group:
                for first, last in _pieces(segment):
                    slot = np.uint64(kernel(first, last, slot, *arguments))
            return begin, slot

        return self._map(run, _group_segments(segments, self.threads if parallel else 1), parallel)

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        segments = self.split(size)
        parallel = self._is_parallel(segments)
        count, emit = kernels.count_groups(operator, parallel), kernels.emit_grouped(operator, parallel)
        columns, slots = tuple(into), np.zeros((len(segments), groups), np.uint64)

        def run_count(part):
            for first, last in _pieces(segments[part]):
                count(first, last, slots[part], *arrays)

        def run_emit(part):
            for first, last in _pieces(segments[part]):
                emit(first, last, slots[part], columns, *arrays)

        self._map(run_count, range(len(segments)), parallel)
        # Slots are assigned group by group, and within a group segment by segment.
        ends = np.cumsum(slots.T, dtype=np.uint64).reshape(groups, -1).T
        np.subtract(ends, slots, out=slots)
        begins = np.empty(groups + 1, np.uint64)
        begins[:-1], begins[-1] = slots[0], ends[-1, -1]
        self._map(run_emit, range(len(segments)), parallel)
        return begins

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        segments = self.split(size)
        parallel = self._is_parallel(segments)
        before = [0]
        if parallel:
            before = [0, *itertools.accumulate(self._counts(member, segments, *arrays))]
        kernel = kernels.number(member, parallel)

        def run(part):
            return int(kernel(*segments[part], np.uint64(begin + before[part]), number, *arrays))

        return self._map(run, range(len(segments)), parallel)[-1] - begin

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        if flags.size < INLINE_BELOW:
            return np.flatnonzero(flags)
        segments = self.split(flags.size)
        parallel = self._is_parallel(segments)
        counts = self._map(lambda segment: np.count_nonzero(flags[slice(*segment)]), segments, parallel)
        begins = [0, *itertools.accumulate(counts)]
        found = KEPT.empty(begins[-1], np.int64, LOOSEST_FIT_OF_RESULT)
        kernel = kernels.filter_emit(_is_set, _emit_index, parallel)

        def run(part):
            slot = np.uint64(begins[part])
            for first, last in _pieces(segments[part]):
                slot = np.uint64(kernel(first, last, slot, (found,), (flags,)))

        self._map(run, range(len(segments)), parallel)
        return found

    # Reduction and scan

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        return sum(self._counts(member, self.split(size), *arrays))

    def _counts(self, member: Operator, segments: Segments, *arrays: Any) -> list[int]:
        parallel = self._is_parallel(segments)
        kernel = kernels.count(member, parallel)
        return self._map(lambda segment: int(kernel(*segment, *arrays)), segments, parallel)

    def sort(self, values: NDArray[Any]) -> None:
        segments = self.split(values.size)
        if self._is_parallel(segments):
            values.partition([int(begin) for begin, _ in segments[1:]])
            self._map(lambda segment: values[slice(*segment)].sort(), segments, True)
        else:
            values.sort()

    def argsort(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        return sorting.argsort(values, self.for_each, self.sort)

    def exclusive_sum(self, values: NDArray[Any]) -> int:
        sums = np.cumsum(values, dtype=values.dtype)
        values[:1], values[1:] = 0, sums[:-1]
        return int(sums[-1]) if sums.size else 0

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        segments = self.split(values.size)
        parallel = self._is_parallel(segments)
        kernel = kernels.segmented_scan(combine, parallel)

        def run(segment):
            first, last = segment
            for part in _pieces((min(first + ONE, last), last)):
                kernel(*part, False, values, starts, *arrays)

        self._map(run, segments, parallel)
        for segment in segments[1:]:  # carry the last value before the range up to its first start
            kernel(*segment, True, values, starts, *arrays)

    # Scheduling

    def _is_parallel(self, segments: Segments) -> bool:
        return len(segments) > 1 and size_of(segments) >= INLINE_BELOW

    def _map(self, run: Callable[[Any], Any], parts: Iterable[Any], parallel: bool) -> list[Any]:
        return map_parts(run, parts, self.threads if parallel else 1)


def _pieces(segment: tuple[np.uint64, np.uint64]) -> list[tuple[np.uint64, np.uint64]]:
    """Cut a segment into the ranges of single kernel calls."""
    first, last = segment
    if last - first <= PIECE:
        return [segment]
    bounds = [*range(int(first), int(last), PIECE), int(last)]
    return [(np.uint64(a), np.uint64(b)) for a, b in itertools.pairwise(bounds)]


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


def _is_set(i, flags):
    return flags[i]


def _emit_index(i):
    return True, i
