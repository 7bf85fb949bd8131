"""The graph by vertices: which edges leave each, in compressed sparse rows (CSR)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.base import Backend
from boruvka.graph import Graph
from boruvka.order import U64

ONE = U64(1)


class Adjacency(NamedTuple):
    """Arcs: every edge but loops from either end, by the vertex that they leave, then by the edge."""

    begins: Any
    """Where the arcs of each vertex begin, and at last their number."""
    neighbour: Any
    """Where each arc leads."""
    edge: Any
    """Which edge it is."""


def adjacency_of(graph: Graph, backend: Backend) -> Adjacency:
    """Put the edges of a graph by their ends."""
    arcs = [backend.empty(2 * graph.m, graph.u.dtype), backend.empty(2 * graph.m, np.uint64)]
    begins = backend.emit_grouped(by_vertex, 2 * graph.m, arcs, max(graph.n, 1), graph.u, graph.v)
    return Adjacency(begins, *(array[: int(begins[-1])] for array in arcs))


def sources_of(begins: Any, arcs: int, ids: Any, backend: Backend) -> Any:
    """List which vertex each arc leaves."""
    source = backend.empty(arcs, ids)
    backend.for_each(note_source, begins.size - 1, begins, source)
    return source


def note_source(x, begins, source):
    """Note in each arc of vertex x that it leaves x."""
    for arc in range(begins[x], begins[x + ONE]):
        source[arc] = x


def by_vertex(arc, u, v):
    """Emit an arc, twice the number of its edge or one more, by the vertex that it leaves."""
    i = U64(arc) >> ONE
    a, b = (u[i], v[i]) if U64(arc) & ONE else (v[i], u[i])
    return a != b, a, b, i
