"""Borůvka's algorithm with colours in place of a contracted graph.

Idea: the compressed sparse rows stay as they are. Every vertex has the colour of its component, looks through
all of its arcs for the lightest one to another colour, and proposes it to its own colour. Nothing is rebuilt,
but arcs inside a component are read in every round.

Source: P. Harish, V. Vineet, P. J. Narayanan, Large Graph Algorithms for Massively Multithreaded
Architectures, 2009; G. Cong, D. Bader, 2005; R. Nasre, M. Burtscher, K. Pingali, 2013. C. da Silva Sousa,
A. Mariano, A. Proença, PDP 2015, section III, compare with these.

Why it is right: see `boruvka.algorithms.boruvka`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.adjacency import adjacency_of, precedes
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.lightest_edge import has_choice
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.atomics import atomic_min
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import is_root, make_set, pointer_jump

ONE = U64(1)


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest, recolouring the vertices in every round."""
    n, step, wide = graph.n, round_log.step, graph.sort_keys.wide
    round_log.begin("all", n, graph.m)
    with step("arrange"):
        begins, arcs = adjacency_of(graph, backend)
    in_forest, colour = backend.zeros(graph.m, bool), backend.empty(n, graph.u.dtype)
    successor, lightest = backend.empty(n, graph.u.dtype), backend.empty(n, np.uint64)
    best = backend.empty(n, np.uint64)
    chosen = backend.empty(n, np.uint64) if wide else best
    index_mask = graph.sort_keys.index_mask
    backend.for_each(make_set, n, colour)
    vertices = backend.split(n)
    while True:
        with step("find minimum"):
            backend.for_each_row(find_minimum, begins, arcs, colour, lightest)
            backend.scatter_min(propose_lightest, vertices, best, n, lightest, arcs, colour)
            if wide:
                backend.scatter_min(break_tie_lightest, vertices, chosen, n, lightest, arcs, colour, best)
        if not backend.count(has_choice, n, chosen):
            break
        with step("remove mirrored"):
            backend.for_each(hook, n, graph.u, graph.v, chosen, index_mask, colour, successor)
            backend.for_each(op.break_cycle, n, chosen, successor)
            backend.for_each(op.mark_chosen, n, chosen, NONE, index_mask, in_forest)
        with step("propagate colours"):
            while backend.count(pointer_jump, n, successor):
                pass
            backend.for_each(recolour, n, successor, colour)
        components = backend.count(is_root, n, colour)
        if components == 1:
            break
        round_log.begin("all", components, graph.m)
    with step("list"):
        return backend.flatnonzero(in_forest)


def find_minimum(x, begins, arcs, colour, lightest):
    """Find the lightest arc of vertex x to another colour."""
    found: Any = NONE
    for arc in range(begins[x], begins[x + ONE]):
        if colour[arcs.neighbour[arc]] != colour[x] and (found == NONE or precedes(arc, found, arcs)):
            found = arc
    lightest[x] = found


def propose_lightest(x, lightest, arcs, colour, best):
    """Propose the lightest arc of vertex x to its colour."""
    if lightest[x] != NONE:
        atomic_min(best, colour[x], arcs.key[lightest[x]])


def break_tie_lightest(x, lightest, arcs, colour, best, first):
    """If the lightest arc of vertex x has the smallest key of its colour, propose its index."""
    if lightest[x] != NONE and arcs.key[lightest[x]] == best[colour[x]]:
        atomic_min(first, colour[x], arcs.edge[lightest[x]])


def hook(c, u, v, chosen, index_mask, colour, successor):
    """Hook colour c onto the colour at the other end of the edge that it chose, if any."""
    successor[c] = c
    if chosen[c] != NONE:
        i = chosen[c] & index_mask
        successor[c] = colour[u[i]] if colour[u[i]] != c else colour[v[i]]


def recolour(x, successor, colour):
    """Replace the colour of vertex x by the root of this colour."""
    colour[x] = successor[colour[x]]
