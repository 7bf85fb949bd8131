"""HDBSCAN against the definition, scikit-learn and other libraries."""

import inspect
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn")

import sklearn.cluster
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_digits, load_iris, make_blobs, make_circles, make_moons
from sklearn.exceptions import NotFittedError
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import kneighbors_graph

from boruvka import Graph, minimum_spanning_forest
from boruvka.errors import GraphWarning, OptionError
from boruvka.sklearn import HDBSCAN
from boruvka.trees.clusters.condensed_tree import condense
from boruvka.trees.clusters.single_linkage_tree import merges_of

EXAMPLES = {
    "blobs": make_blobs(500, centers=4, random_state=0)[0],
    "moons": make_moons(400, noise=0.06, random_state=1)[0],
    "circles": make_circles(400, noise=0.05, factor=0.5, random_state=2)[0],
    "iris": load_iris().data + np.random.default_rng(3).normal(0, 1e-3, (150, 4)),
    "digits": load_digits().data[:600] + np.random.default_rng(4).normal(0, 1e-3, (600, 64)),
}
"""Noise makes all distances different."""


def numbered(labels):
    """Number clusters in the order of their smallest points."""
    numbers = {-1: -1}
    return [numbers.setdefault(label, len(numbers) - 1) for label in labels.tolist()]


def k_nearest(points, k):
    """Make the matrix of nearest neighbours, symmetric, with the diagonal stored."""
    distances = pairwise_distances(points)
    distances = np.minimum(distances, distances.T)  # they differ by rounding
    near = distances <= np.partition(distances, k - 1, axis=1)[:, [k - 1]]
    rows, columns = np.nonzero(near | near.T)
    return sparse.csr_array((distances[rows, columns], (rows, columns)), shape=distances.shape)


# scikit-learn: core distances of the first or second distance make no edges equal


def check_against_scikit_learn(data, same_clusters=True, **parameters):
    """Compare the distances of merges and, unless equal edges decide about them, the clusters."""
    ours = HDBSCAN(**parameters).fit(data)
    theirs = sklearn.cluster.HDBSCAN(copy=True, **parameters).fit(data)
    merged_at = np.sort(theirs._single_linkage_tree_["value"])
    np.testing.assert_allclose(ours.single_linkage_tree_.linkage[:, 2], merged_at, rtol=1e-6, atol=1e-9)
    if same_clusters:
        assert ours.labels_.tolist() == numbered(theirs.labels_)
        np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-6, atol=1e-9)


PARAMETERS = [
    {},
    {"min_cluster_size": 15},
    {"cluster_selection_method": "leaf"},
    {"allow_single_cluster": True},
    {"max_cluster_size": 50},
    {"max_cluster_size": 50, "allow_single_cluster": True},
    {"metric": "cosine"},
    {"metric": "manhattan"},
]


@pytest.mark.parametrize("points", EXAMPLES.values(), ids=EXAMPLES)
@pytest.mark.parametrize(
    ("min_samples", "parameters"),
    [
        *((1, parameters) for parameters in PARAMETERS[:-1]),
        (1, {"alpha": 1.3}),  # with more samples it makes edges equal
        *((2, parameters) for parameters in PARAMETERS[:2]),
        *(pytest.param(2, parameters, marks=pytest.mark.long) for parameters in PARAMETERS[2:]),
        pytest.param(1, PARAMETERS[-1], marks=pytest.mark.long),
    ],
    ids=str,
)
def test_equals_scikit_learn(points, min_samples, parameters):
    check_against_scikit_learn(points, min_samples=min_samples, **parameters)


@pytest.mark.parametrize("points", EXAMPLES.values(), ids=EXAMPLES)
@pytest.mark.parametrize("parameters", [{}, {"alpha": 1.3}, {"min_samples": 3}], ids=str)
def test_merge_distances_equal_scikit_learn(points, parameters):
    """Distances of merges do not depend on which of equal edges comes first."""
    check_against_scikit_learn(points, same_clusters=False, **parameters)


@pytest.mark.parametrize("name", ["moons", "circles", "iris"])
def test_equals_scikit_learn_by_default(name):
    check_against_scikit_learn(EXAMPLES[name])


@pytest.mark.parametrize("alpha", [1.0, 1.3])
def test_many_points_equal_scikit_learn(alpha):
    """A kd-tree is used for as many points."""
    points = make_blobs(4_000, centers=5, random_state=3)[0]
    parameters = {"min_samples": 2, "min_cluster_size": 20, "alpha": alpha}
    check_against_scikit_learn(points, same_clusters=alpha == 1, **parameters)  # else edges are equal


