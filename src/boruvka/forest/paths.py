"""Queries about the path between two vertices of a forest: its edges, and the heaviest of them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.forest.path_maxima import IntervalMaxima, Line, interval_maxima, line_up, path_maxima
from boruvka.kernels.kernel import kernel
from boruvka.runtime.processors import processors
from boruvka.runtime.thread_pool import map_parts

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["Bottlenecks", "RootedForest", "bottleneck", "path"]

PIECE = 1 << 16
"""Pairs of one kernel call."""


class Bottlenecks(NamedTuple):
    """The last edge of each path in the order (weight, index): the heaviest, or lightest of a maximum forest.

    A pair has none if no path connects it, or if its vertices are the same.
    """

    edges: NDArray[np.int64]
    """Index of the edge in the graph; -1 if there is none."""
    weights: Any
    """Weight of the edge, in the type of the graph: a masked array, masked if there is none."""


class RootedForest(NamedTuple):
    """A rooted forest; which vertex of a tree is its root is deterministic."""

    order: NDArray[np.int64]
    """The vertices, each after its parent."""
    position: NDArray[np.int64]
    """Position of each vertex in that order."""
    parent: NDArray[np.int64]
    """Parent of each vertex; -1 for roots."""
    edge: NDArray[np.int64]
    """Place of the edge to the parent in the list of the edges of the forest; -1 for roots."""


def path(forest: Forest, u: Hashable, v: Hashable) -> NDArray[np.int64] | None:
    """Implement `Forest.path`."""
    a, b = forest._vertex("u", u), forest._vertex("v", v)
    _, position, parent, edge = forest._rooted
    places = np.empty(0, np.int64)
    length = _walk(a, b, position, parent, edge, places)
    if length < 0:
        return None
    if length:
        places = np.empty(length, np.int64)
        _walk(a, b, position, parent, edge, places)
    return forest.edges[places]


def bottleneck(forest: Forest, us: Any, vs: Any) -> Bottlenecks:
    """Implement `Forest.bottleneck`."""
    a, b = forest._vertices("us", us), forest._vertices("vs", vs)
    try:
        shape = np.broadcast_shapes(a.shape, b.shape)
    except ValueError:
        raise GraphError(f"us and vs cannot be broadcast: shapes {a.shape} and {b.shape}") from None
    a, b = (np.ascontiguousarray(np.broadcast_to(ends, shape)).ravel() for ends in (a, b))
    edges, weights = np.empty(a.size, np.int64), np.empty(a.size, forest.w.dtype)
    line, maxima = forest._line

    def find(first: int) -> None:
        here = slice(first, first + PIECE)
        ranks = np.empty(a[here].size, line.gap.dtype)
        path_maxima(a[here], b[here], line.position, maxima, ranks)
        found = (ranks >= 0) & (ranks < len(forest))
        if found.all():
            places = line.order[ranks]
            edges[here], weights[here] = forest.edges[places], forest.w[places]
        else:
            places = line.order[ranks[found]]
            edges[here], weights[here] = -1, 0
            edges[here][found], weights[here][found] = forest.edges[places], forest.w[places]

    map_parts(find, range(0, a.size, PIECE), processors() if a.size > PIECE else 1)
    masked = np.ma.MaskedArray(weights, edges < 0)
    return Bottlenecks(edges.reshape(shape)[()], masked.reshape(shape)[()])


def line_of(forest: Forest) -> tuple[Line, IntervalMaxima]:
    """Put the vertices of a forest in a line, and prepare the maxima of its intervals."""
    line = line_up(forest.n, forest.u, forest.v, *forest._sorted)
    if not isinstance(line, Line):
        raise GraphError(f"edge {forest.edges[line]} of the forest closes a cycle")
    return line, interval_maxima(line.gap)


def root_forest(forest: Forest) -> RootedForest:
    """Choose roots and find the parent of each vertex, in O(n) and without adjacency lists.

    A vertex stores its degree and the exclusive or of its neighbours, and of its edges. For a leaf, these are
    its only neighbour, which becomes its parent, and its only edge. Without the leaf, the neighbour may be a
    leaf itself.

    Raises
    ------
    GraphError
        The edges of the forest close a cycle.
    """
    n = forest.n
    degree = np.zeros(n, np.int64)
    order, position, parent, edge = (np.zeros(n, np.int64) for _ in range(4))
    if _remove_leaves(forest.u, forest.v, degree, order, position, parent, edge) < n:
        raise GraphError("the edges of the forest close a cycle")
    return RootedForest(order, position, parent, edge)


@kernel
def _walk(a, b, position, parent, edge, places):
    """Return the number of edges between two vertices, -1 for two trees; store their places if there is room.

    Of two vertices, the one later in the order is no ancestor of the other: so the path leaves it upwards.
    """
    length, last = 0, places.size
    a, b = np.uint64(a), np.uint64(b)
    begin = 0
    while a != b:
        if position[a] > position[b]:
            if edge[a] < 0:
                return -1
            if places.size:
                places[begin] = edge[a]
            begin += 1
            a = np.uint64(parent[a])
        else:
            if edge[b] < 0:
                return -1
            last -= 1
            if places.size:
                places[last] = edge[b]
            b = np.uint64(parent[b])
        length += 1
    return length


@kernel
def _remove_leaves(u, v, degree, order, position, parent, edge):
    """Remove leaf after leaf; return how many vertices are ordered: fewer than all if there is a cycle.

    Until a vertex is removed, ``parent`` and ``edge`` hold the exclusive or of neighbours and of edges.
    """
    for i in range(np.uint64(u.size)):
        a, b = np.uint64(u[i]), np.uint64(v[i])
        degree[a] += 1
        degree[b] += 1
        parent[a] ^= b
        parent[b] ^= a
        edge[a] ^= i
        edge[b] ^= i
    n = np.uint64(degree.size)
    left = n
    for first in range(n):
        x = np.uint64(first)
        while degree[x] == 1:
            left -= np.uint64(1)
            order[left] = x
            position[x] = left
            y = np.uint64(parent[x])
            degree[x] = -1
            degree[y] -= 1
            parent[y] ^= x
            edge[y] ^= edge[x]
            if y > first and degree[y]:
                break  # the outer loop has yet to reach it
            x = y
        if degree[x] == 0:
            left -= np.uint64(1)
            order[left] = x
            position[x] = left
            degree[x] = parent[x] = edge[x] = -1
    return n - left
