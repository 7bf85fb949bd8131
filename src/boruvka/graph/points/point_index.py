"""What a search of points needs: checked coordinates, a kd-tree, lists of neighbours, core distances."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator
from boruvka.graph.points.geometry import SUM_OF_SQUARES, Geometry, just_below
from boruvka.graph.points.kd_tree import ONE, TWO, KdTree, build, first_row, pull_up
from boruvka.graph.points.neighbours import find_neighbours

if TYPE_CHECKING:
    from boruvka.graph.distance_graph import DistanceGraph

NEIGHBOURS = {1: 4, 2: 8}
"""Length of the lists by the number of dimensions."""
NEIGHBOURS_ELSE = 8
EXTRA_NEIGHBOURS = 2
"""More neighbours than the core distance needs: the lightest edges are often tied with it."""
PAYS_FROM = {
    **dict.fromkeys(range(1, 4), 3_000),
    **dict.fromkeys(range(4, 11), 5_000),
    **dict.fromkeys(range(11, 17), 10_000),
}
"""Points from which the tree is faster than all distances, by the number of dimensions."""
TINY = 1e-140
"""Differences of larger numbers are 0 or have a square that is not."""


def tree_pays(graph: DistanceGraph) -> bool:
    """Return whether a tree of these points is faster than computing all distances."""
    d = graph.points.shape[1] if graph.points.ndim > 1 else 0
    return graph.geometry is not None and d in PAYS_FROM and graph.n >= PAYS_FROM[d]


class PointIndex:
    """The tree of the points of a graph, and what is known of each.

    Parameters
    ----------
    graph : DistanceGraph
        At least two points, with a geometry.
    backend : Backend

    Attributes
    ----------
    tree : KdTree
    neighbours : Neighbours
    core : array of float64
        Core distances of the rows of the tree; empty where weights are plain distances.
    searched : array of float64
        The points as they were given, for a geometry that needs them; else empty.
    equal_pairs : array of uint64
        Edges of weight 0 that join equal points to the first of them, which alone is in the tree. Points are
        left out only if so many are equal that comparing all of them would take long.
    """

    tree: KdTree
    equal_pairs: NDArray[np.uint64]

    def __init__(self, graph: DistanceGraph, backend: Backend):
        geometry: Geometry = graph.geometry  # type: ignore[assignment]
        given = np.ascontiguousarray(graph.points, np.float64)
        graph.check()  # again: NaN in the tree would be worse than wrong
        embedded = geometry.embed(given)
        samples = graph.min_samples or 1
        self.equal_pairs, copies = np.empty(0, np.uint64), np.empty(0, np.uint32)
        vertex = np.arange(graph.n, dtype=np.uint32)
        self.tree = build(embedded, vertex, backend)
        if has_flat_leaf(self.tree) and not has_tiny(given, geometry):
            kept, self.equal_pairs, copies = collapse(given, samples)
            if kept.size < graph.n:
                self.tree = build(embedded[kept], kept, backend)
        d = self.tree.dimensions
        self.how = geometry, d, samples > 1
        self.searched = given if geometry.needs_points else np.empty((0, 0))
        k = max(NEIGHBOURS.get(d, NEIGHBOURS_ELSE), samples - 1 + EXTRA_NEIGHBOURS if samples > 1 else 0)
        k = min(k, int(self.tree.n) - 1)  # 0 if all points are equal
        self.neighbours, core = find_neighbours(
            self.tree, self.searched, geometry, k, backend, copies, samples
        )
        if samples > 1 and not graph.has_core_distances:
            by_vertex = np.zeros(graph.n)
            by_vertex[self.tree.vertex] = core
            graph.keep_core_distances(by_vertex)
        self.core = core
        if samples > 1:
            self.core = graph.source.core[self.tree.vertex]
            np.maximum(self.neighbours.last, self.core, out=self.neighbours.last)

    def least_cores(self, backend: Backend) -> Any:
        """Find the separation of the smallest core distance in each node; empty without core distances."""
        least = backend.empty(2 * self.tree.leaves if self.core.size else 0, np.float64)
        if least.size:
            store = store_least_core(self.how[0].reach)
            backend.for_each(store, self.tree.leaves, self.tree, self.core, least)
            pull_up(join_least_cores, int(self.tree.height), backend, least)
        return least


@functools.cache
def store_least_core(reach: Operator) -> Operator:
    """Make the operator that finds the smallest core distance in a leaf, as a separation."""

    def store(leaf, tree, core, least):
        first, last = first_row(leaf, tree), first_row(leaf + ONE, tree)
        x = core[first]
        for r in range(first, last):
            x = min(x, core[r])
        least[(ONE << tree.height) + leaf] = just_below(reach(x))

    store.__name__ = store.__qualname__ = f"store_least_core_{reach.__name__}"
    return store


def join_least_cores(v, least):
    """Find the smallest core distance in an inner node."""
    least[v] = min(least[TWO * v], least[TWO * v + ONE])


def has_tiny(points: NDArray[np.float64], geometry: Geometry) -> bool:
    """Return whether the square of a difference of coordinates may underflow."""
    return geometry.norm == SUM_OF_SQUARES and bool(((np.abs(points) < TINY) & (points != 0)).any())


def has_flat_leaf(tree: KdTree) -> bool:
    """Return whether all points of a leaf are equal, and may be many."""
    corners = tree.box[tree.leaves :]
    d = tree.dimensions
    return tree.leaves > 1 and bool((corners[:, :d] == corners[:, d:]).all(axis=1).any())


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
        How many points each point stands for.
    """
    n = len(points)
    order = np.lexsort((np.arange(n), *(points.T + 0.0)))  # not -0.0, which would sort apart
    differs = np.append(True, (points[order[1:]] != points[order[:-1]]).any(axis=1))
    starts = np.flatnonzero(differs)
    sizes = np.diff(np.append(starts, n))
    first, size = np.repeat(order[starts], sizes), np.repeat(sizes, sizes)
    left_out = (order != first) & (size >= samples)
    copies = np.ones(n, np.uint32)
    copies[order[starts[sizes >= samples]]] = sizes[sizes >= samples]
    kept = np.ones(n, bool)
    kept[order[left_out]] = False
    pairs = (first[left_out].astype(np.uint64) << np.uint64(32)) | order[left_out].astype(np.uint64)
    return np.flatnonzero(kept).astype(np.uint32), pairs, copies
