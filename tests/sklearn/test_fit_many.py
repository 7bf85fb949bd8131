"""HDBSCAN for many values of min_samples at once is the same as separate fits."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn")

from scipy import sparse
from sklearn.datasets import make_blobs
from sklearn.metrics import pairwise_distances

from boruvka import GraphError, OptionError
from boruvka.sklearn import HDBSCAN

POINTS = make_blobs(1_500, centers=6, random_state=1)[0]
SOME = make_blobs(120, centers=3, random_state=2, n_features=4)[0]


def assert_same_as_separate_fits(points, samples, sample_weight=None, **parameters):
    """Compare everything that a fit finds, bit by bit."""
    template = HDBSCAN(**parameters)
    models = template.fit_many(points, samples, sample_weight=sample_weight)
    assert len(models) == len(samples)
    for k, model in zip(samples, models, strict=True):
        alone = HDBSCAN(min_samples=k, **parameters).fit(points, sample_weight=sample_weight)
        assert model.get_params() == alone.get_params()
        assert model.n_features_in_ == alone.n_features_in_
        for name in "labels_", "probabilities_", "outlier_scores_":
            np.testing.assert_array_equal(getattr(model, name), getattr(alone, name))
        np.testing.assert_array_equal(model.single_linkage_tree_.linkage, alone.single_linkage_tree_.linkage)
        np.testing.assert_array_equal(model.condensed_tree_.to_numpy(), alone.condensed_tree_.to_numpy())
        assert model.relative_validity_ == alone.relative_validity_
        assert model.dbscan_clustering(1.0).tolist() == alone.dbscan_clustering(1.0).tolist()
    assert not hasattr(template, "labels_")


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(2, 60),
    values=st.sampled_from([1, 2, 3, 6, 1000]),
    metric=st.sampled_from(["euclidean", "manhattan", "chebyshev", "canberra", "precomputed"]),
    samples=st.lists(st.integers(1, 12), max_size=5),
    parameters=st.fixed_dictionaries(
        {
            "min_cluster_size": st.integers(2, 6),
            "cluster_selection_method": st.sampled_from(["eom", "leaf"]),
            "allow_single_cluster": st.booleans(),
            "alpha": st.sampled_from([1.0, 0.5, 1.7]),
        }
    ),
)
def test_points_with_equal_distances(seed, n, values, metric, samples, parameters):
    points = np.random.default_rng(seed).integers(0, values, (n, 2)).astype(float)
    if metric == "precomputed":
        points = pairwise_distances(points)
    samples = [min(k, n) for k in samples]
    assert_same_as_separate_fits(points, samples, metric=metric, **parameters)


@pytest.mark.parametrize("values", [0, 9])
@pytest.mark.parametrize("algorithm", ["kd_tree", "brute"])
def test_many_points(values, algorithm):
    """A kd-tree is used for as many points; of the second, many are equal."""
    points = np.round(POINTS / 20 * values) if values else POINTS
    assert_same_as_separate_fits(points, [5, 30, 1, 2, 60, 5], min_cluster_size=20, algorithm=algorithm)


@pytest.mark.parametrize("alpha", [0.7, 1.4])
def test_alpha(alpha):
    assert_same_as_separate_fits(POINTS, [3, 12, 7], min_cluster_size=20, alpha=alpha)


@pytest.mark.parametrize("metric", ["euclidean", "minkowski", "precomputed"])
def test_weights(metric):
    points = pairwise_distances(SOME) if metric == "precomputed" else SOME
    weight = np.random.default_rng(3).integers(1, 5, len(SOME))
    assert_same_as_separate_fits(points, [9, 2, 150], weight, min_cluster_size=9, metric=metric)


@pytest.mark.filterwarnings("ignore:.* points are noise, with fewer")
def test_sparse_distances_with_few_entries():
    distances = pairwise_distances(SOME)
    distances[distances > np.quantile(distances, 0.2)] = 0
    assert_same_as_separate_fits(sparse.csr_array(distances), [2, 9, 30], metric="precomputed")


def test_infinite_distances():
    distances = pairwise_distances(SOME)
    distances[distances > np.quantile(distances, 0.2)] = np.inf
    assert_same_as_separate_fits(distances, [2, 9, 30], metric="precomputed")


def test_a_function_is_called_once_for_each_pair():
    calls = 0

    def metric(a, b):
        nonlocal calls
        calls += 1
        return np.abs(a - b).sum()

    HDBSCAN(metric=metric).fit(SOME)
    expected, calls = calls, 0
    models = HDBSCAN(metric=metric).fit_many(SOME, [2, 9, 30])
    assert calls == expected
    assert models[1].labels_.tolist() == HDBSCAN(min_samples=9, metric="manhattan").fit(SOME).labels_.tolist()


def test_estimators_are_independent():
    frame = pd.DataFrame(SOME.copy(), columns=list("abcd"))
    template = HDBSCAN(min_samples=4, store_centers="both")
    first, second, again = template.fit_many(frame, np.array([2, 9, 2]))
    assert template.min_samples == 4
    assert (first.min_samples, second.min_samples) == (2, 9)
    assert first.feature_names_in_.tolist() == second.feature_names_in_.tolist() == list("abcd")
    alone = HDBSCAN(min_samples=9, store_centers="both").fit(frame)
    np.testing.assert_array_equal(second.medoids_, alone.medoids_)
    first.labels_[:] = 7
    frame[:] = 0.0
    assert (again.labels_ != 7).any()
    new = pd.DataFrame(SOME + 0.1, columns=list("abcd"))
    for found, expected in zip(second.approximate_predict(new), alone.approximate_predict(new), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_wrong_arguments():
    with pytest.raises(OptionError, match="min_samples is 121, more than the 120 points"):
        HDBSCAN().fit_many(SOME, [3, 121])
    with pytest.raises(OptionError, match="min_samples must be an integer"):
        HDBSCAN().fit_many(SOME, [3, 0])
    with pytest.raises(OptionError, match="min_samples must be an integer"):
        HDBSCAN().fit_many(SOME, [None])
    with pytest.raises(OptionError, match="min_samples must be a list of integers"):
        HDBSCAN().fit_many(SOME, 3)
    with pytest.raises(GraphError, match="Negative values"):
        HDBSCAN(metric=lambda a, b: -1.0).fit_many(SOME, [3, 4])
    assert HDBSCAN().fit_many(SOME, []) == []
