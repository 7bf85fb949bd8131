"""Kruskal's algorithm on a list of edges: sort them, and take each one that joins two trees.

One number is sorted for each edge: its sort key, whose low bits hold its position in the list.

Source: J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem, 1956.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.backends.primitives import Backend
from boruvka.kernels.kernel_functions import prefetch
from boruvka.operators import Operator
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import make_set, union

ENDS_AHEAD, PARENTS_AHEAD = U64(32), U64(16)
"""Number of edges ahead of the current one whose ends, and then the parents of these, are prefetched."""


def join(
    order: tuple[Any, np.uint64],
    ends_of: Callable[..., Any],
    ends: tuple[Any, Any],
    parent: Any,
    backend: Backend,
) -> Any:
    """Join trees along edges, from the lightest to the heaviest.

    Parameters
    ----------
    order : (array of uint64, uint64)
        The edges in that order, and the bits of each element that hold its position.
    ends_of : callable
        `ends_of_input` or `ends_of_worklist`.
    ends : pair of arrays
        The arrays that it takes.
    parent : (n,) array
        Receives the parent of each vertex in union-find trees, one for each component.

    Returns
    -------
    array of uint64
        The positions of the edges that joined two trees.
    """
    taken, count = backend.empty(min(order[0].size, parent.size), np.uint64), backend.zeros(1, np.int64)
    backend.for_each_in_order(take_edges(ends_of), 1, *order, *ends, parent, taken, count)
    return taken[: int(count[0])]


def ends_of_input(i, u, v):
    """Return the ends of input edge i."""
    return u[i], v[i]


def ends_of_worklist(i, end, ends_xor):
    """Return the ends of worklist edge i."""
    return end[i], end[i] ^ ends_xor[i]


@functools.cache
def take_edges(ends_of: Operator) -> Operator:
    """Make the operator that takes edges in order, until there is one tree."""

    def take(_, order, position_mask, first, second, parent, taken, count):
        m, left = U64(order.size), U64(parent.size)
        for x in range(left):
            make_set(x, parent)
        k = slot = U64(0)
        while k < m and left > U64(1):
            if k + ENDS_AHEAD < m:
                i = order[k + ENDS_AHEAD] & position_mask
                prefetch(first, i)
                prefetch(second, i)
                a, b = ends_of(order[k + PARENTS_AHEAD] & position_mask, first, second)
                prefetch(parent, a)
                prefetch(parent, b)
            i = order[k] & position_mask
            a, b = ends_of(i, first, second)
            if union(a, b, parent):
                taken[slot] = i
                slot += U64(1)
                left -= U64(1)
            k += U64(1)
        count[0] = slot

    take.__name__ = take.__qualname__ = f"take_{ends_of.__name__}"
    return take


def sorted_worklist(
    edges: EdgeView, index_mask: np.uint64, ordered: bool, backend: Backend
) -> tuple[Any, np.uint64]:
    """Sort the edges of a worklist.

    Parameters
    ----------
    edges : EdgeView
        Worklist edges.
    index_mask : uint64
        The bits of an edge id that are the index.
    ordered : bool
        Whether the worklist is ordered by index.

    Returns
    -------
    array of uint64
        The edges from the lightest to the heaviest.
    uint64
        The bits of each element that hold its position in the worklist.
    """
    _, _, key, edge_id = edges.columns
    if ordered and key is edge_id:
        pairs, order = edges.segments.pairs, backend.empty(edges.count, np.uint64)
        ends = np.cumsum(pairs[:, 1] - pairs[:, 0])
        backend.for_each_block(store_with_positions, len(pairs), [], pairs, ends, key, index_mask, order)
        backend.sort(order)
        return order, index_mask
    keys, ids = edges.segments.taken_from(key), edges.segments.taken_from(edge_id)
    if ordered or key is edge_id:
        by_weight = backend.argsort(keys)
    else:
        by_index = backend.argsort(ids)
        by_weight = by_index[backend.argsort(keys[by_index])]
    return edges.segments.positions_of(by_weight.astype(np.int64)).astype(np.uint64), NONE


def store_with_positions(k, pairs, ends, key, index_mask, order):
    """Store the keys of the worklist edges of segment k, with their positions instead of their indices."""
    first, last = pairs[k, 0], pairs[k, 1]
    for i in range(first, last):
        order[ends[k] - last + i] = (key[i] & ~index_mask) | U64(i)
