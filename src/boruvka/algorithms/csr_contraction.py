"""Borůvka's algorithm on compressed sparse rows, which every round builds anew for the contracted graph.

Idea: every vertex looks through its own arcs, so that nothing needs an atomic minimum; the vertices of a
component take one colour; prefix sums number the new vertices and give each its room for arcs.

Source: document 1, C. da Silva Sousa, A. Mariano, A. Proença, A Generic and Highly Efficient Parallel
Variant of Borůvka's Algorithm, PDP 2015, Algorithm 1, kernel by kernel. Its graphs are connected; here a
vertex without arcs takes no number, so that isolated vertices and whole components leave.

Why it is right: see `boruvka.algorithms.boruvka`. Edges are totally ordered, so the only cycles of
successors are two vertices that chose one edge (mirrored edges).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka import operators as op
from boruvka.algorithms.adjacency import adjacency_of, sources_of
from boruvka.algorithms.keys import is_before, keys_of
from boruvka.algorithms.union_find import jump
from boruvka.atomics import atomic_add
from boruvka.backends.base import Backend
from boruvka.graph import Graph
from boruvka.order import NONE, U64, Order
from boruvka.rounds import Journal

ONE = U64(1)


def solve(
    graph: Graph, order: Order, backend: Backend, journal: Journal, remove_duplicates: bool = False
) -> Any:
    """Find the minimum spanning forest round by round, each on a smaller graph.

    Parameters
    ----------
    graph : Graph
    order : Order
    backend : Backend
    journal : Journal
    remove_duplicates : bool
        Keep only the lightest of the edges between two components. Without it, graphs whose components are
        soon joined by many edges grow dense, and rounds over their few rows are long.

    Returns
    -------
    (f,) array of int64
        The edges of the forest, ascending.
    """
    n, ids, step = graph.n, graph.u.dtype, journal.step
    key, in_forest = keys_of(graph, order, backend), backend.zeros(graph.m, bool)
    journal.begin("all", n, graph.m)
    with step("arrange"):
        begins, neighbour, edge = adjacency_of(graph, backend)
    while neighbour.size:
        with step("find minimum"):
            chosen, successor = backend.empty(n, np.uint64), backend.empty(n, ids)
            backend.for_each(find_minimum, n, begins, neighbour, edge, key, chosen, successor)
        with step("remove mirrored"):  # of two that chose one edge the smaller becomes a root
            backend.for_each(op.break_cycle, n, chosen, successor)
            backend.for_each(op.pick, n, chosen, NONE, NONE, in_forest)
        with step("propagate colours"):
            colour = successor
            while backend.count(jump, n, colour):
                pass
        with step("new ids"):
            number = backend.empty(n, ids)
            new_n = backend.number(represents, n, number, 0, begins, colour)
        with step("count edges"):
            slots = backend.zeros(new_n + 1, np.uint64)
            backend.for_each(count_edges, n, begins, neighbour, colour, number, slots)
        with step("assign segments"):
            arcs = backend.exclusive_sum(slots)
            new_begins = slots.copy()
        with step("insert edges"):
            into = _room(backend, arcs, neighbour)
            backend.for_each(insert_edges, n, begins, neighbour, edge, colour, number, slots, *into)
        n, begins, (neighbour, edge) = new_n, new_begins, into
        if remove_duplicates and neighbour.size:
            with step("remove duplicates"):
                begins, neighbour, edge = lightest_of_parallel(backend, begins, neighbour, edge, key)
        if neighbour.size:
            journal.begin("all", n, neighbour.size // 2)
    with step("list"):
        return backend.members(in_forest)


def find_minimum(x, begins, neighbour, edge, key, chosen, successor):
    """Find the lightest edge of vertex x, and where it leads."""
    lightest, to = NONE, x
    for arc in range(begins[x], begins[x + ONE]):
        i = edge[arc]
        if lightest == NONE or is_before(i, lightest, key):
            lightest, to = i, neighbour[arc]
    chosen[x], successor[x] = lightest, to


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


def insert_edges(x, begins, neighbour, edge, colour, number, slots, new_neighbour, new_edge):
    """Put the arcs of vertex x that leave its component into the room of that."""
    for arc in range(begins[x], begins[x + ONE]):
        there = colour[neighbour[arc]]
        if there != colour[x]:
            slot = atomic_add(slots, number[colour[x]], ONE)
            new_neighbour[slot], new_edge[slot] = number[there], edge[arc]


def lightest_of_parallel(
    backend: Backend, begins: Any, neighbour: Any, edge: Any, key: Any
) -> tuple[Any, Any, Any]:
    """Keep of the arcs from one vertex to another the lightest.

    Turning all arcs around, in order, gives the same arcs with those of each vertex ordered by neighbour.
    """
    n, arcs = begins.size - 1, neighbour.size
    source = sources_of(begins, arcs, neighbour.dtype, backend)
    into = _room(backend, arcs, neighbour)
    begins = backend.emit_grouped(turned, arcs, into, n, source, neighbour, edge)
    neighbour, edge = into
    new_begins = backend.empty(n + 1, np.uint64)
    backend.for_each(count_neighbours, n, begins, neighbour, new_begins)
    new_begins[-1:] = 0
    into = _room(backend, backend.exclusive_sum(new_begins), neighbour)
    backend.for_each(keep_lightest, n, begins, neighbour, edge, key, new_begins, *into)
    return new_begins, *into


def _room(backend: Backend, arcs: int, neighbour: Any) -> tuple[Any, Any]:
    return backend.empty(arcs, neighbour.dtype), backend.empty(arcs, np.uint64)


def turned(arc, source, neighbour, edge):
    """Emit an arc by the vertex where it leads."""
    return True, neighbour[arc], source[arc], edge[arc]


def count_neighbours(x, begins, neighbour, count):
    """Count the vertices where arcs of vertex x lead."""
    count[x] = 0
    for arc in range(begins[x], begins[x + ONE]):
        count[x] += U64(arc == begins[x] or neighbour[arc] != neighbour[arc - ONE])


def keep_lightest(x, begins, neighbour, edge, key, new_begins, new_neighbour, new_edge):
    """Keep of the arcs of vertex x to each other one the lightest."""
    slot = new_begins[x]
    for arc in range(begins[x], begins[x + ONE]):
        i = edge[arc]
        if arc == begins[x] or neighbour[arc] != neighbour[arc - ONE]:
            new_neighbour[slot], new_edge[slot] = neighbour[arc], i
            slot += ONE
        elif is_before(i, new_edge[slot - ONE], key):
            new_edge[slot - ONE] = i
