"""A summary of a graph: counts that show at a glance whether a file was read as intended."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph
from boruvka.graph.validation import first_entries, pair_keys, vertex_dtype


def summarise(graph: Graph) -> dict[str, Any]:
    """Count vertices, edges, self-loops, parallel edges and components, and find extreme degrees and weights.

    Parameters
    ----------
    graph : Graph
        The graph.

    Returns
    -------
    dict
        Numbers of vertices, edges, self_loops, parallel_edges (beyond the first of each pair of
        vertices), isolated_vertices and components, the mean and largest degree, the weights' type and
        their smallest and largest (None without edges): int, float or numpy.longdouble. The entries (i, j)
        and (j, i) of a matrix are one edge; entries, the number of both, is there if it is larger.
    """
    graph = graph.compacted()
    u, v, w, n = graph.u, graph.v, graph.w, graph.n
    if graph.entry_count:
        is_first = first_entries(graph, np.arange(w.size), u, v) == np.arange(w.size)
        u, v = u[is_first], v[is_first]
    # Only vertices with an edge are counted one by one: n may be much larger than m.
    vertices, ends = np.unique(np.concatenate([u, v]), return_inverse=True)
    u, v = np.split(ends, 2)
    loop = u == v
    pairs = np.unique(pair_keys(vertices.size, u, v)[~loop])
    degree = np.bincount(ends)
    ids = vertex_dtype(vertices.size)
    labels = label_components(vertices.size, u.astype(ids), v.astype(ids))
    absent = n - vertices.size
    return {
        "vertices": n,
        "edges": u.size,
        **({"entries": graph.m} if u.size < graph.m else {}),
        "self_loops": int(loop.sum()),
        "parallel_edges": int((~loop).sum()) - pairs.size,
        "isolated_vertices": absent,
        "components": absent + int(labels.max(initial=-1)) + 1,
        "mean_degree": round(2 * u.size / n, 3) if n else 0.0,
        "largest_degree": int(degree.max(initial=0)),
        "weights": str(w.dtype),
        "smallest_weight": w.min().item() if graph.m else None,
        "largest_weight": w.max().item() if graph.m else None,
    }
