"""Input of estimators: points, dense matrices of distances, sparse matrices of distances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import validate_data

from boruvka.errors import GraphError
from boruvka.forest.forest import Forest
from boruvka.graph import distances
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.distance_graph import DistanceGraph
from boruvka.graph.graph import Graph
from boruvka.graph.mutual_reachability import check_distances
from boruvka.solve import minimum_spanning_forest

DISTANCES = {
    name: getattr(distances, distances.OTHER_NAMES.get(name, name))
    for name in ("euclidean", "l2", "sqeuclidean", "manhattan", "cityblock", "l1", "chebyshev", "haversine")
}
"""scikit-learn metrics that are computed on demand; for others a matrix of distances is made."""


def read_input(estimator: Any, x: Any) -> Any:
    """Check the input of ``fit``, and convert it to float64.

    Parameters
    ----------
    estimator : estimator
        Its ``metric`` says whether these are distances.
    x : (n, d) array_like, (n, n) array_like or sparse array
        Points or, if the metric is "precomputed", distances. An infinite distance counts as missing.

    Returns
    -------
    array, or sparse array
    """
    precomputed = estimator.metric == "precomputed"
    x = validate_data(
        estimator,
        x,
        dtype=np.float64,
        accept_sparse=["csr", "csc", "coo"] if precomputed else False,
        ensure_all_finite=not precomputed,
        ensure_min_samples=2,
    )
    if precomputed:
        if x.shape[0] != x.shape[1]:
            raise GraphError(f"precomputed distances are a square matrix, this one has shape {x.shape}")
        check_distances(x.data if sparse.issparse(x) else x)
    return x


def with_input_tags(tags: Any, metric: Any) -> Any:
    """Set scikit-learn's tags for the kind of input."""
    precomputed = metric == "precomputed"
    tags.input_tags.sparse = tags.input_tags.pairwise = tags.input_tags.positive_only = precomputed
    return tags


def distance_graph(x: Any, metric: Any, metric_params: Mapping[str, Any] | None) -> AbstractGraph:
    """Make the graph of distances from checked input."""
    if sparse.issparse(x):
        return Graph.from_scipy(x)
    if metric == "precomputed":
        return Graph.from_dense(x, absent=None)
    if metric in DISTANCES and not metric_params:
        return DistanceGraph(x, DISTANCES[metric])
    matrix = pairwise_distances(x, metric=metric, **metric_params or {})
    return Graph.from_dense(np.asarray(matrix, np.float64), absent=None)


def reachability_forest(
    x: Any, metric: Any, metric_params: Mapping[str, Any] | None, min_samples: int, alpha: float
) -> tuple[Forest, float]:
    """Find the minimum spanning forest of mutual reachability; return it and a factor for its weights."""
    if metric in DISTANCES and not metric_params:
        points = DistanceGraph(x, DISTANCES[metric], min_samples, core_factor=alpha)
        return minimum_spanning_forest(points), 1 / alpha
    graph = distance_graph(x, metric, metric_params)
    return minimum_spanning_forest(Graph.from_mutual_reachability(graph, min_samples, alpha=alpha)), 1.0
