"""A summary of a graph: counts that show at a glance whether a file was read as intended."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph


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
    loop = u == v
    low, high = np.minimum(u, v)[~loop], np.maximum(u, v)[~loop]
    by_pair = np.lexsort((high, low))
    repeats = np.count_nonzero((np.diff(low[by_pair]) == 0) & (np.diff(high[by_pair]) == 0))
    degree = np.bincount(u, minlength=n) + np.bincount(v, minlength=n)
    labels = label_components(n, u, v)
    return {
        "vertices": n,
        "edges": graph.m,
        "self_loops": int(loop.sum()),
        "parallel_edges": int(repeats),
        "isolated_vertices": int((degree == 0).sum()),
        "components": int(labels.max()) + 1 if n else 0,
        "mean_degree": round(2 * graph.m / n, 3) if n else 0.0,
        "largest_degree": int(degree.max()) if n else 0,
        "weights": str(w.dtype),
        "smallest_weight": w.min().item() if graph.m else None,
        "largest_weight": w.max().item() if graph.m else None,
    }
