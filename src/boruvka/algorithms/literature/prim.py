"""Prim's algorithm: a tree that grows by the lightest edge that leaves it, from one vertex after the other.

Source: V. Jarník, O jistém problému minimálním, 1930; R. C. Prim, Shortest connection networks and some
generalizations, 1957; with a binary heap of the vertices beside the tree, each by its lightest edge to
it.

Why it is right: the edge that is taken is the lightest that leaves the tree (cut property). Where none
does, the tree is a whole component, and another one begins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.adjacency import adjacency_of, precedes
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators.sort_keys import NONE, U64

ONE, TWO = U64(1), U64(2)
SIZE, NEXT = 0, 1
"""What the state holds: the size of the heap, and the first vertex that may not have been seen."""
IN_TREE = NONE - ONE
"""The place in the heap of a vertex that is in a tree; one that was not seen has NONE."""


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Grow a tree in every component."""
    n = graph.n
    round_log.begin("all", n, graph.m)
    with round_log.step("arrange"):
        arcs = adjacency_of(graph, backend)
    with round_log.step("grow"):
        heap, place, via = (backend.empty(n, np.uint64) for _ in range(3))
        place.fill(NONE)
        state, in_forest = backend.zeros(2, np.uint64), backend.zeros(graph.m, bool)
        backend.for_each_in_order(grow, n, *arcs, heap, place, via, state, in_forest)
    with round_log.step("list"):
        return backend.flatnonzero(in_forest)


def grow(_, begins, neighbour, key, edge, heap, place, via, state, in_forest):
    """Take the vertex with the lightest edge to the tree, or begin another tree, and see its neighbours."""
    if state[SIZE]:
        x = pop(heap, place, via, key, edge, state)
        in_forest[edge[via[x]]] = True
    else:
        while place[state[NEXT]] == IN_TREE:
            state[NEXT] += ONE
        x = state[NEXT]
    place[x] = IN_TREE
    for arc in range(begins[x], begins[x + ONE]):
        y = U64(neighbour[arc])
        if place[y] == NONE:
            place[y] = state[SIZE]
            state[SIZE] += ONE
            via[y] = arc
            rise(place[y], y, heap, place, via, key, edge)
        elif place[y] != IN_TREE and precedes(arc, via[y], key, edge):
            via[y] = arc
            rise(place[y], y, heap, place, via, key, edge)


def pop(heap, place, via, key, edge, state):
    """Take the first vertex from the heap."""
    first = heap[0]
    state[SIZE] -= ONE
    if state[SIZE]:
        sink(heap[state[SIZE]], state[SIZE], heap, place, via, key, edge)
    return first


def rise(k, x, heap, place, via, key, edge):
    """Bring vertex x from place k of the heap to where it belongs, nearer to the first."""
    while k > 0:
        above = (k - ONE) // TWO
        if precedes(via[heap[above]], via[x], key, edge):
            break
        heap[k] = heap[above]
        place[heap[k]] = k
        k = above
    heap[k] = x
    place[x] = k


def sink(x, size, heap, place, via, key, edge):
    """Bring vertex x from the first place of a heap of some size to where it belongs."""
    k, below = U64(0), ONE
    while below < size:
        if below + ONE < size and precedes(via[heap[below + ONE]], via[heap[below]], key, edge):
            below += ONE
        if precedes(via[x], via[heap[below]], key, edge):
            break
        heap[k] = heap[below]
        place[heap[k]] = k
        k, below = below, TWO * below + ONE
    heap[k] = x
    place[x] = k
