"""Core distances from all distances: of the metrics that no tree searches, and of many dimensions.

The core distance of a point is the distance to its k-th nearest point, itself included.

Idea: the distance of a pair is computed once, in a block, for the two points. Each point has a heap of the
smallest distances so far, the largest of them first; most distances are larger, which is tested for a row at
once. Points are in bands, two for each block of pairs. As in a tournament, the bands meet in rounds, so that
no two threads change the heap of a point.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator
from boruvka.errors import GraphError
from boruvka.graph.mutual_reachability import kth_smallest
from boruvka.graph.points.distance_blocks import (
    BLOCK,
    BLOCK_METRICS,
    BlockMetric,
    block_distances_of,
    block_points,
    block_scratch,
)
from boruvka.graph.points.point_pairs import PointPairs

__all__ = ["core_distances_of_all_pairs"]

U64 = np.uint64
ZERO, ONE, TWO = U64(0), U64(1), U64(2)
BANDS_PER_THREAD = 4
"""More than two, as threads may be interrupted by other work."""
ROWS_OF_A_RANGE = 64
"""Number of points whose core distances one call finds without blocks."""


def core_distances_of_all_pairs(
    pairs: PointPairs, samples: int, backend: Backend, matrix: NDArray[np.float64]
) -> NDArray[Any]:
    """Find core distances from all distances, in quadratic time.

    Parameters
    ----------
    pairs : PointPairs
    samples : int
        Rank of the core distance among the distances of a point.
    backend : Backend
    matrix : (n, n) or (0, 0) array of float64
        Gets the distances of pairs i < j, if it is not empty; only for metrics of which blocks are computed.
    """
    from_pairs = _from_blocks if pairs.distance in BLOCK_METRICS else _from_rows
    return from_pairs(pairs, samples, backend, matrix)


def _from_blocks(
    pairs: PointPairs, samples: int, backend: Backend, matrix: NDArray[np.float64]
) -> NDArray[np.float64]:
    n, metric = pairs.n, BLOCK_METRICS[pairs.distance]
    if samples == 1:
        return np.zeros(n)
    points = block_points(pairs.values, pairs.distance, backend)
    heap, core = np.full((n, samples - 1), np.inf), np.full(n, np.inf)
    blocks = -(-n // int(BLOCK))
    bands = min(blocks, BANDS_PER_THREAD * backend.threads)
    start = np.linspace(0, blocks, bands + 1).astype(np.uint64)
    for number in range(bands):
        operator = meet_operator(metric)
        arrays = U64(number), start, points, heap, core, matrix
        backend.for_each_block(operator, bands, block_scratch(), *arrays)
    return core


@functools.cache
def meet_operator(metric: BlockMetric) -> Operator:
    """Make the operator that compares the points of band b with those of another, in a round."""
    block_distances = block_distances_of(metric)

    def meet(b, distance, rows, columns, number, start, points, heap, core, matrix):
        n, bands = U64(core.size), U64(start.size - 1)
        other = (number + bands - b) % bands
        for row in range(start[b], start[b + ONE] if b <= other else ZERO):
            for column in range(max(row, start[other]), start[other + ONE]):
                top, left = row * BLOCK, column * BLOCK
                height, width = min(BLOCK, n - top), min(BLOCK, n - left)
                block_distances(top, height, left, width, points, rows, columns, distance)
                for x in range(height):
                    offer_row(top + x, left, width, x * BLOCK, distance, heap, core)
                    if matrix.size:
                        for y in range(width):
                            matrix[top + x, left + y] = distance[x * BLOCK + y]

    meet.__name__ = meet.__qualname__ = f"meet_{metric.name}"
    return meet


def offer_row(i, left, width, k, distance, heap, core):
    """Insert the distances of point i and the points from ``left`` on into the heaps of both."""
    smaller = ZERO
    for y in range(width):
        smaller += U64((distance[k + y] < core[i]) | (distance[k + y] < core[left + y]))
    if smaller:
        for y in range(max(left, i + ONE) - left, width):
            j, d = left + y, distance[k + y]
            if d < core[i]:
                replace_largest(i, d, heap, core)
            if d < core[j]:
                replace_largest(j, d, heap, core)


def replace_largest(i, d, heap, core):
    """Replace the largest distance of point i by a smaller one."""
    size, k = U64(heap.shape[1]), ZERO
    child = ONE
    while child < size:
        if child + ONE < size and heap[i, child + ONE] > heap[i, child]:
            child += ONE
        if heap[i, child] <= d:
            break
        heap[i, k] = heap[i, child]
        k, child = child, TWO * child + ONE
    heap[i, k] = d
    core[i] = heap[i, ZERO]


def _from_rows(
    pairs: PointPairs, samples: int, backend: Backend, matrix: NDArray[np.float64]
) -> NDArray[Any]:
    n = pairs.n
    core, wrong = np.empty(n, pairs.dtype), np.full(n, n, np.uint64)
    arrays = pairs.values, U64(samples), core, wrong
    ranges = -(-n // ROWS_OF_A_RANGE)
    backend.for_each_block(core_operator(pairs.distance), ranges, [(n, pairs.dtype)], *arrays)
    if (wrong < n).any():
        i = int(np.argmax(wrong < n))
        raise GraphError(
            f"the distance of points {i} and {wrong[i]} is NaN or negative: core distances are not defined"
        )
    return core


@functools.cache
def core_operator(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the operator that finds the core distances of a range of points."""

    def find(b, row, points, samples, core, wrong):
        n, first = U64(core.size), U64(b) * U64(ROWS_OF_A_RANGE)
        for i in range(first, min(n, first + U64(ROWS_OF_A_RANGE))):
            for j in range(n):
                row[j] = 0
                if i != j:
                    row[j] = d = distance(points[min(i, j)], points[max(i, j)])
                    if not d >= 0:
                        wrong[i] = min(wrong[i], j)
            core[i] = kth_smallest(row, np.int64(0), np.int64(n), np.int64(samples))

    find.__name__ = find.__qualname__ = f"core_distances_{distance.__name__}"
    return find
