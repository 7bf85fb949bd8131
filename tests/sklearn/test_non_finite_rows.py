"""Rows with NaN and infinities, and sparse rows: as scikit-learn's HDBSCAN, and as without them."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn")

from scipy import sparse
from sklearn.cluster import HDBSCAN as Theirs
from sklearn.neighbors import kneighbors_graph

from boruvka import FileError, Graph, GraphError, GraphWarning, OptionError, minimum_spanning_forest
from boruvka.sklearn import HDBSCAN, SingleLinkage
from boruvka.trees.forest import Forest

pytestmark = pytest.mark.filterwarnings("ignore:invalid value encountered")
RNG = np.random.default_rng(4)
BLOBS = np.concatenate([RNG.normal(center, 0.3, (25, 2)) for center in ([0, 0], [3, 0], [0, 3])])
RNG.shuffle(BLOBS)


def same_clusters(a, b):
    """Return whether labels mean the same clusters, whose numbers may differ."""
    return len(set(zip(a.tolist(), b.tolist(), strict=True))) == np.unique(a).size == np.unique(b).size


def with_gaps(gaps):
    x = BLOBS.copy()
    for row, column, value in gaps:
        x[row, column] = value
    return x


gaps = st.lists(
    st.tuples(st.integers(0, 74), st.integers(0, 1), st.sampled_from([np.nan, np.inf, -np.inf])), max_size=12
)


@given(gaps=gaps, single=st.booleans(), method=st.sampled_from(["eom", "leaf"]))
def test_labels_are_those_of_scikit_learn(gaps, single, method):
    x = with_gaps(gaps)
    how = {"allow_single_cluster": single, "cluster_selection_method": method, "min_cluster_size": 6}
    ours, theirs = HDBSCAN(**how).fit(x), Theirs(**how, copy=True).fit(x)
    finite = np.isfinite(x).all(axis=1)
    np.testing.assert_array_equal(ours.labels_[~finite], theirs.labels_[~finite])
    np.testing.assert_array_equal(ours.probabilities_[~finite], theirs.probabilities_[~finite])
    assert same_clusters(ours.labels_, theirs.labels_)
    without = HDBSCAN(**how).fit(x[finite])
    for name in "labels_", "probabilities_", "outlier_scores_":
        np.testing.assert_array_equal(getattr(ours, name)[finite], getattr(without, name))
    found, expected = ours.single_linkage_tree_.linkage, theirs._single_linkage_tree_
    np.testing.assert_allclose(found[:, 2], expected["value"])
    last = (~finite).sum()
    np.testing.assert_array_equal(
        found[len(found) - last :, 3], expected["cluster_size"][len(found) - last :]
    )
    cuts = ours.dbscan_clustering(0.5), theirs.dbscan_clustering(0.5)
    np.testing.assert_array_equal(cuts[0] < 0, cuts[1] < 0)
    assert same_clusters(*cuts)


def test_everything_has_a_row_for_each_point():
    x = with_gaps([(3, 0, np.nan), (7, 1, np.inf), (70, 0, -np.inf)])
    finite = np.isfinite(x).all(axis=1)
    rows, count = np.flatnonzero(finite), len(x)
    how = {"store_centers": "both", "min_cluster_size": 6}
    model, without = HDBSCAN(**how).fit(x), HDBSCAN(**how).fit(x[finite])
    assert model.labels_[[3, 7, 70]].tolist() == [-3, -2, -2]
    np.testing.assert_array_equal(model.outlier_scores_[[3, 7, 70]], [np.nan, 1, 1])
    tree = model.condensed_tree_
    assert (tree.cluster.size, tree.departure.size, tree.size[0]) == (count, count, count)
    assert tree.departure[[3, 7, 70]].tolist() == [0, 0, 0]
    assert model.single_linkage_tree_.linkage[-1, 3] == count
    assert len(model.condensed_tree_.to_pandas()) == len(without.condensed_tree_.to_pandas()) + 3
    spanning, smaller = model.minimum_spanning_tree_, without.minimum_spanning_tree_
    assert isinstance(spanning, Forest)
    assert (spanning.n, len(spanning), spanning.n_components) == (count, finite.sum() - 1, 4)
    assert spanning.weight == smaller.weight
    np.testing.assert_array_equal(spanning.u, rows[smaller.u])
    graph = Graph.from_points(x[finite], min_samples=6)
    assert smaller.weight == pytest.approx(minimum_spanning_forest(graph).weight)
    labels, strengths = model.membership_vectors(2)
    assert labels[[3, 7]].tolist() == [[-3, -3], [-2, -2]]
    np.testing.assert_array_equal(strengths[[3, 7]], [[np.nan, np.nan], [0, 0]])
    np.testing.assert_array_equal(strengths[finite], without.membership_vectors(2)[1])
    assert [each.tolist() for each in model.exemplars_] == [
        rows[each].tolist() for each in without.exemplars_
    ]
    assert model.relative_validity_ == without.relative_validity_
    np.testing.assert_array_equal(model.medoids_, without.medoids_)
    np.testing.assert_array_equal(model.predict(x)[finite], without.predict(x[finite]))
    for one, other in zip(HDBSCAN().fit_many(x, [3, 9]), HDBSCAN().fit_many(x[finite], [3, 9]), strict=True):
        np.testing.assert_array_equal(one.labels_[finite], other.labels_)
    weight = RNG.integers(1, 4, count)
    one, other = (
        HDBSCAN().fit(x, sample_weight=weight),
        HDBSCAN().fit(x[finite], sample_weight=weight[finite]),
    )
    np.testing.assert_array_equal(one.labels_[finite], other.labels_)
    assert one.condensed_tree_.size[0] == weight.sum()


def test_what_is_refused():
    with pytest.raises(GraphError, match="1 rows of X are finite: at least two are needed"):
        HDBSCAN().fit([[1.0], [np.nan], [np.inf]])
    with pytest.raises(OptionError, match="min_samples is 5, more than the 2 points"):
        HDBSCAN().fit([[1.0], [np.nan], [2.0]])
    with pytest.raises(GraphError, match="NaN and inf are not coordinates"):
        SingleLinkage().fit([[1.0], [np.nan], [2.0]])
    distances = np.array([[0, 1, np.nan], [1, 0, 2], [np.nan, 2, 0]])
    with pytest.raises(ValueError, match="NaN"):
        HDBSCAN(2, metric="precomputed").fit(distances)


ROWS = sparse.random(70, 12, 0.4, random_state=5, format="csr")


@pytest.mark.parametrize("metric", ["cosine", "euclidean", "manhattan", "correlation"])
@pytest.mark.parametrize("convert", [sparse.csr_array, sparse.coo_matrix, sparse.lil_array])
def test_sparse_rows_are_as_dense_ones(metric, convert):
    rows, dense = convert(ROWS), ROWS.toarray()
    for make in HDBSCAN, SingleLinkage:
        model, expected = make(metric=metric).fit(rows), make(metric=metric).fit(dense)
        np.testing.assert_array_equal(model.labels_, expected.labels_)
    model = HDBSCAN(metric=metric).fit(rows)
    np.testing.assert_array_equal(model.predict(rows), HDBSCAN(metric=metric).fit(dense).predict(dense))
    graph, expected = Graph.from_points(rows, metric), Graph.from_points(dense, metric)
    np.testing.assert_array_equal(graph.w, expected.w)


def test_sparse_rows_that_do_not_fit(monkeypatch):
    from boruvka.runtime import processors

    monkeypatch.setattr(processors, "free_memory", lambda: 0)
    with pytest.raises(FileError, match="the dense rows of points: "):
        Graph.from_points(sparse.csr_array((10_000, 1_000)))


def test_the_tree_has_the_names_of_the_index():
    """As the graph of the same frame without gaps."""
    frame = pd.DataFrame(with_gaps([(3, 0, np.nan)]), [f"c{i}" for i in range(len(BLOBS))])
    (model,) = HDBSCAN(min_cluster_size=6).fit_many(frame, [4])
    tree = model.minimum_spanning_tree_.to_pandas()
    whole = minimum_spanning_forest(Graph.from_points(frame.dropna(), min_samples=4)).to_pandas()
    assert {*tree.source, *tree.target} == set(frame.index) - {"c3"}
    pairs, expected = (sorted(map(sorted, zip(t.source, t.target, strict=True))) for t in (tree, whole))
    assert tree.weight.sum() == pytest.approx(whole.weight.sum())
    assert pairs == expected or len(set(whole.weight)) < len(whole)
    for other in frame.reset_index(drop=True), frame.to_numpy():
        assert HDBSCAN(min_cluster_size=6).fit(other).minimum_spanning_tree_.graph.names is None
    model = HDBSCAN(min_cluster_size=6).fit(frame.set_axis(["x"] * len(frame)))
    with pytest.warns(GraphWarning, match="the index has 'x' twice"):
        assert model.minimum_spanning_tree_.graph.names is None


@pytest.mark.parametrize("estimator", [HDBSCAN(), SingleLinkage()])
def test_a_graph_of_neighbours_that_is_taken_for_points(estimator):
    with pytest.warns(GraphWarning, match='X: a sparse matrix with zeros .* write metric="precomputed"'):
        estimator.fit(kneighbors_graph(BLOBS, 5, mode="distance"))
