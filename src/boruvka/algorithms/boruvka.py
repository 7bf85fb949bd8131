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
from boruvka.backends.base import Backend, Operator, Segments, WorkList, size_of
from boruvka.graph import Graph
from boruvka.order import U64, Order
from boruvka.rounds import Journal


class Operators(NamedTuple):
    """What a round does to edges."""

    offer: Operator
    claim: Operator
    follow: Operator
    contract: Operator


LISTED = Operators(op.offer_listed, op.claim_listed, op.follow_listed, op.contract_listed)
GIVEN = Operators(op.offer_given, op.claim_given, op.follow_given, op.contract_given)


class Components:
    """The components that a growing forest makes of the vertices, numbered from 0 in every round.

    Parameters
    ----------
    n : int
        Number of vertices.
    ids : dtype
        The type of their numbers.
    backend : Backend
    journal : Journal
    """

    def __init__(self, n: int, ids: Any, backend: Backend, journal: Journal):
        self.ids, self.backend, self.journal = ids, backend, journal
        self.components = n
        self.parent = backend.empty(n, ids)
        self._traces: list[list[tuple[Any, int, int]]] = []

    def contract(
        self,
        segments: Segments,
        work: WorkList,
        operator: Operator,
        edges: tuple[Any, ...],
        chosen: Any,
        none: Any,
    ) -> Segments:
        """Make components of what hangs together, and list in ``work`` the edges that join two of them.

        ``operator(i, *edges, number)`` emits those, by the numbers of the new components. A root lives on
        if its element of ``chosen`` is not ``none``.
        """
        n, backend, step, parent = self.components, self.backend, self.journal.step, self.parent
        with step("rename"):
            number = backend.empty(n, self.ids)
            self.components = backend.number(op.lives_on, n, number, 0, parent, chosen, none)
            if self._traces:
                living = self.components
                finished = backend.number(op.is_finished, n, number, living, parent, chosen, none)
                self._traces[-1].append((number, living, finished))
            backend.for_each(op.rename, n, parent, number)
        with step("contract"):
            return backend.emit(operator, segments, work, *edges, number)

    def finish(self, number: Any, trees: int) -> None:
        """Make whole trees of all that is left; ``number`` tells the tree of each component."""
        if self._traces:
            self._traces[-1].append((number, 0, trees))
        self.components = 0

    def begin_trace(self) -> None:
        """Remember from here on what becomes of the components."""
        self._traces.append([])

    def end_trace(self) -> Any:
        """Find what became of each component since the trace began, and let finished ones live again."""
        trace = self._traces.pop()
        label: Any = None
        with self.journal.step("relabel"):
            for number, living, finished in reversed(trace):
                if label is not None:
                    self.backend.for_each(op.relabel, number.size, number, living, label, self.components)
                label = number
                self.components += finished
        if self._traces:
            self._traces[-1].append((label, self.components, 0))
        return label


class Contraction(Components):
    """Components that a graph on one machine makes; those without an edge leave.

    Parameters
    ----------
    graph : Graph
    order : Order
    backend : Backend
    journal : Journal
    in_order : bool
        Lists ascend by index. Where they do not, there are fewer than 2**32 edges.
    """

    def __init__(self, graph: Graph, order: Order, backend: Backend, journal: Journal, in_order: bool = True):
        n = graph.n
        super().__init__(n, graph.u.dtype, backend, journal)
        self.order = order
        self.in_forest = backend.zeros(graph.m, bool)
        self.best = backend.empty(n, np.uint64)
        # The lightest edge of a component is found by its place in the list. The key can hold that in
        # the room of the index, if places are ordered as indices are; else edges claim by place.
        self.claims = order.wide or not in_order
        self.place, self.chosen = order.index_mask, self.best
        self.offered, self.claimed = order.index_mask, U64(0)
        if self.claims:
            self.offered = U64(0)
            self.chosen = backend.empty(n, index_type(graph) if in_order else np.uint64)
        if not in_order:
            self.claimed, self.place = order.index_mask, (U64(1) << op.PLACE_BITS) - U64(1)
        self.none = ~self.chosen.dtype.type(0)
        self.picked = backend.zeros(graph.m, bool)  # of what is in the list

    def run(self, phase: str, segments: Segments, work: WorkList) -> None:
        """Do rounds until no listed edge is left.

        Parameters
        ----------
        phase : str
            Name of the rounds in the journal.
        segments : Segments
            Where in the work list edges are.
        work : sequence of arrays
            The work list, (end, link, key) or (end, link, key, index), loops left out. It is used up.
        """
        while size_of(segments):
            segments = self.round(phase, segments, work)

    def round(
        self,
        phase: str,
        segments: Segments,
        work: WorkList,
        do: Operators = LISTED,
        edges: tuple[Any, ...] | None = None,
    ) -> Segments:
        """Do one round over the edges of a work list, or over given ones.

        Those that join two of the new components are in ``work`` after it.
        """
        edges = as_edges(work) if edges is None else edges
        n, best, chosen, parent = self.components, self.best, self.chosen, self.parent
        backend, step = self.backend, self.journal.step
        self.journal.begin(phase, n, size_of(segments))
        with step("offer"):
            backend.minimum(do.offer, segments, best, n, *edges, self.offered)
        if self.claims:
            with step("claim"):
                backend.minimum(do.claim, segments, chosen, n, *edges, best, self.claimed)
        with step("hook"):
            picked = self.in_forest if do is GIVEN else self.picked  # by place
            backend.for_each(do.follow, n, *edges, chosen, self.none, self.place, parent)
            backend.for_each(op.break_cycle, n, chosen, parent)
            backend.for_each(op.pick, n, chosen, self.none, self.place, picked)
            if do is LISTED:  # in the order of the list: a pass in the order of components takes longer
                index = self.order.index_mask
                backend.for_each(op.keep, segments, edges[-1], index, picked, self.in_forest)
        return self.contract(segments, work, do.contract, edges, chosen, self.none)

    def forest(self) -> Any:
        """List the edges of the forest, ascending."""
        with self.journal.step("list"):
            return self.backend.members(self.in_forest)


def as_edges(work: WorkList) -> tuple[Any, ...]:
    """Give (end, link, key, name) of listed edges."""
    return *work[:3], work[-1]


def solve(graph: Graph, order: Order, backend: Backend, journal: Journal) -> Any:
    """Find the minimum spanning forest in rounds over all edges."""
    contraction = Contraction(graph, order, backend, journal)
    work = work_list(graph, order, backend)
    given = graph.u, graph.v, order.bits, order.packing
    segments = contraction.round("all", backend.split(graph.m), work, GIVEN, given)  # it needs no list
    contraction.run("all", segments, work)
    return contraction.forest()


def work_list(graph: Graph, order: Order, backend: Backend) -> WorkList:
    """Make room for the edges: (end, link, key), and index where keys do not hold it."""
    ids = graph.u.dtype
    return backend.room(graph.m, (ids, ids, np.uint64, *([index_type(graph)] if order.wide else [])))


def index_type(graph: Graph) -> Any:
    """Find the type that holds the index of every edge, and one more value for none."""
    return np.dtype(np.uint32 if graph.m < 2**32 else np.uint64)
