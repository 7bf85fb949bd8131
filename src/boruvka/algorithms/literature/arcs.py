"""The graph as compressed sparse rows (CSR): the edges that leave each vertex."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.primitives import Backend
from boruvka.operators.edges import read_input
from boruvka.operators.sort_keys import U64

ONE = U64(1)


class CsrArcs(NamedTuple):
    """Both directions of every edge but loops, ordered by the vertex that an arc leaves, then by edge."""

    neighbour: Any
    """The vertex that each arc leads to."""
    key: Any
    """The key of its edge; equal keys, which do not hold the index, are compared by ``edge``."""
    edge: Any
    """The index of its edge."""


def arcs_of(edge_list: EdgeList, backend: Backend) -> tuple[Any, CsrArcs]:
    """Build the compressed sparse rows of a graph.

    Returns
    -------
    row_offsets : (n + 1,) array of uint64
        Position of the first arc of each vertex, then the number of arcs.
    CsrArcs
    """
    arcs = backend.empty_worklist(2 * edge_list.m, (edge_list.u.dtype, np.uint64, edge_list.index_dtype))
    row_offsets = backend.emit_grouped(
        emit_arc, 2 * edge_list.m, arcs, max(edge_list.n, 1), edge_list.columns
    )
    size = int(row_offsets[-1])
    return row_offsets[: edge_list.n + 1], CsrArcs(*(array[:size] for array in arcs))


def empty_arcs(size: int, backend: Backend, like: CsrArcs) -> CsrArcs:
    """Allocate arcs of the same types as others."""
    return CsrArcs(*(backend.empty(size, array.dtype) for array in like))


def precedes(p, q, arcs):
    """Return whether the edge of arc p precedes the edge of arc q in the order of edges."""
    key, edge = arcs.key, arcs.edge
    return (key[p] < key[q]) | ((key[p] == key[q]) & (edge[p] < edge[q]))


def sources_of(row_offsets: Any, arcs: CsrArcs, backend: Backend) -> Any:
    """List the vertex that each arc leaves."""
    source = backend.empty(arcs.neighbour.size, arcs.neighbour.dtype)
    backend.for_each_row(store_source, row_offsets, source)
    return source


def store_source(x, row_offsets, source):
    """Store vertex x for each arc that leaves it."""
    for arc in range(row_offsets[x], row_offsets[x + ONE]):
        source[arc] = x


def emit_arc(arc, edges):
    """Emit an arc, grouped by the vertex that it leaves; arcs 2 i and 2 i + 1 belong to edge i."""
    i = U64(arc) >> ONE
    a, b, key, _ = read_input(i, edges)
    tail, head = (a, b) if U64(arc) & ONE else (b, a)
    return a != b, tail, head, key, i
