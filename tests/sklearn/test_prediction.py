"""HDBSCAN after its fit: new points, exemplars and validity, beside the hdbscan library and brute force."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("sklearn")

from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score

from boruvka.sklearn import HDBSCAN
from boruvka.trees.clusters.comparison import relative_validity
from boruvka.trees.clusters.single_linkage_tree import Merges

BLOBS = make_blobs(900, centers=6, random_state=1, cluster_std=0.8)[0]
MOONS = make_moons(400, noise=0.06, random_state=0)[0]
NEW = np.random.default_rng(0).uniform(BLOBS.min(axis=0), BLOBS.max(axis=0), (1500, 2))


def fitted(points=BLOBS, **parameters):
    return HDBSCAN(**({"min_cluster_size": 12, "min_samples": 5} | parameters)).fit(points)


def sample_distance(distance, weight, samples):
    """Find the distance within which the weights of points reach a number of samples."""
    order = np.argsort(distance, kind="stable")
    return distance[order][np.argmax(np.cumsum(weight[order]) >= samples)]


def labels_by_definition(model, points, new, min_samples, weight=None):
    """Find the nearest point by mutual reachability, and walk up the condensed tree to the density."""
    weight = np.ones(len(points)) if weight is None else weight
    core = [sample_distance(np.linalg.norm(points - x, axis=1), weight, min_samples) for x in points]
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
        own = 0 if min_samples < 2 else sample_distance(distance, weight, min_samples - 1)
        near = np.argsort(distance, kind="stable")
        near = near[np.cumsum(weight[near]) - weight[near] < 2 * min_samples]
        reach = np.maximum(np.maximum(distance[near], np.array(core)[near]), own)
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


@pytest.mark.filterwarnings("ignore:sample_weight has the median")
@pytest.mark.parametrize("scale", [0.1, 0.3, 3])
def test_labels_of_weighted_points_by_definition(scale):
    """Small weights need many neighbours."""
    points, new = BLOBS[:300], NEW[:300]
    weight = np.random.default_rng(1).uniform(0.5, 1.5, 300) * scale
    model = HDBSCAN(min_cluster_size=2, min_samples=2).fit(points, sample_weight=weight)
    assert model.labels_.max() > 0
    assert model.predict(new).tolist() == labels_by_definition(model, points, new, 2, weight)


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
    labels, strengths = model.approximate_predict([[0.0, np.nan], [0.0, np.inf], BLOBS[0]])
    assert labels.tolist() == [-3, -2, model.predict(BLOBS[:1])[0]]
    np.testing.assert_array_equal(strengths[:2], [np.nan, 0])
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
        weight, core = np.ones(len(points)), np.full(len(points), np.inf)
        found = relative_validity(merges, theirs.labels_, weight, core)
        assert found == pytest.approx(theirs.relative_validity_)


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
        certain = model.labels_ >= 0  # of noise, theirs depends on the order of clusters and may be smaller
        sums, theirs = strengths.sum(axis=1), found.sum(axis=1)
        assert np.isclose(sums, theirs, rtol=1e-3)[certain].mean() > 0.98
        assert (sums >= theirs * (1 - 1e-3)).mean() > 0.98
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


# The points are kept, and their order does not matter


def changed(points, form, change):
    """Fit points in a form, change them afterwards, and return the model."""
    given = form(points.copy())
    model = fitted(given, metric="seuclidean", metric_params={"V": (scale := np.array([1.0, 2.0]))})
    if change:
        target = given.to_numpy() if isinstance(given, pd.DataFrame) else given
        if isinstance(given, list):
            given.reverse()
        elif target.flags.writeable:
            target[:] = target[::-1].copy()
        if isinstance(given, pd.DataFrame):
            given.iloc[:] = given.to_numpy()[::-1].copy()
        scale[:] = 100, 0.01
        model.labels_[:] = -1
        model.set_params(metric="manhattan", metric_params=None)
    return model


@pytest.mark.parametrize(
    "form", [np.asarray, np.asfortranarray, pd.DataFrame, list, lambda x: x.astype(np.float32)]
)
@pytest.mark.parametrize(
    "keep", [lambda m: m, lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy, copy.copy]
)
def test_changes_after_the_fit_do_not_matter(form, keep):
    points = BLOBS[:200]
    one, other = changed(points, form, False), keep(changed(points, form, True))
    for a, b in zip(one.approximate_predict(NEW[:50]), other.approximate_predict(NEW[:50]), strict=True):
        assert a.tolist() == b.tolist()
    for a, b in zip(one.membership_vectors(), other.membership_vectors(), strict=True):
        assert a.tolist() == b.tolist()
    assert [x.tolist() for x in one.exemplars_] == [x.tolist() for x in other.exemplars_]
    assert one.relative_validity_ == other.relative_validity_


@pytest.mark.parametrize("metric", ["seuclidean", "mahalanobis"])
def test_metrics_of_the_points_of_the_fit(metric):
    """Their arguments are computed from all points, not from some."""
    points = BLOBS[:200] * [1.0, 5.0]
    model = fitted(points, metric=metric, store_centers="both")
    params = {"V": np.var(points, axis=0, ddof=1)}
    if metric == "mahalanobis":
        params = {"VI": np.linalg.inv(np.cov(points.T))}
    other = fitted(points, metric=metric, metric_params=params, store_centers="both")
    assert model.predict(NEW).tolist() == other.predict(NEW).tolist()
    root = np.linalg.cholesky(params["VI"]) if "VI" in params else np.diag(1 / np.sqrt(params["V"]))
    assert fitted(points @ root).predict(NEW @ root).tolist() == model.predict(NEW).tolist()
    np.testing.assert_allclose(model.membership_vectors()[1], other.membership_vectors()[1])
    np.testing.assert_array_equal(model.medoids_, other.medoids_)


def membership_matrix(model):
    """Return the strengths of all clusters, in the order of their labels."""
    labels, strengths = model.membership_vectors(top=max(model.labels_.max() + 1, 1))
    matrix = np.zeros_like(strengths)
    np.put_along_axis(matrix, labels, strengths, axis=1)
    return matrix


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), min_size=4, max_size=40),
    st.integers(2, 5),
    st.integers(1, 4),
    st.sampled_from(["eom", "leaf"]),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_a_function_of_the_set_of_points(rows, min_cluster_size, min_samples, method, is_single, random):
    """Labels, probabilities, scores, memberships and predictions; many points and distances are equal."""
    points, order = np.array(rows, float), list(range(len(rows)))
    random.shuffle(order)
    how = {"min_cluster_size": min_cluster_size, "min_samples": min_samples}
    how |= {"cluster_selection_method": method, "allow_single_cluster": is_single}
    here, there = HDBSCAN(**how).fit(points), HDBSCAN(**how).fit(points[order])
    clusters = here.labels_.max() + 1
    number = {-1: -1} | dict(zip(there.labels_, here.labels_[order], strict=True))
    assert [number[label] for label in there.labels_] == here.labels_[order].tolist()
    np.testing.assert_allclose(here.probabilities_[order], there.probabilities_)
    np.testing.assert_allclose(here.outlier_scores_[order], there.outlier_scores_)
    matrix = membership_matrix(here)
    assert not np.isnan(matrix).any()
    assert (matrix.sum(axis=1) <= 1 + 1e-12).all()
    moved = [number[label] for label in range(clusters)]
    np.testing.assert_allclose(matrix[order][:, moved], membership_matrix(there))
    for i, row in enumerate(rows):
        np.testing.assert_array_equal(matrix[i], matrix[rows.index(row)])
    new = np.array([[x / 2, y / 2] for x in range(0, 25, 3) for y in range(7)])
    (labels, strengths), (others, same) = (model.approximate_predict(new) for model in (here, there))
    assert labels.tolist() == [number[label] for label in others]
    np.testing.assert_allclose(strengths, same)
