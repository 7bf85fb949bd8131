"""Weights of points: a point of weight k is k equal points."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn")

from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs

from boruvka import GraphError, GraphTypeError, GraphWarning, OptionError
from boruvka.sklearn import HDBSCAN

POINTS = make_blobs(150, centers=5, random_state=3)[0]
WEIGHTS = np.random.default_rng(1).integers(1, 6, 150)


def assert_same_as_repeated(points, weights, new, **parameters):
    """Fit weighted points, and every point as often as its weight says."""
    is_matrix = parameters.get("metric") == "precomputed"
    repeated = points.repeat(weights, axis=0)
    if is_matrix:
        repeated = repeated.repeat(weights, axis=1)
    else:
        parameters = {"store_centers": "both"} | parameters
    one = HDBSCAN(**parameters).fit(points, sample_weight=weights)
    many = HDBSCAN(**parameters).fit(repeated)
    assert one.labels_.repeat(weights).tolist() == many.labels_.tolist()
    for name in "probabilities_", "outlier_scores_":
        np.testing.assert_allclose(getattr(one, name).repeat(weights), getattr(many, name), rtol=1e-9)
    assert one.relative_validity_ == pytest.approx(many.relative_validity_, rel=1e-9)
    mine, theirs = one.condensed_tree_, many.condensed_tree_
    np.testing.assert_allclose(np.sort(mine.birth), np.sort(theirs.birth))
    assert sorted(mine.size.tolist()) == sorted(theirs.size.tolist())
    for cut in 0.1, 1, 2:
        found, expected = one.dbscan_clustering(cut, 3).repeat(weights), many.dbscan_clustering(cut, 3)
        assert found.tolist() == expected.tolist()
    if not is_matrix:
        np.testing.assert_allclose(one.centroids_, many.centroids_)
        for of_one, of_many in zip(one.membership_vectors(), many.membership_vectors(), strict=True):
            np.testing.assert_allclose(of_one.repeat(weights, axis=0), of_many, rtol=1e-9)
    if new is not None:
        for of_one, of_many in zip(one.approximate_predict(new), many.approximate_predict(new), strict=True):
            np.testing.assert_allclose(of_one, of_many)


@pytest.mark.parametrize("method", ["eom", "leaf"])
@pytest.mark.parametrize("min_samples", [1, 2, 5, 12])
@pytest.mark.parametrize("how", [{}, {"metric": "minkowski", "metric_params": {"p": 3}}, {"alpha": 1.5}])
def test_weights_are_repetitions(method, min_samples, how):
    new = np.random.default_rng(2).uniform(-12, 12, (200, 2))
    parameters = {"min_cluster_size": 9, "min_samples": min_samples, "cluster_selection_method": method}
    assert_same_as_repeated(POINTS, WEIGHTS, new, **parameters, **how)


@pytest.mark.filterwarnings("ignore:sample_weight has the median")
@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), min_size=2, max_size=25),
    st.integers(2, 6),
    st.integers(1, 9),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.booleans(),
)
def test_weights_are_repetitions_of_tied_points(rows, min_cluster_size, min_samples, alpha, is_matrix):
    """Also with more samples than rows."""
    points, weights = np.array([[x] for x, _ in rows], float), np.array([weight for _, weight in rows])
    given, how = points, {}
    if is_matrix:
        given, how = np.abs(points - points.T), {"metric": "precomputed"}
    if min_samples <= weights.sum():
        parameters = {"min_cluster_size": min_cluster_size, "min_samples": min_samples, "alpha": alpha}
        assert_same_as_repeated(given, weights, None, **parameters, **how)


@pytest.mark.parametrize("metric", ["precomputed", "braycurtis", "euclidean"])
def test_weights_with_alpha(metric):
    points = np.abs(POINTS) + 1
    given = np.linalg.norm(points[:, None] - points, axis=2) if metric == "precomputed" else points
    assert_same_as_repeated(given, WEIGHTS, None, metric=metric, min_cluster_size=9, min_samples=5, alpha=1.7)


@pytest.mark.parametrize("metric", ["euclidean", "precomputed"])
def test_sums_that_are_rounded_below_min_samples(metric):
    weights = np.random.default_rng(1).random(30)
    weights *= 10 / weights.sum()
    assert np.cumsum(weights)[-1] < 10 <= weights.sum()
    points = POINTS[:30]
    given = np.linalg.norm(points[:, None] - points, axis=2) if metric == "precomputed" else points
    HDBSCAN(2, min_samples=10, metric=metric).fit(given, sample_weight=weights)


def test_fractions_scale():
    """Twice the weights with twice the sizes is the same clustering; small weights need many neighbours."""
    weights = np.random.default_rng(4).uniform(0.01, 1, len(POINTS))
    one = HDBSCAN(min_cluster_size=6, min_samples=3).fit(POINTS, sample_weight=weights)
    two = HDBSCAN(min_cluster_size=12, min_samples=6).fit(POINTS, sample_weight=2 * weights)
    assert one.labels_.tolist() == two.labels_.tolist()
    assert set(one.labels_) >= {0, 1, 2}
    np.testing.assert_allclose(one.probabilities_, two.probabilities_)


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([0, 1, 0, 0], GraphError, "1 rows of X are finite and have a weight: at least two are needed"),
        ([1, -1, 1, 1], GraphError, r"sample_weight\[1\] is -1.0"),
        ([1, 1, 1], ValueError, r"sample_weight\.shape"),
        ([1, np.nan, 1, 1], ValueError, "NaN"),
        ([2.0**52] * 4, GraphError, r"the sum of sample_weight is 1\.80144e\+16; .* divide the weights"),
        ([1e308] * 4, GraphError, "the sum of sample_weight is inf"),
        (
            [0.1, 0.1, 0.1, 0.1],
            OptionError,
            "min_samples is 2, more than the 0.4 points in the sum of sample_weight, by",
        ),
    ],
)
def test_wrong_weights(weights, error, message):
    with pytest.raises(error, match=message):
        HDBSCAN(min_cluster_size=2).fit(POINTS[:4], sample_weight=weights)


@pytest.mark.parametrize("metric", ["precomputed", "euclidean"])
def test_rows_of_weight_0_are_left_out(metric):
    weights = np.where(np.arange(len(POINTS)) % 3 == 0, 0, WEIGHTS)
    kept, weights[1] = np.flatnonzero(weights), 0.5
    given = np.linalg.norm(POINTS[:, None] - POINTS, axis=2) if metric == "precomputed" else POINTS
    rest = given[kept][:, kept] if metric == "precomputed" else given[kept]
    model = HDBSCAN(9, min_samples=3, metric=metric)
    found = clone(model).fit(given, sample_weight=weights)
    alone = clone(model).fit(rest, sample_weight=weights[kept])
    for name, value in {"labels_": -1, "probabilities_": 0, "outlier_scores_": 1}.items():
        expected = np.full(len(POINTS), value, float)
        expected[kept] = getattr(alone, name)
        assert getattr(found, name).tolist() == expected.tolist()
    assert len({*found.labels_}) > 2
    assert found.minimum_spanning_tree_.weight == alone.minimum_spanning_tree_.weight
    assert found.compare_min_cluster_sizes([9]).labels[0].tolist() == found.labels_.tolist()
    assert found.condensed_tree_.size[0] == weights.sum()


TIMES = np.arange(1, 5).astype("m8[s]")


@pytest.mark.parametrize(
    "weights",
    [
        *(TIMES, TIMES.astype("m8[ns]"), TIMES.astype("M8[s]"), list(TIMES), TIMES[0], pd.Series(TIMES)),
        pd.Series(pd.to_datetime([1, 2, 3, 4])),
        *(["1"] * 4, np.ones(4) + 1j),
    ],
    ids=lambda weights: f"{type(weights).__name__} of {getattr(weights, 'dtype', '')}",
)
def test_weights_that_are_no_numbers(weights):
    with pytest.raises(GraphTypeError, match=r"sample_weight\[0\] is .*, not a number"):
        HDBSCAN(min_cluster_size=2).fit(POINTS[:4], sample_weight=weights)


def polars_series(values):
    return pytest.importorskip("polars").Series(values)


def test_durations_of_polars_are_no_weights():
    test_weights_that_are_no_numbers(polars_series(TIMES.astype("m8[ns]")))


@pytest.mark.filterwarnings("ignore:sample_weight has the median")
@pytest.mark.parametrize("convert", [np.asarray, list, pd.Series, polars_series])
@pytest.mark.parametrize("values", [[1, 2, 1, 2], [0.5, 1.5, 2, 1], [True] * 4, [Decimal(1), Decimal(3)] * 2])
def test_kinds_of_weights(values, convert):
    fitted = HDBSCAN(min_cluster_size=2).fit(POINTS[:4], sample_weight=convert(values))
    assert fitted.condensed_tree_.weight.tolist() == values


def test_sparse_distances_have_no_weights():
    graph = sparse.csr_array(np.ones((4, 4)))
    with pytest.raises(GraphError, match="sample_weight is not for sparse distances"):
        HDBSCAN(metric="precomputed", min_samples=2).fit(graph, sample_weight=np.ones(4))


@pytest.mark.parametrize("scale", [1500, 0.09])
def test_weights_that_are_not_numbers_of_points(scale):
    message = f"sample_weight has the median {scale}, and min_cluster_size is 2: .* / sample_weight.mean"
    with pytest.warns(GraphWarning, match=message):
        HDBSCAN(2, min_samples=1).fit(POINTS[:20], sample_weight=np.full(20, scale))
