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

from typing import Any

from boruvka.algorithms.building_blocks import kruskal_pass
from boruvka.algorithms.building_blocks.components import Components
from boruvka.algorithms.building_blocks.edge_list import EdgeList, Edges
from boruvka.algorithms.building_blocks.lightest_edges import LightestEdges
from boruvka.backends.primitives import Backend
from boruvka.operators import boruvka_round as op
from boruvka.operators.edges import WorklistEdges
from boruvka.operators.sort_keys import NONE
from boruvka.operators.union_find import is_root
from boruvka.runtime.round_log import RoundLog


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest in rounds over all edges."""
    rounds = BoruvkaRounds(graph, backend, round_log)
    edges = rounds.do_round(graph.all_edges(backend), "all")
    rounds.solve(edges, "all")
    del edges
    return rounds.forest()


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
    lightest : LightestEdges
        The edge that each component chose in the current round.
    in_forest : (m,) array of bool
    """

    def __init__(self, graph: EdgeList, backend: Backend, round_log: RoundLog, ordered: bool = True):
        super().__init__(graph.n, graph.u.dtype, backend, round_log)
        self.in_forest = backend.zeros(graph.m, bool)
        self.lightest = LightestEdges(graph, backend, ordered)
        self.ordered, self.index_mask = ordered, graph.sort_keys.index_mask
        self._marked = backend.empty(graph.m if backend.has_private_caches else 0, bool)

    def solve(self, edges: Edges, phase: str = "round") -> None:
        """Do rounds until no edge is left. The last few edges are sorted instead."""
        while edges.count:
            if self.sorting_pays(edges):
                return self.solve_by_sorting(edges)
            edges = self.do_round(edges, phase)

    def do_round(self, edges: Edges, phase: str = "round") -> Edges:
        """Do one round; return the edges that are left."""
        self.round_log.begin(phase, self.n_components, edges.count)
        self.propose(edges)  # each edge to both of its components; the first in the order stays
        self.hook(edges)  # each component to the other end of its edge; no cycles: see `break_cycle`
        self.add_chosen(edges)  # chosen edges are in the forest
        label = self.relabel(self.lightest.chosen, self.lightest.none)  # hooked trees are the new components
        return self.contract(edges, label)  # ends become new components; edges inside one are dropped

    def propose(self, edges: Edges) -> None:
        """Find the lightest edge of each component."""
        self.lightest.find(edges, self.n_components, self.round_log)

    def hook(self, edges: Edges) -> None:
        """Hook each component onto the other end of its edge."""
        n, lightest, parent = self.n_components, self.lightest, self.parent
        with self.round_log.step("hook"):
            choices = lightest.chosen, lightest.none, lightest.position_mask
            self.backend.for_each(op.hook(edges.read), n, edges.columns, *choices, parent)
            self.backend.for_each(op.break_cycle, n, lightest.chosen, parent)

    def add_chosen(self, edges: Edges) -> None:
        """Add the chosen edges to the forest.

        With private caches, the positions of worklist edges are marked first, and then the forest in the
        order of the list: writes in the order of components would miss the caches.
        """
        n, backend, marked, lightest = self.n_components, self.backend, self._marked, self.lightest
        choices = lightest.chosen, lightest.none, lightest.position_mask
        with self.round_log.step("hook"):
            if edges.are_input:
                backend.for_each(op.mark_chosen, n, *choices, self.in_forest)
            elif backend.has_private_caches:
                edge_id, segments = edges.columns[-1], edges.segments
                backend.for_each(op.clear_mark, segments, NONE, marked)
                backend.for_each(op.mark_chosen, n, *choices, marked)
                backend.for_each(op.add_marked, segments, edge_id, self.index_mask, marked, self.in_forest)
            else:
                edge_id = edges.columns[-1]
                backend.for_each(op.add_chosen, n, *choices, edge_id, self.index_mask, self.in_forest)

    def contract(self, edges: Edges, label: Any) -> Edges:
        """Keep the edges that join two of the new components, with these as ends."""
        with self.round_log.step("contract"):
            return edges.contracted(label)

    def sorting_pays(self, edges: Edges) -> bool:
        """Return whether to solve worklist edges by one sort instead of rounds."""
        return (
            not edges.are_input and self.backend.has_private_caches and kruskal_pass.sorting_pays(edges.count)
        )

    def solve_by_sorting(self, edges: Edges) -> None:
        """Merge components along all of the worklist edges by Kruskal's algorithm."""
        n, backend, log, columns = self.n_components, self.backend, self.round_log, edges.columns
        assert isinstance(columns, WorklistEdges)
        log.begin("sorted", n, edges.count)
        with log.step("sort"):
            order = kruskal_pass.sorted_worklist(edges, self.index_mask, self.ordered, backend)
        parent = self.parent[:n]
        ends = columns.end, columns.ends_xor
        taken = kruskal_pass.join(order, kruskal_pass.ends_of_worklist, ends, parent, backend, log)
        with log.step("relabel"):
            index_mask = columns.edge_id.dtype.type(self.index_mask)
            self.in_forest[columns.edge_id[taken] & index_mask] = True
            label = backend.empty(n, self.ids)
            trees = backend.number(is_root, n, label, 0, parent)
            backend.for_each(op.relabel_to_root, n, parent, label)
            self.finish(label, trees)

    def forest(self) -> Any:
        """List the edges of the forest, ascending, in memory of arrays that are not needed any more."""
        del self.parent, self._marked, self.lightest
        with self.round_log.step("list"):
            return self.backend.flatnonzero(self.in_forest)
