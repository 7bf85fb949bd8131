"""Core distances from all distances, for metrics that no tree searches, many dimensions and few points.

The core distance of a point is the distance to its k-th nearest point, itself included.

Idea: the distance of a pair is computed once, in a block, for both points. Each point has a heap of the
k - 1 smallest distances so far, the largest of them first, and of the points there if they are asked for.
Most distances are larger, which is tested for a whole row at once. Points are divided into bands. Every two
bands meet in one of several rounds, as in a tournament, and a band meets one other in a round: no two threads
change the heap of a point.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator
from boruvka.errors import GraphError
from boruvka.graph.points.distance_blocks import BLOCK, block_distances_of, block_points, block_scratch
from boruvka.graph.points.point_pairs import PointPairs

__all__ = ["core_distances_of_all_pairs"]

U64 = np.uint64
ZERO, ONE, TWO = U64(0), U64(1), U64(2)
BANDS_PER_THREAD = 4
"""More than two, as threads may be interrupted by other work."""


def core_distances_of_all_pairs(
    pairs: PointPairs,
    samples: int,
    backend: Backend,
    matrix: NDArray[np.float64],
    nearest: NDArray[np.uint32] | None = None,
) -> NDArray[Any]:
    """Find core distances from all distances, in quadratic time.

    Parameters
    ----------
    pairs : PointPairs
    samples : int
        Rank of the core distance among the distances of a point.
    backend : Backend
    matrix : (n, n) or (0, 0) array of float64
        Gets the distances of pairs i < j, if it is not empty.
    nearest : (n, samples - 1) array of uint32, optional
        Gets the nearest other points of each point, in order; n stands for points at the largest distance.
    """
    n, dtype = pairs.n, pairs.dtype
    largest = np.inf if dtype.kind == "f" else np.iinfo(dtype).max
    heap, core = np.full((n, max(samples - 1, 1)), largest, dtype), np.full(n, largest, dtype)
    wrong, near = np.full(n, n, np.uint64), np.empty((0, 0), np.uint32) if nearest is None else nearest
    near.fill(n)
    points = block_points(pairs.values, pairs.distance, backend)
    blocks = -(-n // int(BLOCK))
    bands = min(blocks, BANDS_PER_THREAD * backend.threads)
    start = np.linspace(0, blocks, bands + 1).astype(np.uint64)
    for number in range(bands):
        arrays = U64(number), start, points, heap, near, core, wrong, matrix
        backend.for_each_block(meet_operator(pairs.distance), bands, block_scratch(dtype), *arrays)
    if (wrong < n).any():
        i = int(np.argmax(wrong < n))
        raise GraphError(
            f"the distance of points {i} and {wrong[i]} is NaN or negative: core distances are not defined"
        )
    if near.size:
        near[:] = np.take_along_axis(near, heap.argsort(axis=1), axis=1)
    return core if samples > 1 else np.zeros(n, dtype)


@functools.cache
def meet_operator(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the operator that compares the points of band b and of another band, in a round."""
    block_distances = block_distances_of(distance)

    def meet(b, block, rows, columns, number, start, points, heap, near, core, wrong, matrix):
        n, bands = U64(core.size), U64(start.size - 1)
        other = (number + bands - b) % bands
        for row in range(start[b], start[b + ONE] if b <= other else ZERO):
            for column in range(max(row, start[other]), start[other + ONE]):
                top, left = row * BLOCK, column * BLOCK
                height, width = min(BLOCK, n - top), min(BLOCK, n - left)
                block_distances(top, height, left, width, points, rows, columns, block)
                for x in range(height):
                    offer_row(top + x, left, width, x * BLOCK, block, heap, near, core, wrong)
                    for y in range(width if matrix.size else ZERO):
                        matrix[top + x, left + y] = block[x * BLOCK + y]

    meet.__name__ = meet.__qualname__ = f"meet_{distance.__name__}"
    return meet


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
