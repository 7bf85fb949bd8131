"""Single linkage against scikit-learn and SciPy."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("sklearn")

import sklearn.cluster
from scipy import sparse
from scipy.cluster import hierarchy
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import cosine_distances, cosine_similarity

from boruvka import Graph, minimum_spanning_forest
from boruvka.errors import GraphError, GraphWarning
from boruvka.sklearn import HDBSCAN, SingleLinkage

POINTS = np.random.default_rng(0).random((200, 3))


def same(a, b):
    """Return whether two labellings are the same partition."""
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


@pytest.mark.parametrize(
    "metric", ["euclidean", "cosine", *(pytest.param(m, marks=pytest.mark.long) for m in ("l1", "chebyshev"))]
)
@pytest.mark.parametrize("how", [{"n_clusters": 7}, {"n_clusters": None, "distance_threshold": 0.1}], ids=str)
def test_equals_scikit_learn(metric, how):
    ours = SingleLinkage(metric=metric, **how).fit(POINTS)
    theirs = AgglomerativeClustering(linkage="single", metric=metric, compute_distances=True, **how).fit(
        POINTS
    )
    assert same(ours.labels_, theirs.labels_)
    assert ours.n_clusters_ == theirs.n_clusters_
    np.testing.assert_allclose(ours.distances_, theirs.distances_)
    assert np.array_equal(np.sort(ours.children_), np.sort(theirs.children_))
    assert hierarchy.is_valid_linkage(ours.linkage_)


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array, sparse.coo_array])
def test_distances(convert):
    distances = pairwise_distances(POINTS)
    found = SingleLinkage(7, metric="precomputed").fit(convert(distances))
    expected = SingleLinkage(7).fit(POINTS)
    assert found.labels_.tolist() == expected.labels_.tolist()
    np.testing.assert_allclose(found.distances_, expected.distances_)


def test_merges_at_the_threshold_are_left_out():
    model = SingleLinkage(n_clusters=None, distance_threshold=1.0)
    assert model.fit_predict([[0.0], [1.0], [1.5]]).tolist() == [0, 1, 1]


def test_components_merge_last():
    graph = sparse.coo_array(([0.0, 5, np.inf], ([0, 2, 1], [1, 3, 2])), shape=(5, 5))
    model = SingleLinkage(3, metric="precomputed").fit(graph)
    assert model.n_connected_components_ == 3
    assert model.labels_.tolist() == [0, 0, 1, 1, 2]
    assert model.distances_.tolist() == [0, 5, np.inf, np.inf]
    assert SingleLinkage(2, metric="precomputed").fit_predict(graph).tolist() == [0, 0, 0, 0, 1]


def test_labels_of_columns_may_be_texts():
    """They are, and those of rows are numbers, in a frame that pandas read from a file."""
    frame = pd.DataFrame([[0.0, 1, 9], [1, 0, 9], [9, 9, 0]], [1, 2, 3], ["1", "2", "3"])
    assert SingleLinkage(2, metric="precomputed").fit_predict(frame).tolist() == [0, 0, 1]


def test_errors_about_frames_name_the_column():
    frame = pd.DataFrame({"x": [0.0, 1, np.nan], "kind": ["a", "b", "c"]}, ["p", "q", "r"])
    for estimator in SingleLinkage(), HDBSCAN(2):
        with pytest.raises(
            TypeError, match=r"the column 'kind' has 'a' in the row 'p', .* write X\.select_dtypes"
        ):
            estimator.fit(frame)
    with pytest.raises(
        ValueError,
        match=r"the column 'x' is nan in the row 'r'; .* write X\[numpy\.isfinite\(X\.astype\(float\)\)",
    ):
        SingleLinkage().fit(frame[["x"]])
    assert SingleLinkage(2).fit(frame[["x"]].dropna()).labels_.tolist() == [0, 1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_that_rounding_made_negative_are_0(dtype):
    """As in 1 - cosine_similarity, of which scikit-learn clips those that it computes."""
    vectors = np.random.default_rng(3).normal(size=(60, 300)).astype(dtype)
    vectors[40:50] = vectors[30:40] * 3
    distances = (1 - cosine_similarity(vectors)).astype(dtype)
    assert distances.min() < 0
    clipped, before = np.maximum(distances, 0), distances.copy()
    for estimator in SingleLinkage(50, metric="precomputed"), HDBSCAN(2, metric="precomputed"):
        labels = estimator.fit(distances).labels_
        assert labels.tolist() == clone(estimator).fit(clipped).labels_.tolist()
        with pytest.raises(ValueError, match="Negative values in data"):
            estimator.fit(distances - dtype(0.01))
    sparse_ = sparse.csr_array(distances)
    counted = sparse_.copy()
    counted.data = counted.data.clip(0)
    found, others = (HDBSCAN(2, metric="precomputed").fit(x).labels_ for x in (sparse_, counted))
    assert found.tolist() == others.tolist()
    for graph in Graph.from_scipy(sparse_), Graph.from_distances(distances):
        assert minimum_spanning_forest(Graph.from_mutual_reachability(graph, 1)).w.min() == 0
    with pytest.raises(ValueError, match=r"write numpy.maximum\(X, 0\), if sparse X\.data\.clip"):
        HDBSCAN(2, metric="precomputed").fit(-sparse_)
    assert sparse_.data.min() < 0
    np.testing.assert_array_equal(distances, before)
    expected = sklearn.cluster.HDBSCAN(2, metric="precomputed", copy=True).fit(clipped).labels_
    assert same(labels, expected)


@pytest.mark.parametrize(
    "estimator", [SingleLinkage(4, metric="precomputed"), HDBSCAN(4, metric="precomputed")]
)
def test_similarities_are_not_distances(estimator):
    vectors = np.abs(np.random.default_rng(3).normal(size=(30, 4)))
    with pytest.warns(GraphWarning, match=r"look like correlations.*: pass distances, as numpy.sqrt\("):
        estimator.fit(similar := cosine_similarity(vectors))
    estimator.fit(np.sqrt(2 * (1 - similar).clip(0)))  # without a warning
    vectors[:, 0] *= np.resize([1, -1], 30)
    with pytest.raises(GraphError, match=r"similarities: of cosines write numpy") as caught:
        estimator.fit(similar := cosine_similarity(vectors))
    code = str(caught.value).partition("cosines write ")[2]
    advised = estimator.fit(eval(code, {"X": similar, "numpy": np})).labels_.tolist()
    lengths = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    assert advised == clone(estimator).set_params(metric="euclidean").fit(lengths).labels_.tolist()


def test_a_zero_vector_has_the_cosine_distances_of_scikit_learn():
    vectors = np.random.default_rng(3).normal(size=(40, 3))
    vectors[7] = 0
    distances = cosine_distances(vectors)
    assert set(np.delete(distances[7], 7)) == {1.0}
    merges = hierarchy.linkage(distances[np.triu_indices(40, 1)], "single")
    np.testing.assert_allclose(SingleLinkage(2, metric="cosine").fit(vectors).distances_, merges[:, 2])
    assert HDBSCAN(3, metric="cosine").fit(vectors).labels_[7] == -1


@pytest.mark.parametrize("metric", ["euclidean", "canberra"])
def test_numbers_that_stand_for_missing_values_are_told_once(metric):
    points = np.column_stack([[7, 8, 9, 7], [1, -999, 400, -999]])
    with pytest.warns(GraphWarning) as caught:
        SingleLinkage(2, metric=metric).fit(points)
    assert [str(each.message)[:20] for each in caught] == ["coordinate 1 is -999"]
