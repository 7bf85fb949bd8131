"""Operators compiled by Numba, on the threads of this machine.

A primitive is a kernel over ranges of elements. A long range is cut into parts, which a team of threads takes
(`boruvka.kernels.team`). Loops of few elements run on the calling thread, and so does everything with one
thread; then nothing is atomic. The loops that are compiled around operators are at the end of this file.
"""

from __future__ import annotations

import functools
import importlib
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.memory_pool import MAX_OVERSIZE_OF_RESULT, POOL
from boruvka.backends.primitives import Backend, Columns, Member, Operator, Scratch, Segments, is_set
from boruvka.backends.tuning import Tuning
from boruvka.kernels.kernel import Kernel, Launch, MachineCode
from boruvka.kernels.kernel_arguments import Packed, address_of
from boruvka.kernels.kernel_functions import calls_atomics, store_columns, trailing_zeros

U64 = np.uint64
ZERO, ONE, BITS = U64(0), U64(1), U64(64)
BUCKET_SIZE_BITS, BUCKET_BITS = 12, 10
"""The size of a bucket, and the maximum number of bits that are equal in it, if there are many values."""
Results = tuple[Any, int]
"""Results of a launch: a pair of numbers for each part, and a sum (see `boruvka.kernels.team.Team.run`)."""


