"""Borůvka's algorithm over a worklist of edges.

Idea: in each round every component chooses its lightest edge, the chosen edges join the forest, and
the trees that they form become the new components. Edges with both ends in one component leave the worklist.

Source: O. Borůvka, O jistém problému minimálním, 1926. One atomic minimum of an ordered key for each
component, and component numbers written back into the edges: A. Fallin, A. Gonzalez, J. Seo, M. Burtscher,
A High-Performance MST Implementation for GPUs, SC 2023.

Why it is right: edges are totally ordered, so the lightest edge that leaves a component is in the minimum
spanning forest (cut property). The chosen edges close no cycle: on a cycle, each component's choice would be
lighter than the one before. Every component that has an edge merges with another, so the number of components
at least halves in a round, and there are at most log2(n) rounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks import joining
from boruvka.algorithms.building_blocks.components import Components
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.joining import ends_of_worklist, join, sorted_worklist
from boruvka.algorithms.building_blocks.tie_break import tie_break_for
from boruvka.backends.protocol import Backend, Operator, Segments, WorkList, size_of
from boruvka.forest.round_log import RoundLog
from boruvka.operators import boruvka_round as op
from boruvka.operators.sort_keys import NONE
from boruvka.operators.union_find import is_root


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest in rounds over all edges.

    The first round reads the input, so that no worklist of all edges is built.
    """
    rounds = BoruvkaRounds(graph, backend, round_log)
    worklist = graph.empty_worklist(backend)
    segments = rounds.round("all", backend.split(graph.m), worklist, INPUT, graph.columns)
    rounds.run("all", segments, worklist)
    del worklist
    return rounds.forest()


class EdgeOperators(NamedTuple):
    """The operators of a round on edges, which are either in the input or in a worklist."""

    propose: Operator
    break_tie: Operator
    hook: Operator
    contract: Operator


INPUT = EdgeOperators(op.propose_input, op.break_tie_input, op.hook_input, op.contract_input)
WORKLIST = EdgeOperators(op.propose_worklist, op.break_tie_worklist, op.hook_worklist, op.contract_worklist)


