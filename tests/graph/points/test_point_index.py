"""Whether a tree pays: by the number of points, of coordinates, and of the axes along which points vary."""

import numpy as np
import pytest

from boruvka import Graph
from boruvka.algorithms.run import algorithm_for
from boruvka.backends import get_backend
from boruvka.graph.points.point_index import effective_dimension
from tests.algorithms.solving import solve
from tests.marks import long_but

RANDOM = np.random.default_rng(0)
PLANE = RANDOM.normal(size=(2_500, 2)) @ RANDOM.normal(size=(2, 32))


def chosen(points, metric="euclidean"):
    return algorithm_for("auto", Graph.from_points(points, metric), get_backend("threads", 1)).name


@pytest.mark.parametrize("scale", [1.0, 1e-130, 1e130])
def test_effective_dimension(scale):
    line = np.outer(np.arange(5_000.0), np.arange(1, 18))
    assert effective_dimension(scale * line) == pytest.approx(1)
    assert effective_dimension(scale * (line + 1e9)) == pytest.approx(1, rel=1e-3)
    assert effective_dimension(scale * RANDOM.normal(size=(5_000, 20))) == pytest.approx(20, rel=0.05)
    assert 1 < effective_dimension(scale * PLANE) <= 2
    assert effective_dimension(np.ones((5_000, 20)) * scale) == 0


@pytest.mark.parametrize("metric", ["euclidean", "manhattan"])
def test_choice(metric):
    noise = RANDOM.normal(size=(2_500, 32))
    assert chosen(PLANE, metric) == "kd-tree-boruvka"
    assert chosen(PLANE[:1_999], metric) != "kd-tree-boruvka"
    assert chosen(noise, metric) == "dense"
    assert chosen(noise[:, :16], metric) == "kd-tree-boruvka"
    assert chosen(np.column_stack([PLANE, PLANE[:, :1]]), metric) == "dense"
    assert chosen(np.zeros((2_500, 20)), metric) == "kd-tree-boruvka"


@pytest.mark.parametrize("samples", [None, 4])
def test_forests_in_many_dimensions(samples):
    points = np.round(PLANE[:, :20], 1)  # with ties
    points[::7] = points[0]
    graph = Graph.from_points(points, min_samples=samples)
    check_all_solvers(graph)


@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("metric", long_but(["manhattan", "chebyshev", "euclidean"], "manhattan"))
def test_core_distances_from_a_tree_leave_no_matrix_of_distances(metric, samples):
    """With 32 coordinates, other metrics keep the distances that core distances are found from."""
    scale = 1e100 if metric == "euclidean" else 1.0  # too large for bounds
    graph = Graph.from_points(PLANE[:2_000] * scale, metric, min_samples=samples)
    check_all_solvers(graph)
    backend = get_backend("threads", 2)
    again = Graph.from_points(graph.points, metric, min_samples=samples)
    heaviest = solve(again, "auto", backend, maximum=True)[0]
    assert heaviest == solve(graph, "dense", backend, maximum=True)[0]  # which knows the core distances


def check_all_solvers(graph):
    """Compare the tree, and dense without core distances that are known already."""
    again = Graph.from_points(graph.points, graph.distance, min_samples=graph.min_samples)
    backend = get_backend("threads", 2)
    by_tree = solve(graph, "kd-tree-boruvka", backend)[0]
    assert solve(again, "dense", backend)[0] == by_tree
