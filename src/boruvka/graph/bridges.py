"""Bridges: edges without which a component falls into two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.adjacency import Adjacency
from boruvka.kernels.kernel import kernel

__all__ = ["find_bridges"]


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
