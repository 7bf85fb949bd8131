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

from boruvka.errors import GraphError
from boruvka.graph.adjacency import adjacency
from boruvka.graph.matrix import OF_CORRELATIONS
from boruvka.kernels.kernel import kernel

ENTRIES_AT_ONCE = 1 << 20
"""Number of entries of a matrix that are copied at once to find core distances."""
ROUNDING = 32
"""A negative distance of at most so many units of rounding of the largest distance counts as 0."""


def reachability_weights(graph: Any, min_samples: int, alpha: float) -> NDArray[np.float64]:
    """Compute the mutual reachability distance of each edge of a graph that lists its edges.

    A self-loop is the distance of a vertex to itself. Of parallel edges the lightest counts. A vertex with
    fewer than ``min_samples`` neighbours has an infinite core distance. Edges that are removed do not count.
    """
    u, v, w = graph.u, graph.v, checked_distances(graph.w.astype(np.float64), graph.dtype)
    w[graph.removed] = np.inf  # a self-loop, which is the distance of a vertex to itself
    core = _core_distances(graph.n, u, v, w, min_samples)
    return np.maximum(w / alpha, np.maximum(core[u], core[v]))


def reachability_matrix(
    weights: NDArray[Any], is_present: NDArray[np.bool_], min_samples: int, alpha: float
) -> NDArray[np.float64]:
    """Compute the matrix of mutual reachability distances; entries that are not edges become infinite.

    The diagonal is the distance of a vertex to itself. The smaller one of the entries (i, j) and (j, i)
    counts.
    """
    matrix, n = weights.astype(np.float64), len(weights)
    matrix[~is_present] = np.inf
    matrix = checked_distances(matrix, weights.dtype)
    distances = np.minimum(matrix, matrix.T)
    core = core_distances_of_matrix(distances, [min_samples])[0] if min_samples <= n else np.full(n, np.inf)
    if alpha != 1:
        distances /= alpha
    np.maximum(distances, core[:, None], out=distances)
    np.maximum(distances, core, out=distances)
    return distances


def core_distances_of_matrix(distances: NDArray[np.float64], ranks: list[int]) -> NDArray[np.float64]:
    """Find the core distances of each vertex for several ranks, none larger than n: a row for each rank."""
    n, at = len(distances), np.array(ranks) - 1
    core = np.empty((at.size, n))
    rows = max(ENTRIES_AT_ONCE // max(n, 1), 1)
    for first in range(0, n, rows):
        here = slice(first, first + rows)
        core[:, here] = np.partition(distances[here], at, axis=1)[:, at].T
    return core


def checked_distances(distances: NDArray[np.float64], precision: np.dtype[Any]) -> NDArray[np.float64]:
    """Return distances with 0 for those that rounding made negative, as in 1 - cosine_similarity(x).

    Raises
    ------
    GraphError
        A distance is NaN, or negative by more than the rounding of the type that the distances had.
    """
    if not distances.size or distances.min() >= 0:
        return distances
    largest = distances.max(where=np.isfinite(distances), initial=0)
    eps = np.finfo(precision).eps if precision.kind == "f" else 0
    is_rounded = (distances < 0) & (distances >= -ROUNDING * eps * largest)
    if (wrong := ~((distances >= 0) | is_rounded)).any():
        at = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        where = f"of {at[0]} and {at[1]}" if wrong.ndim == 2 else f"{at[0]}"
        way = "if rounding made it negative, write numpy.maximum(X, 0), if sparse X.data.clip(0, out=X.data)"
        if wrong.ndim == 2 and (np.diagonal(distances) > 0).all():
            way = f"the diagonal is positive, as of similarities: of cosines write {OF_CORRELATIONS}"
        raise GraphError(
            f"Negative values in data, or NaN: distance {where} is {distances[at]}; distances are numbers "
            f"from 0, infinite for a pair that has none{'' if np.isnan(distances[at]) else f'; {way}'}"
        )
    return np.where(is_rounded, 0, distances)


def _core_distances(
    n: int, u: NDArray[Any], v: NDArray[Any], w: NDArray[np.float64], k: int
) -> NDArray[np.float64]:
    """Find the core distance of each vertex, from the edges in both directions."""
    row_offsets, neighbour, edge = adjacency(n, u, v)
    core = np.empty(n)
    _find_core_distances(k, row_offsets, neighbour, w[edge], np.zeros(n, np.int64), core)
    return core


@kernel
def _find_core_distances(k, row_offsets, neighbour, distance, slot, core):
    """Find the k-th smallest distance of each row, of parallel edges the lightest; reorders the rows.

    ``slot[y]`` is the position at which neighbour y was last stored, which may be in an earlier row.
    """
    for x in range(core.size):
        first = stop = row_offsets[x]
        for p in range(first, row_offsets[x + 1]):
            y = neighbour[p]
            s = slot[y]
            if first <= s < stop and neighbour[s] == y:
                distance[s] = min(distance[s], distance[p])
            else:
                slot[y], neighbour[stop], distance[stop] = stop, y, distance[p]
                stop += 1
        core[x] = kth_smallest(distance, first, stop, k) if stop - first >= k else np.inf


def kth_smallest(values, first, stop, k):
    """Find the k-th smallest of values[first:stop], k from 1; reorders them (C. A. R. Hoare's FIND, 1961)."""
    low, high, k = first, stop - 1, first + k - 1
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
