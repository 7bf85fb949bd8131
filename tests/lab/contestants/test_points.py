"""Contestants on points give the tree, or the labels; wrong answers are told apart."""

import numpy as np
import pytest

from lab.contestants.points import CLUSTERERS, TREES, OurTree, SciPyLinkage, Task
from lab.points import points_of

POINTS = [
    "uniform:n=200,d=3,seed=1",
    "lattice:n=100,d=2",
    "equal:n=150,d=2,copies=10",
    "far_clusters:n=90,d=4",
]


def tree_weights(points, k=None):
    """Compute the weights of the tree from the matrix of all distances, by Prim's algorithm."""
    matrix = np.linalg.norm(points[:, None] - points, axis=2)
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
        pytest.param(kind, id=name, marks=() if kind is SciPyLinkage else pytest.mark.long)
        for name, kind in TREES.items()
    ],
)
@pytest.mark.parametrize("k", [None, 4])
def test_trees(kind, k):
    contestant = kind()
    if not contestant.installed:
        pytest.skip(f"{contestant.package} is not installed")
    for name in POINTS:
        point_set = points_of(name, Task(k))
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
    point_set = points_of(name, Task())
    outcome = answer_of(OurTree(), point_set)
    np.testing.assert_allclose(outcome.weights, tree_weights(point_set.points), rtol=1e-12)
    reference = point_set.reference()
    assert (reference.edges, reference.weight) == (outcome.edges, outcome.weight)
    reference.check(outcome, 0)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CLUSTERERS)
def test_labels(name):
    contestant = CLUSTERERS[name]()
    if not contestant.installed:
        pytest.skip(f"{contestant.package} is not installed")
    point_set = points_of("clusters:n=1500,d=2,count=5,seed=2", Task(10, 15))
    reference = point_set.reference()
    assert reference.labels.max() == 4
    reference.check(answer_of(contestant, point_set), 0)
