"""Queries about the path between two vertices of a forest: its edges, and the heaviest of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.kernels.kernel import kernel
from boruvka.kernels.team import map_ranges
from boruvka.trees.path_maxima import path_maxima
from boruvka.trees.structure import Structure


class Bottlenecks(NamedTuple):
    """The last edge of each path in the order (weight, index): the heaviest, or lightest of a maximum forest.

    A pair has none if no path connects it, or if its vertices are the same.
    """

    edges: NDArray[np.int64]
    """Index of the edge in the graph; -1 if there is none."""
    weights: Any
    """Weight of the edge, in the type of the graph: a masked array, masked if there is none."""

    @classmethod
    def of(cls, edges: NDArray[np.int64], weights: NDArray[Any]) -> Bottlenecks:
        """Mask the weights of pairs that have no edge; arrays of no dimension become numbers."""
        return cls(edges[()], np.ma.MaskedArray(weights, edges < 0)[()])


def path(structure: Structure, a: int, b: int) -> NDArray[np.int64] | None:
    """Implement `Forest.path`, for the numbers of vertices."""
    _, position, parent, edge = structure.roots
    places = np.empty(structure.size, np.int64)  # the system provides only the pages that are written
    up, down = _walk(np.uint64(a), np.uint64(b), position, parent, edge, places)
    return structure.edges[np.append(places[:up], places[places.size - down :])] if up >= 0 else None


def bottleneck(structure: Structure, a: NDArray[Any], b: NDArray[Any]) -> Bottlenecks:
    """Implement `Forest.bottleneck`, for the numbers of vertices."""
    try:
        a, b = np.broadcast_arrays(a, b)
    except ValueError:
        raise GraphError(f"us and vs cannot be broadcast: shapes {a.shape} and {b.shape}") from None
    edges, weights = heaviest_on_paths(structure, a.flatten(), b.flatten())
    return Bottlenecks.of(edges.reshape(a.shape), weights.reshape(a.shape))


def heaviest_on_paths(
    structure: Structure, a: NDArray[Any], b: NDArray[Any], *, by_choice: bool = False
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Return the last edge of the path between each two vertices, -1 if there is none, and its weight.

    The order is (weight, index), or the one in which edges are chosen: required ones first.
    """
    edges, weights = np.full(a.size, -1), np.zeros(a.size, structure.w.dtype)
    leaves, table = structure.choice_leaves if by_choice else structure.leaves

    def find(here: slice) -> None:
        ranks = np.empty(a[here].size, leaves.position.dtype)
        path_maxima(a[here], b[here], leaves.position, table, ranks)
        found = (ranks >= 0) & (ranks < structure.size)
        places = leaves.order[ranks[found]]
        edges[here][found], weights[here][found] = structure.edges[places], structure.w[places]

    map_ranges(find, a.size)
    return edges, weights


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
