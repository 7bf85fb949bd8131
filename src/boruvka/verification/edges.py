"""The search for an edge that should replace one of a forest, among all edges of a graph.

A forest is minimum exactly if every edge outside it comes after the heaviest edge on the path between its
ends. In a dense graph, most edges need no path. The lightest edges of the forest join most vertices into one
tree. An edge with both ends in that tree that is heavier than all edges of the tree is heavier than its path.
A sample of the edges determines how many edges that tree has.

Source: the property is that of R. E. Tarjan, Applications of path compression on balanced trees, 1979.
Light edges first: V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal minimum spanning tree algorithm,
2009.
"""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.graph import DistanceGraph, Graph, ImplicitGraph, MatrixGraph
from boruvka.graph.matrix import is_present
from boruvka.graph.validation import vertex_dtype
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.kernels.team import map_in_order
from boruvka.runtime.progress import report
from boruvka.verification.merge_trees import AHEAD, MergeTrees, widened

RANGE = 1 << 17
"""Edges that are checked at once: their arrays stay in the cache."""
SAMPLE = 4096
"""Number of edges in the sample that determines the light tree."""
ONE, THREE, SEVEN = np.uint64(1), np.uint64(3), np.uint64(7)

Edges = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Both ends and the weights of edges."""


class LightTree(NamedTuple):
    """A tree of light edges that contains most vertices."""

    members: NDArray[np.uint8]
    """One bit per vertex."""
    heaviest: Any
    """Weight of its heaviest edge."""


def find_better_edge(
    graph: Graph, trees: MergeTrees, maximum: bool, threads: int, by_weight: bool = False
) -> tuple[int, int] | None:
    """Find the first edge outside a forest that precedes an edge on the path between its ends.

    Parameters
    ----------
    graph : Graph
    trees : MergeTrees
        The forest.
    maximum : bool
        Whether the heaviest edge comes first.
    threads : int
        Number of threads.
    by_weight : bool
        Whether an edge of equal weight does not precede another.

    Returns
    -------
    (int, int) or None
        The edge, and the edge on the path that it should replace, or -1 if there is no path.
    """
    size = min(SAMPLE, graph.m)
    checker = EdgeChecker(trees, maximum, graph.take(np.arange(size) * graph.m // size))
    checker = checker.by_weight() if by_weight else checker

    def check(range_: tuple[int, int]) -> tuple[int, int]:
        return checker.find_better(*_edges_of(graph, *range_))

    ranges = _ranges(graph)
    for (_, last), (edge, rank) in zip(ranges, map_in_order(check, ranges, threads), strict=True):
        if edge >= 0:
            return edge, trees.edge_of_rank(rank)
        report("verify", graph.m * last // ranges[-1][1], graph.m, "edges")
    return None


class EdgeChecker:
    """Compares edges of a graph with the paths of a forest, in ranges and on several threads.

    Parameters
    ----------
    trees : MergeTrees
        The forest.
    maximum : bool
        Whether the heaviest edge comes first.
    sample : (u, v, w) arrays
        Some edges of the graph.
    """

    def __init__(self, trees: MergeTrees, maximum: bool, sample: Edges):
        self._trees, self._maximum = trees, maximum
        self._light_tree = _light_tree(trees, maximum, sample)

    def by_weight(self) -> EdgeChecker:
        """Return a checker for which edges of equal weight do not precede each other."""
        found = copy(self)
        found._trees = self._trees._replace(edges=np.zeros_like(self._trees.edges))  # no index is smaller
        return found

    def find_better(self, first: int, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> tuple[int, int]:
        """Find an edge outside the forest that precedes an edge on the path between its ends.

        Parameters
        ----------
        first : int
            Index of the first edge.
        u, v, w : (k,) arrays
            Consecutive edges that start there.

        Returns
        -------
        (int, int)
            The first such edge, and the rank of the other: the number of edges of the forest if there is no
            path; -1 for both if there is no such edge.
        """
        w, unaccepted = widened(w), np.empty(w.size, bool)
        _mark_unaccepted(u, v, w, self._maximum, self._light_tree, unaccepted)
        rest = np.flatnonzero(unaccepted)
        ranks = self._trees.path_ranks(u[rest], v[rest])
        return _find_better(np.int64(first), rest, w, ranks, self._maximum, self._trees)


def _ranges(graph: Graph) -> list[tuple[int, int]]:
    """Divide edges into ranges of indices, or the pairs of an implicit graph into ranges of rows."""
    size, step = graph.m, RANGE
    if isinstance(graph, ImplicitGraph):
        size, step = graph.n, RANGE // max(graph.n, 1) + 1
    return [(first, min(first + step, size)) for first in range(0, size, step)]


def _edges_of(graph: Graph, first: int, last: int) -> tuple[int, *Edges]:
    """Return the edges of a range, after the index of the first."""
    if not isinstance(graph, ImplicitGraph):
        return first, *graph.edges_in_range(first, last)
    ids = vertex_dtype(graph.n)
    i, j = np.arange(first, last, dtype=ids)[:, None], np.arange(graph.n, dtype=ids)
    if isinstance(graph, DistanceGraph):
        present = i < j
    else:
        assert isinstance(graph, MatrixGraph)
        present = is_present(graph.matrix[first:last], graph.null_value) & (i != j)
    u, v = (np.broadcast_to(ends, present.shape)[present] for ends in (i, j))
    return int(graph.row_offsets[first]), u, v, graph.weights_at(u, v)


def _light_tree(trees: MergeTrees, maximum: bool, sample: Edges) -> LightTree:
    """Choose the tree that accepts most edges of a sample."""
    u, v, w = sample[0], sample[1], widened(sample[2])
    n, f, path = trees.step.size, trees.edges.size, trees.path_ranks(u, v)
    if maximum:
        before = f - np.searchsorted(trees.weights[::-1], w, side="right")
    else:
        before = np.searchsorted(trees.weights, w)
    # The first t edges accept an edge with path < t <= before, where before counts the lighter edges.
    accepted = (path >= 0) & (path < before)  # no loops
    if not accepted.any():
        return LightTree(np.zeros((n + 7) // 8, np.uint8), w.dtype.type(0))
    starts, ends = np.sort(path[accepted]) + 1, np.sort(before[accepted])
    t = starts[np.argmax(np.arange(starts.size) - np.searchsorted(ends, starts))]
    root = trees.roots(t)
    roots, counts = np.unique(root[u[accepted & (path < t)]], return_counts=True)
    members = root == roots[np.argmax(counts)]
    return LightTree(np.packbits(members, bitorder="little"), trees.weights[t - 1])


@kernel
def _mark_unaccepted(u, v, w, maximum, tree, unaccepted):
    """Mark the edges that need a path: all but loops and those that the light tree accepts."""
    members, heaviest = tree
    for k in range(np.uint64(u.size)):
        inside = _is_member(np.uint64(u[k]), members) & _is_member(np.uint64(v[k]), members)
        heavy = w[k] < heaviest if maximum else w[k] > heaviest
        unaccepted[k] = (u[k] != v[k]) & (not (inside & np.uint64(heavy)))


def _is_member(x, members):
    """Return the bit of a vertex."""
    return np.uint64(members[x >> THREE]) >> (x & SEVEN) & ONE


@kernel
def _find_better(first, rest, w, ranks, maximum, trees):
    """Implement `EdgeChecker.find_better` for some edges, whose paths have the given ranks."""
    for c in range(np.uint64(rest.size)):
        if c + AHEAD < np.uint64(rest.size):
            prefetch(trees.weights, np.uint64(ranks[c + AHEAD]))
        edge, rank = first + rest[c], np.uint64(ranks[c])
        if rank == np.uint64(trees.edges.size):
            return edge, np.int64(rank)
        x, y = w[np.uint64(rest[c])], trees.weights[rank]
        # An edge of the forest is its own path.
        if edge < trees.edges[rank] if x == y else (x > y) == maximum:
            return edge, np.int64(rank)
    return np.int64(-1), np.int64(-1)
