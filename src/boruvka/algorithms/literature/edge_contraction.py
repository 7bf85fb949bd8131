"""Borůvka's algorithm without contracting the graph: union-find merges components along their lightest edges.

Idea: the graph is never rebuilt. Roots of a union-find structure identify components and are merged without
locks. A root hooks onto another at most once, so the edge is stored in an element of this root.

Source: K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University, "Find Minimum Edges
by Edge with Edge Contraction" and, with a search by component, "... by Component with Edge Contraction".

Why it is right: see `boruvka.algorithms.boruvka` for the choice. Chosen edges form no cycle, except that two
components may choose the same edge; the second union then finds one tree, and does nothing.
"""

from __future__ import annotations

from typing import Any

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.lightest_edge import ByComponent, ByEdge, contract
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators.sort_keys import NONE
from boruvka.operators.union_find import union_concurrent


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest, with a search by edge."""
    return _solve(graph, backend, round_log, ByEdge(graph, backend))


def solve_by_component(graph: EdgeList, backend: Backend, round_log: RoundLog, force: bool = False) -> Any:
    """Find the minimum spanning forest, with a search by component.

    Parameters
    ----------
    force : bool
        Run also on a large graph, in quadratic time.

    Raises
    ------
    OptionError
        The graph is large, and ``force`` is not set.
    """
    return _solve(graph, backend, round_log, ByComponent(graph, backend, force))


def _solve(graph: EdgeList, backend: Backend, round_log: RoundLog, lightest: ByEdge | ByComponent) -> Any:
    def hook(parent, edge_of):
        with round_log.step("contract"):
            edges = graph.u, graph.v, lightest.chosen, lightest.index_mask
            backend.for_each(merge_along_chosen, graph.n, *edges, parent, edge_of)

    return contract(graph, backend, round_log, lightest, hook)


def merge_along_chosen(c, u, v, chosen, index_mask, parent, edge_of):
    """Merge the trees at both ends of the edge that component c chose, if any."""
    if chosen[c] != NONE:
        i = chosen[c] & index_mask
        edge_of[union_concurrent(u[i], v[i], parent)] = i
