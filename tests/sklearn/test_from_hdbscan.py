"""Each row of docs/how-to/from_hdbscan.md, beside the hdbscan library and scikit-learn."""

import inspect

import numpy as np
import pytest

pytest.importorskip("sklearn")
hdbscan = pytest.importorskip("hdbscan")

import sklearn.cluster
from scipy import sparse
from scipy.cluster import hierarchy
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.neighbors import NearestNeighbors

from boruvka.errors import OptionError
from boruvka.sklearn import HDBSCAN
from boruvka.trees.clusters.comparison import relative_validity
from boruvka.trees.clusters.single_linkage_tree import Merges

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]

POINTS = make_blobs(600, centers=5, random_state=2)[0]
DISTANCES = pairwise_distances(POINTS)
DISTANCES = np.minimum(DISTANCES, DISTANCES.T)
ALGORITHMS = "generic", "prims_kdtree", "prims_balltree", "boruvka_kdtree", "boruvka_balltree"


def theirs(data=POINTS, size=15, **parameters):
    return hdbscan.HDBSCAN(size, **{"approx_min_span_tree": False} | parameters).fit(data)


def ours(data=POINTS, size=15, **parameters):
    return HDBSCAN(size, **parameters).fit(data)


def heights(model):
    return np.sort(model.single_linkage_tree_.to_numpy()[:, 2])


def numbered(labels):
    """Number clusters in the order of their smallest points."""
    numbers = {-1: -1}
    return [numbers.setdefault(label, len(numbers) - 1) for label in labels.tolist()]


# Parameters


@pytest.mark.parametrize("k", [1, 4, 10])
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_min_samples_of_points_counts_the_point_itself(algorithm, k):
    found = heights(theirs(min_samples=k, algorithm=algorithm))
    np.testing.assert_allclose(heights(ours(min_samples=k + 1)), found, rtol=1e-9)
    scikit = sklearn.cluster.HDBSCAN(min_cluster_size=15, min_samples=k + 1, copy=True).fit(POINTS)
    np.testing.assert_allclose(np.sort(scikit._single_linkage_tree_["value"]), found, rtol=1e-9)
    if k > 1:  # the distance to the second point is never above that of an edge of the tree
        assert not np.allclose(heights(ours(min_samples=k)), found)


def test_min_samples_of_distances():
    np.testing.assert_allclose(
        heights(ours(DISTANCES, min_samples=5, metric="precomputed")),
        heights(theirs(DISTANCES, min_samples=4, metric="precomputed")),
    )
    without_diagonal = sparse.csr_matrix(DISTANCES)
    assert without_diagonal.nnz == 600 * 599
    np.testing.assert_allclose(
        heights(ours(without_diagonal, min_samples=4, metric="precomputed")),
        heights(theirs(without_diagonal, min_samples=4, metric="precomputed")),
    )


def test_min_samples_by_default():
    np.testing.assert_allclose(heights(ours(min_samples=16)), heights(theirs()))
    assert not np.allclose(heights(ours()), heights(theirs()))


def test_min_samples_above_the_number_of_points():
    few = POINTS[:8]
    np.testing.assert_allclose(heights(theirs(few, 5, min_samples=50)), heights(ours(few, 5, min_samples=8)))
    with pytest.raises(OptionError, match="min_samples is 50, more than the 8 points"):
        ours(few, 5, min_samples=50)


def test_their_tree_is_approximate_by_default():
    points = make_blobs(20_000, 5, centers=10, random_state=1)[0]
    found = ours(points, 50, min_samples=6)
    approximate = theirs(points, 50, min_samples=5, approx_min_span_tree=True)
    assert heights(approximate).sum() > heights(found).sum() * 1.0001
    assert adjusted_rand_score(approximate.labels_, found.labels_) < 0.95
    exact = theirs(points, 50, min_samples=5)
    np.testing.assert_allclose(heights(exact), heights(found))
    assert adjusted_rand_score(exact.labels_, found.labels_) > 0.99


@pytest.mark.parametrize("alpha", [0.5, 1.5])
def test_alpha(alpha):
    found = heights(ours(min_samples=5, alpha=alpha))
    for algorithm in ALGORITHMS[:3]:
        np.testing.assert_allclose(heights(theirs(min_samples=4, alpha=alpha, algorithm=algorithm)), found)
    assert not np.allclose(heights(theirs(min_samples=4, alpha=alpha)), found)


