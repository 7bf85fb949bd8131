"""Borůvka's algorithm as a recursion of primitives: segmented scan, scan and split.

Idea: nothing irregular is done by hand. The arcs of a vertex lie together, and a segmented scan finds the
lightest; a split by representative brings the vertices of a supervertex together, and a scan of flags
numbers the supervertices; a split by both ends brings duplicate edges together, and another segmented scan
finds the lightest of them. What comes out is a graph as what went in.

Source: document 3, V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, Fast Minimum Spanning Tree for
Large Graphs on the GPU, HPG 2009, Algorithm 1. There weights have 8 to 10 bits and share a word with 22
to 24 bits of vertex; here scans compare arcs by the keys of their edges, whatever the type of weights. A
vertex without arcs takes no number, so that graphs may be disconnected. The vertex list, where the arcs of
each vertex begin, is not needed: an arc holds the vertex that it leaves.

Why it is right: see `boruvka.algorithms.boruvka`. Edges are totally ordered, so a cycle of successors has
two vertices. Of duplicate edges all but the lightest are heaviest on a cycle (cycle property).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks import radix_sort as radix
from boruvka.algorithms.building_blocks.adjacency import adjacency_of, precedes, sources_of
from boruvka.algorithms.building_blocks.edge_keys import store_position
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.union_find import make_set, pointer_jump
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.sort_keys import NONE, U64

ONE = U64(1)


class Arcs(NamedTuple):
    """Every edge from either end, ordered by the vertex that the arc leaves."""

    source: Any
    to: Any
    key: Any
    edge: Any


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest level by level."""
    n, in_forest, step = graph.n, backend.zeros(graph.m, bool), round_log.step
    round_log.begin("all", n, graph.m)
    with step("arrange"):
        begins, to, *names = adjacency_of(graph, backend)
        arcs = Arcs(sources_of(begins, to.size, to.dtype, backend), to, *names)
        del begins, to, names
    while arcs.edge.size:
        with step("find minimum"):  # lines 1 to 4
            chosen, successor = _lightest(n, arcs, backend)
        with step("remove cycles"):  # lines 5 and 6
            backend.for_each(op.break_cycle, n, chosen, successor)
            backend.for_each(op.mark_chosen, n, chosen, NONE, NONE, in_forest)
        with step("pointer doubling"):  # line 7
            while backend.count(pointer_jump, n, successor):
                pass
        with step("merge vertices"):  # lines 8 and 9
            number, n = _supervertices(chosen, successor, backend)
        with step("remove edges"):  # lines 10 to 14
            arcs = _without_duplicates(_crossing(arcs, number, backend), backend)
        if arcs.edge.size:
            round_log.begin("all", n, arcs.edge.size // 2)
    with step("list"):
        return backend.flatnonzero(in_forest)


def _lightest(n: int, arcs: Arcs, backend: Backend) -> tuple[Any, Any]:
    """Find the lightest edge of each vertex, and where it leads."""
    size = arcs.edge.size
    starts = backend.empty(size, bool)
    backend.for_each(starts_run, size, arcs.source, starts)
    best = _scanned(starts, arcs, backend)
    chosen, successor = backend.empty(n, np.uint64), backend.empty(n, arcs.to.dtype)
    chosen.fill(NONE)
    backend.for_each(make_set, n, successor)
    backend.for_each(choose, size, starts, best, *arcs, chosen, successor)
    return chosen, successor


def _scanned(starts: Any, arcs: Arcs, backend: Backend) -> Any:
    """Find for each arc the lightest one from the start of its segment on."""
    best = backend.empty(arcs.edge.size, np.uint64)
    backend.for_each(store_position, best.size, best)
    backend.segmented_scan(lighter, best, starts, arcs.key, arcs.edge)
    return best


def _supervertices(chosen: Any, representative: Any, backend: Backend) -> tuple[Any, int]:
    """Number the supervertices: split vertices by representative, flag where another begins, scan."""
    n = chosen.size
    listed = backend.empty_worklist(n, (np.uint64, np.uint64))
    living = int(backend.emit_grouped(with_arcs, n, listed, 1, chosen, representative)[-1])
    root, vertex = radix.sort(backend, listed[0][:living], listed[1][:living])
    begun = backend.empty(living, np.uint64)
    backend.for_each(starts_run, living, root, begun)
    count = backend.exclusive_sum(begun)
    number = backend.empty(n, representative.dtype)
    backend.for_each(store_number, living, root, vertex, begun, number)
    return number, count


def _crossing(arcs: Arcs, number: Any, backend: Backend) -> Arcs:
    """Rename the ends of arcs, and drop those inside a supervertex."""
    size = arcs.edge.size
    into = backend.empty_worklist(size, [array.dtype for array in arcs])
    left = int(backend.emit_grouped(crossing, size, into, 1, *arcs, number)[-1])
    return Arcs(*(array[:left] for array in into))


def _without_duplicates(arcs: Arcs, backend: Backend) -> Arcs:
    """Split arcs by both ends, and keep of those between the same two the lightest."""
    size = arcs.edge.size
    place = backend.empty(size, np.uint64)
    backend.for_each(store_position, size, place)
    place = radix.sort(backend, arcs.to, place)[1]
    place = radix.sort(backend, _gathered(arcs.source, place, backend), place)[1]
    arcs = Arcs(*(_gathered(array, place, backend) for array in arcs))

    starts = backend.empty(size, bool)
    backend.for_each(starts_pair, size, arcs.source, arcs.to, starts)
    best = _scanned(starts, arcs, backend)
    into = backend.empty_worklist(size, [array.dtype for array in arcs])
    left = int(backend.emit_grouped(lightest_of_pair, size, into, 1, starts, best, *arcs)[-1])
    return Arcs(*(array[:left] for array in into))


def _gathered(array: Any, place: Any, backend: Backend) -> Any:
    into = backend.empty(place.size, array.dtype)
    backend.for_each(gather, place.size, array, place, into)
    return into


# Segments


def starts_run(k, value, starts):
    """Flag (or count as one) the k-th if another value is before it."""
    starts[k] = k == 0 or value[k] != value[k - ONE]


def starts_pair(k, source, to, starts):
    """Flag arc k if it is the first between its ends."""
    starts[k] = k == 0 or source[k] != source[k - ONE] or to[k] != to[k - ONE]


def lighter(p, q, key, edge):
    """Take the lighter of two arcs."""
    return p if precedes(p, q, key, edge) else q


def is_last(k, starts):
    """Say whether the segment of arc k ends with it, so that the scan has seen all of it."""
    return k + ONE == starts.size or starts[k + ONE]


# Vertices and arcs


def choose(k, starts, best, source, to, key, edge, chosen, successor):
    """Give the vertex whose last arc is k its lightest edge, and where that leads."""
    if is_last(k, starts):
        x, arc = source[k], best[k]
        chosen[x], successor[x] = edge[arc], to[arc]


def with_arcs(x, chosen, representative):
    """Emit vertex x, in the only group, with its representative, if it has arcs."""
    return chosen[x] != NONE, U64(0), U64(representative[x]), U64(x)


def store_number(k, root, vertex, begun, number):
    """Number the k-th vertex by the supervertices that began before its own."""
    first = k == 0 or root[k] != root[k - ONE]
    number[vertex[k]] = begun[k] if first else begun[k] - ONE


def crossing(k, source, to, key, edge, number):
    """Emit arc k, in the only group, with new ends, unless they are one."""
    a, b = number[source[k]], number[to[k]]
    return a != b, U64(0), a, b, key[k], edge[k]


def gather(k, array, place, into):
    """Take what is at the k-th place."""
    into[k] = array[place[k]]


def lightest_of_pair(k, starts, best, source, to, key, edge):
    """Emit the lightest of the arcs between two ends where k is the last of them."""
    return is_last(k, starts), U64(0), source[k], to[k], key[best[k]], edge[best[k]]
