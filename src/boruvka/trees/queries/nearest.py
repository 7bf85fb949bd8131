"""The nearest vertices of some vertices in a graph, which are the other ends of their best edges.

All distances of one vertex are in memory at a time. A kd-tree lists the nearest points of many vertices.
Where the last of a list is as near as the k-th, or points are equal, all distances of a vertex are compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.adjacency import adjacency
from boruvka.graph.graph import DistanceGraph, Graph
from boruvka.graph.points.point_index import find_core_distances, tree_pays

MANY = 50
"""Minimum number of vertices for which a tree is faster than all distances of each."""
MORE = 8
"""Number of neighbours in the lists of a tree beyond the k-th, which show whether others are as near."""


def nearest_vertices(graph: Graph, vertices: NDArray[Any], k: int, maximum: bool) -> list[NDArray[Any]]:
    """Find the k nearest vertices of each, and those that are as near as the last of these.

    Returns
    -------
    three (r,) arrays
        The vertex, a vertex that is near, and the weight of the best edge between both. Those of one vertex
        are ordered by (weight, vertex).
    """
    lists, listed = None, None
    if not isinstance(graph, DistanceGraph):
        lists = adjacency(graph.n, graph.u, graph.v)
    elif not maximum and not graph.min_samples and vertices.size >= MANY and tree_pays(graph.pairs):
        listed = np.empty((graph.n, min(k + MORE, graph.n - 1)), np.uint32)
        find_core_distances(graph.pairs, listed.shape[1] + 1, nearest=listed)
    found = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, graph.dtype))]
    for x in vertices.astype(np.int64).tolist():
        near, w = _nearest_of(graph, x, k, maximum, lists, None if listed is None else listed[x])
        found.append((np.full(near.size, x), near, w))
    return list(map(np.concatenate, zip(*found, strict=True)))


def _nearest_of(
    graph: Any, x: int, k: int, maximum: bool, lists: Any, listed: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the nearest vertices of vertex x and their weights; a list has some of the nearest points."""
    if lists is None:
        others = np.delete(np.arange(graph.n), x) if listed is None else np.setdiff1d(listed, x)
        w = graph.weights_at(np.minimum(x, others), np.maximum(x, others))
    else:
        here = slice(lists.offsets[x], lists.offsets[x + 1])
        others, w = lists.neighbour[here].astype(np.int64), graph.w[lists.edge[here]]
        others, w = others[others != x], w[others != x]
    rank = np.unique(w, return_inverse=True)[1] * (-1 if maximum else 1)
    order = np.lexsort((others, rank))
    order = order[np.sort(np.unique(others[order], return_index=True)[1])]  # the best of parallel edges
    order = order[rank[order] <= rank[order[:k]][-1:]]
    if listed is not None and order.size == others.size:  # perhaps points that are not listed are as near
        return _nearest_of(graph, x, k, maximum, lists, None)
    return others[order], w[order]
