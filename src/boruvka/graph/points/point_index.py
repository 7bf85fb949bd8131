"""Index of points: a kd-tree, lists of nearest neighbours, and core distances.

The core distance of a point is the distance to its k-th nearest point, itself included. The index finds them
with the neighbours; for other metrics, and few points, they are found from all distances.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator
from boruvka.graph.points.core_distances import PairBlocks, core_distances_of_all_pairs
from boruvka.graph.points.kd_tree import ONE, TWO, KdTree, build, first_row, pull_up
from boruvka.graph.points.neighbors import find_neighbours
from boruvka.graph.points.point_pairs import PointPairs
from boruvka.graph.points.search_metric import SearchMetric, loosen_bound
from boruvka.graph.points.validation import check_points
from boruvka.kernels.kernel_functions import PERIODIC, SUM_OF_SQUARES
from boruvka.runtime.processors import processors

NEIGHBOURS = {1: 4}
"""Length of the lists by the number of dimensions."""
NEIGHBOURS_ELSE = 8
EXTRA_NEIGHBOURS = 2
"""Number of neighbours beyond what the core distance needs: the lightest edges are often tied with it."""
PAYS_FROM, PAYS_UP_TO = 200, 16
"""Minimum number of points for a tree, and maximum number of dimensions; else all distances are faster."""
CORRELATED_PAYS_FROM, CORRELATED_UP_TO, CORRELATED = 2_000, 32, 0.75
"""Both bounds for correlated coordinates, whose effective dimension is at most this share of their number."""
SAMPLE = 1_024
"""Size of the sample of points that estimates the effective dimension."""
TINY = 1e-140
"""If every coordinate is 0 or has at least this magnitude, the square of a nonzero difference does not
underflow to 0."""


def tree_pays(pairs: PointPairs) -> bool:
    """Return whether a tree of these points is faster than computing all distances."""
    n, d = pairs.n, pairs.points.shape[1] if pairs.points.ndim > 1 else 0
    if pairs.search_metric is None or not 1 <= d <= CORRELATED_UP_TO:
        return False
    if d <= PAYS_UP_TO:
        return n >= PAYS_FROM
    return n >= CORRELATED_PAYS_FROM and effective_dimension(pairs.points) <= CORRELATED * d


def effective_dimension(points: NDArray[np.float64]) -> float:
    """Estimate the number of principal axes along which points vary: (sum of variances)² / sum of squares.

    It is d if coordinates are independent and vary alike, and 1 for points on a line.
    """
    sample = points[:: max(len(points) // SAMPLE, 1)]
    sample = sample - sample[0]  # else differences would be rounded off
    sample /= max(np.abs(sample).max(), TINY)  # squares neither overflow nor underflow
    covariance = np.cov(sample, rowvar=False)
    squares = float(np.square(covariance).sum())
    return float(np.trace(covariance)) ** 2 / squares if squares > 0 else 0.0


def find_core_distances(
    pairs: PointPairs,
    samples: int,
    blocks: PairBlocks | None = None,
    nearest: NDArray[np.uint32] | None = None,
) -> NDArray[Any]:
    """Find the distance of each point to its ``samples``-th nearest point, itself included.

    Parameters
    ----------
    pairs : PointPairs
    samples : int
    blocks : PairBlocks, optional
        The points for blocks of distances.
    nearest : (n, samples - 1) array of uint32, optional
        Gets the nearest other points of each point: see `DistanceGraph.near`.

    Raises
    ------
    GraphError
        A distance is NaN or negative.
    """
    from boruvka.backends import get_backend

    backend = get_backend("threads", processors())
    if not tree_pays(pairs):
        blocks = blocks or PairBlocks(pairs, backend)
        return core_distances_of_all_pairs(pairs, samples, blocks, backend, nearest)
    if samples == 1:  # the distance of a point to itself, which the index does not keep
        return np.zeros(pairs.n)
    index = PointIndex(pairs, samples, backend)
    if nearest is not None:
        index.list_nearest(nearest)
    return index.core_distances()


class PointIndex:
    """Kd-tree of points, with the nearest neighbours and the core distance of each row.

    Parameters
    ----------
    pairs : PointPairs
        At least two points, with a metric that the tree can search.
    samples : int
        Rank of the core distance among the distances of a point; 1 where weights are plain distances.
    backend : Backend

    Attributes
    ----------
    tree : KdTree
    neighbours : Neighbours
    core : array of float64
        Core distances of the rows of the tree; empty where weights are plain distances.
    searched : array of float64
        The points as they were given, for a metric that needs them; else empty.
    copies : array of uint32
        Number of equal points that each point represents; empty if all points are in the tree.
    equal_pairs : array of uint64
        Edges of weight 0 that join equal points to the first of them, which alone is in the tree. Points are
        left out only if so many are equal that comparing all of them would take long.
    """

    tree: KdTree
    equal_pairs: NDArray[np.uint64]

    def __init__(self, pairs: PointPairs, samples: int, backend: Backend):
        metric: SearchMetric = pairs.search_metric  # type: ignore[assignment]
        given = np.ascontiguousarray(pairs.points, np.float64)
        check_points(pairs.points, pairs.distance)  # again: NaN in the tree would be worse than wrong
        embedded = metric.embed(given)
        self.equal_pairs, self.copies = np.empty(0, np.uint64), np.empty(0, np.uint32)
        self.n = pairs.n
        self.tree = build(embedded, np.arange(self.n, dtype=np.uint32), backend, pairs.box)
        if has_flat_leaf(self.tree) and not has_tiny(given, metric):
            kept, self.equal_pairs, self.copies = collapse(given, samples)
            if kept.size < self.n:
                self.tree = build(embedded[kept], kept, backend, pairs.box)
        d = self.tree.d
        self.operator_key = metric, samples > 1
        self.searched = given if metric.needs_points else np.empty((0, 0))
        k = max(NEIGHBOURS.get(d, NEIGHBOURS_ELSE), samples - 1 + EXTRA_NEIGHBOURS if samples > 1 else 0)
        k = min(k, int(self.tree.n) - 1)  # 0 if all points are equal
        self.neighbours, self.core = find_neighbours(
            self.tree, self.searched, metric, k, backend, self.copies, samples
        )

    def core_distances(self) -> NDArray[np.float64]:
        """Return the core distance of each point, which is 0 for those that are not in the tree."""
        by_vertex = np.zeros(self.n)
        by_vertex[self.tree.vertex] = self.core
        return by_vertex

    def list_nearest(self, nearest: NDArray[np.uint32]) -> None:
        """Store the nearest other points of each point, in order: as many as ``nearest`` has columns.

        A point that stands for many is repeated. Points that equal it have only themselves.
        """
        vertex, k = self.tree.vertex, int(self.neighbours.k)
        nearest[:] = np.arange(self.n, dtype=np.uint32)[:, None]
        if not k:
            return
        near = vertex[self.neighbours.row.reshape(-1, k)]
        if self.copies.size:
            many = self.copies[near] > 1
            last = np.where(many.any(axis=1), many.argmax(axis=1), k - 1)
            near = np.take_along_axis(near, np.minimum(np.arange(nearest.shape[1]), last[:, None]), axis=1)
            near[self.copies[vertex] > 1] = vertex[self.copies[vertex] > 1, None]
        nearest[vertex] = near[:, : nearest.shape[1]]

    def use_core_distances(self, core: NDArray[np.float64]) -> None:
        """Weigh pairs with these core distances of points, which may be others than the index found."""
        self.core = core[self.tree.vertex]
        np.maximum(self.neighbours.last, self.core, out=self.neighbours.last)

    def least_cores(self, backend: Backend) -> Any:
        """Bound the reduced distances of the smallest core distance in each node; empty without them."""
        least = backend.empty(2 * self.tree.leaves if self.core.size else 0, np.float64)
        if least.size:
            store = store_least_core(self.operator_key[0].rdist_bound)
            backend.for_each(store, self.tree.leaves, self.tree, self.core, least)
            pull_up(join_least_cores, int(self.tree.height), backend, least)
        return least


@functools.cache
def store_least_core(rdist_bound: Operator) -> Operator:
    """Make the operator that finds the smallest core distance in a leaf, as a reduced distance."""

    def store(leaf, tree, core, least):
        first, last = first_row(leaf, tree), first_row(leaf + ONE, tree)
        x = core[first]
        for r in range(first, last):
            x = min(x, core[r])
        least[(ONE << tree.height) + leaf] = loosen_bound(rdist_bound(x))

    store.__name__ = store.__qualname__ = f"store_least_core_{rdist_bound.__name__}"
    return store


def join_least_cores(v, least):
    """Find the smallest core distance in an inner node."""
    least[v] = min(least[TWO * v], least[TWO * v + ONE])


def has_tiny(points: NDArray[np.float64], metric: SearchMetric) -> bool:
    """Return whether the square of a difference of coordinates may underflow."""
    return metric.norm & ~PERIODIC == SUM_OF_SQUARES and bool(((np.abs(points) < TINY) & (points != 0)).any())


def has_flat_leaf(tree: KdTree) -> bool:
    """Return whether all points of a leaf are equal, and may be many."""
    lower, upper = np.hsplit(tree.box[tree.leaves :], 2)
    return tree.leaves > 1 and bool((lower == upper).all(axis=1).any())


def collapse(
    points: NDArray[np.float64], samples: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint32]]:
    """Leave out points that equal others.

    All pairs of ``samples`` equal points or more have the weight 0, and no other edge is as light. So the
    first edges of the forest join each of them to the one with the smallest index. Fewer equal points are
    kept: their core distance is not 0, and other edges may be as light.

    Returns
    -------
    kept : array of uint32
        The points that stay, ascending.
    pairs : array of uint64
        The edges to those that are left out, as ``pair_key`` numbers them.
    copies : (n,) array of uint32
        Number of points that each point represents.
    """
    order = np.lexsort((points + 0.0).T)  # stable; + 0.0, as -0.0 would sort apart
    differs = (points[order[1:]] != points[order[:-1]]).any(axis=1)
    starts = np.flatnonzero(np.append(True, differs))
    sizes = np.diff(starts, append=len(points))
    first, is_large = np.repeat(order[starts], sizes), np.repeat(sizes >= samples, sizes)
    copies, kept = np.ones(len(points), np.uint32), np.ones(len(points), bool)
    copies[order[starts]] = np.where(sizes >= samples, sizes, 1)
    left_out = is_large & (order != first)
    kept[order[left_out]] = False
    pairs = (first[left_out].astype(np.uint64) << np.uint64(32)) | order[left_out].astype(np.uint64)
    return np.flatnonzero(kept).astype(np.uint32), pairs, copies
