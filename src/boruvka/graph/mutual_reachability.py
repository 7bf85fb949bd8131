"""Core distances of vertices, and mutual reachability distances of edges.

The core distance of a vertex is the k-th smallest of its distances to the vertices that it has an edge to,
where k is ``min_samples``. The mutual reachability distance of an edge is its distance or the core distance
of one of its ends, whichever is largest [1]_: vertices in sparse regions move away from all others.

.. [1] R. J. G. B. Campello, D. Moulavi, J. Sander, "Density-based clustering based on hierarchical density
       estimates", PAKDD 2013, 160-172: definitions 1 and 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.kernel import kernel
from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.graph.matrix_graph import MatrixGraph, is_present

__all__ = ["reachability_matrix", "reachability_weights"]

ENTRIES_AT_ONCE = 1 << 20
"""Entries of a matrix that are copied at once to find core distances."""


def reachability_weights(graph: AbstractGraph, min_samples: int, alpha: float) -> NDArray[np.float64]:
    """Compute the mutual reachability distance of each edge of an edge list.

    A self-loop is the distance of a vertex to itself. Of parallel edges the lightest counts. A vertex with
    fewer than ``min_samples`` neighbours has an infinite core distance.
    """
    if isinstance(graph, ImplicitGraph) or graph.is_on_device:
        raise GraphTypeError(
            "mutual reachability needs an edge list or a matrix on the host; for points use "
            "boruvka.sklearn.HDBSCAN, for a graph on a GPU copy its arrays first"
        )
    u, v, w = graph.u, graph.v, np.ascontiguousarray(graph.w, np.float64)
    check_distances(w)
    by_u, by_v = _group(graph.n, u), _group(graph.n, v)
    core = np.empty(graph.n)
    found = np.zeros(graph.n, np.int64), np.empty(graph.n, np.int64), np.empty(graph.n)
    _core_distances(min_samples, u, v, w, by_u, by_v, found, core)
    weights = np.empty(w.size)
    _raise_to_core_distances(u, v, w, core, alpha, weights)
    return weights


def reachability_matrix(graph: MatrixGraph, min_samples: int, alpha: float) -> NDArray[np.float64]:
    """Compute the matrix of mutual reachability distances; what is no edge becomes infinite.

    The diagonal is the distance of a vertex to itself. Of the entries (i, j) and (j, i) the smaller counts.
    """
    matrix = graph.matrix.astype(np.float64)
    matrix[~is_present(graph.matrix, graph.absent)] = np.inf
    check_distances(matrix)
    distances = np.minimum(matrix, matrix.T)
    core = np.full(graph.n, np.inf)
    if min_samples <= graph.n:
        rows = max(ENTRIES_AT_ONCE // max(graph.n, 1), 1)
        for first in range(0, graph.n, rows):
            here = slice(first, first + rows)
            core[here] = np.partition(distances[here], min_samples - 1, axis=1)[:, min_samples - 1]
    if alpha != 1:
        distances /= alpha
    np.maximum(distances, core[:, None], out=distances)
    np.maximum(distances, core, out=distances)
    return distances


def check_distances(w: NDArray[Any]) -> None:
    """Raise a `GraphError` if a distance is negative or NaN."""
    if w.size and not w.min() >= 0:
        raise GraphError(f"a distance is {w.min()}: distances are numbers from 0, which may be infinite")


def _group(n: int, ids: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Group edges by one end: the edges, and where those of each vertex begin."""
    begins = np.zeros(n + 2, np.int64)
    edges = np.empty(ids.size, np.int64)
    _counting_sort(ids, begins, edges)
    return edges, begins[: n + 1]


@kernel
def _counting_sort(ids, begins, edges):
    """Sort edges by id; afterwards the edges of x are those from ``begins[x]`` to ``begins[x + 1]``."""
    for e in range(ids.size):
        begins[ids[e] + 2] += 1
    for x in range(1, begins.size):
        begins[x] += begins[x - 1]
    for e in range(ids.size):
        slot = begins[ids[e] + 1]
        begins[ids[e] + 1] = slot + 1
        edges[slot] = e


@kernel
def _core_distances(k, u, v, w, by_u, by_v, found, core):
    """Find the k-th smallest distance of each vertex; ``found`` has room for the neighbours of one."""
    for x in range(core.size):
        count = 0
        edges, begins = by_u
        for p in range(begins[x], begins[x + 1]):
            count = add_neighbour(v[edges[p]], w[edges[p]], found, count)
        edges, begins = by_v
        for p in range(begins[x], begins[x + 1]):
            count = add_neighbour(u[edges[p]], w[edges[p]], found, count)
        core[x] = kth_smallest(found[2], count, k - 1) if count >= k else np.inf


def add_neighbour(y, distance, found, count):
    """Add a neighbour to those found, or lower its distance; ``slot[y]`` is valid if y is stored there."""
    slot, neighbour, distances = found
    s = slot[y]
    if s < count and neighbour[s] == y:
        distances[s] = min(distances[s], distance)
        return count
    slot[y], neighbour[count], distances[count] = count, y, distance
    return count + 1


def kth_smallest(values, count, k):
    """Find the k-th smallest of the first values, k from 0; reorders them (C. A. R. Hoare's FIND, 1961)."""
    low, high = 0, count - 1
    while low < high:
        pivot, i, j = values[k], low, high
        while i <= j:
            while values[i] < pivot:
                i += 1
            while pivot < values[j]:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        low = i if j < k else low
        high = j if k < i else high
    return values[k]


@kernel
def _raise_to_core_distances(u, v, w, core, alpha, weights):
    for e in range(w.size):
        weights[e] = max(w[e] / alpha, max(core[u[e]], core[v[e]]))
