"""Core distances from all distances, for metrics that no tree searches, many dimensions and few points.

The core distance of a point is the distance to its k-th nearest point, itself included.

Idea: the distance of a pair is computed once, in a block, for both points. Each point has a heap of the
k - 1 smallest distances so far, the largest of them first, and of the points there if they are asked for.
Most distances are larger, which is tested for a whole row at once. Where a metric has bounds, these are
tested, and few distances are computed. Points are divided into bands. Every two bands meet in one of several
rounds, as in a tournament, and a band meets one other in a round: no two threads change the heap of a point.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator
from boruvka.errors import GraphError, first_true
from boruvka.graph.points.distance_blocks import (
    BLOCK,
    BLOCK_METRICS,
    block_distances_of,
    block_points,
    block_scratch,
    four_distances_of,
)
from boruvka.graph.points.distance_bounds import (
    INFINITE,
    PITCH,
    bound_block,
    bound_of,
    distance_bounds,
    lowered,
)
from boruvka.graph.points.point_pairs import PointPairs
from boruvka.kernels.kernel_functions import load_word, trailing_zeros

U64 = np.uint64
ZERO, ONE, TWO, THREE, FOUR, EIGHT = map(U64, (0, 1, 2, 3, 4, 8))
MANY = BLOCK * BLOCK // EIGHT
"""If more pairs of two blocks are marked, all distances are computed, which is faster."""
MATRIX_PAYS_FROM, MATRIX_UP_TO = 32, 5_792
"""Minimum number of dimensions and maximum number of points to keep all distances: distances of pairs i < j
take at most 128 MB."""
BANDS_PER_THREAD = 4
"""More than two, as threads may be interrupted by other work."""


class PairBlocks:
    """Points as blocks of distances take them.

    Parameters
    ----------
    pairs : PointPairs
    backend : Backend
    keeps_distances : bool
        Whether the caller needs the distances again, and `matrix` may hold them.

    Attributes
    ----------
    points : BlockPoints
    bounds : DistanceBounds or None
        Bounds of distances, for metrics that have them.
    matrix : (n, n) or (0, 0) array of float64
        The distances of pairs i < j, once core distances were found from all distances, if reading them is
        faster than computing them again; else empty.
    """

    def __init__(self, pairs: PointPairs, backend: Backend, keeps_distances: bool = False):
        self.points = block_points(pairs.values, pairs.distance, backend)
        self.bounds = distance_bounds(self.points, pairs.distance, backend)
        self.matrix = np.empty((0, 0))
        is_small = self.bounds is None and pairs.n <= MATRIX_UP_TO and pairs.distance in BLOCK_METRICS
        pays = is_small and self.points.points.shape[1] >= MATRIX_PAYS_FROM
        self.keeps_distances = keeps_distances and pays


def core_distances_of_all_pairs(
    pairs: PointPairs,
    samples: int,
    blocks: PairBlocks,
    backend: Backend,
    nearest: NDArray[np.uint32] | None = None,
) -> NDArray[Any]:
    """Find core distances from all distances, in quadratic time.

    Parameters
    ----------
    pairs : PointPairs
    samples : int
        Rank of the core distance among the distances of a point.
    blocks : PairBlocks
        It gets the matrix of distances, if it keeps them.
    backend : Backend
    nearest : (n, samples - 1) array of uint32, optional
        Gets the nearest other points of each point, in order; n stands for points at the largest distance.
    """
    n, dtype = pairs.n, pairs.dtype
    largest = np.inf if dtype.kind == "f" else np.iinfo(dtype).max
    heap, core = np.full((n, max(samples - 1, 1)), largest, dtype), np.full(n, largest, dtype)
    wrong, near = np.full(n, n, np.uint64), np.empty((0, 0), np.uint32) if nearest is None else nearest
    near.fill(n)
    count = -(-n // int(BLOCK))
    bands = min(count, BANDS_PER_THREAD * backend.threads)
    start = np.linspace(0, count, bands + 1).astype(np.uint64)
    if blocks.keeps_distances:
        blocks.matrix = np.empty((n, n))
    meet_two, local = meet_blocks(pairs.distance), block_scratch(dtype)
    others: tuple[Any, ...] = (blocks.matrix,)
    if (bounds := blocks.bounds) is not None:
        meet_two, others = meet_bounded_blocks(pairs.distance), (bounds, np.full_like(bounds.error, INFINITE))
        local += [(int(BLOCK * PITCH), np.float32), (int(BLOCK), np.uint8)]
    arrays = blocks.points, heap, near, core, wrong, *others
    for number in range(bands):
        backend.for_each_block(meet_operator(meet_two), bands, local, *arrays, U64(number), start)
    if (i := first_true(wrong < n)) is not None:
        raise GraphError(
            f"the distance of points {i} and {wrong[i]} is NaN or negative: core distances are not defined"
        )
    if near.size:
        near[:] = np.take_along_axis(near, heap.argsort(axis=1), axis=1)
    return core if samples > 1 else np.zeros(n, dtype)


@functools.cache
def meet_operator(meet_two: Operator) -> Operator:
    """Make the operator that compares the points of band b and of another band, in a round.

    ``meet_two(row, column, *arrays)`` compares the points of two blocks.
    """

    def meet(b, *arrays_and_bands):
        arrays, number, start = arrays_and_bands[:-2], arrays_and_bands[-2], arrays_and_bands[-1]
        other = (number + U64(start.size - 1) - b) % U64(start.size - 1)
        for row in range(start[b], start[b + ONE] if b <= other else ZERO):
            for column in range(max(row, start[other]), start[other + ONE]):
                meet_two(row, column, *arrays)

    meet.__name__ = meet.__qualname__ = meet_two.__name__
    return meet


@functools.cache
def meet_blocks(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the function that computes all distances of two blocks of points, and keeps the smallest."""
    block_distances = block_distances_of(distance)

    def meet(row, column, block, rows, columns, points, heap, near, core, wrong, matrix):
        n, top, left = U64(core.size), row * BLOCK, column * BLOCK
        height, width = min(BLOCK, n - top), min(BLOCK, n - left)
        block_distances(top, height, left, width, points, rows, columns, block)
        for x in range(height):
            offer_row(top + x, left, width, x * BLOCK, block, heap, near, core, wrong)
            for y in range(width if matrix.size else ZERO):
                matrix[top + x, left + y] = block[x * BLOCK + y]

    meet.__name__ = meet.__qualname__ = f"meet_{distance.__name__}"
    return meet