@pytest.mark.parametrize(
    ("their", "our"),
    [
        ({"max_cluster_size": 0}, {"max_cluster_size": None}),
        ({"max_cluster_size": 60}, {"max_cluster_size": 60}),
        (
            {"metric": "minkowski", "p": 3, "algorithm": "generic"},
            {"metric": "minkowski", "metric_params": {"p": 3}},
        ),
        ({"metric": "minkowski", "p": 3}, {"metric": "euclidean"}),  # p has no effect
        ({"core_dist_n_jobs": 1}, {"n_jobs": 1}),
        ({"algorithm": "generic"}, {"algorithm": "brute"}),
        ({"algorithm": "boruvka_kdtree"}, {"algorithm": "kd_tree"}),
    ],
    ids=str,
)
def test_other_names(their, our):
    """No distances are equal."""
    assert ours(min_samples=2, **our).labels_.tolist() == numbered(theirs(min_samples=1, **their).labels_)


def test_parameters_that_are_not_here():
    taken = set(inspect.signature(HDBSCAN).parameters)
    renamed = {
        "approx_min_span_tree",
        "gen_min_span_tree",
        "core_dist_n_jobs",
        "p",
        "memory",
        "prediction_data",
    }
    assert set(inspect.signature(hdbscan.HDBSCAN).parameters) - taken - renamed - {"kwargs"} == {
        "cluster_selection_persistence",
        "cluster_selection_epsilon_max",
        "match_reference_implementation",
        "branch_detection_data",
    }
    for name in set(inspect.signature(hdbscan.HDBSCAN).parameters) - taken - {"kwargs"}:
        with pytest.raises(OptionError, match=f"no parameter {name}: .* 'Move from hdbscan'"):
            HDBSCAN(**{name: 1})
    assert "sample_weight" not in inspect.signature(hdbscan.HDBSCAN.fit).parameters


# Results


def test_without_equal_distances_clusters_are_the_same_with_other_numbers():
    model, other = ours(min_samples=2), theirs(min_samples=1)
    assert model.labels_.tolist() == numbered(other.labels_)
    assert model.labels_.tolist() != other.labels_.tolist()
    for name in "probabilities_", "outlier_scores_":
        np.testing.assert_allclose(getattr(model, name), getattr(other, name), rtol=1e-6, atol=1e-9)
    number = [other.labels_[np.argmax(model.labels_ == label)] for label in range(model.labels_.max() + 1)]
    np.testing.assert_allclose(model.cluster_persistence_, other.cluster_persistence_[number])
    assert model.dbscan_clustering(0.8).tolist() == numbered(other.dbscan_clustering(0.8))
    rows = {}
    for each in model, other:
        table = each.condensed_tree_.to_numpy()
        rows[each] = sorted(zip(table["lambda_val"].round(9), table["child_size"], strict=True))
    assert rows[model] == rows[other]
    assert list(model.condensed_tree_.to_pandas()) == list(other.condensed_tree_.to_pandas())
    assert (model.condensed_tree_.to_numpy()["parent"] != other.condensed_tree_.to_numpy()["parent"]).any()


def test_a_point_between_two_clusters_is_noise_here():
    points = np.array([[0.0], [1], [2], [6], [10], [11], [12]])
    assert ours(points, 3, min_samples=2).labels_.tolist() == [0, 0, 0, -1, 1, 1, 1]
    assert (theirs(points, 3, min_samples=1).labels_ >= 0).all()


def test_validity():
    """One point between two clusters makes the difference."""
    model, other = ours(min_samples=5), theirs(min_samples=4, gen_min_span_tree=True)
    assert np.count_nonzero((model.labels_ < 0) != (other.labels_ < 0)) == 1
    assert model.relative_validity_ > other.relative_validity_ + 0.5
    u, v, w = other._min_spanning_tree.T
    order = np.argsort(w, kind="stable")
    tree = Merges(u[order].astype(int), v[order].astype(int), w[order])
    ones, infinite = np.ones(600), np.full(600, np.inf)
    found = [relative_validity(tree, each.labels_, ones, infinite) for each in (model, other)]
    assert found == pytest.approx([model.relative_validity_, other.relative_validity_])
    with pytest.raises(AttributeError):
        _ = theirs(min_samples=4).relative_validity_


