"""Estimators of points in a periodic box, against those of a matrix of periodic distances."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

import sklearn.cluster
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from boruvka import GraphError, OptionError
from boruvka.sklearn import HDBSCAN, SingleLinkage

LENGTHS = {"euclidean": 1.0, "cityblock": (1.0, np.inf, 2.0), "chebyshev": [1.0, 3.0, 1.5]}
IN_METRICS = pytest.mark.parametrize(
    "metric",
    ["euclidean", *(pytest.param(name, marks=pytest.mark.long) for name in LENGTHS if name != "euclidean")],
)


def points_and_distances(metric, n=150):
    """Blobs over the ends of the box, and the distances between them and the nearest images."""
    rng = np.random.default_rng(5)
    box = np.broadcast_to(LENGTHS[metric], 3)
    length = np.where(np.isinf(box), 1, box)
    centres = np.array([[0, 0, 0], [0.5, 0.5, 0.5], [0.99, 0.4, 0.1]]) * length
    points = np.repeat(centres, n // 3, axis=0) + rng.normal(scale=0.05, size=(n, 3))
    points = np.where(np.isinf(box), points, points % box)
    across = np.abs(points[:, None] - points)
    across = np.minimum(across, np.where(np.isinf(box), across, box - across))
    distances = {
        "euclidean": lambda: np.sqrt((across**2).sum(axis=2)),
        "cityblock": lambda: across.sum(axis=2),
        "chebyshev": lambda: across.max(axis=2),
    }
    return points, distances[metric]()


@IN_METRICS
@pytest.mark.parametrize("algorithm", ["brute", "kd_tree"])
def test_hdbscan(metric, algorithm):
    points, distances = points_and_distances(metric)
    models = HDBSCAN(10, metric=metric, box=LENGTHS[metric], algorithm=algorithm).fit_many(points, [2, 7])
    for model in models:
        how = {"min_samples": model.min_samples, "metric": "precomputed"}
        expected = sklearn.cluster.HDBSCAN(10, **how, copy=True).fit(distances)
        heights = model.single_linkage_tree_.to_numpy()[:, 2]
        assert heights == pytest.approx(np.sort(expected._single_linkage_tree_["value"]))
        if model.min_samples == 2:  # with more, equal edges decide about clusters
            pairs = {*zip(model.labels_.tolist(), expected.labels_.tolist(), strict=True)}
            assert len(pairs) == len({*model.labels_.tolist()}) == len({*expected.labels_.tolist()})
        by_matrix = HDBSCAN(10, **how).fit(distances)
        assert model.labels_.tolist() == by_matrix.labels_.tolist()
        assert list(map(list, model.exemplars_)) == list(map(list, by_matrix.exemplars_))
    in_open_space = HDBSCAN(10, min_samples=2, metric=metric).fit(points)
    assert models[0].labels_.tolist() != in_open_space.labels_.tolist()


def clusters_of_level_sets(distances, size):
    """Return the clusters of most stability; all edges of one weight are removed at once."""
    heights = np.unique(minimum_spanning_tree(distances).data)[::-1]
    clusters = [[-1, np.arange(len(distances)), 0.0, 0.0]]  # parent, points, birth and stability of each
    live = [(0, clusters[0][1])]
    for height in heights:
        after = []
        for c, points in live:
            count, part = connected_components(distances[np.ix_(points, points)] < height)
            large = [points[part == k] for k in range(count) if (part == k).sum() >= size]
            is_split = len(large) != 1
            lost = points.size - (0 if is_split else large[0].size)
            clusters[c][3] += lost * (1 / height - clusters[c][2])
            for own in large:
                if is_split:
                    clusters.append([c, own, 1 / height, 0.0])
                after.append((len(clusters) - 1 if is_split else c, own))
        live = after
    below, chosen = np.zeros(len(clusters)), {}
    for c in range(len(clusters) - 1, 0, -1):
        parent, points, _, stability = clusters[c]
        if stability >= below[c]:
            chosen = {k: x for k, x in chosen.items() if not np.isin(x, points).any()} | {c: points}
        below[parent] += max(stability, below[c])
    return {frozenset(x.tolist()) for x in chosen.values()}


@pytest.mark.parametrize("min_samples", [1, 3, 10])
def test_equal_mutual_reachability_distances(min_samples):
    """Clusters do not depend on the order of equal edges, unlike those of scikit-learn."""
    points, distances = points_and_distances("euclidean")
    core = np.sort(distances, axis=1)[:, min_samples - 1]
    reachability = np.maximum(distances, np.maximum(core, core[:, None]))
    np.fill_diagonal(reachability, 0)
    labels = HDBSCAN(5, min_samples=min_samples, box=1).fit_predict(points)
    found = {frozenset(np.flatnonzero(labels == k).tolist()) for k in range(labels.max() + 1)}
    assert found == clusters_of_level_sets(reachability, 5)


@IN_METRICS
def test_single_linkage(metric):
    points, distances = points_and_distances(metric)
    model = SingleLinkage(n_clusters=5, metric=metric, box=LENGTHS[metric]).fit(points)
    expected = SingleLinkage(n_clusters=5, metric="precomputed").fit(distances)
    assert model.distances_ == pytest.approx(expected.distances_)
    assert model.labels_.tolist() == expected.labels_.tolist()


def test_what_a_box_is_not_for():
    points, distances = points_and_distances("euclidean")
    for estimator in HDBSCAN, SingleLinkage:
        for metric, x in ("precomputed", distances), ("cosine", points), ("haversine", points[:, :2]):
            with pytest.raises(OptionError, match="box is for "):
                estimator(metric=metric, box=1).fit(x)
        with pytest.raises(OptionError, match="box has 2 lengths, points have 3 coordinates"):
            estimator(box=(1, 2)).fit(points)
        with pytest.raises(GraphError, match="outside of the periodic box"):
            estimator(box=0.5).fit(points)
    with pytest.raises(OptionError, match="sample_weight is not for points in a periodic box"):
        HDBSCAN(box=1).fit(points, sample_weight=np.ones(len(points)))
    with pytest.raises(OptionError, match="clusters have no centers in a periodic box"):
        HDBSCAN(box=1, store_centers="medoid").fit(points)
    with pytest.raises(AttributeError, match="has no attribute 'predict'"):
        HDBSCAN(box=1).fit(points).predict(points)


@pytest.mark.parametrize("d", [2, 3])
def test_the_tree_of_hdbscan_is_in_the_box(d):
    """Branches and pictures, against those of points; rows that are not finite have no place."""
    points = np.random.default_rng(d).normal(0, 5, (80, d)) % 100
    given = np.insert(points, 7, np.nan, axis=0)
    tree = HDBSCAN(5, box=100).fit(given).minimum_spanning_tree_
    across = np.abs(given[:, None] - given)
    distances = np.sqrt((np.minimum(across, 100 - across) ** 2).sum(axis=2))
    branches = tree.branches()
    assert branches.distance == pytest.approx(distances[branches.source, branches.target])
    pytest.importorskip("matplotlib")
    for coordinates in None, given[:, :2]:
        axes = tree.plot(coordinates, by="component")
        steps = [np.diff(path.vertices.reshape(-1, 2, 2), axis=1) for path in axes.collections[0].get_paths()]
        assert 5 < np.abs(np.concatenate(steps)).max() <= tree.w.max() < 50
