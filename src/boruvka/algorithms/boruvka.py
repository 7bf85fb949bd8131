"""Borůvka's algorithm over a worklist of edges.

Idea: in each round every component chooses its lightest edge, the chosen edges join the forest, and
the trees that they form become the new components. Edges with both ends in one component leave the worklist.

Source: O. Borůvka, O jistém problému minimálním, 1926. One atomic minimum of an ordered key for each
component, and component numbers written back into the edges: A. Fallin, A. Gonzalez, J. Seo, M. Burtscher,
A High-Performance MST Implementation for GPUs, SC 2023.

Why it is right: edges are totally ordered, so the lightest edge that leaves a component is in the
minimum spanning forest (cut property). The chosen edges close no cycle: on a cycle, each component's
choice would be lighter than the one before. Every component that has an edge merges with another, so their
number at least halves, and there are at most log2(n) rounds.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.components import Components
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.protocol import Backend, Operator, Segments, WorkList, size_of
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.sort_keys import NONE, U64


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest in rounds over all edges."""
    rounds = BoruvkaRounds(graph, backend, round_log)
    worklist = graph.empty_worklist(backend)
    edges = rounds.round("all", backend.split(graph.m), worklist, INPUT, graph.columns)  # no list to build
    rounds.run("all", edges, worklist)
    return rounds.forest()


class EdgeOperators(NamedTuple):
    """What a round does to edges, which are either in the input or in a worklist."""

    propose: Operator
    break_tie: Operator
    hook: Operator
    contract: Operator


INPUT = EdgeOperators(op.propose_input, op.break_tie_input, op.hook_input, op.contract_input)
WORKLIST = EdgeOperators(op.propose_worklist, op.break_tie_worklist, op.hook_worklist, op.contract_worklist)


class TieBreak(Enum):
    """How a component chooses among its lightest edges, and finds the chosen one in the worklist."""

    POSITION_IN_KEY = "one minimum: the low bits of a key are the position of the edge in the worklist"
    POSITION = "a second minimum, of positions: keys hold no index, and the worklist is ordered by index"
    INDEX_AND_POSITION = "a second minimum, of (index, position): the worklist is in no order"


class BoruvkaRounds(Components):
    """Rounds on one machine; components without edges take no part in the next round.

    Parameters
    ----------
    graph : EdgeList
    backend : Backend
    round_log : RoundLog
    ordered : bool
        Worklists are ordered by index. Where they are not, there are fewer than 2**32 edges.
    """

    def __init__(self, graph: EdgeList, backend: Backend, round_log: RoundLog, ordered: bool = True):
        n, keys = graph.n, graph.sort_keys
        super().__init__(n, graph.u.dtype, backend, round_log)
        self.in_forest = backend.zeros(graph.m, bool)
        self.marked = backend.zeros(graph.m, bool)  # worklist positions
        self.index_mask = keys.index_mask
        self.best = self.chosen = backend.empty(n, np.uint64)
        # Masks keep the operators free of branches. In a key: the bits that hold the position. In a chosen
        # value: the bits that are a position. In an edge id: the bits that are compared before the position.
        if not ordered:
            self.tie_break = TieBreak.INDEX_AND_POSITION
            self.chosen = backend.empty(n, np.uint64)
            in_key, self.position_mask = U64(0), (U64(1) << op.POSITION_BITS) - U64(1)
            self.compared_index = keys.index_mask
        elif keys.wide:
            self.tie_break = TieBreak.POSITION
            self.chosen = backend.empty(n, graph.index_dtype)
            in_key, self.position_mask, self.compared_index = U64(0), NONE, U64(0)
        else:
            self.tie_break = TieBreak.POSITION_IN_KEY
            in_key = self.position_mask = keys.index_mask
            self.compared_index = U64(0)
        self.position_in_key = in_key
        self.none = ~self.chosen.dtype.type(0)

    def run(self, phase: str, segments: Segments, worklist: WorkList) -> None:
        """Do rounds until the worklist is empty."""
        while size_of(segments):
            segments = self.round(phase, segments, worklist)

    def round(
        self,
        phase: str,
        segments: Segments,
        worklist: WorkList,
        do: EdgeOperators = WORKLIST,
        edges: tuple[Any, ...] | None = None,
    ) -> Segments:
        """Do one round over worklist or input edges; the worklist holds those that are left.

        Parameters
        ----------
        phase : str
            Name of the round in the log.
        segments : Segments
            Where the edges are.
        worklist : sequence of arrays
            (end, ends_xor, key) or (end, ends_xor, key, index), without loops.
        do : EdgeOperators
            ``INPUT`` or ``WORKLIST``.
        edges : tuple of arrays, optional
            The columns of input edges.
        """
        edges = columns_of(worklist) if edges is None else edges
        n, backend, step = self.components, self.backend, self.round_log.step
        best, chosen, none, position, parent = (
            self.best,
            self.chosen,
            self.none,
            self.position_mask,
            self.parent,
        )
        self.round_log.begin(phase, n, size_of(segments))
        with step("propose"):
            backend.scatter_min(do.propose, segments, best, n, *edges, self.position_in_key)
        if self.tie_break is not TieBreak.POSITION_IN_KEY:
            with step("break ties"):
                backend.scatter_min(do.break_tie, segments, chosen, n, *edges, best, self.compared_index)
        with step("hook"):
            marked = self.in_forest if do is INPUT else self.marked
            backend.for_each(do.hook, n, *edges, chosen, none, position, parent)
            backend.for_each(op.break_cycle, n, chosen, parent)
            backend.for_each(op.mark_chosen, n, chosen, none, position, marked)
            if do is WORKLIST:  # in the order of the list: writes in the order of components miss the cache
                backend.for_each(op.add_marked, segments, edges[-1], self.index_mask, marked, self.in_forest)
        return self.contract(segments, worklist, do.contract, edges, chosen, none)

    def forest(self) -> Any:
        """List the edges of the forest, ascending."""
        with self.round_log.step("list"):
            return self.backend.flatnonzero(self.in_forest)


def columns_of(worklist: WorkList) -> tuple[Any, ...]:
    """Give the columns that operators on worklist edges take: (end, ends_xor, key, edge_id)."""
    return *worklist[:3], worklist[-1]
