"""Operators compiled by Numba, on the threads of this machine.

A primitive is a kernel over ranges of elements. A long range is cut into parts, which a team of threads takes
(`boruvka.kernels.team`). Loops of few elements run on the calling thread, and so does everything with one
thread; then nothing is atomic. The compiled loops are in `boruvka.backends.thread_kernels`.
"""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import thread_kernels as kernels
from boruvka.backends.memory_pool import MAX_OVERSIZE_OF_RESULT, POOL
from boruvka.backends.primitives import Backend, Operator, Segments, WorkList, is_set
from boruvka.kernels.kernel import Kernel, MachineCode
from boruvka.kernels.kernel_arguments import Packed, address_of
from boruvka.kernels.kernel_functions import store_columns

INLINE_BELOW = 8_000
"""Minimum number of elements for several threads."""
COSTLY_INLINE_BELOW = 40_000
"""The same for primitives that need two launches."""
PARTS_OF_A_THREAD, PARTS_BESIDES = 4, 48
"""Parts for each thread: more than one, as threads may be interrupted by other work; and with many threads
at most so many besides one for each, as to take a part costs more there."""
SMALLEST_PART, LARGEST_PART = 2_000, 1 << 18
"""Number of elements of a part."""
ELEMENTS_AT_ONCE = 1 << 20
"""Number of elements after which the calling thread handles Ctrl-C, a few milliseconds."""
BUCKETS_PAY_FROM, FEWEST_IN_BUCKETS = 1 << 20, 1 << 17
"""Minimum number of values to sort buckets of equal high bits: the first divided by the number of threads."""
BUCKET_SIZE_BITS, BUCKET_BITS = 12, 10
"""The size of a bucket, and the maximum number of bits that are equal in it, if there are many values."""
PRIVATE_MINIMA = 2
"""Maximum number of private minima, of all threads but one, for each element that proposes."""

U64 = np.uint64
ZERO, ONE = U64(0), U64(1)
Results = tuple[Any, int]
"""Results of a launch: a pair of numbers for each part, and a sum (see `boruvka.kernels.team.Team.run`)."""


