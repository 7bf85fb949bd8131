"""Kruskal's algorithm: sort the edges, and take each one that joins two trees.

Idea: edges are taken from the lightest to the heaviest; union-find decides whether an edge joins two trees. What
is sorted is one number for each edge, its sort key, which holds its index.

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
from boruvka.backends.kernel_functions import prefetch
from boruvka.backends.protocol import Backend
from boruvka.forest.round_log import RoundLog
from boruvka.operators.sort_keys import U64

ENDS_AHEAD, PARENTS_AHEAD = U64(32), U64(16)
"""How many edges ahead their ends, and then the parents of these, are fetched into the cache."""


def solve(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest by sorting all edges."""
    round_log.begin("all", graph.n, graph.m)
    with round_log.step("sort"):
        order = sorted_edges(graph, backend)
    with round_log.step("join"):
        edges, count = backend.empty(min(graph.m, graph.n), np.int64), backend.zeros(1, np.int64)
        trees = backend.empty(graph.n, graph.u.dtype), backend.zeros(graph.n, np.uint8)
        columns = order, graph.sort_keys.index_mask, graph.u, graph.v
        backend.for_each_in_order(take_edges, 1, *columns, *trees, edges, count)
    with round_log.step("list"):
        edges = edges[: int(count[0])]
        backend.sort(edges)
        return edges


def take_edges(_, order, index_mask, u, v, parent, rank, edges, count):
    """Take every edge that joins two trees, in order, until there is one tree."""
    m = U64(order.size)
    for x in range(U64(parent.size)):
        make_set(x, parent)
    taken = U64(0)
    for k in range(m):
        if k + ENDS_AHEAD < m:
            i = order[k + ENDS_AHEAD] & index_mask
            prefetch(u, i)
            prefetch(v, i)
            i = order[k + PARENTS_AHEAD] & index_mask
            prefetch(parent, u[i])
            prefetch(parent, v[i])
        i = order[k] & index_mask
        if union(u[i], v[i], parent, rank):
            edges[taken] = i
            taken += U64(1)
            if taken + U64(1) == U64(parent.size):
                break
    count[0] = taken
