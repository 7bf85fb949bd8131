"""Both directions of every edge, sorted by their ends, as adjacency-list formats hold them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import get_backend
from boruvka.errors import FormatError
from boruvka.formats.format import EdgeTable
from boruvka.operators.sort_keys import U64
from boruvka.runtime.processors import processors

GROUP_BITS = 8
"""Arcs are grouped by this many high bits of the tail before sorting; by more if the rest exceeds a key."""
ONE = U64(1)


class SortedArcs(NamedTuple):
    """Two arcs for each edge, one per direction, sorted by tail, then by head.

    Parameters
    ----------
    begins : (n + 1,) int64 array
        Where the arcs of each tail begin, and the number of arcs.
    head : (2 m,) array
        The vertex that each arc leads to.
    edge : (2 m,) array
        The index of its edge. Of parallel arcs, those from u to v come first, then those from v to u.
    """

    begins: NDArray[np.int64]
    head: NDArray[Any]
    edge: NDArray[Any]


class Layout(NamedTuple):
    """Widths in bits of the fields of a key, which is (low bits of the tail, head, arc number)."""

    head_bits: Any
    arc_bits: Any
    low_tail_bits: Any


def sorted_arcs(table: EdgeTable) -> SortedArcs:
    """Sort the arcs of a table on every core.

    They are grouped by the high bits of their tail. The rest of the tail, the head and the number of the arc
    then fit into one key of 64 bits, so NumPy sorts each group with vector instructions.

    Raises
    ------
    FormatError
        There are more than 2**64 pairs of a vertex and an arc.
    """
    arcs = 2 * table.m
    vertex_bits, arc_bits = (max(count - 1, 1).bit_length() for count in (table.n, arcs))
    if vertex_bits + arc_bits > 64:
        raise FormatError("the graph is too large for lists of neighbours; choose another format")
    group_bits = min(vertex_bits, max(GROUP_BITS, 2 * vertex_bits + arc_bits - 64))
    layout = Layout(U64(vertex_bits), U64(arc_bits), U64(vertex_bits - group_bits))
    backend = get_backend("threads", processors())
    (keys,) = grouped = backend.empty_worklist(arcs, (np.uint64,))
    begins = backend.emit_grouped(_emit_key, arcs, grouped, 1 << group_bits, table.u, table.v, layout)
    _sort_groups(keys, begins)
    head, edge = np.empty(arcs, table.v.dtype), np.empty(arcs, np.uint32 if table.m <= 1 << 32 else np.uint64)
    backend.for_each(_store_arc, arcs, keys, layout, U64(table.m), head, edge)
    degrees = sum(np.bincount(ends.astype(np.int64), minlength=table.n) for ends in (table.u, table.v))
    return SortedArcs(np.concatenate([[0], np.cumsum(degrees)]), head, edge)


def _emit_key(arc, u, v, layout):
    """Emit the key of an arc, grouped by the high bits of its tail; arc i + m is edge i from v to u."""
    m = U64(u.size)
    backward = U64(arc) >= m
    i = U64(arc) - m if backward else U64(arc)
    tail, head = (U64(v[i]), U64(u[i])) if backward else (U64(u[i]), U64(v[i]))
    low_tail = tail & ((ONE << layout.low_tail_bits) - ONE)
    key = (((low_tail << layout.head_bits) | head) << layout.arc_bits) | U64(arc)
    return True, tail >> layout.low_tail_bits, key


def _store_arc(i, keys, layout, m, head, edge):
    arc = keys[i] & ((ONE << layout.arc_bits) - ONE)
    head[i] = (keys[i] >> layout.arc_bits) & ((ONE << layout.head_bits) - ONE)
    edge[i] = arc - m if arc >= m else arc


def _sort_groups(keys: NDArray[np.uint64], begins: NDArray[np.uint64]) -> None:
    """Sort each group of keys, on every core."""
    from concurrent.futures import ThreadPoolExecutor

    def sort(groups: slice) -> None:
        for begin, end in pairwise(begins[groups].tolist()):
            keys[begin:end].sort()

    count = begins.size - 1
    cuts = [count * k // 64 for k in range(65)]  # more parts than cores: groups differ in size
    with ThreadPoolExecutor(processors()) as pool:
        list(pool.map(lambda first, last: sort(slice(first, last + 1)), cuts[:-1], cuts[1:]))
