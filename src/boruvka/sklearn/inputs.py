"""Input of estimators: the metric, points or matrices of distances, and weights of points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import _check_sample_weight, validate_data

from boruvka.algorithms.run import SolveOptions
from boruvka.errors import BoruvkaError, GraphError, GraphTypeError, OptionError, first_true, shown, warn
from boruvka.graph import columns, distances, labels
from boruvka.graph.coordinates import is_map
from boruvka.graph.exact import EXACT_UP_TO, first_rounded
from boruvka.graph.graph import DistanceGraph, Graph, MatrixGraph
from boruvka.graph.matrix import symmetric_matrix
from boruvka.graph.mutual_reachability import checked_distances, core_distances_of_matrix
from boruvka.graph.points import validation
from boruvka.runtime import arguments
from boruvka.trees.clusters.single_linkage_tree import Merges, merges_of
from boruvka.trees.forest import Forest
from boruvka.trees.mutual_reachability_forests import forests_of_matrix, forests_of_points, solve

SEARCHED = "euclidean", "l2", "sqeuclidean", "manhattan", "cityblock", "l1", "chebyshev", "haversine"
"""scikit-learn metrics that are computed on demand; for others a matrix of distances is made."""
NEIGHBORS_AT_ONCE = 1 << 20
"""Number of neighbors, or of distances, that are found together, to limit the memory."""
CHECKED_AS = distances.OTHER_NAMES | {"minkowski": "euclidean", "nan_euclidean": "euclidean"}
"""Metrics whose points are checked as the points of another metric."""


def check_metric(estimator: Any) -> None:
    """Raise an `OptionError` unless the metric and its arguments have their types, and suit the box."""
    metric, params = estimator.metric, estimator.metric_params
    if not (isinstance(metric, str) or callable(metric)):
        raise OptionError(f"metric must be a name or a function of two points, got {shown(metric)}")
    if metric == "great_circle":
        raise OptionError(
            "metric='great_circle' is 'haversine' here: distances are in radians, kilometres divided by "
            "6371.0088, and points are numpy.radians(X[['lat', 'lon']])"
        )
    if isinstance(metric, str) and metric not in (*SEARCHED, "precomputed"):
        from sklearn.neighbors import VALID_METRICS  # which takes 40 ms

        # SciPy's other name of hamming is not among these.
        arguments.one_of("metric", metric, tuple(sorted({*VALID_METRICS["brute"], "matching"})))
    if params is not None and not (isinstance(params, Mapping) and all(type(x) is str for x in params)):
        raise OptionError(f"metric_params must be a dict of arguments by name, got {shown(params)}")
    if estimator.box is not None and (metric == SEARCHED[-1] or not is_searched(estimator)):
        raise OptionError(f"box is for points and the metrics {', '.join(SEARCHED[:-1])}: leave it out")


def fixed_params(estimator: Any, points: NDArray[np.float64]) -> dict[str, Any]:
    """Copy the arguments of the metric, with those that it would compute from other points each time."""
    params = deepcopy(dict(estimator.metric_params or {}))
    if estimator.metric == "seuclidean":
        params.setdefault("V", np.var(points, axis=0, ddof=1))
    if estimator.metric == "mahalanobis" and "V" not in params:
        params.setdefault("VI", np.linalg.inv(np.atleast_2d(np.cov(points.T))).T)
    return params


@contextmanager
def metric_errors(estimator: Any) -> Iterator[None]:
    """Turn the TypeError of a named metric that does not take its arguments into an `OptionError`."""
    try:
        yield
    except TypeError as error:
        if isinstance(error, BoruvkaError) or callable(estimator.metric) or not estimator.metric_params:
            raise
        what = f"metric_params={shown(estimator.metric_params)} do not suit the metric {estimator.metric}"
        raise OptionError(f"{what}: {error}") from error


def read_input(estimator: Any, x: Any) -> Any:
    """Read the input of ``fit`` as `read_rows` does, and check it; all points are finite."""
    given = without_names(estimator, x)[0]
    x = read_rows(estimator, given)
    if estimator.metric != "precomputed":
        with validation.naming_columns("X", given):
            check_points(estimator.metric, x)
    return x


def without_names(estimator: Any, x: Any) -> tuple[Any, Any]:
    """Return points or distances without a column of names, and this column, as `Graph.from_points` does."""
    given = labels.in_memory(x)
    is_matrix = estimator.metric == "precomputed" and labels.INDEX not in getattr(given, "columns", ())
    return (given, None) if is_matrix else labels.without_names(given, argument="X")


def read_rows(estimator: Any, x: Any) -> Any:
    """Read the input of ``fit``, and convert it to float64; distances are checked, points are not.

    Parameters
    ----------
    estimator : estimator
        Its ``metric`` says whether these are distances.
    x : (n, d) array_like, (n, n) array_like or sparse array
        Points or, if the metric is "precomputed", distances. An infinite distance counts as missing, and one
        that rounding made negative as 0. A
        matrix that is not sparse must be symmetric; a half without distances is filled with a warning. Sparse
        rows of points are made dense.

    Returns
    -------
    array, or sparse array
    """
    precomputed, given = estimator.metric == "precomputed", x
    columns.refuse_path("X", x, "pandas.read_csv({}, index_col=0)")
    if precomputed:
        labels.check_labels_are_index(x)
        if getattr(x, "ndim", 2) == 1:
            raise GraphError("X is a condensed matrix: write scipy.spatial.distance.squareform(X)")
    else:
        validation.warn_of_columns("X", x, known_distance(estimator.metric))
        validation.check_degrees("X", x, known_distance(estimator.metric), "haversine")
        if is_map(x):
            raise GraphTypeError(
                "X is a map: write X.get_coordinates() for x and y, or for degrees metric='haversine' and "
                "numpy.radians(X.get_coordinates()[['y', 'x']])"
            )
    x = _validated(estimator, x, dtype=np.float64 if precomputed else "numeric", ensure_min_samples=2)
    if (at := first_rounded(x, given)) is not None:
        column = shown(given.columns[at[1]]) if labels.is_table(given) else f"{at[0]}, {at[1]}"
        way = "subtract a common point, or leave the column out if it holds ids"
        raise GraphError(f"X[{column}] is an integer that float64 would round: {way}")
    if precomputed:
        if x.shape[0] != x.shape[1]:
            raise GraphError(f"precomputed distances are a square matrix, this one has shape {x.shape}")
        if sparse.issparse(x):
            x = x.copy()  # the caller's
            x.data = checked_distances(x.data, given.dtype)
            return x
        labels.check_square_labels(given)
        precision = columns.as_array("X", given).dtype
        return checked_distances(symmetric_matrix("X", x, precision), precision)
    x = _floats(x, given)
    validation.warn_of_distances("X", x, 'write metric="precomputed"', sparse.issparse(given))
    validation.warn_of_sentinels(x, getattr(given, "columns", ()), given, "X")
    return x


def check_points(metric: Any, x: NDArray[np.float64]) -> None:
    """Raise a `GraphError` if a point is not finite, or the metric is not defined for it."""
    distance = known_distance(metric)
    validation.check_range(x, distance)
    if distance is distances.correlation:  # a zero vector has the cosine 0 in scikit-learn
        validation.check_directions(x, distance)


def read_weights(sample_weight: Any, x: Any, given: Any) -> NDArray[np.float64] | None:
    """Check the weights of points.

    Parameters
    ----------
    sample_weight : object
        The weights; if they have labels, these are matched to the labels of ``given``.
    x : array, or sparse array
        The checked input.
    given : object
        The input before the check, which may have labels.

    Returns
    -------
    (n,) array of float64, or None
    """
    if sample_weight is None:
        return None
    if sparse.issparse(x):
        raise GraphError("sample_weight is not for sparse distances: leave it out, or pass a dense matrix")
    sample_weight = _in_order_of_points(sample_weight, given)
    _check_numbers(sample_weight)
    weight = _check_sample_weight(sample_weight, x, dtype=np.float64)
    if (point := first_true(weight < 0)) is not None:
        raise GraphError(f"sample_weight[{point}] is {weight[point]}: weights are from 0")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if total >= EXACT_UP_TO:
        raise GraphError(
            f"the sum of sample_weight is {total:g}; sums of 2**53 or more are rounded: divide the weights, "
            "min_cluster_size and min_samples"
        )
    return weight


def _in_order_of_points(sample_weight: Any, given: Any) -> Any:
    """Sort weights by the labels of the input; labels that it does not have are an error."""
    weight = labels.in_order_of_rows(X=given, sample_weight=sample_weight)[1]
    if isinstance(weight, Mapping):
        raise GraphTypeError(
            "sample_weight is a mapping and X has no labels: pass a list in the order of the rows of X"
        )
    if not labels.is_pandas(weight) or (labels.is_pandas(given) and weight.index.equals(given.index)):
        return weight
    labels.check_numbering("sample_weight", weight, "X")
    return weight


def _check_numbers(sample_weight: Any) -> None:
    """Raise an error where a weight is no number: NumPy would convert text, dates and spans of time."""
    if labels.is_table(sample_weight):  # has two dimensions, an error of scikit-learn
        return
    column = columns.read_column("sample_weight", sample_weight)
    if isinstance(column, np.ndarray):
        values = [] if column.dtype.kind in "biuf" else list(column.ravel())
    else:
        values = columns.list_column(column)
    for point, value in enumerate(values):
        is_missing = value is None or type(value).__name__ == "NAType"  # an error of scikit-learn
        if not (is_missing or columns.is_number(value) or isinstance(value, bool | np.bool_)):
            raise GraphTypeError(f"sample_weight[{point}] is {shown(value)}, not a number")


def read_new_points(estimator: Any, x: Any) -> Any:
    """Read points for an estimator that was fitted to others, and convert them to float64."""
    given = labels.in_memory(x)
    names = list(given.columns) if labels.is_table(given) else []
    count = len(getattr(estimator, "feature_names_in_", names))
    if names and all(map(labels.is_called_id, names[:-count])):
        given = given[names[-count:]]
    return _floats(_validated(estimator, given, dtype="numeric", reset=False), given)


def _validated(model: Any, x: Any, **how: Any) -> Any:
    """Check points or distances as scikit-learn does, but that they are finite."""
    with validation.naming_columns("X", x, may_be_missing=True):
        _refuse_other_types(x)
        x = columns.read_array("X", x) if columns.is_masked_array(x) else x
        return validate_data(model, x, accept_sparse=["csr", "csc", "coo"], ensure_all_finite=False, **how)


def _floats(x: Any, given: Any) -> NDArray[np.float64]:
    """Convert checked points to float64, exactly."""
    x = validation.dense_rows("X", x)
    _refuse_other_types(x)
    if x.dtype.kind in "iu":
        validation.check_exact(x)
    with validation.naming_columns("X", given, may_be_missing=True):  # categories are objects until here
        return x.astype(np.float64, copy=False)


def _refuse_other_types(x: Any) -> None:
    """Raise an error for complex numbers, dates, spans of time and texts, which NumPy would convert."""
    dtypes = x.dtypes if labels.is_table(x) else [getattr(x, "dtype", None)]
    kinds = {getattr(dtype, "kind", "") for dtype in dtypes}
    types = set(map(type, x.flat)) if kinds == {"O"} and isinstance(x, np.ndarray) else set()
    if "c" in kinds or any(issubclass(each, complex | np.complexfloating) for each in types):
        raise GraphError("Complex data not supported: pass real numbers")
    if kinds & {"m", "M"} or types & {np.datetime64, np.timedelta64}:
        raise GraphTypeError("X has dates or spans of time: convert them to numbers")
    if any(issubclass(each, str) for each in types):
        raise GraphTypeError("X has texts: write X.astype(float) if they are numbers, else leave them out")


def known_distance(metric: Any) -> Callable[[Any, Any], Any] | None:
    """Return the function of `boruvka.graph.distances` for a metric of scikit-learn, None if it has none."""
    name = CHECKED_AS.get(metric, metric) if isinstance(metric, str) else None
    return getattr(distances, name) if name in distances.__all__ else None


def warn_of_angle(estimator: Any, name: str, angle: float, heights: NDArray[np.float64]) -> None:
    """Warn of an angle above all heights of a tree of points on a sphere, which may be in another unit."""
    largest = heights.max(where=np.isfinite(heights), initial=0)
    if estimator.metric == "haversine" and 0 < largest < angle < np.inf:
        what = f"{name} is {angle:g}, above all distances, up to {largest:g}"
        warn(f"{what}: they are radians, degrees * pi / 180 or kilometres / 6371.0088")


def with_input_tags(tags: Any, metric: Any) -> Any:
    """Set scikit-learn's tags for the kind of input."""
    tags.input_tags.sparse = True
    tags.input_tags.pairwise = tags.input_tags.positive_only = metric == "precomputed"
    return tags


