"""Borůvka's algorithm on compressed sparse rows, which every round builds anew for the contracted graph.

Idea: every vertex looks through its own arcs, so that nothing needs an atomic minimum; the vertices of a
component take one colour; prefix sums number the new vertices and give each its room for arcs.

Source: document 1, C. da Silva Sousa, A. Mariano, A. Proença, A Generic and Highly Efficient Parallel
Variant of Borůvka's Algorithm, PDP 2015, Algorithm 1, kernel by kernel. Its graphs are connected; here a
vertex without arcs takes no number, so that isolated vertices and whole components leave. It gives threads
as many vertices each; here they get as many arcs (`Backend.for_each_row`).

Why it is right: see `boruvka.algorithms.boruvka`. Edges are totally ordered, so the only cycles of
successors are two vertices that chose one edge (mirrored edges).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.adjacency import adjacency_of, precedes, room, sources_of
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.union_find import pointer_jump
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.atomics import atomic_add
from boruvka.operators.sort_keys import NONE, U64

ONE = U64(1)


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog, remove_duplicates: bool = False) -> Any:
    """Find the minimum spanning forest round by round, each on a smaller graph.

    Parameters
    ----------
    remove_duplicates : bool
        Keep only the lightest of the edges between two components. Without it, graphs whose components are
        soon joined by many edges grow dense, and rounds over their few rows are long.
    """
    n, ids, step = graph.n, graph.u.dtype, round_log.step
    in_forest = backend.zeros(graph.m, bool)
    round_log.begin("all", n, graph.m)
    with step("arrange"):
        begins, *arcs = adjacency_of(graph, backend)
    while arcs[0].size:
        with step("find minimum"):
            chosen, successor = backend.empty(n, np.uint64), backend.empty(n, ids)
            backend.for_each_row(find_minimum, begins, *arcs, chosen, successor)
        with step("remove mirrored"):  # of two that chose one edge the smaller becomes a root
            backend.for_each(op.break_cycle, n, chosen, successor)
            backend.for_each(op.mark_chosen, n, chosen, NONE, NONE, in_forest)
        with step("propagate colours"):
            colour = successor
            while backend.count(pointer_jump, n, colour):
                pass
        with step("new ids"):
            number = backend.empty(n, ids)
            new_n = backend.number(represents, n, number, 0, begins, colour)
        with step("count edges"):
            slots = backend.zeros(new_n + 1, np.uint64)
            backend.for_each_row(count_edges, begins, arcs[0], colour, number, slots)
        with step("assign segments"):
            into = room(backend.exclusive_sum(slots), backend, ids, arcs[-1].dtype)
            new_begins = slots.copy()
        with step("insert edges"):
            backend.for_each_row(insert_edges, begins, *arcs, colour, number, slots, *into)
        n, begins, arcs = new_n, new_begins, into
        if remove_duplicates and arcs[0].size:
            with step("remove duplicates"):
                begins, arcs = lightest_of_parallel(begins, arcs, backend)
        if arcs[0].size:
            round_log.begin("all", n, arcs[0].size // 2)
    with step("list"):
        return backend.flatnonzero(in_forest)


def find_minimum(x, begins, neighbour, key, edge, chosen, successor):
    """Find the lightest edge of vertex x, and where it leads."""
    chosen[x], successor[x] = NONE, x
    if begins[x] != begins[x + ONE]:
        lightest = begins[x]
        for arc in range(begins[x] + ONE, begins[x + ONE]):
            if precedes(arc, lightest, key, edge):
                lightest = arc
        chosen[x], successor[x] = edge[lightest], neighbour[lightest]


def represents(x, begins, colour):
    """Say whether vertex x has its own colour, and arcs at all."""
    return (colour[x] == x) & (begins[x] != begins[x + ONE])


def count_edges(x, begins, neighbour, colour, number, slots):
    """Count the arcs of vertex x that leave its component."""
    crossing = U64(0)
    for arc in range(begins[x], begins[x + ONE]):
        crossing += U64(colour[neighbour[arc]] != colour[x])
    if crossing:
        atomic_add(slots, number[colour[x]], crossing)


def insert_edges(x, begins, neighbour, key, edge, colour, number, slots, new_neighbour, new_key, new_edge):
    """Put the arcs of vertex x that leave its component into the room of that."""
    for arc in range(begins[x], begins[x + ONE]):
        there = colour[neighbour[arc]]
        if there != colour[x]:
            slot = atomic_add(slots, number[colour[x]], ONE)
            new_neighbour[slot], new_key[slot], new_edge[slot] = number[there], key[arc], edge[arc]


def lightest_of_parallel(begins: Any, arcs: list[Any], backend: Backend) -> tuple[Any, list[Any]]:
    """Keep of the arcs from one vertex to another the lightest.

    Turning all arcs around, in order, gives the same arcs with those of each vertex ordered by neighbour.
    """
    n, size, types = begins.size - 1, arcs[0].size, (arcs[0].dtype, arcs[-1].dtype)
    source, turned = sources_of(begins, size, types[0], backend), room(size, backend, *types)
    begins = backend.emit_grouped(by_neighbour, size, turned, n, source, *arcs)
    new_begins = backend.zeros(n + 1, np.uint64)
    backend.for_each_row(count_neighbours, begins, turned[0], new_begins)
    into = room(backend.exclusive_sum(new_begins), backend, *types)
    backend.for_each_row(keep_lightest, begins, *turned, new_begins, *into)
    return new_begins, into


def by_neighbour(arc, source, neighbour, key, edge):
    """Emit an arc, turned around, by the vertex where it leads."""
    return True, neighbour[arc], source[arc], key[arc], edge[arc]


def count_neighbours(x, begins, neighbour, count):
    """Count the vertices where arcs of vertex x lead."""
    for arc in range(begins[x], begins[x + ONE]):
        count[x] += U64(arc == begins[x] or neighbour[arc] != neighbour[arc - ONE])


def keep_lightest(x, begins, neighbour, key, edge, new_begins, new_neighbour, new_key, new_edge):
    """Keep of the arcs of vertex x to each other one the lightest."""
    slot, lightest = new_begins[x], begins[x]
    for arc in range(begins[x], begins[x + ONE]):
        if neighbour[arc] != neighbour[lightest] or precedes(arc, lightest, key, edge):
            slot += U64(neighbour[arc] != neighbour[lightest])
            lightest = arc
        new_neighbour[slot], new_key[slot], new_edge[slot] = (
            neighbour[lightest],
            key[lightest],
            edge[lightest],
        )