@pytest.mark.long
def test_great_circles_equal_scikit_learn():
    points = make_blobs(3_500, centers=5, center_box=(-1, 1), cluster_std=0.03, random_state=3)[0]
    check_against_scikit_learn(points, min_samples=2, min_cluster_size=20, metric="haversine")


@pytest.mark.parametrize(
    "as_input", [np.asarray, sparse.csr_array, lambda d: k_nearest(EXAMPLES["moons"], 30)]
)
def test_distances_equal_scikit_learn(as_input):
    distances = as_input(pairwise_distances(EXAMPLES["moons"]))
    check_against_scikit_learn(distances, metric="precomputed", min_samples=2, min_cluster_size=15)


@given(
    st.integers(0, 2**32 - 1),
    st.integers(4, 40),
    st.sampled_from(["euclidean", "manhattan", "cosine", "precomputed"]),
    st.fixed_dictionaries(
        {
            "min_cluster_size": st.integers(2, 6),
            "min_samples": st.integers(1, 2),
            "cluster_selection_method": st.sampled_from(["eom", "leaf"]),
            "allow_single_cluster": st.booleans(),
            "max_cluster_size": st.none() | st.integers(2, 20),
        }
    ),
)
def test_small_sets_equal_scikit_learn(seed, n, metric, parameters):
    if parameters["allow_single_cluster"]:
        parameters["max_cluster_size"] = None  # scikit-learn raises a KeyError for some
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 3)) + 4 * rng.integers(0, 4, (n, 1))
    data = np.linalg.norm(points[:, None] - points, axis=2) if metric == "precomputed" else points
    check_against_scikit_learn(data, metric=metric, **parameters)


# Other libraries


@given(
    st.integers(0, 2**32 - 1),
    st.integers(8, 40),
    st.fixed_dictionaries(
        {
            "min_cluster_size": st.integers(2, 6),
            "cluster_selection_method": st.sampled_from(["eom", "leaf"]),
            "cluster_selection_epsilon": st.sampled_from([0.1, 0.5, 1.0, 3.0]),
            "allow_single_cluster": st.booleans(),
        }
    ),
)
@pytest.mark.filterwarnings("ignore")
def test_small_sets_equal_hdbscan(seed, n, parameters):
    hdbscan = pytest.importorskip("hdbscan")
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 2)) + 4 * rng.integers(0, 4, (n, 1))
    ours = HDBSCAN(min_samples=2, **parameters).fit(points)
    theirs = hdbscan.HDBSCAN(min_samples=1, **parameters).fit(points)
    assert ours.labels_.tolist() == numbered(theirs.labels_)
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-6, atol=1e-9)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("method", ["eom", "leaf"])
def test_equals_hdbscan(epsilon, method):
    hdbscan = pytest.importorskip("hdbscan")
    parameters = {"cluster_selection_epsilon": epsilon, "cluster_selection_method": method}
    ours = HDBSCAN(min_samples=2, **parameters).fit(EXAMPLES["blobs"])
    theirs = hdbscan.HDBSCAN(min_samples=1, algorithm="generic", **parameters).fit(EXAMPLES["blobs"])
    assert ours.labels_.tolist() == numbered(theirs.labels_)
    np.testing.assert_allclose(ours.probabilities_, theirs.probabilities_, rtol=1e-6)
    np.testing.assert_allclose(ours.outlier_scores_, theirs.outlier_scores_, rtol=1e-6, atol=1e-9)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_equals_fast_hdbscan():
    """Its probabilities differ: it divides them by the density of the last points, not by that of a split."""
    fast_hdbscan = pytest.importorskip("fast_hdbscan")
    graph = k_nearest(np.vstack([EXAMPLES["blobs"], EXAMPLES["blobs"] + 1000]), 20)  # two components
    graph = sparse.csr_array(graph - sparse.diags_array(graph.diagonal()))
    graph.eliminate_zeros()
    parameters = {"metric": "precomputed", "min_samples": 1, "min_cluster_size": 15}
    ours, theirs = HDBSCAN(**parameters).fit(graph), fast_hdbscan.HDBSCAN(**parameters).fit(graph)
    assert ours.labels_.tolist() == numbered(theirs.labels_)


# The definition


@st.composite
def distance_matrices(draw):
    """Draw symmetric distances of which many are equal, zero or infinite."""
    n = draw(st.integers(2, 10))
    values = draw(st.lists(st.sampled_from([0, 1, 2, 3, 4, np.inf]), min_size=n * n, max_size=n * n))
    upper = np.triu(np.reshape(values, (n, n)), 1)
    return upper + upper.T


