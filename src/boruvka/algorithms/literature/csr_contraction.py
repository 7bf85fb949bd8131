"""Borůvka's algorithm on compressed sparse rows, which are rebuilt for the contracted graph in every round.

Idea: every vertex looks through its own arcs, so that no atomic minimum is needed; the vertices of a
component take one colour; prefix sums number the new vertices and allocate their ranges of arcs.

Source: C. da Silva Sousa, A. Mariano, A. Proença, A Generic and Highly Efficient Parallel Variant of
Borůvka's Algorithm, PDP 2015, Algorithm 1, kernel by kernel. There graphs are connected; here a vertex
without arcs gets no number, so that isolated vertices and finished components leave. There every thread
gets the same number of vertices; here it gets about the same number of arcs (`Backend.for_each_row`).

Why it is right: see `boruvka.algorithms.boruvka`. Edges are totally ordered, so a cycle of successors is
always two vertices that chose the same edge (mirrored edges).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.adjacency import Arcs, adjacency_of, empty_arcs, precedes, sources_of
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.atomics import atomic_add
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import pointer_jump

ONE = U64(1)


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog, remove_duplicates: bool = False) -> Any:
    """Find the minimum spanning forest in rounds, each on a smaller graph.

    Parameters
    ----------
    remove_duplicates : bool
        Keep only the lightest of parallel edges between two components. Without it, some contracted graphs
        have few vertices with very many arcs, and their rounds are slow.
    """
    n, ids, step = graph.n, graph.u.dtype, round_log.step
    in_forest = backend.zeros(graph.m, bool)
    round_log.begin("all", n, graph.m)
    with step("arrange"):
        begins, arcs = adjacency_of(graph, backend)
    while arcs.edge.size:
        with step("find minimum"):
            chosen, successor = backend.empty(n, np.uint64), backend.empty(n, ids)
            backend.for_each_row(find_minimum, begins, arcs, chosen, successor)
        with step("remove mirrored"):  # the smaller of two that chose the same edge becomes a root
            backend.for_each(op.break_cycle, n, chosen, successor)
            backend.for_each(op.mark_chosen, n, chosen, NONE, NONE, in_forest)
        with step("propagate colours"):
            colour = successor
            while backend.count(pointer_jump, n, colour):
                pass
        with step("new ids"):
            number = backend.empty(n, ids)
            new_n = backend.number(is_representative, n, number, 0, begins, colour)
        with step("count edges"):
            slots = backend.zeros(new_n + 1, np.uint64)
            backend.for_each_row(count_edges, begins, arcs.neighbour, colour, number, slots)
        with step("assign segments"):
            new_arcs = empty_arcs(backend.exclusive_sum(slots), backend, arcs)
            new_begins = slots.copy()
        with step("insert edges"):
            backend.for_each_row(insert_edges, begins, arcs, colour, number, slots, new_arcs)
        n, begins, arcs = new_n, new_begins, new_arcs
        if remove_duplicates and arcs.edge.size:
            with step("remove duplicates"):
                begins, arcs = lightest_of_parallel(begins, arcs, backend)
        if arcs.edge.size:
            round_log.begin("all", n, arcs.edge.size // 2)
    with step("list"):
        return backend.flatnonzero(in_forest)


def find_minimum(x, begins, arcs, chosen, successor):
    """Find the lightest edge of vertex x, and its other end."""
    chosen[x], successor[x] = NONE, x
    if begins[x] != begins[x + ONE]:
        lightest = begins[x]
        for arc in range(begins[x] + ONE, begins[x + ONE]):
            if precedes(arc, lightest, arcs):
                lightest = arc
        chosen[x], successor[x] = arcs.edge[lightest], arcs.neighbour[lightest]


def is_representative(x, begins, colour):
    """Return whether the colour of vertex x is its own, and it has arcs."""
    return (colour[x] == x) & (begins[x] != begins[x + ONE])


def count_edges(x, begins, neighbour, colour, number, slots):
    """Count the arcs of vertex x that leave its component."""
    crossing = U64(0)
    for arc in range(begins[x], begins[x + ONE]):
        crossing += U64(colour[neighbour[arc]] != colour[x])
    if crossing:
        atomic_add(slots, number[colour[x]], crossing)


def insert_edges(x, begins, arcs, colour, number, slots, new_arcs):
    """Store the arcs of vertex x that leave its component in the range of the component."""
    for arc in range(begins[x], begins[x + ONE]):
        there = colour[arcs.neighbour[arc]]
        if there != colour[x]:
            slot = atomic_add(slots, number[colour[x]], ONE)
            new_arcs.neighbour[slot] = number[there]
            new_arcs.key[slot], new_arcs.edge[slot] = arcs.key[arc], arcs.edge[arc]


def lightest_of_parallel(begins: Any, arcs: Arcs, backend: Backend) -> tuple[Any, Arcs]:
    """Keep the lightest of the arcs from one vertex to another.

    Reversing all arcs, stably sorted by their new source, yields the same graph with the arcs of each vertex
    ordered by neighbour.
    """
    n, size = begins.size - 1, arcs.edge.size
    source, by_neighbour = sources_of(begins, arcs, backend), list(empty_arcs(size, backend, arcs))
    begins = backend.emit_grouped(emit_reversed, size, by_neighbour, n, source, arcs)
    arcs = Arcs(*by_neighbour)
    new_begins = backend.zeros(n + 1, np.uint64)
    backend.for_each_row(count_neighbours, begins, arcs.neighbour, new_begins)
    new_arcs = empty_arcs(backend.exclusive_sum(new_begins), backend, arcs)
    backend.for_each_row(keep_lightest, begins, arcs, new_begins, new_arcs)
    return new_begins, new_arcs


def emit_reversed(arc, source, arcs):
    """Emit the reverse of an arc, grouped by the vertex that it then leaves."""
    return True, arcs.neighbour[arc], source[arc], arcs.key[arc], arcs.edge[arc]


def count_neighbours(x, begins, neighbour, count):
    """Count the distinct neighbours of vertex x."""
    for arc in range(begins[x], begins[x + ONE]):
        count[x] += U64(arc == begins[x] or neighbour[arc] != neighbour[arc - ONE])


def keep_lightest(x, begins, arcs, new_begins, new_arcs):
    """Store the lightest of the arcs of vertex x to each neighbour."""
    slot, lightest, neighbour = new_begins[x], begins[x], arcs.neighbour
    for arc in range(begins[x], begins[x + ONE]):
        if neighbour[arc] != neighbour[lightest] or precedes(arc, lightest, arcs):
            slot += U64(neighbour[arc] != neighbour[lightest])
            lightest = arc
        new_arcs.neighbour[slot] = neighbour[lightest]
        new_arcs.key[slot], new_arcs.edge[slot] = arcs.key[lightest], arcs.edge[lightest]
