"""For many values of min_samples, Kruskal's algorithm on all pairs finds the same forests, edge by edge."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError, minimum_spanning_forest
from boruvka.graph.points.point_index import PAYS_FROM
from tests import oracles
from tests.conftest import set_small_limits

METRICS = {
    "euclidean": lambda x: np.sqrt((x * x).sum(axis=-1)),
    "manhattan": lambda x: np.abs(x).sum(axis=-1),
    "chebyshev": lambda x: np.abs(x).max(axis=-1),
    "hamming": lambda x: np.count_nonzero(x, axis=-1),
}


@st.composite
def tied_points(draw):
    """Draw points of a small lattice: most distances are equal to others, and many points are equal."""
    n, values = draw(st.integers(1, 40)), draw(st.sampled_from([1, 2, 3, 5]))
    points = np.random.default_rng(draw(st.integers(0, 999))).integers(0, values, (n, 2)).astype(float)
    samples = draw(st.lists(st.integers(1, n) | st.integers(1, min(n, 6)), max_size=5))
    return points, samples


def check(points, metric, samples, **how):
    graph = Graph.from_points(points, metric)
    forests = boruvka.mutual_reachability_forests(graph, samples, **how)
    assert len(forests) == len(samples)
    matrix = METRICS[metric](points[:, None] - points)
    u, v = np.triu_indices(len(points), 1)
    for k, forest in zip(samples, forests, strict=True):
        core = np.sort(matrix, axis=1)[:, k - 1]
        w = np.maximum(matrix[u, v], np.maximum(core[u], core[v]))
        assert forest.edges.tolist() == oracles.kruskal(len(points), u, v, w)
        assert forest.w.tolist() == w[forest.edges].tolist()
        assert forest.graph.min_samples == k
        assert forest.graph.core_distances.tolist() == core.tolist()


@given(drawn=tied_points(), metric=st.sampled_from(sorted(METRICS)))
def test_ties_are_broken_as_among_all_pairs(drawn, metric):
    check(drawn[0], metric, drawn[1])


@pytest.mark.long
@given(drawn=tied_points(), metric=st.sampled_from(["chebyshev", "euclidean", "manhattan"]))
def test_ties_are_broken_as_among_all_pairs_by_a_tree(monkeypatch, drawn, metric):
    """Small leaves have only equal points, of which one is in the tree."""
    set_small_limits(monkeypatch, 100)
    check(drawn[0], metric, drawn[1], algorithm="kd-tree-boruvka", threads=2)


def equal_to_separate_solves(points, metric, samples, **how):
    graph = Graph.from_points(points, metric)
    for k, forest in zip(samples, boruvka.mutual_reachability_forests(graph, samples, **how), strict=True):
        expected = minimum_spanning_forest(Graph.from_points(points, metric, min_samples=k))
        np.testing.assert_array_equal(forest.edges, expected.edges)
        np.testing.assert_array_equal(forest.w, expected.w)
        np.testing.assert_array_equal(forest.graph.core_distances, expected.graph.core_distances)


@pytest.mark.parametrize("algorithm", ["kd-tree-boruvka", "dense"])
@pytest.mark.parametrize("values", [0, 3, 30])
def test_many_points(algorithm, values):
    random = np.random.default_rng(values)
    points = random.random((PAYS_FROM, 2))
    if values:
        points = random.integers(0, values, (PAYS_FROM, 2)) / 2
    equal_to_separate_solves(points, "euclidean", [7, 2, 40, 1, 7, 200], algorithm=algorithm)


@pytest.mark.long
def test_angles_on_the_sphere():
    points = np.random.default_rng(1).uniform(-1.5, 1.5, (PAYS_FROM, 2))
    equal_to_separate_solves(points, "haversine", [2, 9, 20])


@pytest.mark.parametrize("metric", ["cosine", "braycurtis", "sqeuclidean"])
def test_all_pairs(metric):
    equal_to_separate_solves(np.random.default_rng(2).random((300, 40)), metric, [1, 30, 4])


@pytest.mark.long
@settings(max_examples=20)
@given(seed=st.integers(0, 99), samples=st.lists(st.integers(1, 12), max_size=4))
def test_a_function_with_infinite_distances(seed, samples):
    """Fewer than k points may be at a finite distance."""
    equal_to_separate_solves(np.random.default_rng(seed).integers(0, 8, 12), far_apart, samples)


def far_apart(a, b):
    return abs(a - b) if abs(a - b) < 3 else np.inf


def test_names_of_points_are_kept():
    graph = Graph.from_points([[0.0], [1.0], [3.0]], names=["a", "b", "c"])
    for forest in boruvka.mutual_reachability_forests(graph, (2, 1)):
        assert forest.graph.names.tolist() == ["a", "b", "c"]
        assert forest.path("a", "c").tolist() == [0, 2]


def test_wrong_arguments():
    graph = Graph.from_points([0.0, 1.0, 3.0])
    with pytest.raises(OptionError, match="min_samples is 4, more than the 3 points"):
        boruvka.mutual_reachability_forests(graph, [2, 4])
    with pytest.raises(OptionError, match="min_samples must be an integer"):
        boruvka.mutual_reachability_forests(graph, [2, 0])
    with pytest.raises(OptionError, match="min_samples must be a list of integers, got 3"):
        boruvka.mutual_reachability_forests(graph, 3)
    with pytest.raises(OptionError, match="min_samples of its own"):
        boruvka.mutual_reachability_forests(Graph.from_points([0.0, 1.0], min_samples=2), [1])
    with pytest.raises(GraphTypeError, match="expected points"):
        boruvka.mutual_reachability_forests(([0], [1], [2]), [1])
    with pytest.raises(GraphError, match="NaN or negative"):
        boruvka.mutual_reachability_forests(Graph.from_points([0.0, 1.0, 3.0], difference), [1, 2])


def difference(a, b):
    return a - b