def test_order_of_leaves():
    """The merges are the same; of theirs, any of both clusters is first, so dendrograms differ."""
    linkages = [each.single_linkage_tree_.to_numpy() for each in (ours(min_samples=2), theirs(min_samples=1))]
    for linkage in linkages:
        assert (np.sort(linkage[:, :2], axis=1) == np.sort(linkages[0][:, :2], axis=1)).all()
    assert (linkages[0][:, 0] < linkages[0][:, 1]).all()
    assert (linkages[1][:, 0] > linkages[1][:, 1]).any()
    leaves = [hierarchy.leaves_list(linkage).tolist() for linkage in linkages]
    assert leaves[0] != leaves[1]


def test_spanning_tree():
    model, other = ours(min_samples=5), theirs(min_samples=4, gen_min_span_tree=True)
    total = other.minimum_spanning_tree_.to_numpy()[:, 2].sum()
    assert model.minimum_spanning_tree_.weight == pytest.approx(total)
    assert list(other.minimum_spanning_tree_.to_pandas()) == ["from", "to", "distance"]
    assert list(model.minimum_spanning_tree_.to_pandas())[-3:] == ["source", "target", "weight"]


def test_exemplars_are_indices():
    model, other = ours(min_samples=2), theirs(min_samples=1, prediction_data=True)
    expected = {tuple(sorted(map(tuple, found))) for found in other.exemplars_}
    assert {tuple(sorted(map(tuple, POINTS[found]))) for found in model.exemplars_} == expected


def test_centres():
    model, other = ours(min_samples=2, store_centers="both"), theirs(min_samples=1)
    for cluster in range(model.labels_.max() + 1):
        number = other.labels_[np.argmax(model.labels_ == cluster)]
        np.testing.assert_allclose(model.centroids_[cluster], other.weighted_cluster_centroid(number))


def test_new_points():
    """Their core distances count the point itself when they predict, but not in the fit."""
    model, other = ours(min_samples=5), theirs(min_samples=4, prediction_data=True)
    core = NearestNeighbors(n_neighbors=5).fit(POINTS).kneighbors(POINTS)[0]
    np.testing.assert_allclose(other.prediction_data_.core_distances, core[:, 3])
    np.testing.assert_allclose(model._predictor.core, core[:, 4])
    new = np.random.default_rng(0).uniform(POINTS.min(axis=0), POINTS.max(axis=0), (1000, 2))
    labels, expected = model.predict(new), hdbscan.approximate_predict(other, new)[0]
    assert 0.9 < ((labels < 0) == (expected < 0)).mean() < 1


def test_memberships():
    other = theirs(min_samples=1, prediction_data=True)
    clusters = other.labels_.max() + 1
    assert hdbscan.all_points_membership_vectors(other).shape == (600, clusters)
    labels, strengths = ours(min_samples=2).membership_vectors(top=2)
    assert labels.shape == strengths.shape == (600, 2)


def test_memberships_of_columns_in_fortran_order():
    """StandardScaler makes this order of a frame; theirs then reads points of other coordinates."""
    models = [theirs(np.array(POINTS, order=order), prediction_data=True) for order in "CF"]
    one, two = map(hdbscan.all_points_membership_vectors, models)
    assert np.abs(one - two).max() > 0.5
    assert models[0].labels_.tolist() == models[1].labels_.tolist()
    mine = [ours(np.array(POINTS, order=order)).membership_vectors(top=2) for order in "CF"]
    np.testing.assert_array_equal(mine[0][1], mine[1][1])


# Input


def test_rows_that_are_not_finite():
    points = POINTS.copy()
    points[3, 0], points[5, 1] = np.nan, np.inf
    assert theirs(points).labels_[[3, 5]].tolist() == [-1, -1]
    assert ours(points).labels_[[3, 5]].tolist() == [-3, -2]
    scikit = sklearn.cluster.HDBSCAN(min_cluster_size=15, copy=True).fit(points)
    assert scikit.labels_[[3, 5]].tolist() == [-3, -2]


def test_several_components():
    distances = sparse.csr_matrix(np.kron(np.eye(2), 1 + np.random.default_rng(1).random((20, 20))))
    with pytest.raises(ValueError, match="multiple connected components"):
        theirs(distances, 5, metric="precomputed")
    found = ours(distances.maximum(distances.T), 5, metric="precomputed", min_samples=2).labels_
    assert found[:20].max() < found[20:].max()


def test_every_size_in_one_call():
    sizes = [5, 15, 40]
    found = ours(min_samples=2).compare_min_cluster_sizes(sizes).labels
    assert found.tolist() == [numbered(theirs(size=size, min_samples=1).labels_) for size in sizes]
