"""The graph of the nearest neighbours of points, for points of many dimensions.

An index finds the neighbours, in most cases approximately: PyNNDescent, hnswlib, or brute force, which is
exact. Weights are always computed from the points, so that they do not depend on the index. Components of the
graph are joined by the lightest edges between them, which brute force finds.

Brute force computes products of matrices, whose rounding errors are bounded. All pairs that may be nearest
within these bounds are then computed as `Graph.from_points` computes them. So its answer is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import OptionError, shown
from boruvka.graph.connected_components import label_components
from boruvka.graph.points.point_pairs import PointPairs
from boruvka.graph.validation import pair_keys, vertex_dtype
from boruvka.runtime import arguments
from boruvka.runtime.libraries import require

METRICS = {"euclidean": "euclidean", "l2": "euclidean", "cosine": "cosine"}
"""The metrics, with other names for them."""
ENTRIES_AT_ONCE = 1 << 23
"""Number of distances of brute force that are computed at once."""


def neighbor_edges(
    points: ArrayLike,
    k: int,
    metric: str,
    index: str,
    join_components: bool,
    seed: int,
    options: Mapping[str, Any] | None,
) -> tuple[int, ArrayLike, ArrayLike, NDArray[Any]]:
    """Find (n, u, v, w) of the graph of `Graph.from_points_approximately`."""
    arguments.one_of("metric", metric, tuple(METRICS))
    arguments.one_of("ann_index", index, tuple(INDICES))
    exact = PointPairs.read(points, METRICS[metric])
    k = arguments.integer("n_neighbors", k, 1)
    join_components = arguments.flag("join_components", join_components)
    if options is not None and not (isinstance(options, Mapping) and all(type(x) is str for x in options)):
        raise OptionError(f"options must be a dict of options of the index by name, got {shown(options)}")
    seed = arguments.integer("seed", seed, 0, 2**31 - 1)
    if exact.n < 2:
        return exact.n, [], [], np.empty(0)
    neighbours = INDICES[index](exact, min(k, exact.n - 1), METRICS[metric], seed, dict(options or {}))
    pairs = _pairs(exact.n, np.repeat(np.arange(exact.n), neighbours.shape[1]), neighbours.ravel())
    if join_components:
        label = label_components(exact.n, *_ends(exact.n, pairs))
        pairs = np.concatenate([pairs, _lightest_pairs_between(exact, METRICS[metric], label)])
    u, v = _ends(exact.n, pairs)
    return exact.n, u, v, exact.weights_at(u.astype(np.int64), v.astype(np.int64))


def _pairs(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.int64]:
    """Number each pair once, ``smaller * n + larger``, in ascending order; -1 marks a missing neighbour."""
    is_pair = (v != -1) & (v != u)
    return np.unique(pair_keys(n, u[is_pair], v[is_pair])).astype(np.int64)


def _ends(n: int, pairs: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the ends of numbered pairs."""
    return (pairs // n).astype(vertex_dtype(n)), (pairs % n).astype(vertex_dtype(n))


def _in_single_precision(points: NDArray[np.float64], metric: str) -> NDArray[np.float32]:
    """Round coordinates to float32, scaled so that rounding affects distances as little as possible."""
    x = points if metric == "cosine" else points - points.mean(axis=0)
    return np.ascontiguousarray(x / (np.abs(x).max() or 1.0), np.float32)


def _by_pynndescent(
    exact: PointPairs, k: int, metric: str, seed: int, options: dict[str, Any]
) -> NDArray[Any]:
    library = require("pynndescent", "pynndescent")
    how = {"metric": metric, "n_neighbors": k + 1, "random_state": seed} | options
    return library.NNDescent(_in_single_precision(exact.points, metric), **how).neighbor_graph[0]


def _by_hnswlib(exact: PointPairs, k: int, metric: str, seed: int, options: dict[str, Any]) -> NDArray[Any]:
    library = require("hnswlib", "hnswlib")
    made = library.Index(space={"euclidean": "l2"}.get(metric, metric), dim=exact.points.shape[1])
    made.init_index(max_elements=exact.n, **{"random_seed": seed} | options)
    points = _in_single_precision(exact.points, metric)
    made.add_items(points, num_threads=1)  # several threads add points in another order each time
    made.set_ef(max(2 * (k + 1), made.ef_construction))  # as many candidates in a search as in the insertion
    try:
        return made.knn_query(points, k=k + 1)[0]
    except RuntimeError as error:
        raise OptionError(
            f"hnswlib found fewer than {k} neighbours of a point ({error}): pass greater options, such as "
            "{'M': 48, 'ef_construction': 400}, or a smaller k"
        ) from None


def _by_brute_force(
    exact: PointPairs, k: int, metric: str, seed: int, options: dict[str, Any]
) -> NDArray[Any]:
    if options:
        raise OptionError(f"the exact index takes no options, got {', '.join(options)}")
    everything = np.arange(exact.n)
    return _nearest(exact, metric, everything, k, everything)[0]


INDICES: dict[str, Callable[..., NDArray[Any]]] = {
    "pynndescent": _by_pynndescent,
    "hnswlib": _by_hnswlib,
    "exact": _by_brute_force,
}
"""For each index, a function that finds the k nearest neighbours of all points, perhaps with the points."""


def _lightest_pairs_between(exact: PointPairs, metric: str, label: NDArray[Any]) -> NDArray[np.int64]:
    """Join components by Borůvka's rounds: each but the largest takes its lightest edge to another one.

    Edges are ordered by (weight, smaller end, larger end). The nearest point of another component stays the
    nearest until it joins the same component, so only points that lose theirs are searched for again.
    """
    n = exact.n
    nearest, weight = np.arange(n), np.full(n, np.inf)
    chosen = [np.empty(0, np.int64)]
    while label.any():
        is_active = label != np.bincount(label).argmax()
        stale = np.flatnonzero(is_active & (label[nearest] == label))
        columns, weights = _nearest(exact, metric, stale, 1, label)
        nearest[stale], weight[stale] = columns[:, 0], weights[:, 0]
        rows = np.flatnonzero(is_active)
        pairs = np.minimum(rows, nearest[rows]) * n + np.maximum(rows, nearest[rows])
        order = np.lexsort((pairs, weight[rows], label[rows]))
        _, first = np.unique(label[rows][order], return_index=True)
        chosen.append(np.unique(pairs[order[first]]))
        u, v = _ends(n, chosen[-1])
        components = int(label.max()) + 1
        label = label_components(components, *(label[x].astype(vertex_dtype(n)) for x in (u, v)))[label]
    return np.sort(np.concatenate(chosen))


def _nearest(
    exact: PointPairs, metric: str, rows: NDArray[np.int64], k: int, label: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the k nearest points with other labels of each given row, sorted by (distance, number)."""
    x = exact.points
    x = x / np.sqrt(np.einsum("ij,ij->i", x, x))[:, None] if metric == "cosine" else x - x.mean(axis=0)
    squares = np.einsum("ij,ij->i", x, x)
    # The error of a product of d terms is at most d * eps times the product of the lengths (Higham,
    # "Accuracy and Stability of Numerical Algorithms", 2002, section 3.1). Two distances are compared,
    # each computed in two ways; further roundings are fewer than four.
    error = 8 * (x.shape[1] + 4) * np.finfo(np.float64).eps
    neighbours, distances = np.empty((rows.size, k), np.int64), np.empty((rows.size, k))
    size = max(1, ENTRIES_AT_ONCE // exact.n)
    for start in range(0, rows.size, size):
        batch = rows[start : start + size]
        near = x[batch] @ x.T  # becomes the squared distances
        near *= -2
        near += squares
        near += squares[batch, None]
        near[label[batch, None] == label] = np.inf
        bound = np.partition(near, k - 1, axis=1)[:, k - 1]
        bound += error * (squares[batch] + squares.max())
        i, columns = np.nonzero(near <= bound[:, None])
        weights = exact.weights_at(batch[i], columns)
        order = np.lexsort((columns, weights, i))
        nearest = order[np.searchsorted(i, np.arange(batch.size))[:, None] + np.arange(k)]
        neighbours[start : start + size], distances[start : start + size] = columns[nearest], weights[nearest]
    return neighbours, distances
