"""Borůvka's algorithm as a recursion of primitives: segmented minimum, scan and split.

Idea: nothing irregular is done by hand. The arcs of a vertex lie together, and a segmented minimum finds
the lightest; a split by representative brings the vertices of a supervertex together, and a scan of flags
numbers the supervertices; a split by both ends brings duplicate edges together, and flags and a scan keep
the lightest. What comes out is a graph as what went in.

Source: document 3, V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, Fast Minimum Spanning Tree for
Large Graphs on the GPU, HPG 2009, Algorithm 1. There weights have 8 to 10 bits and share a word with 22
to 24 bits of vertex; here keys are the weights of any type. A vertex without arcs takes no number, so
that graphs may be disconnected.

Why it is right: see `boruvka.algorithms.boruvka`. Edges are totally ordered, so a cycle of successors has
two vertices. Of duplicate edges all but the lightest are heaviest on a cycle (cycle property).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms import radix
from boruvka.algorithms.adjacency import adjacency_of
from boruvka.algorithms.keys import is_before, keys_of
from boruvka.backends.base import Backend
from boruvka.graph import Graph
from boruvka.order import NONE, U64, Order
from boruvka.rounds import Journal

ONE = U64(1)


def solve(graph: Graph, order: Order, backend: Backend, journal: Journal) -> Any:
    """Find the minimum spanning forest level by level.

    Parameters
    ----------
    graph : Graph
    order : Order
    backend : Backend
    journal : Journal

    Returns
    -------
    (f,) array of int64
        The edges of the forest, ascending.
    """
    in_forest, step = backend.zeros(graph.m, bool), journal.step
    journal.begin("all", graph.n, graph.m)
    with step("arrange"):
        key = keys_of(graph, order, backend)
        begins, to, edge = adjacency_of(graph, backend)
    while to.size:
        n, arcs, ids = begins.size - 1, to.size, to.dtype
        with step("find minimum"):  # lines 1 to 3
            chosen = backend.empty(n, np.uint64)
            backend.for_each(segmented_minimum, n, begins, edge, key, chosen)
        with step("remove cycles"):  # lines 4 to 6
            successor, parent = backend.empty(n, ids), backend.empty(n, ids)
            backend.for_each(find_successor, n, begins, to, edge, chosen, successor)
            backend.for_each(remove_cycle, n, successor, chosen, parent, in_forest)
        with step("pointer doubling"):  # line 7
            while backend.count(double, n, parent):
                pass
        with step("merge"):  # lines 8 to 11
            number, supervertices = _supervertices(backend, n, begins, parent)
        with step("remove edges"):  # lines 12 to 15
            source = backend.empty(arcs, ids)
            backend.for_each(note_source, n, begins, source)
            begins, to, edge = _without_duplicates(
                backend, supervertices, *_crossing(backend, source, to, edge, number), key
            )
        if to.size:
            journal.begin("all", supervertices, to.size // 2)
    with step("list"):
        return backend.members(in_forest)


def _supervertices(backend: Backend, n: int, begins: Any, parent: Any) -> tuple[Any, int]:
    """Number the supervertices: split vertices by representative, flag where another begins, scan."""
    listed = [backend.empty(n, np.uint64), backend.empty(n, np.uint64)]
    living = int(backend.emit_grouped(with_arcs, n, listed, 1, begins, parent)[-1])
    representative, vertex = radix.sort(backend, *(array[:living] for array in listed))
    flag = backend.empty(living, np.uint64)
    backend.for_each(mark_segments, living, representative, flag)
    begun = flag.copy()
    count = backend.exclusive_sum(begun)
    number = backend.empty(n, parent.dtype)
    backend.for_each(note_number, living, vertex, flag, begun, number)
    return number, count


def _crossing(backend: Backend, source: Any, to: Any, edge: Any, number: Any) -> list[Any]:
    """Rename the ends of arcs, and drop those inside a supervertex."""
    into = [backend.empty(to.size, np.uint64) for _ in range(3)]
    left = int(backend.emit_grouped(crossing, to.size, into, 1, source, to, edge, number)[-1])
    return [array[:left] for array in into]


def _without_duplicates(
    backend: Backend, n: int, source: Any, to: Any, edge: Any, key: Any
) -> tuple[Any, Any, Any]:
    """Split arcs by both ends, flag where others begin, and keep the lightest of each, by vertex."""
    arcs = source.size
    place = backend.empty(arcs, np.uint64)
    backend.for_each(note_place, arcs, place)
    place = radix.sort(backend, to, place)[1]
    by_source = backend.empty(arcs, np.uint64)
    backend.for_each(gather, arcs, place, source, by_source)
    source, place = radix.sort(backend, by_source, place)
    ends, edges = backend.empty(arcs, np.uint64), backend.empty(arcs, np.uint64)
    backend.for_each(gather, arcs, place, to, ends)
    backend.for_each(gather, arcs, place, edge, edges)

    into = [backend.empty(arcs, np.uint32 if n < 2**32 else np.uint64), backend.empty(arcs, np.uint64)]
    begins = backend.emit_grouped(first_of_duplicates, arcs, into, max(n, 1), source, ends, edges, key)
    left = int(begins[-1])
    return begins, into[0][:left], into[1][:left]


def segmented_minimum(x, begins, edge, key, chosen):
    """Find the lightest edge of the segment of vertex x."""
    lightest = NONE
    for arc in range(begins[x], begins[x + ONE]):
        if lightest == NONE or is_before(edge[arc], lightest, key):
            lightest = edge[arc]
    chosen[x] = lightest


def find_successor(x, begins, to, edge, chosen, successor):
    """Find where the edge leads that vertex x chose."""
    successor[x] = x
    for arc in range(begins[x], begins[x + ONE]):
        if edge[arc] == chosen[x]:
            successor[x] = to[arc]


def remove_cycle(x, successor, chosen, parent, in_forest):
    """Of two vertices that chose one edge the lower lets go of it; edges that are left join the forest."""
    after = successor[x]
    lets_go = (successor[after] == x) & (x < after)
    parent[x] = x if lets_go else after
    if chosen[x] != NONE and not lets_go:
        in_forest[chosen[x]] = True


def double(x, parent):
    """Point to where the one points to which x points; say whether that is another."""
    before = parent[x]
    parent[x] = parent[before]
    return parent[x] != before


def with_arcs(x, begins, parent):
    """Emit vertex x, in the only group, with its representative, if it has arcs."""
    return begins[x] != begins[x + ONE], U64(0), U64(parent[x]), U64(x)


def mark_segments(k, value, flag):
    """Flag the k-th value if another is before it."""
    flag[k] = k == 0 or value[k] != value[k - ONE]


def note_number(k, vertex, flag, begun, number):
    """Number the k-th vertex by the segments begun up to it."""
    number[vertex[k]] = begun[k] + flag[k] - ONE


def note_source(x, begins, source):
    """Note in each arc of vertex x that it leaves x."""
    for arc in range(begins[x], begins[x + ONE]):
        source[arc] = x


def crossing(arc, source, to, edge, number):
    """Emit an arc, in the only group, with new ends, unless they are one."""
    a, b = U64(number[source[arc]]), U64(number[to[arc]])
    return a != b, U64(0), a, b, edge[arc]


def note_place(k, place):
    """Note that the k-th is the k-th."""
    place[k] = k


def gather(k, place, array, into):
    """Take the k-th from its place."""
    into[k] = array[place[k]]


def first_of_duplicates(k, source, to, edge, key):
    """Emit the k-th arc, by its vertex, with the lightest edge, if it is the first between its ends."""
    first = k == 0 or source[k] != source[k - ONE] or to[k] != to[k - ONE]
    lightest, j = edge[k], U64(k) + ONE
    while first and j < U64(source.size) and source[j] == source[k] and to[j] == to[k]:
        if is_before(edge[j], lightest, key):
            lightest = edge[j]
        j += ONE
    return first, source[k], to[k], lightest
