"""The nearest vertices of some vertices in a graph, which are the other ends of their best edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.adjacency import adjacency
from boruvka.graph.graph import DistanceGraph, Graph


def nearest_vertices(graph: Graph, vertices: NDArray[Any], k: int, maximum: bool) -> list[NDArray[Any]]:
    """Find the k nearest vertices of each, and those that are as near as the last of these.

    Returns
    -------
    three (r,) arrays
        The vertex, a vertex that is near, and the weight of the best edge between both. Those of one vertex
        are ordered by (weight, vertex).
    """
    lists: Any = None if isinstance(graph, DistanceGraph) else adjacency(graph.n, graph.u, graph.v)
    found = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, graph.dtype))]
    for x in vertices.astype(np.int64).tolist():
        if isinstance(graph, DistanceGraph):
            others = np.delete(np.arange(graph.n), x)
            w = graph.weights_at(np.minimum(x, others), np.maximum(x, others))
        else:
            here = slice(lists.offsets[x], lists.offsets[x + 1])
            others, w = lists.neighbour[here].astype(np.int64), graph.w[lists.edge[here]]
            others, w = others[others != x], w[others != x]
        rank = np.unique(w, return_inverse=True)[1] * (-1 if maximum else 1)
        order = np.lexsort((others, rank))
        order = order[np.sort(np.unique(others[order], return_index=True)[1])]  # the best of parallel edges
        order = order[rank[order] <= rank[order[:k]][-1:]]
        found.append((np.full(order.size, x), others[order], w[order]))
    return list(map(np.concatenate, zip(*found, strict=True)))
