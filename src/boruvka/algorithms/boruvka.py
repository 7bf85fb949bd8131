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

import functools
from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.components import Components, LightestEdges, step
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.algorithms.kruskal import ends_of_worklist, join
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.edges import WorklistEdges
from boruvka.operators.sort_keys import NONE, U64
from boruvka.operators.union_find import is_root
from boruvka.runtime.round_log import RoundLog


@algorithm(
    "boruvka",
    source="Borůvka 1926; edge lists with ordered keys: Fallin, Gonzalez, Seo, Burtscher 2023",
    complexity="O(m log n)",
    use="sparse graphs: road networks, grids, meshes, trees",
)
def boruvka(edge_list: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest in rounds over all edges."""
    rounds = BoruvkaRounds(edge_list, backend, round_log)
    edges = rounds.do_round(EdgeView.of(edge_list, backend), "all")
    rounds.do_rounds(edges, "all")
    del edges
    return rounds.forest()


class BoruvkaRounds(Components):
    """Rounds on one machine; components without edges take no part in the next round.

    Parameters
    ----------
    edge_list : EdgeList
    backend : Backend
    round_log : RoundLog
    ordered : bool
        Worklists are ordered by index. If they are not, there must be fewer than 2**32 edges.

    Attributes
    ----------
    in_forest : (m,) array of bool
    """

    def __init__(self, edge_list: EdgeList, backend: Backend, round_log: RoundLog, ordered: bool = True):
        super().__init__(edge_list.n, edge_list.u.dtype, backend, round_log)
        self.in_forest = backend.zeros(edge_list.m, bool)
        self._edge_list, self.ordered, self.index_mask = edge_list, ordered, edge_list.sort_keys.index_mask
        self._marked = backend.empty(edge_list.m if backend.is_cpu else 0, bool)

    @functools.cached_property
    def lightest(self) -> LightestEdges:
        """The edge that each component chose in the current round; made for the first round."""
        return LightestEdges(self._edge_list, self.backend, self.ordered)

    def do_rounds(self, edges: EdgeView, phase: str = "round") -> None:
        """Do rounds until no edge is left. The last few edges are sorted instead."""
        while edges.count:
            if self.sorting_pays(edges):
                return self.solve_by_sorting(edges)
            edges = self.do_round(edges, phase)

    def do_round(self, edges: EdgeView, phase: str = "round") -> EdgeView:
        """Do one round; return the edges that are left."""
        self.round_log.begin(phase, self.n_components, edges.count)
        self.propose(edges)  # each edge to the components of both ends, which keep the lightest
        self.break_ties(edges)  # of edges with the same key, the first stays
        self.hook(edges)  # each component to the other end of its edge; no cycles: see `break_cycle`
        self.add_chosen(edges)  # chosen edges are in the forest
        label = self.relabel(self.lightest.chosen, self.lightest.none)  # hooked trees are the new components
        return self.contract(edges, label)  # ends become new components; edges inside one are dropped

    @step("propose")
    def propose(self, edges: EdgeView) -> None:
        """Find the smallest key of an edge of each component."""
        self.lightest.propose(edges, self.n_components)

    def break_ties(self, edges: EdgeView) -> None:
        """Find the lightest edge of each component, where keys lack the index."""
        if self.lightest.may_tie:
            with self.round_log.step("break ties"):
                self.lightest.break_ties(edges, self.n_components)

    @step("hook")
    def hook(self, edges: EdgeView) -> None:
        """Hook each component onto the other end of its edge."""
        n, lightest, parent = self.n_components, self.lightest, self.parent
        choices = lightest.chosen, lightest.none, lightest.position_mask
        self.backend.for_each(round_ops.hook(edges.read), n, edges.packed, *choices, parent)
        self.backend.for_each(round_ops.break_cycle, n, lightest.chosen, parent)

    @step("hook")
    def add_chosen(self, edges: EdgeView) -> None:
        """Add the chosen edges to the forest.

        On a CPU, the positions of worklist edges are marked first, and then the forest in the order of the
        list: writes in the order of components would miss the caches.
        """
        n, for_each, marked, lightest = self.n_components, self.backend.for_each, self._marked, self.lightest
        choices = lightest.chosen, lightest.none, lightest.position_mask
        edge_id, segments = edges.columns[-1], edges.segments
        if edges.are_input:
            for_each(round_ops.mark_chosen, n, *choices, self.in_forest)
        elif self.backend.is_cpu:
            for_each(round_ops.clear_mark, segments, NONE, marked)
            for_each(round_ops.mark_chosen, n, *choices, marked)
            for_each(round_ops.add_marked, segments, edge_id, self.index_mask, marked, self.in_forest)
        else:
            for_each(round_ops.add_chosen, n, *choices, edge_id, self.index_mask, self.in_forest)

    @step("contract")
    def contract(self, edges: EdgeView, label: Any) -> EdgeView:
        """Keep the edges that join two of the new components, with these as ends."""
        return edges.contracted(label)

    def sorting_pays(self, edges: EdgeView) -> bool:
        """Return whether to solve worklist edges by one sort instead of rounds."""
        is_small = edges.count < self.backend.tuning.sort_worklist_below
        return is_small and not edges.are_input and self.backend.is_cpu

    def solve_by_sorting(self, edges: EdgeView) -> None:
        """Merge components along all of the worklist edges by Kruskal's algorithm."""
        n, backend, log, columns = self.n_components, self.backend, self.round_log, edges.columns
        assert isinstance(columns, WorklistEdges)
        log.begin("sorted", n, edges.count)
        with log.step("sort"):
            order = sorted_worklist(edges, self.index_mask, self.ordered, backend)
        parent = self.parent[:n]
        with log.step("join"):
            ends = columns.end, columns.ends_xor
            taken = join(order, ends_of_worklist, ends, parent, backend)
        with log.step("relabel"):
            chosen = taken, columns.edge_id, self.index_mask, self.in_forest
            backend.for_each(round_ops.add_taken, taken.size, *chosen)
            label = backend.empty(n, self.ids)
            trees = backend.number(is_root, n, label, 0, parent)
            backend.for_each(round_ops.relabel_to_root, n, parent, label)
            self.finish(label, trees)

    @step("list")
    def forest(self) -> Any:
        """List the edges of the forest, ascending, in memory of arrays that are not needed any more."""
        del self.parent, self._marked
        vars(self).pop("lightest", None)
        return self.backend.flatnonzero(self.in_forest)


def sorted_worklist(
    edges: EdgeView, index_mask: np.uint64, ordered: bool, backend: Backend
) -> tuple[Any, np.uint64]:
    """Sort the edges of a worklist.

    Parameters
    ----------
    edges : EdgeView
        Worklist edges.
    index_mask : uint64
        The bits of an edge id that are the index.
    ordered : bool
        Whether the worklist is ordered by index.

    Returns
    -------
    array of uint64
        The edges from the lightest to the heaviest.
    uint64
        The bits of each element that hold its position in the worklist.
    """
    _, _, key, edge_id = edges.columns
    if ordered and key is edge_id:
        pairs, order = edges.segments.pairs, backend.empty(edges.count, np.uint64)
        ends = np.cumsum(pairs[:, 1] - pairs[:, 0])
        backend.for_each_block(store_with_positions, len(pairs), [], pairs, ends, key, index_mask, order)
        backend.sort(order)
        return order, index_mask
    keys, ids = edges.segments.taken_from(key), edges.segments.taken_from(edge_id)
    if ordered or key is edge_id:
        by_weight = backend.argsort(keys)
    else:
        by_index = backend.argsort(ids)
        by_weight = by_index[backend.argsort(keys[by_index])]
    return edges.segments.positions_of(by_weight.astype(np.int64)).astype(np.uint64), NONE


def store_with_positions(k, pairs, ends, key, index_mask, order):
    """Store the keys of the worklist edges of segment k, with their positions instead of their indices."""
    first, last = pairs[k, 0], pairs[k, 1]
    for i in range(first, last):
        order[ends[k] - last + i] = (key[i] & ~index_mask) | U64(i)
