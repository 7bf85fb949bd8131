"""Borůvka's algorithm on the graph as it is: components join along their lightest edges, all at once.

Idea: the graph is never rebuilt. Roots of a union-find structure stand for components; they are joined
without locks, and whichever root comes to hang under another owns the slot for the edge, for that happens
to it once.

Source: document 2, K. Fuh, S. Vemuri, Parallelizing Borůvka's Algorithm, Carnegie Mellon University,
"Find Minimum Edges by Edge with Edge Contraction" and, with a search by component, "... by Component with
Edge Contraction".

Why it is right: see `boruvka.algorithms.boruvka` for the choice. Chosen edges form no cycle, except that
two components may choose one edge; the second of them finds their trees joined, and leaves it.
"""

from __future__ import annotations

from typing import Any

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.lightest_edge import ByComponent, ByEdge, contract
from boruvka.algorithms.building_blocks.union_find import union_concurrent
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators.sort_keys import NONE


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest, looking for the lightest edges by edge."""
    return run(graph, backend, round_log, ByEdge(graph, backend))


def solve_by_component(graph: EdgeList, backend: Backend, round_log: RoundLog, force: bool = False) -> Any:
    """Find it, looking for the lightest edges by component.

    Parameters
    ----------
    force : bool
        Run on a large graph too, in quadratic time.

    Raises
    ------
    OptionError
        The graph is large.
    """
    return run(graph, backend, round_log, ByComponent(graph, backend, force))


def run(graph: EdgeList, backend: Backend, round_log: RoundLog, lightest: ByEdge | ByComponent) -> Any:
    """Join components along their lightest edges, all at once."""

    def join_all(parent, slot):
        with round_log.step("contract"):
            edges = graph.u, graph.v, lightest.chosen, lightest.index
            backend.for_each(join, graph.n, *edges, parent, slot)

    return contract(graph, backend, round_log, lightest, join_all)


def join(c, u, v, chosen, index, parent, slot):
    """Join component c along the edge that it chose, if any; the last slot is for edges that join nothing."""
    if chosen[c] != NONE:
        i = chosen[c] & index
        slot[union_concurrent(u[i], v[i], parent)] = i
