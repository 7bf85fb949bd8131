"""The graph by vertices: which edges leave each, in compressed sparse rows (CSR)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.protocol import Backend
from boruvka.operators.sort_keys import U64, edge_key

ONE = U64(1)


class Adjacency(NamedTuple):
    """Arcs: every edge but loops from either end, by the vertex that they leave, then by the edge."""

    begins: Any
    """Where the arcs of each vertex begin, and at last their number."""
    neighbour: Any
    """Where each arc leads."""
    key: Any
    """The key of its edge; where keys do not hold the index, that decides between equal ones."""
    edge: Any
    """The index of its edge."""


def adjacency_of(graph: EdgeList, backend: Backend) -> Adjacency:
    """Put the edges of a graph by their ends."""
    arcs = backend.empty_worklist(2 * graph.m, (graph.u.dtype, np.uint64, graph.index_dtype))
    given = graph.columns
    begins = backend.emit_grouped(by_vertex, 2 * graph.m, arcs, max(graph.n, 1), *given)
    size = int(begins[-1])
    return Adjacency(begins[: graph.n + 1], *(array[:size] for array in arcs))


def room(arcs: int, backend: Backend, ids: Any, index: Any) -> list[Any]:
    """Make room for neighbour, key and edge of arcs."""
    return [backend.empty(arcs, dtype) for dtype in (ids, np.uint64, index)]


def precedes(p, q, key, edge):
    """Say whether the edge of arc p comes before that of arc q."""
    return (key[p] < key[q]) | ((key[p] == key[q]) & (edge[p] < edge[q]))


def sources_of(begins: Any, arcs: int, ids: Any, backend: Backend) -> Any:
    """List which vertex each arc leaves."""
    source = backend.empty(arcs, ids)
    backend.for_each_row(store_source, begins, source)
    return source


def store_source(x, begins, source):
    """Note in each arc of vertex x that it leaves x."""
    for arc in range(begins[x], begins[x + ONE]):
        source[arc] = x


def by_vertex(arc, u, v, bits, packing):
    """Emit an arc, twice the number of its edge or one more, by the vertex that it leaves."""
    i = U64(arc) >> ONE
    a, b = (u[i], v[i]) if U64(arc) & ONE else (v[i], u[i])
    return a != b, a, b, edge_key(i, bits, packing), i
