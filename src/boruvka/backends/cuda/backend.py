"""The backend for an NVIDIA GPU: Numba's kernels over CuPy's arrays, which CuPy scans and sorts.

Compaction (`emit`, `filter_emit`, `number`, `flatnonzero`) keeps elements in order, in two passes. The first
marks each element that stays by a bit, and counts the marked ones of each tile. One block sums the counts to
the slot where each tile begins; the host waits only for the total. The second pass visits the marked
elements, and each finds its slot by counting the bits before its own.

Without a GPU this runs on Numba's simulator (``NUMBA_ENABLE_CUDASIM=1``).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from boruvka.backends.cuda import adapters, kernels
from boruvka.backends.cuda.arrays import as_array, as_numpy, why_not, xp
from boruvka.backends.cuda.compiler import IS_SIMULATED
from boruvka.backends.cuda.kernels import MAX_BLOCKS, SUMMERS, THREADS, TILE_SIZE, U64
from boruvka.backends.cuda.launcher import launch
from boruvka.backends.primitives import Backend, Columns, Member, Operator, Scratch, Segments, is_set
from boruvka.backends.tuning import Tuning
from boruvka.errors import BackendError

BLOCKS_AT_ONCE = 3 if IS_SIMULATED else 1024
"""Blocks of vertices that are worked on at once, by one thread each."""
SCAN_PART = 3 if IS_SIMULATED else 16
"""Elements that one thread scans in order."""


class Cuda(Backend):
    """Numba kernels on the GPU that is current when they are launched."""

    name = "cuda"
    is_cpu = False

    def __init__(self, threads: int = 1, tuning: Tuning | None = None):
        super().__init__(threads, tuning)
        if problem := why_not():
            raise BackendError(f"the backend cuda cannot run: {problem}")

    to_device, to_host = staticmethod(as_array), staticmethod(as_numpy)
    empty, zeros = staticmethod(xp.empty), staticmethod(xp.zeros)

    def empty_worklist(self, size: int, dtypes: Sequence[Any]) -> Columns:
        return [xp.empty(0, dtype) for dtype in dtypes]  # `emit` makes arrays of the size that it needs

    def for_each(self, operator: Operator, where: int | Segments, *arrays: Any) -> None:
        kernel = kernels.for_each_kernel(operator)
        for first, last in (self.positions(where) if isinstance(where, int) else where).pairs:
            if last > first:
                blocks = min(-(-int(last - first) // THREADS), MAX_BLOCKS)
                launch(kernel, blocks, THREADS, first, last, arrays)

    def for_each_block(
        self, operator: Operator, blocks: int, local: Scratch, *arrays: Any, atomic: bool = False
    ) -> None:
        threads = min(blocks, BLOCKS_AT_ONCE)
        own = tuple(xp.empty((threads, size), dtype) for size, dtype in local)
        kernel = kernels.for_each_block_kernel(operator, len(own))
        launch(kernel, -(-threads // THREADS), THREADS, U64(threads), U64(blocks), own, arrays)

    def for_each_in_order(self, operator: Operator, size: int, *arrays: Any) -> None:
        launch(kernels.for_each_kernel(operator), 1, 1, U64(0), U64(size), arrays)

    def emit(self, operator: Operator, segments: Segments, into: Columns, *arrays: Any) -> Segments:
        marked = MarkedElements(adapters.is_kept(operator), segments, arrays)
        return self._store_emitted(marked, operator, into, arrays)

    def filter_emit(
        self, member: Member, operator: Operator, segments: Segments, into: Columns, *arrays: Any
    ) -> Segments:
        marked = MarkedElements(adapters.is_kept_member(member[0], operator), segments, member[1], arrays)
        return self._store_emitted(marked, operator, into, arrays)

    def _store_emitted(
        self, marked: MarkedElements, operator: Operator, into: Columns, arrays: tuple[Any, ...]
    ) -> Segments:
        """Store what the operator emits in new arrays, since it may read the old ones."""
        columns = tuple(xp.empty(marked.total, array.dtype) for array in into)
        marked.visit(adapters.store_emitted(operator, len(columns)), columns, arrays)
        into[:] = columns
        return self.positions(marked.total)

    def emit_grouped(self, operator: Operator, size: int, into: Columns, groups: int, *arrays: Any) -> Any:
        marked = MarkedElements(adapters.is_kept(operator), self.positions(size), arrays)
        index = xp.empty(marked.total, np.min_scalar_type(max(size, 1)))
        group = xp.empty(marked.total, np.min_scalar_type(max(groups - 1, 1)))
        marked.visit(adapters.store_group(operator), index, group, arrays)
        if groups > 1:
            order = xp.argsort(group, kind="stable")
            index, group = index[order], group[order]
        into[:] = [xp.empty(marked.total, array.dtype) for array in into]
        self.for_each(adapters.gather_emitted(operator, len(into)), marked.total, index, tuple(into), arrays)
        begins = xp.empty(groups + 1, np.uint64)
        begins[:-1] = xp.searchsorted(group, xp.arange(groups, dtype=group.dtype))
        begins[-1:] = marked.total
        return begins

    def count(self, member: Operator, size: int, *arrays: Any) -> int:
        return MarkedElements(member, self.positions(size), *arrays).total

    def argsort(self, values: Any) -> Any:
        return xp.argsort(values, kind="stable").astype(np.uint64)

    def segmented_scan(self, combine: Operator, values: Any, starts: Any, *arrays: Any) -> None:
        """Scan each part by one thread, then the last values of parts recursively, and add these to parts."""
        parts = -(-values.size // SCAN_PART)
        lasts, has_start = xp.empty(parts, values.dtype), xp.empty(parts, bool)
        scan = adapters.scan_part(combine, SCAN_PART)
        self.for_each(scan, parts, values, starts, lasts, has_start, arrays)
        if parts > 1:
            self.segmented_scan(combine, lasts, has_start, *arrays)
            self.for_each(adapters.add_carry(combine, SCAN_PART), parts - 1, values, starts, lasts, arrays)

    def number(self, member: Operator, size: int, number: Any, begin: int, *arrays: Any) -> int:
        marked = MarkedElements(member, self.positions(size), *arrays)
        marked.visit(adapters.store_number, number, U64(begin))
        return marked.total

    def flatnonzero(self, flags: Any) -> Any:
        marked = MarkedElements(is_set, self.positions(flags.size), flags)
        indices = xp.empty(marked.total, np.int64)
        marked.visit(adapters.store_index, indices)
        return indices


class MarkedElements:
    """The elements of a list for which ``member(i, *member_arrays)`` holds, marked by bits.

    Parameters
    ----------
    member : Operator
    segments : Segments
    *member_arrays : array or tuple of arrays
    """

    def __init__(self, member: Operator, segments: Segments, *member_arrays: Any):
        tiles = [-(-int(last - first) // TILE_SIZE) for first, last in segments.pairs]
        self._begins = xp.empty(sum(tiles) + 1, np.uint64)
        """The slot where each tile begins, and the number of marked elements."""
        self._ranges: list[tuple[int, tuple[Any, ...]]] = []
        """For each segment that is not empty: its tiles, and the arguments of a kernel."""
        begin = 0
        for (first, last), size in zip(segments.pairs, tiles, strict=True):
            if size:
                bits, begins = xp.empty(size * THREADS, np.uint32), self._begins[begin : begin + size]
                marked = first, last, bits, begins
                launch(kernels.mark_kernel(member), size, THREADS, *marked, member_arrays)
                self._ranges.append((size, marked))
                begin += size
        if begin:
            launch(kernels.sum_before_kernel(), 1, SUMMERS, self._begins)

    @functools.cached_property
    def total(self) -> int:
        """Number of marked elements; the host waits for it."""
        return int(as_numpy(self._begins[-1:])[0]) if self._ranges else 0

    def visit(self, action: Operator, *arguments: Any) -> None:
        """Run ``action(i, slot, *arguments)`` for the marked elements, with slots in ascending order."""
        for tiles, marked in self._ranges:
            launch(kernels.visit_kernel(action), tiles, THREADS, *marked, arguments)
