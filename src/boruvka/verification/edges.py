"""The search for an edge that should replace one of a forest, among all edges of a graph.

A forest is minimum exactly if every edge outside it comes after the heaviest edge on the path between its
ends. In a dense graph, most edges need no path query. The lightest edges of the forest join most vertices
into one tree. An edge with both ends in that tree that is heavier than all edges of the tree is heavier than
its path. A sample of the edges determines how many edges that tree has.

Source: the property is that of R. E. Tarjan, Applications of path compression on balanced trees, 1979.
Light edges first: V. Osipov, P. Sanders, J. Singler, The Filter-Kruskal minimum spanning tree algorithm,
2009.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.abstract_graph import AbstractGraph, ImplicitGraph, vertex_dtype
from boruvka.graph.distance_graph import DistanceGraph
from boruvka.graph.matrix_graph import MatrixGraph, is_present
from boruvka.kernels.kernel import kernel
from boruvka.kernels.team import map_in_order
from boruvka.runtime.processors import processors
from boruvka.runtime.progress import report
from boruvka.verification.leaf_order import ONE, LeafOrder, RangeMaxima, path_maxima, range_maxima, widened

PIECE = 1 << 17
"""Edges that are checked at once: their arrays stay in the cache."""
SAMPLE = 4096
"""Number of edges in the sample that determines the light tree."""
THREE, SEVEN = np.uint64(3), np.uint64(7)

Edges = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Both ends and the weights of edges."""


class LightTree(NamedTuple):
    """A tree of light edges that contains most vertices."""

    members: NDArray[np.uint8]
    """One bit per vertex."""
    heaviest: Any
    """Weight of its heaviest edge."""