class Threads(Backend):
    """Numba kernels on a team of threads; the GIL is released while they run.

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
        words = -(-size * np.dtype(dtype).itemsize // 8)
        array, is_zero = POOL.empty_or_zeros(words, U64)
        if not is_zero:
            self.for_each(set_to, words, ZERO, array)
        return array.view(dtype)[:size]

    def packed(self, arrays: tuple[Any, ...]) -> Any:
        return Packed(arrays)

    # Scheduling

    def parts(self, size: int, inline_below: int = INLINE_BELOW) -> int:
        """Return the number of parts for a loop, 1 if it runs in one call on the calling thread."""
        wanted = 1
        if self.threads > 1 and size >= inline_below and self._team_module.runs_machine_code():
            most = min(PARTS_OF_A_THREAD * self.threads, PARTS_BESIDES + self.threads)
            wanted = max(min(most, size // SMALLEST_PART), 2)
        return max(wanted, -(-size // LARGEST_PART))

    def _is_parallel(self, parts: int) -> bool:
        return self.threads > 1 and parts > 1

    @functools.cached_property
    def _team_module(self) -> Any:
        """The module of teams: not imported for a small graph, and found at once for the others."""
        return importlib.import_module("boruvka.kernels.team")

    def _run(
        self,
        kernel: Kernel,
        segments: Segments,
        parts: int,
        *arguments: Any,
        chained: bool = False,
        third: NDArray[np.uint64] | None = None,
        cut: bool = True,
        most: int | None = None,
        own: Sequence[tuple[int, NDArray[Any]]] = (),
        used: NDArray[np.uint64] | None = None,
    ) -> Results:
        """Run a kernel for the elements of segments, in one call or as a launch of a team.

        Parameters
        ----------
        kernel : Kernel
        segments : Segments
        parts : int
            Number of parts; with 1 the kernel runs on the calling thread.
        *arguments
            The arguments of the kernel after the range. The first of them is replaced for a chained kernel,
            and if ``third`` is given and there are several parts.
        chained, third, cut, most
            See `boruvka.kernels.team.Launch`.
        own : sequence of (int, array)
            Arrays whose rows replace an argument in helpers, and the word of the argument.
        used : array of uint64, optional
            The last of these arrays is a minimum: see `boruvka.kernels.team.Launch`.
        """
        code, words = kernel.prepare(ZERO, ZERO, *arguments)
        if parts == 1 and used is None and (segments.is_all or len(segments.pairs) == 1):
            return _call(code, words, segments, arguments, chained)
        threads = self.threads if self._is_parallel(parts) else 1
        if not isinstance(code, MachineCode):
            bounds = [segments.size * k // parts for k in range(parts + 1)]
            pairs = list(itertools.pairwise(bounds)) if segments.is_all else segments.pairs
            return _run_in_python(code, pairs, arguments, len(own), chained, threads)
        team = self._team_module
        size, ranges = segments.size if cut else None, None if segments.is_all else segments.pairs
        own = [(k % len(words), array) for k, array in own] if own else ()
        most = most or max(parts * ELEMENTS_AT_ONCE // max(segments.size, 1), 1)
        launch = team.Launch(code, words, parts, size, ranges, chained, third, own, used, most)
        return (team.team_of(threads) if threads > 1 else team.alone()).run(launch)

    # Map

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        segments = self.positions(where) if isinstance(where, int) else where
        parts = self.parts(segments.size)
        self._run(kernels.for_each(operator, self._is_parallel(parts)), segments, parts, *arrays)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        rows, size = begins.size - 1, int(begins[-1])
        parts = self.parts(size)
        ends = np.arange(1, parts, dtype=np.uint64) * U64(size) // U64(parts)
        bounds = [0, *np.searchsorted(begins[:-1], ends), rows]
        segments = Segments(size, np.array(list(itertools.pairwise(bounds)), np.uint64))
        kernel = kernels.for_each(operator, self._is_parallel(parts))
        self._run(kernel, segments, parts, begins, *arrays, cut=False)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        kernel = kernels.for_each(operator, False)
        for first in range(0, size, LARGEST_PART):  # between calls Ctrl-C is handled
            kernel(U64(first), U64(min(first + LARGEST_PART, size)), *arrays)

    def for_each_block(
        self,
        operator: Operator,
        blocks: int,
        local: Sequence[tuple[int, Any]],
        *arrays: Any,
        atomic: bool = False,
    ) -> None:
        parallel = self._is_parallel(blocks)
        kernel = kernels.for_each(operator, parallel and atomic)
        rows = [np.empty((self.threads if parallel else 1, size), dtype) for size, dtype in local]
        own = [(2 + 2 * k, row) for k, row in enumerate(rows)]
        arguments = (*(row[0] for row in rows), *arrays)
        self._run(kernel, self.positions(blocks), max(blocks, 1), *arguments, own=own, most=1)

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        into, parts = into[:size], self.parts(segments.size, COSTLY_INLINE_BELOW)
        parallel = self._is_parallel(parts)
        # Per-thread minima, merged at the end, need no atomics. They are used if they are few enough.
        if parallel and (self.threads - 1) * size <= PRIVATE_MINIMA * segments.size:
            kernel, used = kernels.for_each(operator, False), np.zeros(self.threads, np.uint64)
            minima = POOL.empty((self.threads - 1) * size, into.dtype).reshape(-1, size)
            self._run(kernel, segments, parts, *arrays, into, own=[(-2, minima)], used=used)
            blocks = self.parts(size)
            none = ~into.dtype.type(0)
            self.for_each_block(merge_minima, blocks, [], U64(blocks), none, used, minima, into)
        else:
            self.for_each(set_to, size, ~into.dtype.type(0), into)
            self._run(kernels.for_each(operator, parallel), segments, parts, *arrays, into)

    # Stream compaction

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        parts = self.parts(segments.size)
        kernel = kernels.emit(operator, store_columns(1, len(into)), self._is_parallel(parts))
        return _kept(self._run(kernel, segments, parts, ZERO, tuple(into), *arrays, chained=True))

    def filter_emit(
        self,
        member: Operator,
        member_arrays: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        parts = self.parts(segments.size)
        kernel = kernels.filter_emit(member, operator, store_columns(1, len(into)), self._is_parallel(parts))
        arguments = ZERO, tuple(into), member_arrays, *arrays
        return _kept(self._run(kernel, segments, parts, *arguments, chained=True))

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        parts = self.parts(size, COSTLY_INLINE_BELOW)
        parallel = self._is_parallel(parts)
        if parallel:  # the counts of all parts are not many more than the elements
            parts = max(min(parts, 2 * size // groups), 1)
        slots = np.zeros((parts if parallel else 1, groups), np.uint64)
        row_bytes, positions = U64(slots.strides[0] if parallel else 0), self.positions(size)
        rows = U64(address_of(slots)) + np.arange(parts, dtype=np.uint64) * row_bytes
        count = kernels.count_groups(operator, parallel)
        emit = kernels.emit_grouped(operator, store_columns(2, len(into)), parallel)
        self._run(count, positions, parts, slots[0], *arrays, third=rows)
        # Slots are assigned group by group, and within a group part by part.
        ends = np.cumsum(slots.T, dtype=np.uint64).reshape(groups, -1).T
        np.subtract(ends, slots, out=slots)
        begins = np.append(slots[0], ends[-1, -1])
        self._run(emit, positions, parts, slots[0], tuple(into), *arrays, third=rows)
        return begins

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        parts, positions = self.parts(size, COSTLY_INLINE_BELOW), self.positions(size)
        if not self._is_parallel(parts):
            return int(kernels.number(member, False)(ZERO, U64(size), U64(begin), number, *arrays)) - begin
        firsts, total = self._firsts(member, positions, parts, *arrays)
        firsts += U64(begin)
        self._run(kernels.number(member, True), positions, parts, ZERO, number, *arrays, third=firsts)
        return total

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        parts, positions = self.parts(flags.size, COSTLY_INLINE_BELOW), self.positions(flags.size)
        if not self._is_parallel(parts):
            return np.flatnonzero(flags)
        firsts, total = self._firsts(is_set, positions, parts, flags)
        found = POOL.empty(total, np.int64, MAX_OVERSIZE_OF_RESULT)
        kernel = kernels.filter_emit(is_set, _emit_index, store_columns(1, 1), True)
        self._run(kernel, positions, parts, ZERO, (found,), (flags,), third=firsts)
        return found

    # Reduction and scan

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        parts = self.parts(size)
        return self._run(
            kernels.count(member, self._is_parallel(parts)), Segments(size), parts, ZERO, *arrays
        )[1]

    def _firsts(
        self, member: Operator, segments: Segments, parts: int, *arrays: Any
    ) -> tuple[NDArray[np.uint64], int]:
        """Return the number of members before each part, and in all."""
        counts, total = self._run(kernels.count(member, True), segments, parts, ZERO, *arrays)
        firsts = np.cumsum(np.array(counts, np.uint64)[:, 1])
        firsts[1:], firsts[0] = firsts[:-1].copy(), 0
        return firsts, total

    def sort(self, values: NDArray[Any]) -> None:
        from boruvka.backends import sorting

        spare = self.empty(values.size, U64)
        count = self.empty(self.threads * sorting.MAX_DIGITS, U64).reshape(self.threads, -1)
        if values.size < max(BUCKETS_PAY_FROM // self.threads, FEWEST_IN_BUCKETS):
            self._run(sorting.SORT_RANGE, Segments(values.size), 1, count[0], ZERO, values, spare, False)
            return
        low, range_bits = values.min(), int(values.max() - values.min()).bit_length()
        bits = min(range_bits, BUCKET_BITS, max(values.size.bit_length() - BUCKET_SIZE_BITS, 1))
        by_high_bits, buckets = (values, low, U64(range_bits - bits)), 1 << bits
        begins = self.emit_grouped(sorting.emit_by_high_bits, values.size, [spare], buckets, *by_high_bits)
        segments = Segments(values.size, np.column_stack([begins[:-1], begins[1:]]))
        arguments = count[0], ZERO, spare, values, True
        self._run(sorting.SORT_RANGE, segments, buckets, *arguments, cut=False, own=[(2, count)])

    def argsort(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        from boruvka.backends import sorting

        return sorting.argsort(values, self.for_each, self.sort)

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        parts = self.parts(values.size)
        kernel = kernels.segmented_scan(combine, self._is_parallel(parts))
        bounds = [values.size * k // parts for k in range(parts + 1)]
        pairs = [(min(first + 1, last), last) for first, last in itertools.pairwise(bounds)]
        self._run(kernel, Segments.of(*pairs), parts, False, values, starts, *arrays, cut=False)
        for first, last in itertools.pairwise(bounds[1:]):
            # Carry the last value before the range up to its first start.
            kernel(U64(first), U64(last), True, values, starts, *arrays)


def _call(
    code: Any,
    words: list[Any],
    segments: Segments,
    arguments: tuple[Any, ...],
    chained: bool,
) -> Results:
    """Call a kernel for one range; return what a launch of one part does."""
    first, last = words[:2] = (ZERO, U64(segments.size)) if segments.is_all else segments.pairs[0]
    begin = 0
    if chained:
        begin, words[2], arguments = int(first), first, (first, *arguments[1:])
    end = int(code(words, (first, last, *arguments)) or 0)
    return [(begin, end)], end - begin


def _run_in_python(
    code: Any, pairs: Any, arguments: tuple[Any, ...], own: int, chained: bool, threads: int
) -> Results:
    """Call code that a team cannot: it makes arrays, or this system does not execute new machine code."""
    from boruvka.kernels.team import map_parts

    def run(pair: tuple[int, int]) -> tuple[int, int]:
        mine = *map(np.empty_like, arguments[:own]), *arguments[own:]
        return _call(code, [0] * 3, Segments.of(pair), mine, chained)[0][0]

    results = map_parts(run, pairs, threads)
    return results, sum(end - begin for begin, end in results)


def _kept(results: Results) -> Segments:
    """Return the segments that elements were stored in."""
    pairs, size = results
    return Segments(size, np.asarray(pairs, np.uint64))


def set_to(i, x, into):
    """Store a value of several bytes that the compiler does not know.

    Else it would make a call of the C library, and llvmlite would be loaded for it.
    """
    into[i] = x


def merge_minima(block, blocks, none, used, minima, into):
    """Replace the elements of a block by the minima over all threads."""
    size = U64(into.size)
    first, last = size * block // blocks, size * (block + ONE) // blocks
    if not used[0]:
        for i in range(first, last):
            into[i] = none
    for k in range(U64(minima.shape[0])):
        if used[k + ONE]:
            for i in range(first, last):
                into[i] = min(into[i], minima[k, i])


def _emit_index(i):
    return True, i
