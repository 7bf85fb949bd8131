"""A summary of a graph: counts that show at a glance whether a file was read as intended."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph

SPARSE_FROM, SPARSE = 1_000_000, 16
"""With more vertices than this, and more than this for each edge, only vertices with an edge are numbered."""


def summarise(graph: Graph) -> dict[str, Any]:
    """Count vertices, edges, loops, components and the like.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    dict
        Numbers of vertices, edges, self_loops, parallel_edges (beyond the first of each pair of
        vertices), isolated_vertices and components, the mean and largest degree, the weights' type and
        their smallest and largest (None without edges): int, float or numpy.longdouble.
    """
    u, v, w, n = graph.u, graph.v, graph.w, graph.n
    absent = 0
    if n > SPARSE_FROM and n > SPARSE * graph.m:  # counts of all n vertices may not fit memory
        vertices, ends = np.unique(np.concatenate([u, v]), return_inverse=True)
        ends = ends.astype(vertex_dtype(vertices.size))
        u, v, absent = ends[: graph.m], ends[graph.m :], n - vertices.size
    loop = u == v
    low, high = np.minimum(u, v)[~loop], np.maximum(u, v)[~loop]
    by_pair = np.lexsort((high, low))
    repeats = np.count_nonzero((np.diff(low[by_pair]) == 0) & (np.diff(high[by_pair]) == 0))
    degree = np.bincount(u, minlength=n - absent) + np.bincount(v, minlength=n - absent)
    labels = label_components(n - absent, u, v)
    return {
        "vertices": n,
        "edges": graph.m,
        "self_loops": int(loop.sum()),
        "parallel_edges": int(repeats),
        "isolated_vertices": absent + int((degree == 0).sum()),
        "components": absent + (int(labels.max()) + 1 if labels.size else 0),
        "mean_degree": round(2 * graph.m / n, 3) if n else 0.0,
        "largest_degree": int(degree.max()) if degree.size else 0,
        "weights": str(w.dtype),
        "smallest_weight": w.min().item() if graph.m else None,
        "largest_weight": w.max().item() if graph.m else None,
    }
