"""Sousa, Mariano, Proença, PDP 2015: contraction of compressed sparse rows; colours, to compare.

C. da Silva Sousa, A. Mariano, A. Proença, A Generic and Highly Efficient Parallel Variant of Borůvka's
Algorithm, PDP 2015.

`csr_contraction` is their Algorithm 1, kernel by kernel. Idea: every vertex looks through its own arcs, so
that no atomic minimum is needed; the vertices of a component take one colour; prefix sums number the new
vertices and allocate their ranges of arcs. There graphs are connected; here a vertex without arcs gets no
number, so that isolated vertices and finished components leave. There every thread gets the same number of
vertices; here it gets about the same number of arcs (`Backend.for_each_row`).

`colour_contraction` is what section III compares with: P. Harish, V. Vineet, P. J. Narayanan, Large Graph
Algorithms for Massively Multithreaded Architectures, 2009; G. Cong, D. Bader, 2005; R. Nasre, M. Burtscher,
K. Pingali, 2013. Idea: the compressed sparse rows stay as they are. Every vertex has the colour of its
component, looks through all of its arcs for the lightest one to another colour, and proposes it to its own
colour. Nothing is rebuilt, but arcs inside a component are read in every round.

Why both are right: see `boruvka.algorithms.boruvka`. Edges are totally ordered, so a cycle of successors is
always two vertices, or colours, that chose the same edge (mirrored edges).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature.arcs import CsrArcs, arcs_of, empty_arcs, precedes, sources_of
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.kernels.kernel_functions import atomic_add, atomic_min
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import is_root, make_set, pointer_jump
from boruvka.runtime.round_log import RoundLog

ONE = U64(1)


# Contraction of compressed sparse rows


@algorithm(
    "csr-contraction",
    source="Sousa, Mariano, Proença 2015, Algorithm 1",
    complexity="O(m log n)",
    use="road networks on many cores: no atomics in the search, a smaller graph in every round",
)
def csr_contraction(
    edge_list: EdgeList, backend: Backend, round_log: RoundLog, remove_duplicates: bool = False
) -> Any:
    """Find the minimum spanning forest in rounds, each on a smaller graph.

    Parameters
    ----------
    remove_duplicates : bool
        Keep only the lightest of parallel edges between two components. Without it, some contracted graphs
        have few vertices with very many arcs, and their rounds are slow.
    """
    n, ids, step = edge_list.n, edge_list.u.dtype, round_log.step
    in_forest = backend.zeros(edge_list.m, bool)
    round_log.begin("all", n, edge_list.m)
    with step("arrange"):
        row_offsets, arcs = arcs_of(edge_list, backend)
    while arcs.edge.size:
        with step("find minimum"):
            chosen, successor = backend.empty(n, np.uint64), backend.empty(n, ids)
            backend.for_each_row(find_lightest_arc, row_offsets, arcs, chosen, successor)
        with step("remove mirrored"):  # the smaller of two that chose the same edge becomes a root
            backend.for_each(round_ops.break_cycle, n, chosen, successor)
            backend.for_each(round_ops.mark_chosen, n, chosen, NONE, NONE, in_forest)
        with step("propagate colours"):
            colour = successor
            while backend.count(pointer_jump, n, colour):
                pass
        with step("new ids"):
            number = backend.empty(n, ids)
            new_n = backend.number(is_representative, n, number, 0, row_offsets, colour)
        with step("count edges"):
            slots = backend.zeros(new_n + 1, np.uint64)
            backend.for_each_row(count_edges, row_offsets, arcs.neighbour, colour, number, slots)
        with step("assign segments"):
            new_arcs = empty_arcs(backend.exclusive_sum(slots), backend, arcs)
            new_row_offsets = slots.copy()
        with step("insert edges"):
            backend.for_each_row(insert_edges, row_offsets, arcs, colour, number, slots, new_arcs)
        n, row_offsets, arcs = new_n, new_row_offsets, new_arcs
        if remove_duplicates and arcs.edge.size:
            with step("remove duplicates"):
                row_offsets, arcs = lightest_of_parallel(row_offsets, arcs, backend)
        if arcs.edge.size:
            round_log.begin("all", n, arcs.edge.size // 2)
    with step("list"):
        return backend.flatnonzero(in_forest)


def find_lightest_arc(x, row_offsets, arcs, chosen, successor):
    """Find the lightest edge of vertex x, and its other end."""
    chosen[x], successor[x] = NONE, x
    if row_offsets[x] != row_offsets[x + ONE]:
        lightest = row_offsets[x]
        for arc in range(row_offsets[x] + ONE, row_offsets[x + ONE]):
            if precedes(arc, lightest, arcs):
                lightest = arc
        chosen[x], successor[x] = arcs.edge[lightest], arcs.neighbour[lightest]


def is_representative(x, row_offsets, colour):
    """Return whether the colour of vertex x is its own, and it has arcs."""
    return (colour[x] == x) & (row_offsets[x] != row_offsets[x + ONE])


def count_edges(x, row_offsets, neighbour, colour, number, slots):
    """Count the arcs of vertex x that leave its component."""
    crossing = U64(0)
    for arc in range(row_offsets[x], row_offsets[x + ONE]):
        crossing += U64(colour[neighbour[arc]] != colour[x])
    if crossing:
        atomic_add(slots, number[colour[x]], crossing)


def insert_edges(x, row_offsets, arcs, colour, number, slots, new_arcs):
    """Store the arcs of vertex x that leave its component in the range of the component."""
    for arc in range(row_offsets[x], row_offsets[x + ONE]):
        there = colour[arcs.neighbour[arc]]
        if there != colour[x]:
            slot = atomic_add(slots, number[colour[x]], ONE)
            new_arcs.neighbour[slot] = number[there]
            new_arcs.key[slot], new_arcs.edge[slot] = arcs.key[arc], arcs.edge[arc]


def lightest_of_parallel(row_offsets: Any, arcs: CsrArcs, backend: Backend) -> tuple[Any, CsrArcs]:
    """Keep the lightest of the arcs from one vertex to another.

    Reversing all arcs, stably sorted by their new source, yields the same graph with the arcs of each vertex
    ordered by neighbour.
    """
    n, size = row_offsets.size - 1, arcs.edge.size
    source, by_neighbour = sources_of(row_offsets, arcs, backend), list(empty_arcs(size, backend, arcs))
    row_offsets = backend.emit_grouped(emit_reversed, size, by_neighbour, n, source, arcs)
    arcs = CsrArcs(*by_neighbour)
    new_row_offsets = backend.zeros(n + 1, np.uint64)
    backend.for_each_row(count_neighbours, row_offsets, arcs.neighbour, new_row_offsets)
    new_arcs = empty_arcs(backend.exclusive_sum(new_row_offsets), backend, arcs)
    backend.for_each_row(keep_lightest, row_offsets, arcs, new_row_offsets, new_arcs)
    return new_row_offsets, new_arcs


def emit_reversed(arc, source, arcs):
    """Emit the reverse of an arc, grouped by the vertex that it then leaves."""
    return True, arcs.neighbour[arc], source[arc], arcs.key[arc], arcs.edge[arc]


def count_neighbours(x, row_offsets, neighbour, count):
    """Count the distinct neighbours of vertex x."""
    for arc in range(row_offsets[x], row_offsets[x + ONE]):
        count[x] += U64(arc == row_offsets[x] or neighbour[arc] != neighbour[arc - ONE])


def keep_lightest(x, row_offsets, arcs, new_row_offsets, new_arcs):
    """Store the lightest of the arcs of vertex x to each neighbour."""
    slot, lightest, neighbour = new_row_offsets[x], row_offsets[x], arcs.neighbour
    for arc in range(row_offsets[x], row_offsets[x + ONE]):
        if neighbour[arc] != neighbour[lightest] or precedes(arc, lightest, arcs):
            slot += U64(neighbour[arc] != neighbour[lightest])
            lightest = arc
        new_arcs.neighbour[slot] = neighbour[lightest]
        new_arcs.key[slot], new_arcs.edge[slot] = arcs.key[lightest], arcs.edge[lightest]


# Colours


@algorithm(
    "colour-contraction",
    source="Harish et al. 2009; Nasre et al. 2013 (compared by Sousa et al. 2015)",
    complexity="O(m log n)",
    use="many cores and little memory: the graph is not rebuilt",
)
def colour_contraction(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest, recolouring the vertices in every round."""
    n, step, keys_lack_index = edge_list.n, round_log.step, edge_list.sort_keys.keys_lack_index
    round_log.begin("all", n, edge_list.m)
    with step("arrange"):
        row_offsets, arcs = arcs_of(edge_list, backend)
    in_forest, colour = backend.zeros(edge_list.m, bool), backend.empty(n, edge_list.u.dtype)
    successor, lightest = backend.empty(n, edge_list.u.dtype), backend.empty(n, np.uint64)
    best = backend.empty(n, np.uint64)
    chosen = backend.empty(n, np.uint64) if keys_lack_index else best
    index_mask = edge_list.sort_keys.index_mask
    backend.for_each(make_set, n, colour)
    vertices = backend.positions(n)
    while True:
        with step("find minimum"):
            backend.for_each_row(find_lightest_to_other_colour, row_offsets, arcs, colour, lightest)
            backend.scatter_min(propose_lightest, vertices, best, n, lightest, arcs, colour)
            if keys_lack_index:
                backend.scatter_min(break_tie_lightest, vertices, chosen, n, lightest, arcs, colour, best)
        if not backend.count(round_ops.has_choice, n, chosen):
            break
        with step("remove mirrored"):
            backend.for_each(hook_colour, n, edge_list.u, edge_list.v, chosen, index_mask, colour, successor)
            backend.for_each(round_ops.break_cycle, n, chosen, successor)
            backend.for_each(round_ops.mark_chosen, n, chosen, NONE, index_mask, in_forest)
        with step("propagate colours"):
            while backend.count(pointer_jump, n, successor):
                pass
            backend.for_each(recolour, n, successor, colour)
        components = backend.count(is_root, n, colour)
        if components == 1:
            break
        round_log.begin("all", components, edge_list.m)
    with step("list"):
        return backend.flatnonzero(in_forest)


