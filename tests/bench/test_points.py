"""Contestants on points give the tree, or the labels; wrong answers are told apart."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics import adjusted_rand_score

from boruvka.bench.contestants.contestant import PointOutcome
from boruvka.bench.contestants.points import (
    CLUSTERERS,
    SCIPY_METRICS,
    TREES,
    NativePoints,
    OurTree,
    SciPyLinkage,
    agreement,
    chosen_for_points,
)
from boruvka.bench.point_reference import PointReference
from boruvka.bench.point_sets import PointsTask
from boruvka.bench.results import GraphResult
from boruvka.bench.run import Plan, measure
from boruvka.bench.schemes import KBest
from boruvka.bench.tables import times_table
from boruvka.bench.worker_process import Failure
from boruvka.errors import MissingExtraError, OptionError
from boruvka.graph.distances import __all__ as METRICS

POINTS = [
    "uniform:n=200,d=3,seed=1",
    "lattice:n=100,d=2",
    "equal:n=150,d=2,copies=10",
    "far_clusters:n=90,d=4",
]
TASK = PointsTask()


def tree_weights(points, k=None):
    """Compute the weights of the tree from the matrix of all distances, by Prim's algorithm."""
    matrix = squareform(pdist(points))
    if k is not None:
        core = np.sort(matrix, axis=1)[:, k - 1]
        matrix = np.maximum(matrix, np.maximum.outer(core, core))
    near, weights = matrix[0].copy(), []
    near[0] = np.inf
    inside = np.zeros(len(points), bool)
    inside[0] = True
    for _ in range(len(points) - 1):
        v = int(np.argmin(near))
        weights.append(near[v])
        inside[v] = True
        near = np.where(inside, np.inf, np.minimum(near, matrix[v]))
    return np.sort(weights)


def answer_of(contestant, point_set, threads=2):
    contestant.load(threads)
    native = contestant.prepare(point_set)
    return contestant.outcome(native, contestant.solve(native))