@functools.cache
def meet_bounded_blocks(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the function that computes the distances of two blocks that may be small, if they are few."""
    block_distances, measure = block_distances_of(distance), four_distances_of(distance)
    bound = bound_of(distance)

    def meet(row, column, block, rows, columns, upper, marks, points, heap, near, core, wrong, bounds, reach):
        n, top, left = U64(core.size), row * BLOCK, column * BLOCK
        height, width = min(BLOCK, n - top), min(BLOCK, n - left)
        bound_block(row, column, bounds, upper)
        count = ZERO
        for x in range(height):
            count += mark_near(x, top, left, upper, marks, bounds, reach)
        if count > MANY:
            block_distances(top, height, left, width, points, rows, columns, block)
            for x in range(height):
                offer_row(top + x, left, width, x * BLOCK, block, heap, near, core, wrong)
            for x in range(height):
                reach[top + x] = bound(core[top + x], bounds.scale)
            for y in range(width):
                reach[left + y] = bound(core[left + y], bounds.scale)
        else:
            for x in range(height if count else ZERO):
                if mark_near(x, top, left, upper, marks, bounds, reach):
                    offer_marked(top + x, left, marks, points, heap, near, core, bounds.scale, reach)

    def offer_marked(i, left, marks, points, heap, near, core, scale, reach):
        """Compute the distances of marked pairs, four at a time, and insert them."""
        j0 = j1 = j2 = j3 = i
        waiting = ZERO
        for k in range(ZERO, BLOCK, EIGHT):
            flags = load_word(marks, k)
            while flags:
                j = left + k + (trailing_zeros(flags) >> THREE)
                flags &= flags - ONE
                if j > i:
                    j0, j1, j2, j3 = j1, j2, j3, j
                    waiting += ONE
                if waiting == FOUR:
                    offer_four(i, (j0, j1, j2, j3), waiting, points, heap, near, core, scale, reach)
                    waiting = ZERO
        if waiting:
            offer_four(i, (j0, j1, j2, j3), waiting, points, heap, near, core, scale, reach)

    def offer_four(i, columns, waiting, points, heap, near, core, scale, reach):
        distances = measure((i, i, i, i), columns, points)
        for k in range(FOUR - waiting, FOUR):
            j, d = columns[k], distances[k]
            if d < core[i]:
                replace_largest(i, j, d, heap, near, core)
                reach[i] = bound(core[i], scale)
            if d < core[j]:
                replace_largest(j, i, d, heap, near, core)
                reach[j] = bound(core[j], scale)

    meet.__name__ = meet.__qualname__ = f"meet_bounded_{distance.__name__}"
    for function in offer_marked, offer_four:
        function.__name__ = function.__qualname__ = f"{function.__name__}_{distance.__name__}"
    return meet


def mark_near(x, top, left, upper, marks, bounds, reach):
    """Mark and count the columns of row x whose distances may be below a core distance."""
    own_reach, own_error, count = reach[top + x], bounds.error[top + x], ZERO
    for y in range(BLOCK):
        lower = lowered(upper[x * PITCH + y], own_error + bounds.error[left + y])
        marks[y] = np.uint8(lower < max(own_reach, reach[left + y]))
        count += U64(marks[y])
    return count


def offer_row(i, left, width, k, block, heap, near, core, wrong):
    """Insert the distances from point i to a row of points, which begins with ``left``, into their heaps."""
    count = ZERO
    for y in range(width):
        d = block[k + y]
        count += U64((d < core[i]) | (d < core[left + y]) | (not d >= 0))
    if count:
        for y in range(max(left, i + ONE) - left, width):
            j, d = left + y, block[k + y]
            if not d >= 0:
                wrong[i] = min(wrong[i], j)
            if d < core[i]:
                replace_largest(i, j, d, heap, near, core)
            if d < core[j]:
                replace_largest(j, i, d, heap, near, core)


def replace_largest(i, j, d, heap, near, core):
    """Replace the largest distance of point i by its smaller distance to point j."""
    size, k = U64(heap.shape[1]), ZERO
    child = ONE
    while child < size:
        if child + ONE < size and heap[i, child + ONE] > heap[i, child]:
            child += ONE
        if heap[i, child] <= d:
            break
        heap[i, k] = heap[i, child]
        if near.size:
            near[i, k] = near[i, child]
        k, child = child, TWO * child + ONE
    heap[i, k] = d
    if near.size:
        near[i, k] = j
    core[i] = heap[i, ZERO]
