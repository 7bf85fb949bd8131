"""The graph of the nearest neighbours of points, for points of many dimensions.

An index finds the neighbours, in most cases approximately: PyNNDescent, hnswlib, or brute force, which is
exact. Weights are always computed from the points, so that they do not depend on the index. Components of the
graph are joined by the lightest edges between them, which brute force finds.

Brute force computes products of matrices, whose rounding errors are bounded. All pairs that may be nearest
within these bounds are then computed as `Graph.from_points` computes them. So its answer is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.errors import OptionError, shown
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.graph.connected_components import label_components
from boruvka.graph.distance_graph import DistanceGraph
from boruvka.runtime import arguments
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    from boruvka.graph.graph import Graph

__all__ = ["INDICES", "METRICS", "neighbour_graph"]

METRICS = {"euclidean": "euclidean", "l2": "euclidean", "cosine": "cosine"}
"""The metrics, with other names for them."""
_ENTRIES_AT_ONCE = 1 << 23
"""Distances in a block of brute force."""
_NONE = -1


def neighbour_graph(
    make: type[Graph],
    points: ArrayLike,
    k: int,
    metric: str,
    index: str,
    join_components: bool,
    seed: int,
    options: Mapping[str, Any] | None,
) -> Graph:
    """Make the graph of `Graph.from_points_approximately`."""
    if not isinstance(metric, str) or metric not in METRICS:
        raise OptionError(f"unknown metric {shown(metric)} of an index; there are {', '.join(METRICS)}")
    if not isinstance(index, str) or index not in INDICES:
        raise OptionError(f"unknown ann_index {shown(index)}; there are {', '.join(INDICES)}")
    exact = DistanceGraph(points, METRICS[metric])
    if exact.points.dtype != np.float64:  # differences of float32 would be rounded to float32
        exact = DistanceGraph(exact.points.astype(np.float64), METRICS[metric])
    k = arguments.integer("n_neighbors", k, 1)
    join_components = arguments.flag("join_components", join_components)
    if options is not None and not (isinstance(options, Mapping) and all(type(x) is str for x in options)):
        raise OptionError(f"options must be a dict of options of the index by name, got {shown(options)}")
    seed = arguments.integer("seed", seed, 0, 2**31 - 1)
    if exact.n < 2:
        return make(exact.n, [], [], np.empty(0))
    neighbours = INDICES[index](exact, min(k, exact.n - 1), METRICS[metric], seed, dict(options or {}))
    u, v = _pairs(exact.n, neighbours)
    if join_components:
        joining = _lightest_edges_between(exact, METRICS[metric], _labels(exact.n, u, v))
        u, v = np.concatenate([u, joining[0]]), np.concatenate([v, joining[1]])
    return make(exact.n, u, v, exact.weights_at(u, v))


def _labels(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.int64]:
    return label_components(n, u.astype(vertex_dtype(n)), v.astype(vertex_dtype(n)))


def _pairs(n: int, neighbours: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each pair of a point and its neighbour once, smaller end first, in ascending order."""
    u = np.repeat(np.arange(n), neighbours.shape[1])
    v = neighbours.ravel().astype(np.int64)
    found = (v != _NONE) & (v != u)
    low, high = np.minimum(u, v)[found], np.maximum(u, v)[found]
    keys = np.unique(low * n + high)
    return keys // n, keys % n


def _in_single_precision(points: NDArray[np.float64], metric: str) -> NDArray[np.float32]:
    """Round coordinates to float32, scaled so that rounding affects distances as little as possible."""
    x = points.copy() if metric == "cosine" else points - points.mean(axis=0)
    x /= np.abs(x).max() or 1.0
    return np.ascontiguousarray(x, np.float32)


def _by_pynndescent(
    exact: DistanceGraph, k: int, metric: str, seed: int, options: dict[str, Any]
) -> NDArray[Any]:
    library = require("pynndescent", "pynndescent")
    how = {"metric": metric, "n_neighbors": k + 1, "random_state": seed} | options
    return library.NNDescent(_in_single_precision(exact.points, metric), **how).neighbor_graph[0]


def _by_hnswlib(
    exact: DistanceGraph, k: int, metric: str, seed: int, options: dict[str, Any]
) -> NDArray[Any]:
    library = require("hnswlib", "hnswlib")
    made = library.Index(space={"euclidean": "l2"}.get(metric, metric), dim=exact.points.shape[1])
    made.init_index(max_elements=exact.n, **{"random_seed": seed} | options)
    points = _in_single_precision(exact.points, metric)
    made.add_items(points, num_threads=1)  # several threads add points in another order each time
    made.set_ef(max(2 * (k + 1), made.ef_construction))  # as many candidates in a search as in the insertion
    try:
        return made.knn_query(points, k=k + 1)[0].astype(np.int64)
    except RuntimeError as error:
        raise OptionError(
            f"hnswlib found fewer than {k} neighbours of a point ({error}): pass greater options, such as "
            "{'M': 48, 'ef_construction': 400}, or a smaller k"
        ) from None


