"""Kruskal's algorithm: sort the edges, and take each one that joins two trees.

Idea: edges are taken from the lightest to the heaviest; union-find decides whether an edge joins two trees.
One number is sorted for each edge: its sort key, whose low bits hold its position.

The steps are operators of their own, except on a few thousand edges: launching several operators, or passing
many arrays, would take longer than the work. There one operator does all of it, on edges that are copied to
an array, which is kept.

Source: J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
1956.

Why it is right: when an edge joins two trees, no lighter edge leaves either of them, for it would have been
taken, so the edge is the lightest that leaves them (cut property). An edge inside a tree closes a cycle of
lighter edges (cycle property).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.kernels.kernel_functions import prefetch, trailing_zeros
from boruvka.operators import Operator
from boruvka.operators.sort_keys import NONE, U64, weight_key
from boruvka.operators.union_find import make_set, union
from boruvka.runtime.round_log import RoundLog

ZERO, ONE = U64(0), U64(1)
ENDS_AHEAD, PARENTS_AHEAD = U64(32), U64(16)
"""Number of edges ahead of the current one whose ends, and then the parents of these, are prefetched."""
MAX_DIGIT_BITS = 10
"""Bits of a digit: the counts of all digits fit the first cache."""
SCRATCH_ROWS = 7
"""Rows with an element for each edge or vertex: u, v, the bits of weights, and four that the loop uses."""


@algorithm(
    "kruskal",
    source="Kruskal 1956",
    complexity="O(m log n)",
    use="small graphs, and larger ones of few edges in no order",
)
def kruskal(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest by sorting all edges."""
    round_log.begin("all", edge_list.n, edge_list.m)
    if fusing_pays(edge_list, backend):
        with round_log.step("sort and join"):
            return solve_in_one_loop(edge_list, backend)
    with round_log.step("sort"):
        order = sorted_edges(edge_list, backend), edge_list.sort_keys.index_mask
    with round_log.step("join"):
        parent = backend.empty(edge_list.n, edge_list.u.dtype)
        edges = join(order, ends_of_input, (edge_list.u, edge_list.v), parent, backend)
    with round_log.step("list"):
        in_forest = backend.zeros(edge_list.m, bool)
        backend.for_each(mark_edge, edges.size, edges, in_forest)
        return backend.flatnonzero(in_forest)


def sorted_edges(edge_list: EdgeList, backend: Backend) -> Any:
    """List the edges from the lightest to the heaviest.

    Returns
    -------
    (m,) array of uint64
        ``index_mask`` of the sort keys extracts the index of each edge.
    """
    key = edge_list.keys(backend)
    if edge_list.sort_keys.keys_lack_index:
        return backend.argsort(key)
    backend.sort(key)
    return key


def mark_edge(k, edges, in_forest):
    """Mark the k-th edge of a list."""
    in_forest[edges[k]] = True


# The pass over sorted edges


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
        k = slot = ZERO
        while k < m and left > ONE:
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
                slot += ONE
                left -= ONE
            k += ONE
        count[0] = slot

    take.__name__ = take.__qualname__ = f"take_{ends_of.__name__}"
    return take


# A few thousand edges


def fusing_pays(edge_list: EdgeList, backend: Backend) -> bool:
    """Return whether to find the forest in one loop."""
    return max(edge_list.n, edge_list.m) < backend.tuning.fusing_pays_below and backend.is_cpu


def solve_in_one_loop(edge_list: EdgeList, backend: Backend) -> Any:
    """Find the edges of the minimum spanning forest, ascending, by one operator."""
    m, unused = edge_list.m, _unused_arrays(backend)
    try:
        rows = unused.pop()
    except IndexError:  # none yet, or other threads have them
        rows = backend.to_device(np.empty((SCRATCH_ROWS, backend.tuning.fusing_pays_below), np.uint64))
    rows[0, :m], rows[1, :m], rows[2, :m] = edge_list.u, edge_list.v, edge_list.sort_keys.bits
    digit_bits = U64(min(max(m.bit_length(), 1), MAX_DIGIT_BITS))
    backend.for_each_in_order(
        find_edges, 1, U64(edge_list.n), U64(m), edge_list.sort_keys.packing, digit_bits, rows
    )
    edges = rows[0, 1 : 1 + int(rows[0, 0])].astype(np.int64)
    unused.append(rows)
    return edges


@functools.lru_cache(maxsize=8)
def _unused_arrays(backend: Backend) -> list[Any]:
    """List the arrays that are kept for the next solves."""
    return []


def find_edges(zero, n, m, packing, digit_bits, rows):
    """Replace the first row by the number of edges of the forest, and then the edges, ascending.

    A least significant digit radix sort is stable, so edges of equal weights stay in the order of their
    indices.

    The compiler does not know that ``zero`` is 0. It would replace loops that store a known 0 by calls of the
    C library, and llvmlite would have to be imported to load such code.
    """
    u, v, key = rows[0], rows[1], rows[2]
    order, spare, parent, count = rows[3], rows[4], rows[5], rows[6]
    in_all, in_any = NONE, ZERO
    for i in range(m):
        key[i] = weight_key(key[i], packing)
        order[i] = i
        in_all &= key[i]
        in_any |= key[i]
    shift, differing = ZERO, in_all ^ in_any
    while differing:
        skipped = trailing_zeros(differing)
        differing >>= skipped
        shift += skipped
        sort_by_digit(zero, m, key, order, shift, digit_bits, spare, count)
        order, spare = spare, order
        differing >>= digit_bits
        shift += digit_bits
    for x in range(n):
        make_set(x, parent)
    in_forest = count
    for i in range(m):
        in_forest[i] = zero
    k, trees = ZERO, n
    while k < m and trees > ONE:
        i = order[k]
        if union(u[i], v[i], parent):
            in_forest[i] = ONE
            trees -= ONE
        k += ONE
    found = ZERO
    for i in range(m):
        u[found + ONE] = i  # always: a branch would be mispredicted
        found += in_forest[i]
    u[0] = found


def sort_by_digit(zero, m, key, order, shift, digit_bits, sorted_order, count):
    """Sort the order of m keys stably by the digit that begins at a bit."""
    digits = ONE << digit_bits
    for d in range(digits):
        count[d] = zero
    for k in range(m):
        count[(key[k] >> shift) & (digits - ONE)] += ONE
    before = ZERO
    for d in range(digits):
        here = count[d]
        count[d] = before
        before += here
    for k in range(m):
        d = (key[order[k]] >> shift) & (digits - ONE)
        sorted_order[count[d]] = order[k]
        count[d] += ONE
