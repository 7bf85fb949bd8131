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

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.graph.matrix_graph import MatrixGraph, is_present
from boruvka.kernels.kernel import kernel

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
            "mutual reachability needs an edge list or a matrix on the host; points: "
            "Graph.from_points(points, min_samples=5); copy the arrays of a graph on a GPU first"
        )
    u, v, w = graph.u, graph.v, np.ascontiguousarray(graph.w, np.float64)
    check_distances(w)
    core = _core_distances(graph.n, u, v, w, min_samples)
    weights = np.empty(w.size)
    _raise_to_core_distances(u, v, w, core, alpha, weights)
    return weights


def reachability_matrix(graph: MatrixGraph, min_samples: int, alpha: float) -> NDArray[np.float64]:
    """Compute the matrix of mutual reachability distances; entries that are not edges become infinite.

    The diagonal is the distance of a vertex to itself. Of the entries (i, j) and (j, i) the smaller counts.
    """
    matrix = graph.matrix.astype(np.float64)
    matrix[~is_present(graph.matrix, graph.null_value)] = np.inf
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
        at = np.unravel_index(int(np.argmax(~(w >= 0))), w.shape)
        where = f"of {at[0]} and {at[1]}" if w.ndim == 2 else f"{at[0]}"
        raise GraphError(
            f"Negative values in data, or NaN: distance {where} is {w[at]}; "
            "distances are numbers from 0, which may be infinite"
        )


def _core_distances(
    n: int, u: NDArray[Any], v: NDArray[Any], w: NDArray[np.float64], k: int
) -> NDArray[np.float64]:
    """Find the core distance of each vertex.

    In a symmetric matrix and in a graph of nearest neighbours, the edges from a vertex hold all distances
    that count. For other vertices, the edges to them are looked up too.
    """
    if (u[1:] < u[:-1]).any():
        order = np.argsort(u, kind="stable")
        u, v, w = u[order], v[order], w[order]
    core, incomplete = np.empty(n), np.zeros(n, bool)
    begins = _begins(n, u)
    _find_core_distances_of_rows(k, v, w, begins, np.empty(w.size), np.full(n, -1), core, incomplete)
    _mark_incomplete_rows(v, w, begins, core, incomplete)
    if incomplete.any():
        back = np.flatnonzero(incomplete[v])
        back = back[np.argsort(v[back], kind="stable")]
        rows = (begins, v, w), (_begins(n, v[back]), u[back], w[back])
        found = np.zeros(n, np.int64), np.empty(n, np.int64), np.empty(n)
        _find_core_distances(k, *rows, incomplete, found, core)
    return core


def _begins(n: int, ids: NDArray[Any]) -> NDArray[np.int64]:
    """Find where the edges of each vertex begin in a list sorted by vertex."""
    begins = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(ids.astype(np.int64), minlength=n), out=begins[1:])
    return begins


@kernel
def _find_core_distances_of_rows(k, v, w, begins, room, seen, core, incomplete):
    """Find the k-th smallest distance of the edges from each vertex; mark vertices with parallel edges."""
    for x in range(core.size):
        first, count = begins[x], begins[x + 1] - begins[x]
        for p in range(count):
            room[p] = w[first + p]
            y = v[first + p]
            if seen[y] == x:
                incomplete[x] = True
            seen[y] = x
        core[x] = kth_smallest(room, count, k - 1) if count >= k else np.inf


@kernel
def _mark_incomplete_rows(v, w, begins, core, incomplete):
    """Mark vertices with an edge to them below their core distance, unless an edge back is no longer."""
    for x in range(core.size):
        for e in range(begins[x], begins[x + 1]):
            y, distance = v[e], w[e]
            if distance < core[y] and not incomplete[y]:
                p, last = begins[y], begins[y + 1]
                while p < last and (v[p] != x or w[p] > distance):
                    p += 1
                incomplete[y] = p == last


@kernel
def _find_core_distances(k, there, back, incomplete, found, core):
    """Find the k-th smallest distance of marked vertices; ``found`` has room for the neighbours of one."""
    for x in range(core.size):
        if incomplete[x]:
            count = add_neighbours(x, there, found, 0)
            count = add_neighbours(x, back, found, count)
            core[x] = kth_smallest(found[2], count, k - 1) if count >= k else np.inf


def add_neighbours(x, rows, found, count):
    """Add the neighbours of x to those found, and return how many there are."""
    begins, ends, distances = rows
    for p in range(begins[x], begins[x + 1]):
        count = add_neighbour(ends[p], distances[p], found, count)
    return count


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