def find_better_edge(
    graph: AbstractGraph, edges: NDArray[np.int64], leaves: LeafOrder, maximum: bool
) -> tuple[int, int] | None:
    """Find the first edge outside a forest that precedes an edge on the path between its ends.

    Parameters
    ----------
    graph : AbstractGraph
    edges : (f,) array of int64
        The edges of the forest, ascending.
    leaves : LeafOrder
        The leaf order of the forest (`boruvka.verification.leaf_order`).
    maximum : bool
        Whether the heaviest edge comes first.

    Returns
    -------
    (int, int) or None
        The edge, and the edge on the path that it should replace, or -1 if there is no path.
    """
    size = min(SAMPLE, graph.m)
    checker = EdgeChecker(graph.n, edges, leaves, maximum, graph.take(np.arange(size) * graph.m // size))

    def check(piece: tuple[int, int]) -> tuple[int, int]:
        return checker.find_better(*_edges_of(graph, *piece))

    pieces = _pieces(graph)
    for (_, last), (edge, rank) in zip(pieces, map_in_order(check, pieces, processors()), strict=True):
        if edge >= 0:
            return edge, checker.edge_of_rank(rank)
        report("verify", graph.m * last // pieces[-1][1], graph.m, "edges")
    return None


class EdgeChecker:
    """Compares edges of a graph with the paths of a forest, in pieces and on several threads.

    Parameters
    ----------
    n : int
        Number of vertices.
    edges : (f,) array of int64
        The edges of the forest, ascending.
    leaves : LeafOrder
        The leaf order of the forest.
    maximum : bool
        Whether the heaviest edge comes first.
    sample : (u, v, w) arrays
        Some edges of the graph.
    """

    def __init__(self, n: int, edges: NDArray[np.int64], leaves: LeafOrder, maximum: bool, sample: Edges):
        self._edges, self._leaves, self._maximum = edges, leaves, maximum
        self._table = range_maxima(leaves.merge_rank)
        self._tree = _light_tree(n, sample, leaves, self._table, maximum)
        self._weights = np.append(leaves.weights, leaves.weights.dtype.type(0))  # any, where there is no path

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
        w, unaccepted, f = widened(w), u != v, self._edges.size
        if self._tree is not None:
            _mark_unaccepted(u, v, w, self._maximum, self._tree, unaccepted)
        start, stop = np.searchsorted(self._edges, [first, first + w.size])
        unaccepted[self._edges[start:stop] - first] = False
        rest = np.flatnonzero(unaccepted)
        ranks = np.empty(rest.size, self._leaves.position.dtype)
        path_maxima(u[rest], v[rest], self._leaves.position, self._table, ranks)
        x, y = w[rest], self._weights[ranks]
        better = ((x > y) if self._maximum else (x < y)) | (ranks == f)
        ties = np.flatnonzero((x == y) & (ranks < f))
        better[ties] = first + rest[ties] < self._edges[self._leaves.order[ranks[ties]]]
        if not better.any():
            return -1, -1
        k = int(np.argmax(better))
        return first + int(rest[k]), int(ranks[k])

    def edge_of_rank(self, rank: int) -> int:
        """Return the edge of the forest that has a rank, -1 for none."""
        return int(self._edges[self._leaves.order[rank]]) if rank < self._edges.size else -1


def _pieces(graph: AbstractGraph) -> list[tuple[int, int]]:
    """Divide edges into ranges of indices, or the pairs of an implicit graph into ranges of rows."""
    size, step = graph.m, PIECE
    if isinstance(graph, ImplicitGraph):
        size, step = graph.n, PIECE // max(graph.n, 1) + 1
    return [(first, min(first + step, size)) for first in range(0, size, step)]


def _edges_of(graph: AbstractGraph, first: int, last: int) -> tuple[int, *Edges]:
    """Return the edges of a piece, after the index of the first."""
    if not isinstance(graph, ImplicitGraph):
        return first, *graph.edge_slice(first, last)
    ids = vertex_dtype(graph.n)
    i, j = np.arange(first, last, dtype=ids)[:, None], np.arange(graph.n, dtype=ids)
    if isinstance(graph, DistanceGraph):
        present = i < j
    else:
        assert isinstance(graph, MatrixGraph)
        present = is_present(graph.matrix[first:last], graph.null_value) & (i != j)
    u, v = (np.broadcast_to(ends, present.shape)[present] for ends in (i, j))
    return int(graph.row_offsets[first]), u, v, graph.weights_at(u, v)


def _light_tree(
    n: int, sample: Edges, leaves: LeafOrder, table: RangeMaxima, maximum: bool
) -> LightTree | None:
    """Choose the tree that accepts most edges of a sample; None if there is no such tree."""
    u, v, w = sample[0], sample[1], widened(sample[2])
    if w.dtype.itemsize > 8:  # Numba has no such type
        return None
    path = np.empty(w.size, leaves.position.dtype)
    path_maxima(u, v, leaves.position, table, path)
    f = leaves.weights.size
    if maximum:
        before = f - np.searchsorted(leaves.weights[::-1], w, side="right")
    else:
        before = np.searchsorted(leaves.weights, w)
    # Edges of ranks below t accept an edge with path < t <= before, where before counts the lighter edges.
    accepted = (path >= 0) & (path < before)  # no loops
    if not accepted.any():
        return None
    starts, ends = np.sort(path[accepted]) + 1, np.sort(before[accepted])
    t = starts[np.argmax(np.arange(starts.size) - np.searchsorted(ends, starts))]
    borders = np.append(np.flatnonzero(leaves.merge_rank >= t), n)
    largest = np.argmax(np.diff(borders))
    members = (leaves.position >= borders[largest]) & (leaves.position < borders[largest + 1])
    return LightTree(np.packbits(members, bitorder="little"), leaves.weights[t - 1])


@kernel
def _mark_unaccepted(u, v, w, maximum, tree, unaccepted):
    """Mark the edges that need a path query: all but loops and those that the light tree accepts."""
    members, heaviest = tree
    for k in range(np.uint64(u.size)):
        inside = _is_member(np.uint64(u[k]), members) & _is_member(np.uint64(v[k]), members)
        heavy = w[k] < heaviest if maximum else w[k] > heaviest
        unaccepted[k] = (u[k] != v[k]) & (not (inside & np.uint64(heavy)))


def _is_member(x, members):
    """Return the bit of a vertex."""
    return np.uint64(members[x >> THREE]) >> (x & SEVEN) & ONE
