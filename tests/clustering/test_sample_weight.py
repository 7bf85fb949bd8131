"""Weights of points: a point of weight k is k equal points."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import make_blobs

from boruvka import GraphError, OptionError
from boruvka.sklearn import HDBSCAN

POINTS = make_blobs(150, centers=5, random_state=3)[0]
WEIGHTS = np.random.default_rng(1).integers(1, 6, 150)


def assert_same_as_repeated(points, weights, new, **parameters):
    """Fit weighted points, and every point as often as its weight says."""
    if parameters.get("metric") == "precomputed":
        repeated = points.repeat(weights, axis=0).repeat(weights, axis=1)
    else:
        repeated = points.repeat(weights, axis=0)
    one = HDBSCAN(**parameters).fit(points, sample_weight=weights)
    many = HDBSCAN(**parameters).fit(repeated)
    assert one.labels_.repeat(weights).tolist() == many.labels_.tolist()
    for name in "probabilities_", "outlier_scores_":
        np.testing.assert_allclose(getattr(one, name).repeat(weights), getattr(many, name), rtol=1e-9)
    assert one.relative_validity_ == pytest.approx(many.relative_validity_, rel=1e-9)
    mine, theirs = one.condensed_tree_, many.condensed_tree_
    np.testing.assert_allclose(np.sort(mine.birth), np.sort(theirs.birth))
    assert sorted(mine.size.tolist()) == sorted(theirs.size.tolist())
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


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), min_size=2, max_size=25),
    st.integers(2, 6),
    st.integers(1, 4),
    st.booleans(),
)
def test_weights_are_repetitions_of_tied_points(rows, min_cluster_size, min_samples, is_matrix):
    points, weights = np.array([[x] for x, _ in rows], float), np.array([weight for _, weight in rows])
    given, how = points, {}
    if is_matrix:
        given, how = np.abs(points - points.T), {"metric": "precomputed"}
    if min_samples <= weights.sum():
        parameters = {"min_cluster_size": min_cluster_size, "min_samples": min_samples}
        assert_same_as_repeated(given, weights, None, **parameters, **how)


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
        ([1, 1, 0, 1], GraphError, r"sample_weight\[2\] is 0.0, not positive: leave out points of weight 0"),
        ([1, -1, 1, 1], GraphError, r"sample_weight\[1\] is -1.0"),
        ([1, 1, 1], ValueError, r"sample_weight\.shape"),
        ([1, np.nan, 1, 1], ValueError, "NaN"),
        ([0.1, 0.1, 0.1, 0.1], OptionError, "min_samples is 2, more than the 0.4 points"),
    ],
)
def test_wrong_weights(weights, error, message):
    with pytest.raises(error, match=message):
        HDBSCAN(min_cluster_size=2).fit(POINTS[:4], sample_weight=weights)


def test_sparse_distances_have_no_weights():
    graph = sparse.csr_array(np.ones((4, 4)))
    with pytest.raises(GraphError, match="sample_weight is not for sparse distances"):
        HDBSCAN(metric="precomputed", min_samples=2).fit(graph, sample_weight=np.ones(4))
