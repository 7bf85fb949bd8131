"""HDBSCAN after its fit: new points, exemplars and validity, beside the hdbscan library and brute force."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from boruvka import GraphError
from boruvka.sklearn import HDBSCAN
from boruvka.sklearn.merges import Merges
from boruvka.sklearn.prediction import relative_validity

BLOBS = make_blobs(900, centers=6, random_state=1, cluster_std=0.8)[0]
MOONS = make_moons(400, noise=0.06, random_state=0)[0]
NEW = np.random.default_rng(0).uniform(BLOBS.min(axis=0), BLOBS.max(axis=0), (1500, 2))


def fitted(points=BLOBS, **parameters):
    return HDBSCAN(**({"min_cluster_size": 12, "min_samples": 5} | parameters)).fit(points)


def labels_by_definition(model, points, new, min_samples):
    """Find the nearest point by mutual reachability, and walk up the condensed tree to the density."""
    between = np.linalg.norm(points[:, None] - points, axis=2)
    core = np.sort(between, axis=1)[:, min_samples - 1]
    rows = {int(row["child"]): row for row in model.condensed_tree_.to_numpy()}
    n = len(points)
    members = {}
    for x, label in enumerate(model.labels_):
        if label >= 0:
            members.setdefault(label, []).append(x)

    def ancestors(cluster):
        while True:
            yield cluster
            if cluster not in rows:
                return
            cluster = int(rows[cluster]["parent"])

    # The selected cluster of a label is the last one that contains all its points.
    chosen = {}
    for label, xs in members.items():
        common = set.intersection(*(set(ancestors(int(rows[x]["parent"]))) for x in xs))
        chosen[max(common)] = label
    found = []
    for y in new:
        distance = np.linalg.norm(points - y, axis=1)
        own = 0 if min_samples < 2 else np.sort(distance)[min_samples - 2]
        near = np.argsort(distance, kind="stable")[: 2 * min_samples]
        reach = np.maximum(np.maximum(distance[near], core[near]), own)
        nearest, density = int(near[reach.argmin()]), 1 / reach.min()
        cluster = int(rows[nearest]["parent"])
        if rows[nearest]["lambda_val"] > density:
            while cluster > n and rows[cluster]["lambda_val"] >= density:
                cluster = int(rows[cluster]["parent"])
        found.append(next((chosen[c] for c in ancestors(cluster) if c in chosen), -1))
    return found


@pytest.mark.parametrize("min_samples", [1, 2, 5])
@pytest.mark.parametrize("method", ["eom", "leaf"])
def test_labels_by_definition(min_samples, method):
    points, new = BLOBS[:300], NEW[:300]
    model = fitted(points, min_samples=min_samples, cluster_selection_method=method)
    labels, strengths = model.approximate_predict(new)
    assert labels.tolist() == labels_by_definition(model, points, new, min_samples)
    assert model.predict(new).tolist() == labels.tolist()
    assert ((strengths >= 0) & (strengths <= 1)).all()
    assert (strengths[labels < 0] == 0).all()


@pytest.mark.filterwarnings("ignore")
def test_labels_are_those_of_hdbscan():
    """Fits differ where distances are tied, and a new point counts itself here."""
    hdbscan = pytest.importorskip("hdbscan")
    centres = [(8 * k, 5 * (k % 2)) for k in range(4)]
    points = np.concatenate(
        [np.random.default_rng(k).normal(centre, 1, (200, 2)) for k, centre in enumerate(centres)]
    )
    new = np.random.default_rng(9).uniform(points.min(axis=0), points.max(axis=0), (1500, 2))
    theirs = hdbscan.HDBSCAN(min_cluster_size=40, min_samples=4, prediction_data=True).fit(points)
    expected, strengths = hdbscan.approximate_predict(theirs, new)
    labels, mine = fitted(points, min_cluster_size=40).approximate_predict(new)
    assert ((labels < 0) == (expected < 0)).mean() > 0.95
    both = (labels >= 0) & (expected >= 0)
    assert adjusted_rand_score(labels[both], expected[both]) > 0.99
    assert np.corrcoef(mine[both], strengths[both])[0, 1] > 0.95


def test_points_of_the_fit_keep_their_labels():
    for points in BLOBS, MOONS:
        model = fitted(points)
        labels, strengths = model.approximate_predict(points)
        assert (labels == model.labels_).mean() > 0.95
        certain = model.probabilities_ > 0.5
        assert (labels[certain] == model.labels_[certain]).all()
        assert (strengths[certain] > 0).all()


def test_one_cluster():
    points = np.random.default_rng(2).normal(size=(300, 2))
    model = fitted(points, allow_single_cluster=True, min_cluster_size=100)
    assert set(model.predict(np.array([[0.0, 0.0], [50.0, 50.0]]))) == {0, -1}


def test_other_metrics():
    model = fitted(metric="minkowski", metric_params={"p": 3})
    assert (model.predict(BLOBS) == model.labels_).mean() > 0.95


def test_new_points_are_checked():
    model = fitted()
    with pytest.raises(ValueError, match="X has 3 features, but HDBSCAN is expecting 2"):
        model.predict(np.zeros((4, 3)))
    with pytest.raises(GraphError, match="NaN and inf are not coordinates"):
        model.predict([[0.0, np.nan]])
    distances = np.linalg.norm(BLOBS[:50, None] - BLOBS[:50], axis=2)
    model = HDBSCAN(metric="precomputed").fit(distances)
    assert not hasattr(model, "predict")
    with pytest.raises(AttributeError, match="has no attribute 'approximate_predict'") as raised:
        model.approximate_predict(distances)
    assert "the metric is 'precomputed'" in str(raised.value.__cause__)


@pytest.mark.filterwarnings("ignore")
def test_validity_is_that_of_hdbscan():
    """On the same tree and labels: a tree is not unique where distances are tied."""
    hdbscan = pytest.importorskip("hdbscan")
    for points, size in (BLOBS, 12), (MOONS, 10), (BLOBS, 40), (BLOBS[:60], 20):
        theirs = hdbscan.HDBSCAN(min_cluster_size=size, gen_min_span_tree=True).fit(points)
        u, v, w = theirs._min_spanning_tree.T
        order = np.argsort(w, kind="stable")
        merges = Merges(u[order].astype(int), v[order].astype(int), w[order])
        assert relative_validity(merges, theirs.labels_) == pytest.approx(theirs.relative_validity_)


def test_validity_tells_good_clusters_from_bad_ones():
    apart = np.concatenate([np.random.default_rng(k).normal(10 * k, 0.5, (80, 2)) for k in range(3)])
    assert fitted(apart).relative_validity_ > 0.8
    assert fitted(np.random.default_rng(1).random((240, 2)), min_cluster_size=5).relative_validity_ < 0.5
    assert fitted(apart, min_cluster_size=240).relative_validity_ == 0  # noise alone


def test_exemplars_stay_longest():
    """A cluster that never splits has the points that leave it last."""
    points = np.concatenate([np.random.default_rng(k).normal(10 * k, 0.5, (80, 2)) for k in range(3)])
    model = fitted(points, min_cluster_size=60)
    exemplars = model.exemplars_
    assert len(exemplars) == 3
    for cluster, found in enumerate(exemplars):
        rows = model.condensed_tree_.to_numpy()[:240][model.labels_ == cluster]
        longest = rows["child"][rows["lambda_val"] == rows["lambda_val"].max()]
        assert found.tolist() == sorted(longest)
        assert (model.probabilities_[found] == 1).all()


@pytest.mark.filterwarnings("ignore")
def test_exemplars_are_those_of_hdbscan():
    hdbscan = pytest.importorskip("hdbscan")
    points = np.random.default_rng(5).normal(size=(3, 1, 2)) * 12 + np.random.default_rng(6).normal(
        size=(3, 70, 2)
    )
    points = points.reshape(-1, 2)
    theirs = hdbscan.HDBSCAN(min_cluster_size=40, min_samples=4, prediction_data=True).fit(points)
    mine = fitted(points, min_cluster_size=40)
    expected = {tuple(sorted(map(tuple, found))) for found in theirs.exemplars_}
    assert {tuple(sorted(map(tuple, points[found]))) for found in mine.exemplars_} == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", ["eom", "leaf"])
def test_memberships_are_those_of_hdbscan(method):
    """On trees that are the same; theirs has a strength for every cluster, here are the largest."""
    hdbscan = pytest.importorskip("hdbscan")
    points, same = make_blobs(400, centers=5, random_state=2)[0], 0
    for size in 15, 25, 40:
        theirs = hdbscan.HDBSCAN(
            min_cluster_size=size, min_samples=2, prediction_data=True, cluster_selection_method=method
        ).fit(points)
        model = fitted(points, min_cluster_size=size, min_samples=3, cluster_selection_method=method)
        clusters = model.labels_.max() + 1
        labels, strengths = model.membership_vectors(top=clusters + 3)
        assert strengths.shape == (400, clusters)
        assert (np.diff(strengths, axis=1) <= 0).all()
        assert (strengths.sum(axis=1) <= 1 + 1e-9).all()
        few, largest = model.membership_vectors(top=2)
        assert few.tolist() == labels[:, :2].tolist()
        assert largest.tolist() == strengths[:, :2].tolist()
        births = [row["lambda_val"] for row in theirs.condensed_tree_.to_numpy() if row["child_size"] > 1]
        mine = model.condensed_tree_.birth[1:]
        if len(births) != mine.size or not np.allclose(np.sort(births), np.sort(mine)):
            continue
        same += 1
        expected = hdbscan.all_points_membership_vectors(theirs)
        number = {b: a for a, b in zip(theirs.labels_, model.labels_, strict=True) if a >= 0 <= b}
        expected = expected[:, [number[label] for label in range(clusters)]]
        found = np.take_along_axis(expected, labels, axis=1)
        shares, others = (x / x.sum(axis=1, keepdims=True) for x in (strengths, found))
        assert np.isclose(shares, others, rtol=1e-3, atol=1e-6).all(axis=1).mean() > 0.98
        certain = model.labels_ >= 0  # of noise, theirs depends on the order of clusters
        close = np.isclose(strengths.sum(axis=1), found.sum(axis=1), rtol=1e-3)[certain]
        assert close.mean() > 0.98
    assert same


def test_memberships_follow_labels():
    model = fitted()
    labels, _ = model.membership_vectors()
    certain = model.probabilities_ > 0.5
    assert labels.shape == (900, 3)
    assert (labels[certain, 0] == model.labels_[certain]).mean() > 0.99
    noise = fitted(min_cluster_size=900)
    assert [part.shape for part in noise.membership_vectors()] == [(900, 0), (900, 0)]
    assert noise.exemplars_ == []
