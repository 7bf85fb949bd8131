"""Vineet, Harish, Patidar, Narayanan, HPG 2009: a recursion of primitives, segmented scan, scan and split.

Idea: all irregular work is left to primitives. The arcs of a vertex are contiguous, and a segmented scan
finds the lightest. A split (a stable sort) by representative makes the vertices of a supervertex
contiguous, and a scan of flags numbers the supervertices. A split by both ends makes duplicate edges
contiguous, and another segmented scan finds the lightest of them. The result is a graph in the same form
as the input.

Source: V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, Fast Minimum Spanning Tree for Large Graphs on
the GPU, HPG 2009, Algorithm 1; the split: S. Patidar, P. J. Narayanan, Scalable Split and Gather Primitives
for the GPU, 2009. There weights have 8 to 10 bits and share a word with 22 to 24 bits of vertex; here scans
compare arcs by the keys of their edges, so weights have any type. A vertex without arcs gets no number, so
that graphs may be disconnected. The vertex list, where the arcs of each vertex begin, is not needed: an arc
holds the vertex that it leaves.

Why it is right: see `boruvka.algorithms.boruvka`. Edges are totally ordered, so a cycle of successors has
two vertices. Of duplicate edges all but the lightest are heaviest on a cycle (cycle property).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature.arcs import arcs_of, precedes, sources_of
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.operators import Operator
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import make_set, pointer_jump
from boruvka.runtime.round_log import RoundLog

ONE = U64(1)


class ArcList(NamedTuple):
    """Both directions of every edge, ordered by the vertex that an arc leaves."""

    source: Any
    to: Any
    key: Any
    edge: Any


@algorithm(
    "scan-split",
    source="Vineet, Harish, Patidar, Narayanan 2009, Algorithm 1",
    complexity="O(m log n)",
    use="machines whose scans and sorts are fast: GPUs",
)
def scan_split(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest level by level."""
    n, in_forest, step = edge_list.n, backend.zeros(edge_list.m, bool), round_log.step
    round_log.begin("all", n, edge_list.m)
    with step("arrange"):
        row_offsets, rows = arcs_of(edge_list, backend)
        arcs = ArcList(sources_of(row_offsets, rows, backend), *rows)
        del row_offsets, rows
    while arcs.edge.size:
        with step("find minimum"):  # lines 1 to 4
            chosen, successor = _lightest_edges(n, arcs, backend)
        with step("remove cycles"):  # lines 5 and 6
            backend.for_each(round_ops.break_cycle, n, chosen, successor)
            backend.for_each(round_ops.mark_chosen, n, chosen, NONE, NONE, in_forest)
        with step("pointer doubling"):  # line 7
            while backend.count(pointer_jump, n, successor):
                pass
        with step("merge vertices"):  # lines 8 and 9
            number, n = _number_supervertices(chosen, successor, backend)
        with step("remove edges"):  # lines 10 to 14
            arcs = _without_loops(arcs, number, backend)
            arcs = _without_duplicates(arcs, backend)
        if arcs.edge.size:
            round_log.begin("all", n, arcs.edge.size // 2)
    with step("list"):
        return backend.flatnonzero(in_forest)


def _lightest_edges(n: int, arcs: ArcList, backend: Backend) -> tuple[Any, Any]:
    """Find the lightest edge of each vertex, and its other end."""
    starts = backend.empty(arcs.edge.size, bool)
    backend.for_each(starts_run, starts.size, arcs.source, starts)
    lightest = _lightest_so_far(starts, arcs, backend)
    chosen, successor = backend.empty(n, np.uint64), backend.empty(n, arcs.to.dtype)
    chosen.fill(NONE)
    backend.for_each(make_set, n, successor)
    backend.for_each(choose, starts.size, starts, lightest, arcs, chosen, successor)
    return chosen, successor


def _lightest_so_far(starts: Any, arcs: ArcList, backend: Backend) -> Any:
    """Find, for each arc, the lightest arc from the start of its segment up to it."""
    lightest = identity_permutation(starts.size, backend)
    backend.segmented_scan(lighter, lightest, starts, arcs)
    return lightest


def _number_supervertices(chosen: Any, representative: Any, backend: Backend) -> tuple[Any, int]:
    """Number the supervertices: split vertices by representative, flag the first of each, scan the flags."""
    n, columns = chosen.size, (np.uint64, np.uint64)
    with_arcs = backend.emit_one_group(emit_if_has_arcs, n, columns, chosen, representative)
    root, vertex = sort_by_splits(backend, *with_arcs)
    size = root.size
    before = backend.empty(size, np.uint64)
    backend.for_each(starts_run, size, root, before)
    count = backend.exclusive_sum(before)
    number = backend.empty(n, representative.dtype)
    backend.for_each(store_number, size, root, vertex, before, number)
    return number, count


def _without_loops(arcs: ArcList, number: Any, backend: Backend) -> ArcList:
    """Replace the ends of arcs by supervertices, and drop the arcs inside a supervertex."""
    return _emitted(emit_between, arcs, backend, arcs, number)


def _without_duplicates(arcs: ArcList, backend: Backend) -> ArcList:
    """Split arcs by both ends, and keep the lightest of those between the same two."""
    order = sort_by_splits(backend, arcs.to, identity_permutation(arcs.edge.size, backend))[1]
    order = sort_by_splits(backend, _gathered(arcs.source, order, backend), order)[1]
    arcs = ArcList(*(_gathered(array, order, backend) for array in arcs))
    starts = backend.empty(arcs.edge.size, bool)
    backend.for_each(starts_pair, starts.size, arcs.source, arcs.to, starts)
    lightest = _lightest_so_far(starts, arcs, backend)
    return _emitted(emit_lightest_of_pair, arcs, backend, starts, lightest, arcs)


def _emitted(operator: Operator, like: ArcList, backend: Backend, *arrays: Any) -> ArcList:
    """List the arcs that an operator emits."""
    dtypes = [array.dtype for array in like]
    return ArcList(*backend.emit_one_group(operator, like.edge.size, dtypes, *arrays))


def _gathered(array: Any, order: Any, backend: Backend) -> Any:
    into = backend.empty(order.size, array.dtype)
    backend.for_each(gather, order.size, array, order, into)
    return into


def identity_permutation(size: int, backend: Backend) -> Any:
    """List the numbers from 0 to ``size - 1``."""
    index = backend.empty(size, np.uint64)
    backend.for_each(store_index, size, index)
    return index


def store_index(k, index):
    """Store k at position k."""
    index[k] = k


# Split


def sort_by_splits(backend: Backend, key: Any, value: Any) -> tuple[Any, Any]:
    """Sort keys and their values by a least significant digit radix sort: stable counting sorts by a digit.

    Parameters
    ----------
    backend : Backend
    key : (k,) array of uint64
        The keys. High bits that all keys share cost nothing.
    value : (k,) array
        The value of each key.

    Returns
    -------
    key, value : (k,) arrays
        New arrays, or the arguments if there was nothing to sort.
    """
    if not key.size:
        return key, value
    last_bit = (int(key.min()) ^ int(key.max())).bit_length()
    digit_bits = backend.tuning.radix_digit_bits
    for bit in range(0, last_bit, digit_bits):
        digits = 1 << min(digit_bits, last_bit - bit)
        into = backend.empty_worklist(key.size, (key.dtype, value.dtype))
        backend.emit_grouped(emit_by_digit, key.size, into, digits, key, value, U64(bit), U64(digits - 1))
        key, value = into
    return key, value


def emit_by_digit(i, key, value, bit, mask):
    """Emit element i, grouped by a digit of its key."""
    return True, (key[i] >> bit) & mask, key[i], value[i]


# Segments


def starts_run(k, value, starts):
    """Set a flag (or 1) if the k-th value differs from the one before."""
    starts[k] = k == 0 or value[k] != value[k - ONE]


def starts_pair(k, source, to, starts):
    """Set a flag if arc k is the first between its ends."""
    starts[k] = k == 0 or source[k] != source[k - ONE] or to[k] != to[k - ONE]


def lighter(p, q, arcs):
    """Return the lighter of two arcs."""
    return p if precedes(p, q, arcs) else q


def is_last(k, starts):
    """Return whether arc k is the last of its segment, where the scan has combined all of it."""
    return k + ONE == starts.size or starts[k + ONE]


# Vertices and arcs


def choose(k, starts, lightest, arcs, chosen, successor):
    """Store the lightest edge of the vertex whose last arc is k, and the other end of the edge."""
    if is_last(k, starts):
        x, arc = arcs.source[k], lightest[k]
        chosen[x], successor[x] = arcs.edge[arc], arcs.to[arc]


def emit_if_has_arcs(x, chosen, representative):
    """Emit vertex x, in the only group, with its representative, if it has arcs."""
    return chosen[x] != NONE, U64(0), U64(representative[x]), U64(x)


def store_number(k, root, vertex, before, number):
    """Number the k-th vertex; after the first of a supervertex, ``before`` includes its own flag."""
    first = k == 0 or root[k] != root[k - ONE]
    number[vertex[k]] = before[k] if first else before[k] - ONE


def emit_between(k, arcs, number):
    """Emit arc k, in the only group, with supervertices as ends, unless these are the same."""
    a, b = number[arcs.source[k]], number[arcs.to[k]]
    return a != b, U64(0), a, b, arcs.key[k], arcs.edge[k]


def gather(k, array, order, into):
    """Store the element at the k-th position of an order."""
    into[k] = array[order[k]]


def emit_lightest_of_pair(k, starts, lightest, arcs):
    """Emit the lightest of the arcs between two ends, in the only group, if k is the last of them."""
    arc = lightest[k]
    return is_last(k, starts), U64(0), arcs.source[k], arcs.to[k], arcs.key[arc], arcs.edge[arc]