class Threads(Backend):
    """Numba kernels on a team of threads; the GIL is released while they run.

    Parameters
    ----------
    threads : int
        Number of threads, the calling one included.
    tuning : Tuning, optional
    """

    name = "threads"

    def __init__(self, threads: int, tuning: Tuning | None = None):
        super().__init__(threads, tuning)
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

    def parts(self, size: int, launches: int = 1) -> int:
        """Return the number of parts for a loop, 1 if it runs in one call on the calling thread."""
        tuning, wanted = self.tuning, 1
        inline_below = tuning.inline_below if launches == 1 else tuning.costly_inline_below
        if self.threads > 1 and size >= inline_below and self._team_module.runs_machine_code():
            most = min(tuning.parts_of_thread * self.threads, tuning.parts_besides + self.threads)
            wanted = max(min(most, size // tuning.smallest_part), 2)
        return max(wanted, -(-size // tuning.largest_part))

    def output_parts(self, size: int) -> int:
        """Return the number of parts for a loop that stores elements: each begins on pages of its own."""
        most = self.tuning.output_parts_of_thread * self.threads
        return max(min(self.parts(size), most), -(-size // self.tuning.largest_output_part))

    def _is_parallel(self, parts: int) -> bool:
        return self.threads > 1 and parts > 1 and self._team_module.runs_machine_code()

    @functools.cached_property
    def _team_module(self) -> Any:
        """The module of teams: not imported for a small graph, and found at once for the others."""
        return importlib.import_module("boruvka.kernels.team")

    def _run(self, kernel: Kernel, launch: Launch, *arguments: Any) -> Results:
        """Run a kernel in one call, if there is one part, or on a team."""
        code, words = kernel.prepare(ZERO, ZERO, *arguments)
        size, parts, ranges = launch.size, launch.parts, launch.ranges
        if parts == 1 and launch.used is None and (ranges is None or len(ranges) == 1):
            pair = (ZERO, U64(size)) if ranges is None else ranges[0]
            return _call(code, words, pair, arguments, launch.chained)
        threads = self.threads if self._is_parallel(parts) else 1
        if not isinstance(code, MachineCode):
            return _run_in_python(code, launch, arguments, threads)
        if launch.most is None:
            launch = launch._replace(most=max(parts * self.tuning.elements_at_once // max(size, 1), 1))
        team = self._team_module
        return (team.team_of(threads) if threads > 1 else team.alone()).run(code, words, launch)

    # Map

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        segments = self.positions(where) if isinstance(where, int) else where
        parts = self.parts(segments.size)
        kernel = for_each_loop(operator, self._is_parallel(parts))
        self._run(kernel, Launch(segments.size, parts, segments.ranges), *arrays)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        rows, size = begins.size - 1, int(begins[-1])
        parts = self.parts(size)
        ends = np.arange(1, parts, dtype=np.uint64) * U64(size) // U64(parts)
        bounds = [0, *np.searchsorted(begins[:-1], ends), rows]
        ranges = np.array(list(itertools.pairwise(bounds)), np.uint64)
        kernel = for_each_loop(operator, self._is_parallel(parts))
        self._run(kernel, Launch(size, parts, ranges, cut=False), begins, *arrays)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        kernel, largest = for_each_loop(operator, False), self.tuning.largest_part
        for first in range(0, size, largest):  # between calls Ctrl-C is handled
            kernel(U64(first), U64(min(first + largest, size)), *arrays)

    def for_each_block(
        self, operator: Operator, blocks: int, local: Scratch, *arrays: Any, atomic: bool = False
    ) -> None:
        parallel = self._is_parallel(blocks)
        kernel = for_each_loop(operator, atomic)  # one kernel: of much work, atomics are a small part
        rows = [np.empty((self.threads if parallel else 1, size), dtype) for size, dtype in local]
        launch = Launch(blocks, max(blocks, 1), own=rows, most=1)
        self._run(kernel, launch, *(row[0] for row in rows), *arrays)

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        into, parts = into[:size], self.parts(segments.size, launches=2)
        parallel, launch = self._is_parallel(parts), Launch(segments.size, parts, segments.ranges)
        # Per-thread minima, merged at the end, need no atomics. They are used if they are few enough.
        few = parallel and self._team_module.runs_machine_code()
        if few and (self.threads - 1) * size <= self.tuning.private_minima * segments.size:
            kernel, used = scatter_min_loop(operator, False), np.zeros(self.threads, np.uint64)
            minima = POOL.empty((self.threads - 1) * size, into.dtype).reshape(-1, size)
            self._run(kernel, launch._replace(own=[minima], used=used), into, *arrays)
            blocks = self.parts(size)
            none = ~into.dtype.type(0)
            self.for_each_block(merge_minima, blocks, [], U64(blocks), none, used, minima, into)
        else:
            self.for_each(set_to, size, ~into.dtype.type(0), into)
            self._run(scatter_min_loop(operator, parallel), launch, into, *arrays)

    # Stream compaction

    def emit(self, operator: Operator, segments: Segments, into: Columns, *arrays: Any) -> Segments:
        parts = self.output_parts(segments.size)
        kernel = emit_loop(operator, store_columns(1, len(into)), self._is_parallel(parts))
        return self._emit(kernel, segments, parts, into, *arrays)

    def filter_emit(
        self, member: Member, operator: Operator, segments: Segments, into: Columns, *arrays: Any
    ) -> Segments:
        parts = self.output_parts(segments.size)
        kernel = filter_emit_loop(member[0], operator, store_columns(1, len(into)), self._is_parallel(parts))
        return self._emit(kernel, segments, parts, into, member[1], *arrays)

    def _emit(self, kernel: Kernel, segments: Segments, parts: int, into: Columns, *arrays: Any) -> Segments:
        """Run a kernel that stores elements, and return the segments that they were stored in."""
        launch = Launch(segments.size, parts, segments.ranges, chained=True)
        pairs, size = self._run(kernel, launch, ZERO, tuple(into), *arrays)
        return Segments(size, np.asarray(pairs, np.uint64))

    def emit_grouped(
        self, operator: Operator, size: int, into: Columns, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        parts = self.parts(size, launches=2)
        parallel = self._is_parallel(parts)
        if parallel:  # the counts of all parts are not many more than the elements
            parts = max(min(parts, 2 * size // groups), 1)
        slots = np.zeros((parts if parallel else 1, groups), np.uint64)
        row_bytes = U64(slots.strides[0] if parallel else 0)
        rows = U64(address_of(slots)) + np.arange(parts, dtype=np.uint64) * row_bytes
        launch = Launch(size, parts, third=rows)
        count = count_groups_loop(operator, parallel)
        emit = emit_grouped_loop(operator, store_columns(2, len(into)), parallel)
        self._run(count, launch, slots[0], *arrays)
        # Slots are assigned group by group, and within a group part by part.
        ends = np.cumsum(slots.T, dtype=np.uint64).reshape(groups, -1).T
        np.subtract(ends, slots, out=slots)
        begins = np.append(slots[0], ends[-1, -1])
        self._run(emit, launch, slots[0], tuple(into), *arrays)
        return begins

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        parts = self.parts(size, launches=2)
        if not self._is_parallel(parts):
            return int(number_loop(member, False)(ZERO, U64(size), U64(begin), number, *arrays)) - begin
        firsts, total = self._firsts(member, size, parts, *arrays)
        firsts += U64(begin)
        self._run(number_loop(member, True), Launch(size, parts, third=firsts), ZERO, number, *arrays)
        return total

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        parts = self.parts(flags.size, launches=2)
        if not self._is_parallel(parts):
            return np.flatnonzero(flags)
        firsts, total = self._firsts(is_set, flags.size, parts, flags)
        found = POOL.empty(total, np.int64, MAX_OVERSIZE_OF_RESULT)
        kernel = filter_emit_loop(is_set, _emit_index, store_columns(1, 1), True)
        self._run(kernel, Launch(flags.size, parts, third=firsts), ZERO, (found,), (flags,))
        return found

    # Reduction and scan

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        parts = self.parts(size)
        kernel = count_loop(member, self._is_parallel(parts))
        return self._run(kernel, Launch(size, parts), ZERO, *arrays)[1]

    def _firsts(
        self, member: Operator, size: int, parts: int, *arrays: Any
    ) -> tuple[NDArray[np.uint64], int]:
        """Return the number of members before each part, and in all."""
        counts, total = self._run(count_loop(member, True), Launch(size, parts), ZERO, *arrays)
        firsts = np.cumsum(np.array(counts, np.uint64)[:, 1])
        firsts[1:], firsts[0] = firsts[:-1].copy(), 0
        return firsts, total

    def sort(self, values: NDArray[Any]) -> None:
        from boruvka.backends import sorting

        spare = self.empty(values.size, U64)
        count = self.empty(self.threads * sorting.MAX_DIGITS, U64).reshape(self.threads, -1)
        if values.size < max(self.tuning.buckets_pay_from // self.threads, self.tuning.fewest_in_buckets):
            self._run(sorting.SORT_RANGE, Launch(values.size), count[0], ZERO, values, spare, False)
            return
        low, range_bits = values.min(), int(values.max() - values.min()).bit_length()
        bits = min(range_bits, BUCKET_BITS, max(values.size.bit_length() - BUCKET_SIZE_BITS, 1))
        by_high_bits, buckets = (values, low, U64(range_bits - bits)), 1 << bits
        begins = self.emit_grouped(sorting.emit_by_high_bits, values.size, [spare], buckets, *by_high_bits)
        ranges = np.column_stack([begins[:-1], begins[1:]])
        launch = Launch(values.size, buckets, ranges, cut=False, own=[count])
        self._run(sorting.SORT_RANGE, launch, count[0], ZERO, spare, values, True)

    def argsort(self, values: NDArray[Any]) -> NDArray[np.uint64]:
        from boruvka.backends import sorting

        return sorting.argsort(values, self.for_each, self.sort)

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        parts = self.parts(values.size)
        kernel = segmented_scan_loop(combine, self._is_parallel(parts))
        bounds = [values.size * k // parts for k in range(parts + 1)]
        pairs = [(min(first + 1, last), last) for first, last in itertools.pairwise(bounds)]
        ranges = np.array(pairs, np.uint64)
        self._run(kernel, Launch(values.size, parts, ranges, cut=False), False, values, starts, *arrays)
        for first, last in itertools.pairwise(bounds[1:]):
            # Carry the last value before the range up to its first start.
            kernel(U64(first), U64(last), True, values, starts, *arrays)


def _call(code: Any, words: list[Any], pair: Any, arguments: tuple[Any, ...], chained: bool) -> Results:
    """Call a kernel for one range; return what a launch of one part does."""
    first, last = words[:2] = pair
    begin = 0
    if chained:
        begin, words[2], arguments = int(first), first, (first, *arguments[1:])
    end = int(code(words, (first, last, *arguments)) or 0)
    return [(begin, end)], end - begin


def _run_in_python(code: Any, launch: Launch, arguments: tuple[Any, ...], threads: int) -> Results:
    """Call code that a team cannot: it makes arrays, or this system does not execute new machine code."""
    from boruvka.kernels.team import map_parts

    own, ranges = len(launch.own), launch.ranges
    if ranges is None:
        bounds = [U64(launch.size * k // launch.parts) for k in range(launch.parts + 1)]
        ranges = np.array(list(itertools.pairwise(bounds)))

    def run(pair: Any) -> tuple[int, int]:
        mine = *map(np.empty_like, arguments[:own]), *arguments[own:]
        return _call(code, [0] * 3, pair, mine, launch.chained)[0][0]

    results = map_parts(run, ranges, threads)
    return results, sum(end - begin for begin, end in results)


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


# The loops: each works on one range ``first..last`` of elements, on one thread. ``atomic`` chooses the bodies
# of the atomics that an operator calls: atomic instructions where threads share an array, else plain code.
# Indices stay unsigned and are never cast: a signed index costs a check for wrap-around.


def kernel_of(make: Callable[..., Callable[..., Any]]) -> Callable[..., Kernel]:
    """Decorate a function that makes a loop around operators: the result returns its kernel, made once."""

    @functools.cache
    def compiled(operators: tuple[Operator, ...], atomic: bool) -> Kernel:
        return Kernel(make(*operators), atomic)

    @functools.cache
    def kernel(*operators_and_atomic: Any) -> Kernel:
        *operators, atomic = operators_and_atomic
        return compiled(tuple(operators), atomic and any(map(calls_atomics, operators)))

    return functools.update_wrapper(kernel, make)


@kernel_of
def for_each_loop(operator: Operator) -> Callable[..., Any]:
    """Make a loop that runs an operator for every element."""

    def run(first, last, *arrays):
        for i in range(first, last):
            operator(i, *arrays)

    return run


@kernel_of
def scatter_min_loop(operator: Operator) -> Callable[..., Any]:
    """Make a loop like `for_each_loop` that takes the operator's last array first."""

    def run(first, last, into, *arrays):
        for i in range(first, last):
            operator(i, *arrays, into)

    return run


@kernel_of
def emit_loop(operator: Operator, store: Operator) -> Callable[..., Any]:
    """Make a loop that stores kept elements starting at ``slot``, and returns the slot after the last."""

    def run(first, last, slot, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            store(into, slot, values)  # always: a branch would be mispredicted
            slot += U64(values[0])
        return slot

    return run


@kernel_of
def filter_emit_loop(member: Operator, operator: Operator, store: Operator) -> Callable[..., Any]:
    """Make a loop like `emit_loop` for elements of which few are members."""

    def run(first, last, slot, into, member_arrays, *arrays):
        whole = first + (last - first) // BITS * BITS
        for begin in range(first, last, BITS):
            # 64 membership bits without a branch: the compiler vectorises these loops.
            bits = U64(0)
            if begin < whole:
                for k in range(BITS):
                    bits |= U64(member(begin + k, *member_arrays)) << k
            else:
                for k in range(last - whole):
                    bits |= U64(member(begin + k, *member_arrays)) << k
            while bits:
                values = operator(begin + U64(trailing_zeros(bits)), *arrays)
                bits &= bits - ONE
                store(into, slot, values)
                slot += U64(values[0])
        return slot

    return run


@kernel_of
def count_groups_loop(operator: Operator) -> Callable[..., Any]:
    """Make a loop that counts the kept elements of each group."""

    def run(first, last, counts, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            counts[values[1]] += U64(values[0])

    return run


@kernel_of
def emit_grouped_loop(operator: Operator, store: Operator) -> Callable[..., Any]:
    """Make a loop that stores kept elements, each in the next slot of its group."""

    def run(first, last, slots, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            if values[0]:
                store(into, slots[values[1]], values)
                slots[values[1]] += ONE

    return run


@kernel_of
def count_loop(member: Operator) -> Callable[..., Any]:
    """Make a loop that adds the number of members to ``k``, and returns the sum."""

    def run(first, last, k, *arrays):
        for i in range(first, last):
            k += U64(member(i, *arrays))
        return k

    return run


@kernel_of
def number_loop(member: Operator) -> Callable[..., Any]:
    """Make a loop that numbers members starting at ``k``, and returns the number after the last."""

    def run(first, last, k, number, *arrays):
        for i in range(first, last):
            is_member = member(i, *arrays)
            number[i] = k if is_member else number[i]  # always: a branch would be mispredicted
            k += U64(is_member)
        return k

    return run


@kernel_of
def segmented_scan_loop(combine: Operator) -> Callable[..., Any]:
    """Make a loop that scans a range, or carries the value before it up to its first segment start."""

    def run(first, last, carries, values, starts, *arrays):
        for i in range(first, last):
            if not starts[i]:
                before = first - ONE if carries else i - ONE
                values[i] = combine(values[before], values[i], *arrays)
            elif carries:
                break

    return run
