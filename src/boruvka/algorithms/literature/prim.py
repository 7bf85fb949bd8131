"""Prim's algorithm: a tree grows by the lightest edge that leaves it, until its component is complete.

Idea: a binary heap holds the vertices next to the tree, ordered by their lightest edge to the tree.

Source: V. Jarník, O jistém problému minimálním, 1930; R. C. Prim, Shortest connection networks and some
generalizations, 1957.

Why it is right: every edge that is taken is the lightest that leaves the tree (cut property). If no edge
leaves it, the tree spans a component, and another tree is started.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature.arcs import arcs_of, precedes
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.operators.sort_keys import NONE, U64
from boruvka.runtime.round_log import RoundLog

ONE, TWO = U64(1), U64(2)
IN_TREE = NONE - ONE
"""The heap position of a vertex that is in a tree. An unvisited vertex has NONE."""


class Heap(NamedTuple):
    """A binary heap of vertices, ordered by their lightest arc from the tree."""

    vertices: Any
    position: Any
    """Position of each vertex in ``vertices``, IN_TREE or NONE."""
    arc: Any
    """The lightest arc from the tree to each vertex in the heap."""
    size: Any
    """(1,) array: the number of vertices in the heap."""


@algorithm(
    "prim",
    source="Jarník 1930; Prim 1957",
    complexity="O(m log n)",
    use="comparison; a heap, one tree at a time",
)
def prim(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning tree of one component after the other."""
    n = edge_list.n
    round_log.begin("all", n, edge_list.m)
    with round_log.step("arrange"):
        row_offsets, arcs = arcs_of(edge_list, backend)
    with round_log.step("grow"):
        vertices, position, arc = (backend.empty(n, np.uint64) for _ in range(3))
        heap = Heap(vertices, position, arc, backend.zeros(1, np.uint64))
        heap.position.fill(NONE)
        next_start, in_forest = backend.zeros(1, np.uint64), backend.zeros(edge_list.m, bool)
        backend.for_each_in_order(add_vertex, n, row_offsets, arcs, heap, next_start, in_forest)
    with round_log.step("list"):
        return backend.flatnonzero(in_forest)


def add_vertex(_, row_offsets, arcs, heap, next_start, in_forest):
    """Add the first vertex of the heap to the tree, or start another tree, and update its neighbours."""
    if heap.size[0]:
        x = pop(heap, arcs)
        in_forest[arcs.edge[heap.arc[x]]] = True
    else:
        while heap.position[next_start[0]] == IN_TREE:
            next_start[0] += ONE
        x = next_start[0]
    heap.position[x] = IN_TREE
    for arc in range(row_offsets[x], row_offsets[x + ONE]):
        y = U64(arcs.neighbour[arc])
        if heap.position[y] == NONE:
            heap.position[y] = heap.size[0]
            heap.size[0] += ONE
            heap.arc[y] = arc
            bubble_up(heap.position[y], y, heap, arcs)
        elif heap.position[y] != IN_TREE and precedes(arc, heap.arc[y], arcs):
            heap.arc[y] = arc
            bubble_up(heap.position[y], y, heap, arcs)


def pop(heap, arcs):
    """Remove the first vertex of the heap, and return it."""
    first = heap.vertices[0]
    heap.size[0] -= ONE
    if heap.size[0]:
        bubble_down(heap.vertices[heap.size[0]], heap.size[0], heap, arcs)
    return first


def bubble_up(k, x, heap, arcs):
    """Move vertex x from position k of the heap towards the first until the heap is ordered."""
    vertices, position = heap.vertices, heap.position
    while k > 0:
        above = (k - ONE) // TWO
        if precedes(heap.arc[vertices[above]], heap.arc[x], arcs):
            break
        vertices[k] = vertices[above]
        position[vertices[k]] = k
        k = above
    vertices[k] = x
    position[x] = k


def bubble_down(x, size, heap, arcs):
    """Move vertex x from the first position of a heap of ``size`` vertices until the heap is ordered."""
    vertices, position = heap.vertices, heap.position
    k, below = U64(0), ONE
    while below < size:
        if below + ONE < size and precedes(heap.arc[vertices[below + ONE]], heap.arc[vertices[below]], arcs):
            below += ONE
        if precedes(heap.arc[x], heap.arc[vertices[below]], arcs):
            break
        vertices[k] = vertices[below]
        position[vertices[k]] = k
        k, below = below, TWO * below + ONE
    vertices[k] = x
    position[x] = k