def condensed_by_definition(reach, min_cluster_size):
    """Remove edges in decreasing order, equal ones at once: births of clusters, departures of points."""
    births, departures = {}, {}
    heights = sorted({np.inf, *reach[np.triu_indices(len(reach), 1)].tolist()}, reverse=True)

    def follow(points, birth):
        births[frozenset(points)] = birth
        for height in heights:
            labels = connected_components(reach[np.ix_(points, points)] < height)[1]
            parts = [[p for p, x in zip(points, labels, strict=True) if x == y] for y in set(labels)]
            if len(parts) == 1:
                continue
            density = 1 / height if height else np.inf
            large = [part for part in parts if len(part) >= min_cluster_size]
            departures.update({p: density for part in parts if part not in large for p in part})
            if len(large) > 1:
                for part in large:
                    follow(part, density)
            if len(large) != 1:
                return
            points = large[0]

    follow(list(range(len(reach))), 0.0)
    return births, [departures[p] for p in range(len(reach))]


@given(distance_matrices(), st.integers(1, 4), st.integers(2, 4), st.randoms(use_true_random=False))
def test_condensed_tree_by_definition(distances, min_samples, min_cluster_size, random):
    n = len(distances)
    rows, columns = np.nonzero(np.isfinite(distances) | np.eye(n, dtype=bool))
    kept = [k for k in range(rows.size) if rows[k] <= columns[k] or random.random() < 0.5]
    graph = sparse.coo_array((distances[rows, columns][kept], (rows[kept], columns[kept])), shape=(n, n))
    core = np.full(n, np.inf)
    if min_samples <= n:
        core = np.sort(distances, axis=1)[:, min_samples - 1]
    reach = np.maximum(distances, np.maximum.outer(core, core))
    births, departures = condensed_by_definition(reach, min_cluster_size)
    for form in Graph.from_scipy(graph), Graph.from_distances(distances):
        forest = minimum_spanning_forest(Graph.from_mutual_reachability(form, min_samples))
        weight, core = np.ones(forest.n, np.int64), np.full(forest.n, np.inf)
        tree = condense(merges_of(forest)[0].linkage(), min_cluster_size, weight, core)
        members = [set() for _ in tree.parent]
        for point, c in enumerate(tree.cluster):
            while c >= 0:
                members[c].add(point)
                c = tree.parent[c]
        found = {frozenset(points): birth for points, birth in zip(members, tree.birth, strict=True)}
        assert tree.departure.tolist() == departures
        assert found == births
        assert tree.size.tolist() == [len(points) for points in members]


# Graphs


def test_order_of_points_does_not_matter():
    points = load_iris().data  # many distances are equal
    order = np.random.default_rng(5).permutation(len(points))
    there, here = HDBSCAN(min_samples=3).fit(points[order]), HDBSCAN(min_samples=3).fit(points)
    assert numbered(here.labels_[order]) == there.labels_.tolist()
    np.testing.assert_allclose(here.probabilities_[order], there.probabilities_)
    np.testing.assert_allclose(here.outlier_scores_[order], there.outlier_scores_)


def test_one_direction_suffices():
    graph = k_nearest(EXAMPLES["blobs"], 10)
    expected = HDBSCAN(metric="precomputed").fit(graph)
    for form in sparse.triu(graph), sparse.tril(graph).tocsc(), sparse.coo_array(graph):
        found = HDBSCAN(metric="precomputed").fit(form)
        assert found.labels_.tolist() == expected.labels_.tolist()
        assert found.probabilities_.tolist() == expected.probabilities_.tolist()


@pytest.mark.filterwarnings("ignore:.* points are noise, with fewer")
def test_components_and_stored_zeros():
    three = np.zeros((3, 3))
    graph = sparse.block_array([[three + 1, None, None], [None, three + 2, None], [None, None, [[1]]]])
    rows, columns = graph.nonzero()
    data = np.where(rows == columns, 0.0, np.where(rows < 3, 0.0, 2.0))
    graph = sparse.csr_array((data, (rows, columns)), shape=(7, 7))
    found = HDBSCAN(metric="precomputed", min_cluster_size=3, min_samples=2).fit(graph)
    assert found.labels_.tolist() == [0, 0, 0, 1, 1, 1, -1]
    assert found.probabilities_.tolist() == [1, 1, 1, 1, 1, 1, 0]
    assert found.single_linkage_tree_.linkage[:, 2].tolist() == [0, 0, 2, 2, np.inf, np.inf]
    assert found.dbscan_clustering(2, min_cluster_size=1).tolist() == [0, 0, 0, 1, 2, 3, 4]
    assert found.dbscan_clustering(3, min_cluster_size=2).tolist() == [0, 0, 0, 1, 1, 1, -1]
    assert set(found.condensed_tree_.to_numpy()["child"].tolist()) == {*range(7), 8, 9}