def _by_brute_force(
    exact: DistanceGraph, k: int, metric: str, seed: int, options: dict[str, Any]
) -> NDArray[Any]:
    if options:
        raise OptionError(f"the exact index takes no options, got {', '.join(options)}")
    everything = np.arange(exact.n)
    return _BruteForce(exact, metric).nearest(everything, k, everything)[0]


INDICES: dict[str, Callable[..., NDArray[Any]]] = {
    "pynndescent": _by_pynndescent,
    "hnswlib": _by_hnswlib,
    "exact": _by_brute_force,
}
"""For each index, a function that finds the k nearest neighbours of all points, perhaps with the points."""


def _lightest_edges_between(
    exact: DistanceGraph, metric: str, label: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Join components by Borůvka's rounds: each but the largest takes its lightest edge to another one.

    Edges are ordered by (weight, smaller end, larger end). The nearest point of another component stays the
    nearest until it joins the same component, so only points that lose theirs are searched for again.
    """
    n = exact.n
    search = _BruteForce(exact, metric)
    nearest, weight = np.arange(n), np.full(n, np.inf)
    chosen: list[NDArray[np.int64]] = []
    while label.any():
        is_active = label != np.bincount(label).argmax()
        stale = np.flatnonzero(is_active & (label[nearest] == label))
        columns, weights = search.nearest(stale, 1, label)
        nearest[stale], weight[stale] = columns[:, 0], weights[:, 0]
        rows = np.flatnonzero(is_active)
        low, high = np.minimum(rows, nearest[rows]), np.maximum(rows, nearest[rows])
        order = np.lexsort((high, low, weight[rows], label[rows]))
        first = np.ones(order.size, bool)
        first[1:] = label[rows][order][1:] != label[rows][order][:-1]
        lightest = order[first]
        edges = np.unique(low[lightest] * n + high[lightest])
        chosen.append(edges)
        label = _labels(int(label.max()) + 1, label[edges // n], label[edges % n])[label]
    keys = np.sort(np.concatenate(chosen)) if chosen else np.empty(0, np.int64)
    return keys // n, keys % n


class _BruteForce:
    """Exact nearest neighbours by products of matrices.

    Parameters
    ----------
    exact : DistanceGraph
        The points, and their distances as they are finally computed.
    metric : str
        Its metric.
    """

    def __init__(self, exact: DistanceGraph, metric: str):
        x = exact.points.copy()
        if metric == "cosine":
            x /= np.sqrt(np.einsum("ij,ij->i", x, x))[:, None]
        else:
            x -= x.mean(axis=0)
        self._exact, self._points, self._squares = exact, x, np.einsum("ij,ij->i", x, x)
        # The error of a product of d terms is at most d * eps times the product of the lengths (Higham,
        # "Accuracy and Stability of Numerical Algorithms", 2002, section 3.1). Two distances are compared,
        # each computed in two ways; further roundings are fewer than four.
        self._error = 8 * (x.shape[1] + 4) * np.finfo(np.float64).eps

    def nearest(
        self, rows: NDArray[np.int64], k: int, label: NDArray[Any]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the k nearest points with other labels of some points, from the nearest on, ties by number."""
        size = max(1, _ENTRIES_AT_ONCE // self._exact.n)
        neighbours, distances = np.empty((rows.size, k), np.int64), np.empty((rows.size, k))
        for begin in range(0, rows.size, size):
            here = slice(begin, begin + size)
            neighbours[here], distances[here] = self._nearest(rows[here], k, label)
        return neighbours, distances

    def _nearest(
        self, rows: NDArray[np.int64], k: int, label: NDArray[Any]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        near = self._points[rows] @ self._points.T  # the squared distances in the end
        near *= -2
        near += self._squares
        near += self._squares[rows, None]
        near[label[rows, None] == label] = np.inf
        bound = np.partition(near, k - 1, axis=1)[:, k - 1]
        bound += self._error * (self._squares[rows] + self._squares.max())
        i, columns = np.nonzero(near <= bound[:, None])
        weights = self._exact.weights_at(rows[i], columns)
        order = np.lexsort((columns, weights, i))
        begins = np.searchsorted(i, np.arange(rows.size))
        taken = order[begins[:, None] + np.arange(k)]
        return columns[taken], weights[taken]
