"""Kruskal's algorithm: from the lightest edge to the heaviest, each that joins two trees.

Source: J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
1956.

Why it is right: when an edge joins two trees, every lighter one that leaves either of them has been seen
and would have joined it, so it is the lightest that leaves them (cut property). One that joins nothing
closes a cycle of lighter edges (cycle property).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.keys import sorted_edges
from boruvka.algorithms.union_find import alone, unite
from boruvka.backends.base import Backend
from boruvka.graph import Graph
from boruvka.order import Order
from boruvka.rounds import Journal


def solve(graph: Graph, order: Order, backend: Backend, journal: Journal) -> Any:
    """Sort all edges, and take those that join two trees."""
    journal.begin("all", graph.n, graph.m)
    with journal.step("sort"):
        edges = sorted_edges(graph, order, backend)
    with journal.step("join"):
        in_forest = backend.zeros(graph.m, bool)
        parent, rank = backend.empty(graph.n, graph.u.dtype), backend.zeros(graph.n, np.uint8)
        backend.for_each(alone, graph.n, parent)
        backend.in_order(join, graph.m, edges, graph.u, graph.v, parent, rank, in_forest)
    with journal.step("list"):
        return backend.members(in_forest)


def join(k, edges, u, v, parent, rank, in_forest):
    """Take the k-th edge if its ends are in two trees."""
    i = edges[k]
    in_forest[i] = unite(u[i], v[i], parent, rank)
