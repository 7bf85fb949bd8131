"""The structure of a forest: its edges by weight, its vertices in leaf order and from the roots down.

Queries (`boruvka.trees.queries`) are functions of it. Each order is made once, when it is first read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.kernels.kernel import kernel
from boruvka.trees.path_maxima import LeafOrder, RangeMaxTable, leaf_order, range_max_table, sort_edges


class SortedEdges(NamedTuple):
    """The edges of a forest in an order."""

    places: NDArray[Any]
    """Places of the edges in the list of the edges of the forest, in this order."""
    weights: NDArray[Any]
    """Their weights in this order, widened to 64 bits."""


class Leaves(NamedTuple):
    """The leaf order of a forest, prepared for the heaviest edges of paths."""

    order: LeafOrder
    table: RangeMaxTable


class RootOrder(NamedTuple):
    """A forest with a root in each tree; which vertex it is means nothing, but it is deterministic."""

    order: NDArray[np.int64]
    """The vertices, each after its parent."""
    position: NDArray[np.int64]
    """Position of each vertex in that order."""
    parent: NDArray[np.int64]
    """Parent of each vertex; -1 for roots."""
    edge: NDArray[np.int64]
    """Place of the edge to the parent in the list of the edges of the forest; -1 for roots."""


@dataclass(eq=False)
class Structure:
    """The edges of a forest, and the orders of its edges and vertices that queries use.

    Attributes
    ----------
    n : int
        Number of vertices.
    edges : (f,) array of int64
        Indices of the edges in their graph.
    u, v, w : (f,) arrays
        Ends and weight of each edge.
    maximum : bool
        Whether it is a maximum spanning forest: then heavier edges come first.
    required : (r,) array of int64
        Indices of the edges that had to be in the forest.
    """

    n: int
    edges: NDArray[np.int64]
    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    maximum: bool
    required: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Number of edges."""
        return self.edges.size

    @cached_property
    def by_weight(self) -> SortedEdges:
        """The edges in the order (weight, index)."""
        return SortedEdges(*sort_edges(self.w, self.maximum))

    @cached_property
    def by_choice(self) -> SortedEdges:
        """The edges in the order in which they are chosen: required ones first, then by (weight, index)."""
        if not self.required.size:
            return self.by_weight
        places, weights = self.by_weight
        first = np.argsort(~np.isin(self.edges[places], self.required), kind="stable")
        return SortedEdges(places[first], weights[first])

    @cached_property
    def leaves(self) -> Leaves:
        """The leaf order for the order (weight, index); its ranks are positions in that order."""
        return self._leaves_of(self.by_weight)

    @cached_property
    def choice_leaves(self) -> Leaves:
        """The leaf order for the order in which edges are chosen."""
        return self._leaves_of(self.by_choice) if self.required.size else self.leaves

    @property
    def has_choice_leaves(self) -> bool:
        """Whether `choice_leaves` was read before, so that it costs nothing."""
        return "choice_leaves" in vars(self)

    def _leaves_of(self, edges: SortedEdges) -> Leaves:
        order = leaf_order(self.n, self.u, self.v, edges.places)
        if not isinstance(order, LeafOrder):
            raise self.cycle_at(order)
        return Leaves(order, range_max_table(order.merge_rank))

    @cached_property
    def roots(self) -> RootOrder:
        """The vertices from the roots down, found in O(n) and without adjacency lists.

        A vertex stores its degree and the exclusive or of its neighbors, and of its edges. For a leaf, these
        are its only neighbor, which becomes its parent, and its only edge. Without the leaf, the neighbor may
        be a leaf itself.
        """
        degree = np.zeros(self.n, np.int64)
        order, position, parent, edge = (np.zeros(self.n, np.int64) for _ in range(4))
        if _remove_leaves(self.u, self.v, degree, order, position, parent, edge) < self.n:
            raise GraphError("the edges of the forest close a cycle")
        return RootOrder(order, position, parent, edge)

    def cycle_at(self, place: int) -> GraphError:
        """Make the error about an edge that closes a cycle."""
        return GraphError(f"edge {self.edges[place]} of the forest closes a cycle")

    def check_no_cycle(self, edges: int, labels: NDArray[np.int64]) -> None:
        """Raise a `GraphError` if one of so many edges, which leave these components, closes a cycle."""
        if labels.max(initial=-1) + 1 != self.n - edges:
            _ = self.leaves  # raises the error, which names an edge


def check_distances(w: NDArray[Any], edge_text: Callable[[int], str], needs: str, advice: str = "") -> None:
    """Raise a `GraphError` if a weight is negative; ``edge_text`` is what messages call an edge."""
    if w.size and w.min() < 0:
        i = int(np.argmin(w))
        raise GraphError(f"{needs}, but edge {edge_text(i)} has the weight {w[i]}{advice}")


@kernel
def _remove_leaves(u, v, degree, order, position, parent, edge):
    """Remove leaves one by one; return the number of ordered vertices, fewer than all if there is a cycle.

    Until a vertex is removed, ``parent`` and ``edge`` hold the exclusive or of neighbors and of edges.
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
