"""Operators compiled by Numba, on the threads of this machine.

Each thread takes one range of a loop. A loop of few elements runs on the calling thread, and so does
everything if there is one thread; then no operation needs to be atomic. Long ranges are cut into
pieces, between which Ctrl-C is heard.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit, types
from numba.extending import register_jitable
from numpy.typing import NDArray

from boruvka.backends.binding import bound
from boruvka.backends.compiler import jit
from boruvka.backends.device_arrays import on_host
from boruvka.backends.numba_internals import SHARED_ATOMICS, store, trailing_zeros
from boruvka.backends.protocol import Operator, Segments, WorkList, size_of

INLINE_BELOW = 50_000
"""Fewer elements than this are not worth waking threads for (50 microseconds)."""
ROOM = 2
"""Minima that threads may have of their own, for each element that offers."""
PIECE = 1 << 24
"""Elements in one call of a kernel: a few tenths of a second at most."""


WORD, ONE = np.uint64(64), np.uint64(1)


class Threads:
    """Numba kernels on a pool of threads; the GIL is released while they run."""

    name = "threads"
    has_caches = True

    def __init__(self, threads: int):
        self.threads = threads

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
        parts = self.threads if size >= INLINE_BELOW else 1
        bounds = [np.uint64(size * part // parts) for part in range(parts + 1)]
        return list(itertools.pairwise(bounds))

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        segments = self.split(where) if isinstance(where, int) else where
        self._run(operator, segments, self._side_by_side(segments), *arrays)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        ends = [last for _, last in self.split(int(begins[-1]))]
        bounds = [np.uint64(0), *np.searchsorted(begins[:-1], ends[:-1]).astype(np.uint64)]
        segments = list(itertools.pairwise([*bounds, np.uint64(begins.size - 1)]))
        self._run(operator, segments, len(segments) > 1, begins, *arrays)

    def _run(self, operator: Operator, segments: Segments, side_by_side: bool, *arrays: Any) -> None:
        kernel = _each(operator, side_by_side)

        def run(segment):
            for first, last in _pieces(segment):
                kernel(first, last, *arrays)

        self._map(run, segments, side_by_side)

    def for_each_block(
        self, operator: Operator, blocks: int, local: Sequence[tuple[int, Any]], *arrays: Any
    ) -> None:
        side_by_side = blocks > 1 and self.threads > 1
        kernel = _each(operator, False)
        spare = [[np.empty(*array) for array in local] for _ in range(self.threads if side_by_side else 1)]

        def run(block):
            own = spare.pop()
            kernel(np.uint64(block), np.uint64(block + 1), *own, *arrays)
            spare.append(own)

        self._map(run, range(blocks), side_by_side)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        self.for_each(operator, [(np.uint64(0), np.uint64(size))], *arrays)

    def emit(self, operator: Operator, segments: Segments, into: WorkList, *arrays: Any) -> Segments:
        side_by_side = self._side_by_side(segments)
        return self._collect(_emit(operator, side_by_side), segments, side_by_side, tuple(into), *arrays)

    def filter_emit(
        self,
        member: Operator,
        of: tuple[Any, ...],
        operator: Operator,
        segments: Segments,
        into: WorkList,
        *arrays: Any,
    ) -> Segments:
        side_by_side = self._side_by_side(segments)
        kernel = _filter_emit(member, operator, side_by_side)
        return self._collect(kernel, segments, side_by_side, tuple(into), of, *arrays)

    def scatter_min(
        self, operator: Operator, segments: Segments, into: NDArray[Any], size: int, *arrays: Any
    ) -> None:
        into = into[:size]
        side_by_side = self._side_by_side(segments)
        # Where there is room, each thread has minima of its own, and nothing need be atomic.
        apart = side_by_side and (len(segments) - 1) * size <= ROOM * size_of(segments)
        minima = [into, *(self.empty(size, into.dtype) for _ in segments[1:])] if apart else [into]
        kernel = _each(operator, side_by_side and not apart)

        def fill(array):
            array.fill(~array.dtype.type(0))

        def run(part):
            for first, last in _pieces(segments[part]):
                kernel(first, last, *arrays, minima[part if apart else 0])

        def merge(segment):
            here = slice(*segment)
            for other in minima[1:]:
                np.minimum(into[here], other[here], out=into[here])

        self._map(fill, minima, side_by_side)
        self._map(run, range(len(segments)), side_by_side)
        if apart:
            self._map(merge, self.split(size), side_by_side)

    def emit_grouped(
        self, operator: Operator, size: int, into: WorkList, groups: int, *arrays: Any
    ) -> NDArray[np.uint64]:
        segments = self.split(size)
        side_by_side = self._side_by_side(segments)
        count, place = _count_groups(operator, side_by_side), _emit_grouped(operator, side_by_side)
        targets, slots = tuple(into), np.zeros((len(segments), groups), np.uint64)

        def run_count(part):
            for first, last in _pieces(segments[part]):
                count(first, last, slots[part], *arrays)

        def run_place(part):
            for first, last in _pieces(segments[part]):
                place(first, last, slots[part], targets, *arrays)

        self._map(run_count, range(len(segments)), side_by_side)
        # A group lies together, and in it the elements of the first part come first.
        ends = np.cumsum(slots.T, dtype=np.uint64).reshape(groups, -1).T
        np.subtract(ends, slots, out=slots)
        begins = np.empty(groups + 1, np.uint64)
        begins[:-1], begins[-1] = slots[0], ends[-1, -1]
        self._map(run_place, range(len(segments)), side_by_side)
        return begins

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        return sum(self._counts(member, self.split(size), *arrays))

    def exclusive_sum(self, values: NDArray[Any]) -> int:
        sums = np.cumsum(values, dtype=values.dtype)
        values[:1], values[1:] = 0, sums[:-1]
        return int(sums[-1]) if sums.size else 0

    def segmented_scan(
        self, combine: Operator, values: NDArray[Any], starts: NDArray[Any], *arrays: Any
    ) -> None:
        segments = self.split(values.size)
        side_by_side = self._side_by_side(segments)
        kernel = _segmented_scan(combine, side_by_side)

        def run(segment):
            first, last = segment
            for part in _pieces((min(first + ONE, last), last)):
                kernel(*part, False, values, starts, *arrays)

        self._map(run, segments, side_by_side)
        for segment in segments[1:]:  # what reaches over a border, up to the first start
            kernel(*segment, True, values, starts, *arrays)

    def number(self, member: Operator, size: int, number: NDArray[Any], begin: int, *arrays: Any) -> int:
        segments = self.split(size)
        side_by_side = self._side_by_side(segments)
        before = [0]
        if side_by_side:
            before = [0, *itertools.accumulate(self._counts(member, segments, *arrays))]
        kernel = _number(member, side_by_side)

        def run(part):
            return int(kernel(*segments[part], np.uint64(begin + before[part]), number, *arrays))

        return self._map(run, range(len(segments)), side_by_side)[-1] - begin

    def flatnonzero(self, flags: NDArray[Any]) -> NDArray[np.int64]:
        segments = self.split(flags.size)
        side_by_side = self._side_by_side(segments)
        counts = self._map(lambda segment: np.count_nonzero(flags[slice(*segment)]), segments, side_by_side)
        begins = [0, *itertools.accumulate(counts)]
        found = self.empty(begins[-1], np.int64)
        kernel = _filter_emit(_is_set, _index, side_by_side)

        def run(part):
            slot = np.uint64(begins[part])
            for first, last in _pieces(segments[part]):
                slot = kernel(first, last, slot, (found,), (flags,))

        self._map(run, range(len(segments)), side_by_side)
        return found

    def _collect(
        self, kernel: Callable[..., Any], segments: Segments, side_by_side: bool, *arguments: Any
    ) -> Segments:
        def run(bundle):
            begin = slot = bundle[0][0]
            for segment in bundle:
                for first, last in _pieces(segment):
                    slot = kernel(first, last, slot, *arguments)
            return begin, np.uint64(slot)

        return self._map(run, _bundles(segments, self.threads if side_by_side else 1), side_by_side)

    def _counts(self, member: Operator, segments: Segments, *arrays: Any) -> list[int]:
        side_by_side = self._side_by_side(segments)
        kernel = _count(member, side_by_side)
        return self._map(lambda segment: int(kernel(*segment, *arrays)), segments, side_by_side)

    def _side_by_side(self, segments: Segments) -> bool:
        return len(segments) > 1 and size_of(segments) >= INLINE_BELOW

    def _map(self, run: Callable[[Any], Any], parts: Iterable[Any], side_by_side: bool) -> list[Any]:
        """Run parts; side by side, the calling thread takes its share."""
        if not side_by_side:
            return [run(part) for part in parts]
        parts = list(parts)
        todo, done = enumerate(parts), [None] * len(parts)  # one iterator, from which each thread takes parts

        def work():
            for k, part in todo:
                done[k] = run(part)

        helpers = [_pool(self.threads).submit(work) for _ in range(min(self.threads, len(parts)) - 1)]
        try:
            work()
        finally:
            for _ in todo:  # left where a part failed or was interrupted
                pass
            for helper in helpers:
                if not helper.cancel():
                    helper.result()
        return done


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads - 1, thread_name_prefix="boruvka")


if hasattr(os, "register_at_fork"):  # a forked child has no threads: it makes a pool of its own
    os.register_at_fork(after_in_child=_pool.cache_clear)


def _pieces(segment: tuple[np.uint64, np.uint64]) -> list[tuple[np.uint64, np.uint64]]:
    first, last = segment
    if last - first <= PIECE:
        return [segment]
    bounds = [*range(int(first), int(last), PIECE), int(last)]
    return [(np.uint64(a), np.uint64(b)) for a, b in itertools.pairwise(bounds)]


def _bundles(segments: Segments, parts: int) -> list[Segments]:
    """Deal consecutive segments to parts of about the same size."""
    if len(segments) <= parts:
        return [[segment] for segment in segments]
    share, before = size_of(segments) / parts, 0.0
    bundles: list[Segments] = []
    for segment in segments:
        if before >= share * len(bundles):
            bundles.append([])
        bundles[-1].append(segment)
        before += float(segment[1] - segment[0])
    return bundles


@functools.cache
def _compiled(function: FunctionType, shared: bool) -> Any:
    """Make a function compilable, bound to the bodies above where threads share its arrays."""
    if shared and function in SHARED_ATOMICS:
        return SHARED_ATOMICS[function]
    return register_jitable(bound(function, lambda called: _compiled(called, shared), str(shared)))


@functools.cache
def result_type(function: FunctionType, a: Any, b: Any) -> np.dtype[Any] | None:
    """Find what a function of two values of some types returns: int64, uint64, float64, or none of these."""
    compiled = _compiled(function, False)
    dispatcher: Any = njit(lambda a, b: compiled(a, b))
    dispatcher.compile((a, b))
    found = dispatcher.nopython_signatures[0].return_type
    if isinstance(found, types.Float):
        return np.dtype(np.float64)
    if isinstance(found, (types.Integer, types.Boolean)):
        return np.dtype(np.uint64 if found in (types.uint64, types.uintp) else np.int64)
    return None


def _is_set(i, flags):
    return flags[i]


def _index(i):
    return True, i


# Launchers. Indices stay unsigned and uncast: a signed one costs a check for wrap-around.


@functools.cache
def _each(operator: Operator, shared: bool) -> Callable[..., Any]:
    name = f"each_{operator.__name__}"
    operator = _compiled(operator, shared)

    def run(first, last, *arrays):
        for i in range(first, last):
            operator(i, *arrays)

    return jit(run, name)


@functools.cache
def _emit(operator: Operator, shared: bool) -> Callable[..., Any]:
    name = f"emit_{operator.__name__}"
    operator = _compiled(operator, shared)

    def run(first, last, slot, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            store(into, slot, values[1:])  # always: a branch would be mispredicted
            slot += np.uint64(values[0])
        return slot

    return jit(run, name)


@functools.cache
def _filter_emit(member: Operator, operator: Operator, shared: bool) -> Callable[..., Any]:
    name = f"sift_{member.__name__}_{operator.__name__}"
    member, operator = _compiled(member, shared), _compiled(operator, shared)

    def run(first, last, slot, into, of, *arrays):
        whole = first + (last - first) // WORD * WORD
        for begin in range(first, last, WORD):
            # A word of bits has no branch, and the compiler makes vectors of it.
            bits = np.uint64(0)
            if begin < whole:
                for k in range(WORD):
                    bits |= np.uint64(member(begin + k, *of)) << k
            else:
                for k in range(last - whole):
                    bits |= np.uint64(member(begin + k, *of)) << k
            while bits:
                values = operator(begin + np.uint64(trailing_zeros(bits)), *arrays)  # type: ignore[call-arg]
                bits &= bits - ONE
                store(into, slot, values[1:])
                slot += np.uint64(values[0])
        return slot

    return jit(run, name)


@functools.cache
def _count_groups(operator: Operator, shared: bool) -> Callable[..., Any]:
    name = f"count_groups_{operator.__name__}"
    operator = _compiled(operator, shared)

    def run(first, last, counts, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            counts[values[1]] += np.uint64(values[0])

    return jit(run, name)


@functools.cache
def _emit_grouped(operator: Operator, shared: bool) -> Callable[..., Any]:
    name = f"emit_grouped_{operator.__name__}"
    operator = _compiled(operator, shared)

    def run(first, last, slots, into, *arrays):
        for i in range(first, last):
            values = operator(i, *arrays)
            if values[0]:
                store(into, slots[values[1]], values[2:])
                slots[values[1]] += ONE

    return jit(run, name)


@functools.cache
def _count(member: Operator, shared: bool) -> Callable[..., Any]:
    name = f"count_{member.__name__}"
    member = _compiled(member, shared)

    def run(first, last, *arrays):
        k = np.uint64(0)
        for i in range(first, last):
            k += np.uint64(member(i, *arrays))
        return k

    return jit(run, name)


@functools.cache
def _segmented_scan(combine: Operator, shared: bool) -> Callable[..., Any]:
    name = f"scan_segments_{combine.__name__}"
    combine = _compiled(combine, shared)

    def run(first, last, carries, values, starts, *arrays):
        for i in range(first, last):
            if not starts[i]:
                before = first - ONE if carries else i - ONE
                values[i] = combine(values[before], values[i], *arrays)
            elif carries:
                break

    return jit(run, name)


@functools.cache
def _number(member: Operator, shared: bool) -> Callable[..., Any]:
    name = f"number_{member.__name__}"
    member = _compiled(member, shared)

    def run(first, last, k, number, *arrays):
        for i in range(first, last):
            is_member = member(i, *arrays)
            number[i] = k if is_member else number[i]  # always: a branch would be mispredicted
            k += np.uint64(is_member)
        return k

    return jit(run, name)
