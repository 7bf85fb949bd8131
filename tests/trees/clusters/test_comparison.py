"""Many values of min_cluster_size on one tree, beside fits of each, scikit-learn and the hdbscan library."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

pytest.importorskip("sklearn")

import sklearn.cluster
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import pairwise_distances

from boruvka import Forest, Graph, minimum_spanning_forest
from boruvka.errors import GraphError, OptionError
from boruvka.sklearn import HDBSCAN

SIZES = [2, 5, 12, 30, 80, 12, 1_000]
MOONS = make_moons(400, noise=0.06, random_state=1)[0]
BLOBS = make_blobs(500, centers=4, random_state=0)[0]
POINTS = pytest.mark.parametrize("points", [MOONS, BLOBS], ids=["moons", "blobs"])
METHODS = pytest.mark.parametrize("method", ["eom", "leaf"])


def numbered(labels):
    """Number clusters in the order of their smallest points."""
    numbers = {-1: -1}
    return [numbers.setdefault(label, len(numbers) - 1) for label in labels.tolist()]


@example(
    seed=4,
    n=4,
    values=6,
    metric="precomputed",
    is_weighted=True,
    parameters={"min_samples": 3, "allow_single_cluster": True},  # a core distance is infinite
)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(4, 60),
    values=st.sampled_from([1, 3, 6, 1000]),
    metric=st.sampled_from(["euclidean", "precomputed"]),
    is_weighted=st.booleans(),
    parameters=st.fixed_dictionaries(
        {
            "min_samples": st.integers(1, 4) | st.none(),
            "cluster_selection_method": st.sampled_from(["eom", "leaf"]),
            "cluster_selection_epsilon": st.sampled_from([0, 0.5, 2]),
            "allow_single_cluster": st.booleans(),
            "max_cluster_size": st.none() | st.integers(2, 20),
        }
    ),
)
@pytest.mark.filterwarnings("ignore:sample_weight has the median")
def test_the_same_as_a_fit_of_each_value(seed, n, values, metric, is_weighted, parameters):
    """Also where distances are equal or infinite, points have weights, and rows are not finite."""
    rng = np.random.default_rng(seed)
    data = rng.integers(0, values, (n, 2)).astype(float)
    if metric == "precomputed":
        data = pairwise_distances(data)
        data[data > np.quantile(data, 0.5)] = np.inf
    elif n > 10:
        data[:2, 0] = np.nan, np.inf
    weight = rng.integers(1, 4, n) if is_weighted else None
    model = HDBSCAN(4, metric=metric, **parameters).fit(data, sample_weight=weight)
    found = model.compare_min_cluster_sizes([3, 2, 9])
    parameters["min_samples"] = parameters["min_samples"] or 4
    for i, size in enumerate([3, 2, 9]):
        alone = HDBSCAN(size, metric=metric, **parameters).fit(data, sample_weight=weight)
        assert found.labels[i].tolist() == alone.labels_.tolist()
        np.testing.assert_array_equal(found.probabilities[i], alone.probabilities_)
        assert found.n_clusters[i] == alone.labels_.max(initial=-1, where=alone.labels_ >= 0) + 1
        assert found.validity[i] == alone.relative_validity_
        persistence = alone.cluster_persistence_
        assert found.persistence[i] == (persistence.mean() if persistence.size else 0)
        finite = alone.labels_ >= -1
        noise = np.average(alone.labels_[finite] < 0, weights=None if weight is None else weight[finite])
        assert found.noise[i] == pytest.approx(noise)
        other = model.with_min_cluster_size(size)
        assert other.get_params() == alone.get_params()
        for name in "labels_", "probabilities_", "outlier_scores_":
            np.testing.assert_array_equal(getattr(other, name), getattr(alone, name))
        np.testing.assert_array_equal(other.condensed_tree_.to_numpy(), alone.condensed_tree_.to_numpy())


@POINTS
@METHODS
def test_labels_are_those_of_scikit_learn(points, method):
    parameters = {"min_samples": 2, "cluster_selection_method": method}  # so no distances are equal
    found = HDBSCAN(**parameters).fit(points).compare_min_cluster_sizes(SIZES[:-1])
    for size, labels, probabilities in zip(SIZES, found.labels, found.probabilities, strict=False):
        theirs = sklearn.cluster.HDBSCAN(min_cluster_size=size, copy=True, **parameters).fit(points)
        assert labels.tolist() == numbered(theirs.labels_)
        np.testing.assert_allclose(probabilities, theirs.probabilities_)


@POINTS
@METHODS
@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_labels_and_indices_are_those_of_hdbscan(points, method):
    hdbscan = pytest.importorskip("hdbscan")
    found = (
        HDBSCAN(min_samples=2, cluster_selection_method=method).fit(points).compare_min_cluster_sizes(SIZES)
    )
    assert len(set(found.n_clusters.tolist())) > 2
    for i, size in enumerate(SIZES):
        theirs = hdbscan.HDBSCAN(
            size, min_samples=1, cluster_selection_method=method, gen_min_span_tree=True
        ).fit(points)
        assert found.labels[i].tolist() == numbered(theirs.labels_)
        assert found.noise[i] == (theirs.labels_ < 0).mean()
        assert found.n_clusters[i] == theirs.cluster_persistence_.size
        if found.n_clusters[i]:
            assert found.persistence[i] == pytest.approx(theirs.cluster_persistence_.mean())
            assert found.validity[i] == pytest.approx(theirs.relative_validity_)


def test_a_forest_has_the_clusters_without_scikit_learn():
    forest = minimum_spanning_forest(Graph.from_points(MOONS, min_samples=4))
    found = forest.hdbscan(SIZES, cluster_selection_method="leaf", cluster_selection_epsilon=0.05)
    model = HDBSCAN(min_samples=4, cluster_selection_method="leaf", cluster_selection_epsilon=0.05).fit(MOONS)
    expected = model.compare_min_cluster_sizes(SIZES)
    np.testing.assert_array_equal(found.labels, expected.labels)
    pd.testing.assert_frame_equal(found.to_pandas(), expected.to_pandas())


def test_a_forest_of_two_components():
    found = minimum_spanning_forest(([0, 1, 3, 4], [1, 2, 4, 5], [1, 1, 2, 3])).hdbscan([2, 3, 4])
    assert found.labels.tolist() == [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [-1] * 6]


def test_the_table():
    model = HDBSCAN(min_cluster_size=10, min_samples=5).fit(BLOBS)
    found = model.compare_min_cluster_sizes(range(10, 40, 10))
    frame = found.to_pandas()
    assert frame["min_cluster_size"].tolist() == [10, 20, 30]
    first, *rows = str(found).splitlines()
    assert first.split() == list(frame.columns)
    assert [[float(x) for x in row.split()] for row in rows] == frame.round(3).to_numpy().tolist()
    assert {len(row) for row in rows} == {len(first)}
    pytest.importorskip("matplotlib")
    drawn = model.compare_min_cluster_sizes([30, 10, 20]).plot()
    for axes, name in zip(drawn, frame.columns[1:], strict=True):
        assert axes.lines[0].get_xdata().tolist() == [10, 20, 30]
        assert axes.lines[0].get_ydata().tolist() == frame[name].tolist()
        assert (axes.get_ylabel(), axes.get_legend()) == (name, None)
    assert all(tick == int(tick) for tick in drawn[0].get_yticks())
    assert model.compare_min_cluster_sizes([10, 20]).plot(subplots=False).get_legend() is not None
    pytest.importorskip("polars")
    assert found.to_polars().to_dict(as_series=False) == frame.to_dict("list")
    nothing = model.compare_min_cluster_sizes([])
    assert (nothing.labels.shape, len(nothing.to_pandas()), str(nothing)) == ((0, 500), 0, first)


def test_a_copy_of_another_size():
    """It predicts as a fit does, and the first estimator stays as it is."""
    model = HDBSCAN(min_cluster_size=40, store_centers="both").fit(MOONS)
    labels = model.labels_.copy()
    other, alone = model.with_min_cluster_size(5), HDBSCAN(5, 40, store_centers="both").fit(MOONS)
    assert other.get_params() == alone.get_params()
    assert clone(other).fit_predict(MOONS).tolist() == other.labels_.tolist()
    for a, b in zip(
        other.approximate_predict(BLOBS / 10), alone.approximate_predict(BLOBS / 10), strict=True
    ):
        np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(other.medoids_, alone.medoids_)
    assert [x.tolist() for x in other.exemplars_] == [x.tolist() for x in alone.exemplars_]
    assert (model.min_cluster_size, model.min_samples) == (40, None)
    other.labels_[:] = 7
    assert model.labels_.tolist() == labels.tolist()


def test_whole_floats():
    model = HDBSCAN(min_cluster_size=5).fit(MOONS)
    found = model.compare_min_cluster_sizes(np.linspace(5, 25, 5))
    assert found.labels.tolist() == model.compare_min_cluster_sizes(range(5, 26, 5)).labels.tolist()
    with pytest.raises(OptionError, match=r"must be an integer 2 or more, got .*28\.75"):
        model.compare_min_cluster_sizes(np.linspace(5, 100, 5))


def test_wrong_arguments():
    model = HDBSCAN().fit(BLOBS)
    for wrong in 1, 0, 2.5, "5", None, np.nan:
        with pytest.raises(OptionError, match="min_cluster_size must be an integer 2 or more"):
            model.compare_min_cluster_sizes([5, wrong])
        with pytest.raises(OptionError, match="min_cluster_size must be an integer 2 or more"):
            model.with_min_cluster_size(wrong)
    with pytest.raises(OptionError, match="min_cluster_size must be a list of integers, got 5"):
        model.compare_min_cluster_sizes(5)
    with pytest.raises(NotFittedError):
        HDBSCAN().compare_min_cluster_sizes([5])
    with pytest.raises(NotFittedError):
        HDBSCAN().with_min_cluster_size(5)


def test_parameters_that_were_set_after_the_fit():
    """A copy has those of the fit."""
    model = HDBSCAN(5, store_centers="both").fit(BLOBS)
    expected = model.with_min_cluster_size(9)
    model.set_params(store_centers=None, cluster_selection_method="leaf")
    copied = model.with_min_cluster_size(9)
    assert copied.get_params() == expected.get_params()
    np.testing.assert_array_equal(copied.centroids_, expected.centroids_)


@pytest.mark.parametrize("dtype", [np.int64, np.float32, np.longdouble])
def test_types_of_weights(dtype):
    w = [27, 9, 4, 18, 3, 4, 3]
    of_floats, found = (
        minimum_spanning_forest(Graph(8, range(7), range(1, 8), np.array(w, t))).hdbscan([2, 3])
        for t in (float, dtype)
    )
    assert str(found) == str(of_floats)
    np.testing.assert_array_equal(found.labels, of_floats.labels)


def test_distances_whose_double_overflows():
    found = minimum_spanning_forest(Graph(4, [0, 2], [1, 3], [1e308, 1e308])).hdbscan([2])
    assert found.validity.tolist() == [0.5]


def test_forests_without_distances():
    edges = ([0, 1, 2], [1, 2, 3], [5.0, -2.0, 7.0])
    with pytest.raises(GraphError, match=r"hdbscan needs distances, but edge 1 .* has the weight -2"):
        minimum_spanning_forest(edges).hdbscan([2])
    with pytest.raises(GraphError, match="this is a maximum spanning forest"):
        minimum_spanning_forest(edges, maximum=True).hdbscan([2])
    with pytest.raises(GraphError, match="cycle"):
        Forest(Graph(3, [0, 1, 0], [1, 2, 2], [1.0, 1.0, 1.0]), np.arange(3), _is_optimal=True).hdbscan([2])
    with pytest.raises(OptionError, match="cluster_selection_method must be one of eom, leaf"):
        minimum_spanning_forest(([0], [1], [1.0])).hdbscan([2], cluster_selection_method="best")
    for n in 0, 1:
        with pytest.raises(GraphError, match=f"at least two vertices, this forest has {n}"):
            minimum_spanning_forest(([], [], [], n)).hdbscan([2])
    nothing = minimum_spanning_forest(([], [], [], 3)).hdbscan([2])
    assert nothing.labels.tolist() == [[-1, -1, -1]]
