"""Prim's algorithm on points against brute force, and against the tree of points edge for edge."""

import functools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boruvka import Graph, GraphError, OptionError, minimum_spanning_forest, verify
from tests.algorithms.test_kd_tree_boruvka import METRICS, clouds, samples_or_none, shapes
from tests.algorithms.test_kd_tree_boruvka import check as check_tree
from tests.graph.conftest import interpreted
from tests.marks import long_but

__all__ = ["interpreted"]

SOLVER = "point-prim"
UNDERFLOWING = np.array([[0.0, 0.0], [5e-324, 0.0], [1e-160, 1e-161], [1e-162, 0.0], [1.0, 0.0]])
check = functools.partial(check_tree, solver=SOLVER)


@given(points=clouds([1, 2, 3, 6]), metric=st.sampled_from(METRICS), samples=samples_or_none)
@settings(max_examples=100)
@pytest.mark.usefixtures("interpreted")
def test_edges_are_those_of_brute_force(points, metric, samples):
    check(points, metric, samples and min(samples, len(points)), backend="interpreted")


@pytest.mark.parametrize("samples", [None, 3])
@pytest.mark.parametrize("metric", long_but(METRICS, "euclidean"))
@given(points=clouds([1, 2, 3, 6], most=60), threads=st.sampled_from([1, 3]))
@example(points=UNDERFLOWING, threads=1)
@settings(max_examples=40)
def test_compiled_edges_are_those_of_brute_force(metric, samples, points, threads):
    check(points, metric, samples and min(samples, len(points)), threads=threads)


@pytest.mark.long
@pytest.mark.parametrize("samples", [None, 5])
@pytest.mark.parametrize("d", long_but([2, 5], 2))
@pytest.mark.parametrize("shape", ["uniform", "lattice", "line", "clusters", "copies"])
def test_many_points_as_in_a_tree(shape, d, samples):
    points = shapes(1_000, d)[shape]
    points[:, d // 2] = 1.0 if shape == "copies" else points[:, d // 2]  # a constant column
    found = [
        minimum_spanning_forest(Graph.from_points(points, min_samples=samples), algorithm=name)
        for name in (SOLVER, "kd-tree-boruvka")
    ]
    np.testing.assert_array_equal(found[0].edges, found[1].edges)
    np.testing.assert_array_equal(found[0].w, found[1].w)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_hardly_any_points(n):
    graph = Graph.from_points(np.arange(2.0 * n).reshape(n, 2))
    forest = minimum_spanning_forest(graph)
    assert forest.algorithm == SOLVER
    assert forest.edges.tolist() == ([0, 2] if n == 3 else list(range(n - 1)))
    assert verify(graph, forest)


def test_points_without_coordinates_are_equal():
    forest = minimum_spanning_forest(Graph.from_points(np.empty((4, 0))), algorithm=SOLVER)
    assert forest.edges.tolist() == [0, 1, 2]


def test_the_record_has_one_round():
    forest = minimum_spanning_forest(Graph.from_points(np.random.default_rng(1).random((50, 2))))
    (round_,) = forest.rounds
    assert (round_.phase, round_.n_components, round_.edges) == ("points", 50, 1225)
    assert set(round_.seconds) == {"join"}


@pytest.mark.parametrize(
    ("make", "how", "message"),
    [
        (lambda: Graph.from_points(np.ones((3, 2)), "haversine"), {}, "takes the metrics euclidean, sqeucl"),
        (lambda: Graph.from_points(np.ones((3, 2))), {"maximum": True}, "finds no maximum spanning forest"),
        (lambda: np.ones((4, 4)), {}, "takes points"),
        (lambda: ([0], [1], [2.0]), {}, "takes points"),
    ],
)
def test_other_graphs_are_refused(make, how, message):
    with pytest.raises(OptionError, match=f"point-prim {message}"):
        minimum_spanning_forest(make(), algorithm=SOLVER, **how)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
def test_points_without_distances_are_refused(bad):
    points = np.ones((3, 2))
    graph = Graph.from_points(points)
    points[1, 1] = bad
    for make in (lambda: graph, lambda: Graph.from_points(points)):
        with pytest.raises(GraphError, match="coordinate 1 of point 1"):
            minimum_spanning_forest(make())