class BoruvkaRounds(Components):
    """Rounds on one machine; components without edges take no part in the next round.

    Parameters
    ----------
    graph : EdgeList
    backend : Backend
    round_log : RoundLog
    ordered : bool
        Worklists are ordered by index. If they are not, there must be fewer than 2**32 edges.

    Attributes
    ----------
    best : (n,) array of uint64
        The smallest key that was proposed to each component.
    chosen : (n,) array
        The edge that each component chose: its position in the worklist is in the bits of
        ``tie_break.position_mask``. ``none`` if a component has no edge. The same array as ``best`` where one
        minimum is enough.
    in_forest : (m,) array of bool
    marked : (m,) array of bool
        Positions of chosen edges in the worklist; empty on a backend without caches.
    """

    def __init__(self, graph: EdgeList, backend: Backend, round_log: RoundLog, ordered: bool = True):
        super().__init__(graph.n, graph.u.dtype, backend, round_log)
        self.in_forest = backend.zeros(graph.m, bool)
        self.marked = backend.empty(graph.m if backend.has_caches else 0, bool)
        self.index_mask = graph.sort_keys.index_mask
        self.ordered = ordered
        self.tie_break = tie_break_for(graph, ordered)
        self.best = self.chosen = backend.empty(graph.n, np.uint64)
        if self.tie_break.second_minimum is not None:
            self.chosen = backend.empty(graph.n, self.tie_break.second_minimum)
        self.none = ~self.chosen.dtype.type(0)

    def run(self, phase: str, segments: Segments, worklist: WorkList) -> None:
        """Do rounds until few edges are left, then sort these."""
        while size_of(segments):
            if self.sorting_pays(size_of(segments)):
                return self.finish_sorted(segments, worklist)
            segments = self.round(phase, segments, worklist)

    def sorting_pays(self, edges: int) -> bool:
        """Return whether to solve a worklist by one sort instead of rounds."""
        return self.backend.has_caches and joining.sorting_pays(edges)

    def finish_sorted(self, segments: Segments, worklist: WorkList) -> None:
        """Merge components along all edges of the worklist by Kruskal's algorithm."""
        n, backend, edges = self.components, self.backend, columns_of(worklist)
        self.round_log.begin("sorted", n, size_of(segments))
        with self.round_log.step("sort"):
            columns = edges.key, edges.edge_id
            order = sorted_worklist(*columns, segments, self.index_mask, self.ordered, backend)
        parent, ends = self.parent[:n], (edges.end, edges.ends_xor)
        taken = join(order, ends_of_worklist, ends, parent, backend, self.round_log)
        with self.round_log.step("relabel"):
            self.in_forest[edges.edge_id[taken] & edges.edge_id.dtype.type(self.index_mask)] = True
            label = backend.empty(n, self.ids)
            trees = backend.number(is_root, n, label, 0, parent)
            backend.for_each(op.relabel_to_root, n, parent, label)
            self.finish(label, trees)

    def round(
        self,
        phase: str,
        segments: Segments,
        worklist: WorkList,
        do: EdgeOperators = WORKLIST,
        edges: tuple[Any, ...] | None = None,
    ) -> Segments:
        """Do one round over worklist or input edges, and write the remaining edges into the worklist.

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

        Returns
        -------
        Segments
            Where the remaining edges are in the worklist.
        """
        edges = columns_of(worklist) if edges is None else edges
        n, backend, step, tie_break = self.components, self.backend, self.round_log.step, self.tie_break
        best, parent = self.best, self.parent
        chosen, none, position = self.chosen, self.none, tie_break.position_mask
        self.round_log.begin(phase, n, size_of(segments))
        with step("propose"):
            backend.scatter_min(do.propose, segments, best, n, *edges, tie_break.position_in_key)
        if tie_break.second_minimum is not None:
            with step("break ties"):
                backend.scatter_min(do.break_tie, segments, chosen, n, *edges, best, tie_break.compared_index)
        with step("hook"):
            backend.for_each(do.hook, n, *edges, chosen, none, position, parent)
            backend.for_each(op.break_cycle, n, chosen, parent)
            if do is INPUT:
                backend.for_each(op.mark_chosen, n, chosen, none, position, self.in_forest)
            else:
                self.add_chosen(segments, edges[-1])
        label = self.relabel(chosen, none)
        with step("contract"):
            return backend.emit(do.contract, segments, worklist, *edges, label)

    def add_chosen(self, segments: Segments, edge_id: Any) -> None:
        """Add the chosen worklist edges to the forest.

        On a backend with caches, in the order of the list: writes in the order of components would miss them.
        """
        n, backend, marked, in_forest = self.components, self.backend, self.marked, self.in_forest
        chosen = self.chosen, self.none, self.tie_break.position_mask
        if backend.has_caches:
            backend.for_each(op.clear_mark, segments, NONE, marked)
            backend.for_each(op.mark_chosen, n, *chosen, marked)
            backend.for_each(op.add_marked, segments, edge_id, self.index_mask, marked, in_forest)
        else:
            backend.for_each(op.add_chosen, n, *chosen, edge_id, self.index_mask, in_forest)

    def forest(self) -> Any:
        """List the edges of the forest, ascending, reusing the memory of arrays that are no longer needed."""
        del self.chosen, self.parent, self.marked
        del self.best  # whose memory is most likely to exist, last
        with self.round_log.step("list"):
            return self.backend.flatnonzero(self.in_forest)


class WorklistEdges(NamedTuple):
    """The columns that operators on worklist edges take."""

    end: Any
    ends_xor: Any
    key: Any
    edge_id: Any
    """The same column as ``key`` where keys hold the index."""


def columns_of(worklist: WorkList) -> WorklistEdges:
    """Return the columns of a worklist."""
    end, ends_xor, key = worklist[:3]
    return WorklistEdges(end, ends_xor, key, worklist[-1])
