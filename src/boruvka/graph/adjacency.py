"""The edges of each vertex, as lists in one array (compressed sparse rows), and the bridges of a graph."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.validation import vertex_dtype
from boruvka.kernels.kernel import kernel

ONE, TWO = np.uint64(1), np.uint64(2)


class Adjacency(NamedTuple):
    """The edges of vertex x are in the slots from ``offsets[x]`` to ``offsets[x + 1] - 1``.

    They are those that begin at x, by index, and then those that end there.
    """

    offsets: NDArray[np.int64]
    """(n + 1,) array."""
    neighbour: NDArray[Any]
    """(2 m,) array: the other end of the edge."""
    edge: NDArray[Any]
    """(2 m,) array: its index."""


def adjacency(n: int, u: NDArray[Any], v: NDArray[Any]) -> Adjacency:
    """List the edges of each vertex."""
    offsets = np.zeros(n + 2, np.int64)
    neighbour, edge = np.empty(2 * u.size, vertex_dtype(n)), np.empty(2 * u.size, vertex_dtype(u.size))
    _count(u, v, offsets)
    np.cumsum(offsets, out=offsets)
    for begin, end in (u, v), (v, u):
        _store(begin, end, offsets, neighbour, edge)
    return Adjacency(offsets[:-1], neighbour, edge)


@kernel
def _count(u, v, offsets):
    """Count the edges of vertex x in ``offsets[x + 2]``."""
    for i in range(u.size):
        offsets[np.uint64(u[i]) + TWO] += 1
        offsets[np.uint64(v[i]) + TWO] += 1


@kernel
def _store(begin, end, offsets, neighbour, edge):
    """Store edges in the slots of one end; ``offsets[x + 1]`` is the next one of vertex x."""
    for i in range(begin.size):
        x = np.uint64(begin[i])
        slot = np.uint64(offsets[x + ONE])
        neighbour[slot], edge[slot] = end[i], i
        offsets[x + ONE] += 1


def find_bridges(lists: Adjacency, m: int) -> NDArray[np.bool_]:
    """Return a mask of m edges: those that are bridges.

    A depth-first search numbers the vertices. The edge to a vertex is a bridge if no other edge leads from
    its subtree to a vertex with a smaller number. Source: R. E. Tarjan, A note on finding the bridges of a
    graph, Information Processing Letters 2, 1974.
    """
    n = lists.offsets.size - 1
    is_bridge, next_slot = np.zeros(m, bool), lists.offsets[:-1].copy()
    number, lowest, parent, parent_edge = (np.full(n, -1) for _ in range(4))
    _mark_bridges(*lists, next_slot, number, lowest, parent, parent_edge, is_bridge)
    return is_bridge


@kernel
def _mark_bridges(offsets, neighbour, edge, next_slot, number, lowest, parent, parent_edge, is_bridge):
    """Search from each vertex without a number; ``lowest`` is the smallest number that a subtree reaches."""
    count = 0
    for root in range(number.size):
        if number[root] >= 0:
            continue
        number[root] = lowest[root] = count
        count += 1
        x = np.int64(root)
        while x >= 0:
            above = parent[x]
            if next_slot[x] < offsets[x + 1]:
                slot = next_slot[x]
                next_slot[x] += 1
                y, i = np.int64(neighbour[slot]), np.int64(edge[slot])
                if number[y] < 0:
                    number[y] = lowest[y] = count
                    count += 1
                    parent[y], parent_edge[y] = x, i
                    x = y
                elif i != parent_edge[x]:
                    lowest[x] = min(lowest[x], number[y])
            else:
                if above >= 0:
                    lowest[above] = min(lowest[above], lowest[x])
                    is_bridge[parent_edge[x]] = lowest[x] == number[x]
                x = above