def test_points_with_few_neighbours_are_noise():
    distances = sparse.coo_array(([1.0, 1, 1, 1], ([0, 1, 2, 3], [1, 2, 0, 0])), shape=(4, 4))
    found = HDBSCAN(metric="precomputed", min_cluster_size=3, min_samples=2, allow_single_cluster=True)
    with pytest.warns(GraphWarning, match=r"^1 of 4 points are noise, .* min_samples=2 distances"):
        assert found.fit_predict(distances).tolist() == [0, 0, 0, -1]


@pytest.mark.parametrize("min_samples", [None, 12, 10])
def test_a_graph_of_fewer_neighbours_than_samples(min_samples):
    points, _ = make_blobs(200, centers=4, random_state=0, cluster_std=0.5)
    graph = kneighbors_graph(points, 10, mode="distance")
    listed = (graph + graph.T).toarray() > 0
    has_core = listed.sum(axis=1) >= (min_samples or 25)
    few = np.flatnonzero(~((listed & has_core).any(axis=1) & has_core))
    message = rf"^{few.size} of 200 .*: pass n_neighbors={min_samples or 25}, or min_samples=10, by"
    with pytest.warns(GraphWarning, match=message) if few.size else nullcontext():
        labels = HDBSCAN(25, min_samples, metric="precomputed").fit(graph).labels_
    assert (labels[few] == -1).all()


def test_a_graph_without_distances():
    points, _ = make_blobs(60, random_state=0)
    with pytest.warns(GraphWarning, match="all distances are 1, .*: write mode='distance'"):
        HDBSCAN(metric="precomputed").fit(kneighbors_graph(points, 10))


def test_clusters_of_an_estimator_that_is_not_fitted():
    with pytest.raises(NotFittedError, match="not fitted yet"):
        HDBSCAN().dbscan_clustering(1.0)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "braycurtis"])
def test_centers_are_those_of_scikit_learn(metric):
    points, _ = make_blobs(300, centers=[[5, 5], [9, 9], [5, 12]], cluster_std=0.4, random_state=3)
    ours = HDBSCAN(min_cluster_size=15, metric=metric, store_centers="both").fit(points)
    theirs = sklearn.cluster.HDBSCAN(min_cluster_size=15, metric=metric, store_centers="both", copy=True)
    theirs.fit(points)
    assert len(ours.centroids_) == 3
    for name in "centroids_", "medoids_":
        found, expected = getattr(ours, name), getattr(theirs, name)
        np.testing.assert_allclose(found[np.lexsort(found.T)], expected[np.lexsort(expected.T)])
    for name, other in ("centroid", "medoids_"), ("medoid", "centroids_"):
        alone = HDBSCAN(min_cluster_size=15, metric=metric, store_centers=name).fit(points)
        np.testing.assert_array_equal(getattr(alone, f"{name}s_"), getattr(ours, f"{name}s_"))
        assert not hasattr(alone, other)
    nothing = HDBSCAN(min_cluster_size=300, metric=metric, store_centers="both").fit(points)
    assert nothing.centroids_.shape == nothing.medoids_.shape == (0, 2)


def test_all_parameters_of_scikit_learn_are_taken():
    theirs = inspect.signature(sklearn.cluster.HDBSCAN).parameters
    ours = inspect.signature(HDBSCAN).parameters
    assert list(ours) == [*theirs, "box"]
    assert {name for name in theirs if ours[name].default != theirs[name].default} <= {"copy"}


def test_parameters_that_choose_the_solver():
    points, _ = make_blobs(200, random_state=0)
    expected = HDBSCAN().fit(points)
    for options in (
        {"algorithm": "brute"},
        {"algorithm": "kd_tree", "n_jobs": 1},
        {"n_jobs": -1, "copy": True},
    ):
        found = HDBSCAN(**options).fit(points)
        trees = found.single_linkage_tree_, expected.single_linkage_tree_
        np.testing.assert_array_equal(*(tree.linkage for tree in trees))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "ball_tree"}, "algorithm must be one of auto, brute, kd_tree"),
        ({"algorithm": "kd_tree", "metric": "braycurtis"}, "a tree can search: leave it out"),
        ({"leaf_size": 30}, "leaves have a fixed size: leave it out"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"store_centers": "mean"}, "store_centers must be one of centroid, medoid, both"),
        ({"store_centers": "medoid", "metric": "precomputed"}, "store_centers needs points"),
    ],
)
def test_parameters_without_effect_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        HDBSCAN(**options).fit(np.abs(np.subtract.outer(range(9), range(9))).astype(float))
