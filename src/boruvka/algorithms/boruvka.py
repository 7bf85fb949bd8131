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

from typing import Any, NamedTuple

import numpy as np

from boruvka import operators as op
from boruvka.algorithms import locality
from boruvka.backends.base import Backend, Operator, Segments, WorkList, size_of
from boruvka.graph import Graph
from boruvka.order import Order
from boruvka.rounds import Journal


class Operators(NamedTuple):
    """What a round does to edges."""

    offer: Operator
    claim: Operator
    hook: Operator
    contract: Operator


LISTED = Operators(op.offer_listed, op.claim_listed, op.hook_listed, op.contract_listed)
GIVEN = Operators(op.offer_given, op.claim_given, op.hook_given, op.contract_given)


class Contraction:
    """The components that a growing forest makes of the vertices.

    Components without an edge leave; the living ones are numbered from 0 in every round.

    Parameters
    ----------
    graph : Graph
    order : Order
    backend : Backend
    journal : Journal
    keep_labels : bool
        Let every vertex follow its component, until `labels` is called.
    """

    def __init__(
        self, graph: Graph, order: Order, backend: Backend, journal: Journal, keep_labels: bool = False
    ):
        n, ids = graph.n, graph.u.dtype
        self.order, self.backend, self.journal = order, backend, journal
        self.components = n
        self.in_forest = backend.zeros(graph.m, bool)
        self.parent, self.best = backend.empty(n + 1, ids), backend.empty(n + 1, np.uint64)
        if order.wide:  # once edges have claimed, best has done its duty
            self.first, self.number = backend.empty(n, index_type(graph)), self.best.view(ids)
        else:
            self.first, self.number = self.best, backend.empty(n + 1, ids)
        self.none = self.first.dtype.type(np.iinfo(self.first.dtype).max)
        self.label: Any = None
        self.finished = 0
        if keep_labels:
            self.label = backend.empty(n, ids)
            backend.for_each(op.name_itself, n, self.label)

    def run(self, phase: str, work: WorkList, segments: Segments) -> None:
        """Do rounds until no listed edge is left.

        Parameters
        ----------
        phase : str
            Name of the rounds in the journal.
        work : sequence of arrays
            The work list, (u, v, key) or (u, v, key, index), loops left out. It is used up.
        segments : Segments
            Where in its arrays edges are.
        """
        listed = *work[:3], work[-1]
        while size_of(segments):
            segments = self.round(phase, LISTED, listed, segments, work)

    def round(
        self, phase: str, do: Operators, edges: tuple[Any, ...], segments: Segments, work: WorkList
    ) -> Segments:
        """Do one round over edges, and list in ``work`` those that join two of the new components."""
        for_each, step = self.backend.for_each, self.journal.step
        n, best, first, parent, number = self.components, self.best, self.first, self.parent, self.number
        self.journal.begin(phase, n, size_of(segments))
        with step("start"):
            for_each(op.start, n, best, parent)
        with step("offer"):
            for_each(do.offer, segments, *edges, best)
        if self.order.wide:
            with step("claim"):
                for_each(op.forget, n, first, self.none)
                for_each(do.claim, segments, *edges, best, first)
        with step("hook"):
            for_each(do.hook, segments, *edges, first, parent)
        with step("keep"):
            for_each(op.keep_choice, n, parent, first, self.order.index_mask, self.in_forest)
        with step("rename"):
            self.components = self.backend.number(op.lives_on, n, number, 0, parent, first, self.none)
            if self.label is not None:
                self._number_finished(n)
            for_each(op.rename, n, parent, number)
        with step("contract"):
            listed = self.backend.emit(do.contract, segments, work, *edges, number)
        if self.label is not None:
            with step("follow"):
                for_each(op.follow, self.label.size, self.label, n, number)
        return listed

    def _number_finished(self, n: int) -> None:
        """Number the components that leave down from the last label, out of the way of the living."""
        chosen = self.parent, self.first, self.none
        self.finished += self.backend.count(op.is_finished, n, *chosen)
        self.backend.number(op.is_finished, n, self.number, self.label.size - self.finished, *chosen)

    def labels(self) -> Any:
        """Give the component of each vertex, and begin anew with these components."""
        label, living = self.label, self.components
        gap = label.dtype.type(label.size - self.finished - living)
        self.backend.for_each(op.close_gap, label.size, label, living, gap)
        self.components += self.finished
        self.label, self.finished = None, 0
        return label


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
    given = graph.u, graph.v, order.bits, order.packing
    if locality.has_lost_its_order(graph):
        # One pass that groups the edges by blocks of vertices makes every later one local.
        groups = ((graph.n - 1) >> locality.BLOCK_BITS) + 1
        segments = backend.emit_grouped(op.every, graph.m, work, groups, locality.BLOCK_BITS, *given)
    else:  # the first round needs no list
        segments = contraction.round("all", GIVEN, given, backend.split(graph.m), work)
    contraction.run("all", work, segments)
    in_forest = contraction.in_forest
    del contraction, work  # before the answer takes room
    return backend.members(in_forest)


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
