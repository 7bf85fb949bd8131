"""A forest with a root in each tree: the parent of each vertex, and an order with parents first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.kernel import kernel
from boruvka.errors import GraphError

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["RootedForest", "root_forest"]


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
