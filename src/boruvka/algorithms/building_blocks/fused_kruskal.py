"""Kruskal's algorithm on a few thousand edges as one operator.

Launching several operators, or passing many arrays, would take longer than the work: edges are copied to one
array, which is kept. They are sorted by a least significant digit radix sort, which is stable, so that edges
of equal weights stay in the order of their indices.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.primitives import Backend
from boruvka.kernels.kernel_functions import trailing_zeros
from boruvka.operators.sort_keys import NONE, U64, weight_key
from boruvka.operators.union_find import make_set, union

MAX_DIGIT_BITS = 10
"""Bits of a digit: the counts of all digits fit the first cache."""
SCRATCH_ROWS = 7
"""Rows with an element for each edge or vertex: u, v, the bits of weights, and four that the loop uses."""
ZERO, ONE = U64(0), U64(1)


def fusing_pays(graph: EdgeList, backend: Backend) -> bool:
    """Return whether to find the forest in one loop."""
    return max(graph.n, graph.m) < backend.tuning.fusing_pays_below and backend.has_private_caches


def solve_in_one_loop(graph: EdgeList, backend: Backend) -> Any:
    """Find the edges of the minimum spanning forest, ascending."""
    m, unused = graph.m, _unused_arrays(backend)
    try:
        rows = unused.pop()
    except IndexError:  # none yet, or other threads have them
        rows = backend.to_device(np.empty((SCRATCH_ROWS, backend.tuning.fusing_pays_below), np.uint64))
    rows[0, :m], rows[1, :m], rows[2, :m] = graph.u, graph.v, graph.sort_keys.bits
    digit_bits = U64(min(max(m.bit_length(), 1), MAX_DIGIT_BITS))
    backend.for_each_in_order(find_edges, 1, U64(graph.n), U64(m), graph.sort_keys.packing, digit_bits, rows)
    edges = rows[0, 1 : 1 + int(rows[0, 0])].astype(np.int64)
    unused.append(rows)
    return edges


@functools.lru_cache(maxsize=8)
def _unused_arrays(backend: Backend) -> list[Any]:
    """List the arrays that are kept for the next solves."""
    return []


def find_edges(zero, n, m, packing, digit_bits, rows):
    """Replace the first row by the number of edges of the forest, and then the edges, ascending.

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
