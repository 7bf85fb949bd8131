"""Kruskal's algorithm: sort the edges, and take each one that joins two trees.

Idea: edges are taken from the lightest to the heaviest; union-find decides whether an edge joins two trees.
One number is sorted for each edge: its sort key, whose low bits hold its position.

Source: J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
1956.

Why it is right: when an edge joins two trees, no lighter edge leaves either of them, for it would have been
taken, so the edge is the lightest that leaves them (cut property). An edge inside a tree closes a cycle of
lighter edges (cycle property).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks import fused_kruskal
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend
from boruvka.runtime.round_log import RoundLog


@algorithm(
    "kruskal",
    source="Kruskal 1956",
    complexity="O(m log n)",
    use="small graphs, and larger ones of few edges in no order",
)
def kruskal(graph: EdgeList, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest by sorting all edges."""
    round_log.begin("all", graph.n, graph.m)
    if fused_kruskal.fusing_pays(graph, backend):
        with round_log.step("sort and join"):
            return fused_kruskal.solve_in_one_loop(graph, backend)
    from boruvka.algorithms.building_blocks.kruskal_pass import ends_of_input, join  # not for a small graph

    with round_log.step("sort"):
        order = sorted_edges(graph, backend), graph.sort_keys.index_mask
    with round_log.step("join"):
        parent = backend.empty(graph.n, graph.u.dtype)
        edges = join(order, ends_of_input, (graph.u, graph.v), parent, backend)
    with round_log.step("list"):
        return ascending(edges, graph.m, backend)


def sorted_edges(graph: EdgeList, backend: Backend) -> Any:
    """List the edges from the lightest to the heaviest.

    Returns
    -------
    (m,) array of uint64
        ``index_mask`` of the sort keys extracts the index of each edge.
    """
    key = graph.keys(backend)
    if graph.sort_keys.keys_lack_index:
        return backend.argsort(key)
    backend.sort(key)
    return key


def ascending(edges: Any, m: int, backend: Backend) -> Any:
    """List edges in the order of the input: sort a few, mark many."""
    if edges.size < backend.tuning.marking_pays_from:
        backend.sort(edges)
        return edges.astype(np.int64)
    in_forest = backend.zeros(m, bool)
    backend.for_each(mark_edge, edges.size, edges, in_forest)
    return backend.flatnonzero(in_forest)


def mark_edge(k, edges, in_forest):
    """Mark the k-th edge of a list."""
    in_forest[edges[k]] = True
