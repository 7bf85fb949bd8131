"""Kruskal's algorithm: sort the edges, and take each one that joins two trees.

Idea: edges are taken from the lightest to the heaviest; union-find decides whether an edge joins two trees.

Source: J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
1956.

Why it is right: when an edge joins two trees, no lighter edge leaves either of them, for it would have been
taken, so the edge is the lightest that leaves them (cut property). An edge inside a tree closes a cycle of
lighter edges (cycle property).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_keys import sorted_edges
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.union_find import make_set, union
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest by sorting all edges."""
    round_log.begin("all", graph.n, graph.m)
    with round_log.step("sort"):
        edges = sorted_edges(graph, backend)
    with round_log.step("join"):
        in_forest = backend.zeros(graph.m, bool)
        parent, rank = backend.empty(graph.n, graph.u.dtype), backend.zeros(graph.n, np.uint8)
        backend.for_each(make_set, graph.n, parent)
        backend.for_each_in_order(take_if_joins, graph.m, edges, graph.u, graph.v, parent, rank, in_forest)
    with round_log.step("list"):
        return backend.flatnonzero(in_forest)


def take_if_joins(k, edges, u, v, parent, rank, in_forest):
    """Take the k-th lightest edge if its ends are in two trees."""
    i = edges[k]
    in_forest[i] = union(u[i], v[i], parent, rank)