def is_searched(estimator: Any) -> bool:
    """Return whether distances are computed on demand, so that a tree can search the points."""
    return estimator.metric in SEARCHED and not estimator.metric_params


def distance_graph(x: Any, estimator: Any) -> Graph:
    """Make the graph of distances from checked input."""
    metric = estimator.metric
    if sparse.issparse(x):
        return Graph.from_scipy(x)
    if metric == "precomputed":
        return Graph.from_dense(x, null_value=None)
    if is_searched(estimator):
        return DistanceGraph(x, metric, box=estimator.box)
    matrix = np.asarray(pairwise_distances(x, metric=metric, **estimator.metric_params or {}), np.float64)
    may_be_infinite = callable(metric) or metric == "braycurtis"  # of opposite vectors
    if not np.isfinite(matrix.max()):
        wrong = np.isnan(matrix) if may_be_infinite else ~np.isfinite(matrix)
        if wrong.any():
            i, j = np.argwhere(wrong)[0].tolist()
            raise GraphError(f"the distance of points {i} and {j} is {matrix[i, j]}")
    return Graph.from_dense(matrix, null_value=None)


def reachability_merges(
    x: Any, estimator: Any, values: list[int], alpha: float, solver: SolveOptions, weight: Any
) -> list[tuple[Merges, NDArray[np.float64] | None]]:
    """Find the merges of single linkage by mutual reachability distances, for each value of ``min_samples``.

    Returns
    -------
    list of (Merges, (n,) array of float64 or None)
        The merges; and the core distances, None for sparse distances. If points have weights, they are
        rounded as the heights of the merges.
    """
    descending = sorted(set(values), reverse=True)
    cores: list[Any] = [None] * len(descending)
    factor, metric = 1.0, estimator.metric
    if is_searched(estimator):
        graph, factor = DistanceGraph(x, metric, core_factor=alpha, box=estimator.box), 1 / alpha
        if weight is not None:
            cores = [_weighted_core_distances(x, metric, k, weight) for k in descending]
            graphs = [graph.with_min_samples(min(k, len(x))) for k in descending]
            for each, core in zip(graphs, cores, strict=True):
                each.keep_core_distances(core)
            forests = [solve(each, solver) for each in graphs]
            cores = [core * alpha * factor for core in cores]
        elif alpha <= 1:
            forests = forests_of_points(graph, descending, solver)
        else:  # a point that is not a nearest neighbour may be nearer than the core distance times alpha
            forests = [solve(graph.with_min_samples(k), solver) for k in descending]
        if weight is None:
            cores = [cast(DistanceGraph, forest.graph).core_distances for forest in forests]
    elif sparse.issparse(x):
        given = distance_graph(x, estimator)
        forests = [solve(Graph.from_mutual_reachability(given, k, alpha=alpha), solver) for k in descending]
        _warn_of_few_distances(forests[0], x, descending[0])
    else:
        matrix = cast(MatrixGraph, distance_graph(x, estimator)).matrix
        matrix = checked_distances(np.minimum(matrix, matrix.T), matrix.dtype)
        if weight is None:
            cores = list(core_distances_of_matrix(matrix, descending))
        else:
            weights = np.broadcast_to(weight, matrix.shape)
            cores = [_distance_within(matrix, weights, k) for k in descending]
        matrix /= alpha
        forests = forests_of_matrix(matrix, cores, solver)
    merges = [merges_of(forest, factor)[0] for forest in forests]
    found = dict(zip(descending, zip(merges, cores, strict=True), strict=True))
    return [found[k] for k in values]


