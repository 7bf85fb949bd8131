"""Lists of neighbours and core distances against brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, GraphError
from boruvka.backends import get_backend
from boruvka.graph.graph import DistanceGraph
from boruvka.graph.points.core_distances import PairBlocks, core_distances_of_all_pairs
from tests.conftest import set_small_limits
from tests.graph.conftest import interpreted

__all__ = ["interpreted"]


def check(points, backend, samples):
    n = len(points)
    graph = Graph.from_points(points, min_samples=samples)
    index = graph.point_index(backend)
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    exact = np.sort(distances, axis=1)
    np.testing.assert_allclose(graph.core_distances, exact[:, samples - 1], rtol=1e-12, atol=1e-12)
    if index.equal_pairs.size:
        return
    neighbours, k = index.neighbours, int(index.neighbours.k)
    vertex = index.tree.vertex.astype(int)
    listed = vertex[neighbours.row.reshape(n, k)]
    assert (listed != vertex[:, None]).all()
    found = distances[vertex[:, None], listed]
    np.testing.assert_allclose(found, exact[vertex, 1 : k + 1], rtol=1e-12, atol=1e-12)
    last = np.maximum(exact[vertex, k], graph.core_distances[vertex])
    np.testing.assert_allclose(neighbours.last, last, rtol=1e-12, atol=1e-12)


@given(
    n=st.integers(2, 40),
    d=st.integers(1, 3),
    values=st.sampled_from([1, 3, 1000]),
    samples=st.integers(1, 12),
    seed=st.integers(0, 99),
)
def test_neighbours_of_few_points(monkeypatch, n, d, values, samples, seed):
    set_small_limits(monkeypatch, 100)
    points = np.random.default_rng(seed).integers(0, values, (n, d)).astype(float)
    check(points, get_backend("interpreted", 1), min(samples, n))


@pytest.mark.parametrize("samples", [2, 20])
def test_neighbours_of_many_points(samples):
    check(np.random.default_rng(1).random((2_000, 2)), get_backend("threads", 2), samples)


@pytest.mark.usefixtures("interpreted")
def test_core_distances_that_overflow_are_an_error():
    graph = DistanceGraph(np.array([[0.0], [1e9], [3e9]]), "euclidean", 2, core_factor=1e300)
    with pytest.raises(GraphError, match=r"core distances times 1e\+300 overflow"):
        graph.point_index(get_backend("interpreted", 1))


def test_core_distances_are_the_same_by_all_pairs():
    points = np.random.default_rng(2).random((3_500, 2))
    graph = Graph.from_points(points, min_samples=7)
    assert not graph.has_core_distances
    backend = get_backend("threads", 2)
    expected = core_distances_of_all_pairs(graph.pairs, 7, PairBlocks(graph.pairs, backend), backend)
    np.testing.assert_array_equal(graph.core_distances, expected)