@pytest.mark.filterwarnings("ignore")  # those of the libraries
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, id=kind.name, marks=() if kind is SciPyLinkage else pytest.mark.long)
        for kind in TREES
    ],
)
@pytest.mark.parametrize("k", [None, 4])
def test_trees(kind, k):
    contestant = kind()
    if not contestant.installed:
        pytest.skip(f"{contestant.package} is not installed")
    for name in POINTS:
        point_set = PointsTask("euclidean", k).point_set(name)
        if contestant.refusal(point_set):
            assert (k, contestant.name) == (4, "mlpack")
            continue
        weights = tree_weights(point_set.points, k)
        outcome = answer_of(contestant, point_set)
        assert outcome.edges == point_set.n - 1
        assert outcome.weight == pytest.approx(weights.sum(), rel=contestant.accuracy)
        np.testing.assert_allclose(outcome.weights, weights, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", POINTS)
def test_our_tree_and_the_reference(name):
    point_set = TASK.point_set(name)
    outcome = answer_of(OurTree(), point_set)
    np.testing.assert_allclose(outcome.weights, tree_weights(point_set.points), rtol=1e-12)
    reference = PointReference.of_points(name, point_set)
    assert (reference.edges, reference.weight) == (outcome.edges, outcome.weight)
    reference.check(outcome, 0)


def test_wrong_trees():
    point_set = TASK.point_set(POINTS[0])
    reference = PointReference.of_points("p", point_set)
    right = answer_of(SciPyLinkage(), point_set)
    reference.check(right, 1e-9)
    heavier = right.weights.copy()
    heavier[[3, 7]] += [1e-3, -1e-3]
    native = NativePoints(point_set)
    star = native.tree(np.zeros(199, np.int64), np.arange(1, 200))
    loose = native.tree(np.zeros(199, np.int64), np.ones(199, np.int64))
    for wrong, message in (
        (right._replace(edges=198), "wrong: 198 edges, the forest has 199"),
        (right._replace(weight=right.weight * (1 + 1e-8)), "wrong: weight"),
        (right._replace(weights=np.sort(heavier)), "wrong: weight 3 of the edges, from the lightest on"),
        (right._replace(fingerprint=1), "wrong: other edges"),
        (star, "wrong: weight"),
        (loose, "wrong: 1 edges"),
    ):
        with pytest.raises(Failure, match=message):
            reference.check(wrong, 1e-9)


@pytest.mark.parametrize(
    "metric",
    [
        pytest.param(metric, marks=() if metric == "manhattan" else pytest.mark.long)  # each is compiled
        for metric in SCIPY_METRICS
    ],
)
def test_metrics_of_scipy(metric):
    point_set = PointsTask(metric).point_set("uniform:n=60,d=3")
    reference = PointReference.of_points("p", point_set)
    reference.check(answer_of(SciPyLinkage(), point_set), 1e-9)


def test_metrics_of_others():
    assert set(SCIPY_METRICS) <= set(METRICS)
    for kind in TREES:
        assert bool(kind().refusal(PointsTask("manhattan").point_set("line:n=2"))) == (
            kind is not SciPyLinkage
        )


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", CLUSTERERS, ids=lambda kind: kind.name)
def test_labels(kind):
    contestant = kind()
    if not contestant.installed:
        pytest.skip(f"{contestant.package} is not installed")
    point_set = PointsTask("euclidean", 10, 15).point_set("clusters:n=1500,d=2,count=5,seed=2")
    reference = PointReference.of_points("p", point_set)
    assert reference.labels.max() == 4
    outcome = answer_of(contestant, point_set)
    assert adjusted_rand_score(outcome.labels, reference.labels) > 0.97
    reference.check(outcome, 0)


def test_wrong_labels():
    labels = np.repeat([0, 1, -1], 30)
    reference = PointReference(1, 1.0, 1.0, None, np.ones(1), 1.0, labels)
    reference.check(PointOutcome(None, np.nan, labels=np.repeat([1, 5, -1], 30)), 0)
    for wrong, message in (
        (None, "there is not a label for each point"),
        (labels[:-1], "there is not a label for each point"),
        (np.tile([0, 1, 2], 30), "the adjusted Rand index of its labels and ours is -0"),
    ):
        with pytest.raises(Failure, match=message):
            reference.check(PointOutcome(None, np.nan, labels=wrong), 0)
    assert agreement(labels, labels) == 1


def test_chosen_contestants(monkeypatch):
    names = [c.name for c in chosen_for_points(TASK, ["auto", "dense"], ["scipy-linkage"])]
    assert names == ["boruvka", "boruvka:dense", "scipy-linkage"]
    every = [c.name for c in chosen_for_points(TASK, ["all"], [])]
    assert {"boruvka", "boruvka:dense"} <= set(every)
    assert "boruvka:kruskal" not in every
    labels = PointsTask("euclidean", 5, 5)
    assert "scikit-learn" in [c.name for c in chosen_for_points(labels, ["auto"])]
    with pytest.raises(OptionError, match="'kruskal' is no algorithm of points: take auto"):
        chosen_for_points(TASK, ["kruskal"])
    with pytest.raises(OptionError, match="unknown contestant 'scipy' on points; there are quitefastmst"):
        chosen_for_points(TASK, [], ["scipy"])
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert [c.name for c in chosen_for_points(TASK, ["auto"])] == ["boruvka"]
    with pytest.raises(MissingExtraError, match="install it with: pip install quitefastmst"):
        chosen_for_points(TASK, [], ["quitefastmst"])


@pytest.fixture(scope="module")
def results():
    contestants = [OurTree(), SciPyLinkage()]
    plan = Plan(contestants, [1], KBest(runs=2, best=1, most=2), probes=False, points=TASK)
    return measure(["uniform:n=400,d=2,seed=1"], plan)


def test_measurement(results):
    (found,) = results.graphs
    assert (found.name, found.n, found.m) == ("points of uniform:n=400,d=2,seed=1", 400, 79800)
    assert (found.weights, found.bytes, found.forest_edges) == ("float64", 6400, 399)
    assert [(e.contestant, e.error, len(e.samples)) for e in found.entries] == [
        ("boruvka", "", 2),
        ("scipy-linkage", "", 2),
    ]
    assert not found.limits


def test_table(results):
    table = times_table(results.graphs[0])
    assert table.title == "points of uniform:n=400,d=2,seed=1 (400 points, float64)"
    assert table.header == (
        "contestant", "threads", "convert ms", "solve ms", "±", "/ boruvka", "bytes a point",
    )  # fmt: skip
    assert not GraphResult("uniform", 1, 1, "int8", 1, 1, 1).is_points


def test_a_contestant_for_fewer_points_is_left_out():
    plan = Plan([SciPyLinkage()], [1], KBest(), points=TASK)
    many = TASK.point_set("uniform:n=10001,d=2")
    assert plan.reason_against(SciPyLinkage(), many) == "more than 10,000 points"
    plan = Plan([SciPyLinkage()], [1], KBest(), named=("scipy-linkage",), points=TASK)
    assert plan.reason_against(SciPyLinkage(), many) == ""