def _warn_of_few_distances(forest: Forest, x: Any, k: int) -> None:
    """Warn of points without finite distances of mutual reachability, and of distances that all are 1."""
    ends = np.concatenate([forest.u[forest.w < np.inf], forest.v[forest.w < np.inf]])
    few, least = forest.n - np.unique(ends).size, max(int(np.diff(x.tocsr().indptr).min()), 1)
    if few and k > 1:
        warn(
            f"{few:,} of {forest.n:,} points are noise, with fewer than min_samples={k} distances in X, or "
            f"only to such points: pass n_neighbors={k}, or min_samples={least}, by default min_cluster_size"
        )
    if x.nnz > forest.n and (x.data == 1).all():
        warn("all distances are 1, as in a graph of mode='connectivity': write mode='distance'")


def _weighted_core_distances(
    points: NDArray[np.float64], metric: str, min_samples: int, weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Find the distance within which the weights of points, the point itself included, reach min_samples."""
    from sklearn.neighbors import NearestNeighbors

    core, few = np.zeros(len(points)), np.flatnonzero(weight < min_samples)
    search = NearestNeighbors(metric=metric, n_jobs=-1).fit(points)
    graph = DistanceGraph(points, metric)
    for rows, _, near in neighbors_with_weight(search, points[few], weight, min_samples, min_samples):
        here = few[rows]
        distance = graph.weights_at(here.repeat(near.shape[1]), near.ravel()).reshape(near.shape)
        core[here] = _distance_within(distance, weight[near], min_samples)
    return core


def neighbors_with_weight(
    search: Any, points: NDArray[np.float64], weight: NDArray[Any], least: float, k: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]]:
    """Find the k nearest neighbors of points, or twice as many and so on, until their weights reach a sum.

    Parameters
    ----------
    search : sklearn.neighbors.NearestNeighbors
    points : (m, d) array
    weight : (n,) array
        The weights of the points that are searched.
    least : float
        Sum of weights; if it is larger than the sum of all, all points are neighbors.
    k : int

    Yields
    ------
    rows, distance, near : (r,), (r, k) and (r, k) arrays
        Some of the points, the distances of their neighbors in ascending order, and the neighbors.
    """
    left, n = np.arange(len(points)), weight.size
    while left.size:
        k, light = min(k, n), []
        rows = max(NEIGHBORS_AT_ONCE // k, 1)
        for first in range(0, left.size, rows):
            here = left[first : first + rows]
            distance, near = search.kneighbors(points[here], k)
            is_enough = (weight[near].sum(axis=1) >= least) | (k == n)
            yield here[is_enough], distance[is_enough], near[is_enough]
            light.append(here[~is_enough])
        left, k = np.concatenate(light), 2 * k


def _distance_within(
    distance: NDArray[np.float64], weight: NDArray[np.float64], least: float
) -> NDArray[np.float64]:
    """Find, for each row, the smallest distance within which the weights reach a sum."""
    order = np.argsort(distance, axis=1)
    reached = np.cumsum(np.take_along_axis(weight, order, axis=1), axis=1) >= least
    reached[:, -1] = True  # where a sum is rounded below it
    last = np.take_along_axis(order, reached.argmax(axis=1)[:, None], axis=1)
    return np.take_along_axis(distance, last, axis=1)[:, 0]