def find_lightest_to_other_colour(x, row_offsets, arcs, colour, lightest):
    """Find the lightest arc of vertex x to another colour."""
    found: Any = NONE
    for arc in range(row_offsets[x], row_offsets[x + ONE]):
        if colour[arcs.neighbour[arc]] != colour[x] and (found == NONE or precedes(arc, found, arcs)):
            found = arc
    lightest[x] = found


def propose_lightest(x, lightest, arcs, colour, best):
    """Propose the lightest arc of vertex x to its colour."""
    if lightest[x] != NONE:
        atomic_min(best, colour[x], arcs.key[lightest[x]])


def break_tie_lightest(x, lightest, arcs, colour, best, first_tied):
    """If the lightest arc of vertex x has the smallest key of its colour, propose its index."""
    if lightest[x] != NONE and arcs.key[lightest[x]] == best[colour[x]]:
        atomic_min(first_tied, colour[x], arcs.edge[lightest[x]])


def hook_colour(c, u, v, chosen, index_mask, colour, successor):
    """Hook colour c onto the colour at the other end of the edge that it chose, if any."""
    successor[c] = c
    if chosen[c] != NONE:
        i = chosen[c] & index_mask
        successor[c] = colour[u[i]] if colour[u[i]] != c else colour[v[i]]


def recolour(x, successor, colour):
    """Replace the colour of vertex x by the root of this colour."""
    colour[x] = successor[colour[x]]
