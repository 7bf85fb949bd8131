"""Queries about the path between two vertices of a forest: its edges, and the heaviest of them."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.graph.labelled_values import in_order_of_rows
from boruvka.kernels.kernel import kernel
from boruvka.kernels.team import map_ranges
from boruvka.trees.path_maxima import LeafOrder, RangeMaxTable, leaf_order, path_maxima, range_max_table

if TYPE_CHECKING:
    from boruvka.trees.forest import Forest

__all__ = ["Bottlenecks", "RootedForest", "bottleneck", "path"]


class Bottlenecks(NamedTuple):
    """The last edge of each path in the order (weight, index): the heaviest, or lightest of a maximum forest.

    A pair has none if no path connects it, or if its vertices are the same.
    """

    edges: NDArray[np.int64]
    """Index of the edge in the graph; -1 if there is none."""
    weights: Any
    """Weight of the edge, in the type of the graph: a masked array, masked if there is none."""


class RootedForest(NamedTuple):
    """A rooted forest. The choice of the root of each tree is deterministic."""

    order: NDArray[np.int64]
    """The vertices, each after its parent."""
    position: NDArray[np.int64]
    """Position of each vertex in that order."""
    parent: NDArray[np.int64]
    """Parent of each vertex; -1 for roots."""
    edge: NDArray[np.int64]
    """Position of the edge to the parent in the list of the edges of the forest; -1 for roots."""


def path(forest: Forest, u: Hashable, v: Hashable) -> NDArray[np.int64] | None:
    """Implement `Forest.path`."""
    a, b = forest._vertex("u", u), forest._vertex("v", v)
    _, position, parent, edge = forest._rooted
    places = np.empty(len(forest), np.int64)  # the system provides only the pages that are written
    up, down = _walk(np.uint64(a), np.uint64(b), position, parent, edge, places)
    return forest.edges[np.append(places[:up], places[places.size - down :])] if up >= 0 else None


def bottleneck(forest: Forest, us: Any, vs: Any) -> Bottlenecks:
    """Implement `Forest.bottleneck`."""
    us, vs = in_order_of_rows(us=us, vs=vs)
    a, b = forest._vertices("us", us), forest._vertices("vs", vs)
    try:
        a, b = np.broadcast_arrays(a, b)
    except ValueError:
        raise GraphError(f"us and vs cannot be broadcast: shapes {a.shape} and {b.shape}") from None
    edges, weights = heaviest_on_paths(forest, a.flatten(), b.flatten())
    masked = np.ma.MaskedArray(weights, edges < 0)
    return Bottlenecks(edges.reshape(a.shape)[()], masked.reshape(a.shape)[()])


def heaviest_on_paths(
    forest: Forest, a: NDArray[Any], b: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return the last edge of the path between each two vertices, -1 if there is none, and its weight."""
    edges, weights = np.full(a.size, -1), np.zeros(a.size, forest.w.dtype)
    leaves, table = forest._leaf_order

    def find(part: slice) -> None:
        ranks = np.empty(a[part].size, leaves.position.dtype)
        path_maxima(a[part], b[part], leaves.position, table, ranks)
        found = (ranks >= 0) & (ranks < len(forest))
        places = leaves.order[ranks[found]]
        edges[part][found], weights[part][found] = forest.edges[places], forest.w[places]

    map_ranges(find, a.size)
    return edges, weights


def forest_leaf_order(forest: Forest, order: NDArray[Any]) -> tuple[LeafOrder, RangeMaxTable]:
    """Compute the leaf order of a forest for an order of its edges, and prepare range maxima.

    Raises
    ------
    GraphError
        The edges of the forest close a cycle.
    """
    leaves = leaf_order(forest.n, forest.u, forest.v, order)
    if not isinstance(leaves, LeafOrder):
        raise GraphError(f"edge {forest.edges[leaves]} of the forest closes a cycle")
    return leaves, range_max_table(leaves.merge_rank)


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
    """Store the edges of a path at both ends of ``places``; return the numbers there, -1 if there is no path.

    Of two vertices, the one later in the order is not an ancestor of the other: the path leaves it upwards.
    """
    up, down = 0, 0
    while a != b:
        x = a if position[a] > position[b] else b
        if edge[x] < 0:
            return -1, -1
        if x == a:
            places[up] = edge[x]
            up += 1
            a = np.uint64(parent[x])
        else:
            down += 1
            places[places.size - down] = edge[x]
            b = np.uint64(parent[x])
    return up, down


@kernel
def _remove_leaves(u, v, degree, order, position, parent, edge):
    """Remove leaves one by one; return the number of ordered vertices, fewer than all if there is a cycle.

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
                break  # the outer loop reaches it later
            x = y
        if degree[x] == 0:
            left -= np.uint64(1)
            order[left] = x
            position[x] = left
            degree[x] = parent[x] = edge[x] = -1
    return n - left
