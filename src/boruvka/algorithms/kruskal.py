"""Kruskal's algorithm: sort the edges, and take each one that joins two trees.

Idea: edges are taken from the lightest to the heaviest; union-find decides whether an edge joins two trees.
What is sorted is one number for each edge: its sort key, whose low bits hold its position.

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
from boruvka.algorithms.building_blocks.joining import ends_of_input, join
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest by sorting all edges."""
    round_log.begin("all", graph.n, graph.m)
    with round_log.step("sort"):
        order = sorted_edges(graph, backend), graph.sort_keys.index_mask
    parent = backend.empty(graph.n, graph.u.dtype)
    edges = join(order, ends_of_input, (graph.u, graph.v), parent, backend, round_log)
    with round_log.step("list"):
        backend.sort(edges)
        return edges.astype(np.int64)
