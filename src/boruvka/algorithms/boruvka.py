"""Borůvka's algorithm over a work list of edges.

Idea: in each round every component chooses its lightest edge, the chosen edges join the forest, and
what they connect becomes one component. Edges whose ends have met leave the list.

Source: O. Borůvka, O jistém problému minimálním, 1926. A component's minimum as one atomic minimum
of an ordered key, and names written back into the edges: A. Fallin, A. Gonzalez, J. Seo, M. Burtscher,
A High-Performance MST Implementation for GPUs, SC 2023.

Why it is right: edges are totally ordered, so the lightest edge that leaves a component is in the
minimum spanning forest (cut property), and chosen edges close no cycle: on one, each component's
choice would be lighter than the one before. Every component that has an edge grows, so their number
at least halves, and there are at most log2(n) rounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka import operators as op
from boruvka.backends.base import Backend, Segments, WorkList, size_of
from boruvka.graph import Graph
from boruvka.order import Order
from boruvka.rounds import Journal

BLOCK_BITS = 15
"""Vertices whose best edges stay in a cache close by: 2**15 of them, 8 bytes each."""
SAMPLE = 1024


class Contraction:
    """The components that a growing forest makes of the vertices.

    Parameters
    ----------
    graph : Graph
    order : Order
    backend : Backend
    journal : Journal
    """

    def __init__(self, graph: Graph, order: Order, backend: Backend, journal: Journal):
        n, ids = graph.n, graph.u.dtype
        self.order, self.backend, self.journal = order, backend, journal
        self.components = n
        self.best = backend.empty(n, np.uint64)
        self.first = backend.empty(n, index_type(graph)) if order.wide else self.best
        self.parent, self.number = backend.empty(n + 1, ids), backend.empty(n + 1, ids)
        self.in_forest = backend.zeros(graph.m, bool)

    def run(self, phase: str, work: WorkList, segments: Segments, label: Any = None) -> None:
        """Contract until no edge of the work list is left.

        Parameters
        ----------
        phase : str
            Name of the rounds in the journal.
        work : sequence of arrays
            The edges, (u, v, key) or (u, v, key, index), loops left out. It is used up.
        segments : Segments
            Where in the arrays they are.
        label : (n,) array, optional
            The component of each vertex at the beginning; at the end it has followed.
        """
        for_each, step = self.backend.for_each, self.journal.step
        best, first, parent, number = self.best, self.first, self.parent, self.number
        u, v, key, *index = work
        name = index[0] if index else key
        none = np.iinfo(first.dtype).max
        none, finished = first.dtype.type(none), 0

        while edges := size_of(segments):
            n = self.components
            self.journal.begin(phase, n, edges)
            with step("start"):
                for_each(op.start, n, best, parent)
            with step("offer"):
                for_each(op.offer, segments, u, v, key, best)
            if index:
                with step("claim"):
                    for_each(op.forget, n, first, none)
                    for_each(op.claim, segments, u, v, key, name, best, first)
            with step("hook"):
                for_each(op.hook, segments, u, v, name, first, parent)
            with step("keep"):
                for_each(op.keep_choice, n, parent, first, self.order.index_mask, self.in_forest)
            with step("rename"):
                living = self.backend.number(op.lives_on, n, number, 0, parent, first, none)
                if label is not None:
                    finished += self.backend.count(op.is_finished, n, parent, first, none)
                    begin = label.size - finished
                    self.backend.number(op.is_finished, n, number, begin, parent, first, none)
                for_each(op.rename, n, parent, number)
            with step("contract"):
                segments = self.backend.emit(op.contract, segments, work, u, v, key, name, number)
            if label is not None:
                with step("follow"):
                    for_each(op.follow, label.size, label, n, number)
            self.components = living
        if label is not None:
            gap = label.size - finished - self.components
            for_each(op.close_gap, label.size, label, self.components, label.dtype.type(gap))
            self.components += finished


def solve(graph: Graph, order: Order, backend: Backend, journal: Journal) -> Any:
    """Find the minimum spanning forest in rounds over all edges.

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
    contraction = Contraction(graph, order, backend, journal)
    work = work_list(graph, order, backend)
    contraction.run("all", work, list_edges(graph, order, backend, work))
    return backend.members(contraction.in_forest)


def work_list(graph: Graph, order: Order, backend: Backend) -> WorkList:
    """Make room for the edges: (u, v, key), and index where keys do not hold it."""
    ids = graph.u.dtype
    dtypes = [ids, ids, np.uint64]
    if order.wide:
        dtypes.append(index_type(graph))
    return [backend.empty(graph.m, dtype) for dtype in dtypes]


def index_type(graph: Graph) -> Any:
    """Find the type that holds the index of every edge, and one more value for none."""
    return np.dtype(np.uint32 if graph.m < 2**32 else np.uint64)


def list_edges(graph: Graph, order: Order, backend: Backend, work: WorkList) -> Segments:
    """Fill the work list with all edges but loops, grouped by place where that pays.

    Where both ends of an edge are close to each other (a road network, a grid, a mesh) but the edges
    come in no order, one pass that groups them by blocks of vertices makes every later one local.
    """
    edges = graph.u, graph.v, order.bits, order.packing
    if _has_lost_its_order(graph):
        groups = ((graph.n - 1) >> BLOCK_BITS) + 1
        return backend.emit_grouped(op.every, graph.m, work, groups, BLOCK_BITS, *edges)
    return backend.emit(op.every, backend.split(graph.m), work, *edges)


def _has_lost_its_order(graph: Graph) -> bool:
    """Say whether ends of an edge are close and successive edges are not, from a sample."""
    if graph.n >> BLOCK_BITS < 8 or graph.m < SAMPLE:
        return False
    i = np.linspace(0, graph.m - 2, SAMPLE).astype(np.int64)

    def are_close(a, b):
        return np.mean(np.abs((a >> BLOCK_BITS).astype(np.int64) - (b >> BLOCK_BITS)) <= 1) > 0.75

    return bool(are_close(graph.u[i], graph.v[i]) and not are_close(graph.u[i], graph.u[i + 1]))
