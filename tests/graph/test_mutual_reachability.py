"""Graphs of nearest neighbours and of mutual reachability distances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, GraphError, GraphTypeError, OptionError, minimum_spanning_forest


def test_nearest_neighbors():
    graph = Graph.from_neighbor_lists(
        [[0, 1], [2, -1], [1, 0]], np.array([[0, 5], [3, 9], [3, 7]], np.float32)
    )
    assert (graph.u.tolist(), graph.v.tolist()) == ([0, 0, 1, 2, 2], [0, 1, 2, 1, 0])
    assert graph.w.tolist() == [0, 5, 3, 3, 7]
    assert graph.w.dtype == np.float32
    assert minimum_spanning_forest(graph).edges.tolist() == [1, 2]


@pytest.mark.parametrize("arrays", [([0, 1], [1.0, 2.0]), ([[0, 1]], [[1.0]])])
def test_wrong_shapes_of_neighbours(arrays):
    with pytest.raises(GraphError, match=r"must both have the shape \(n, k\)"):
        Graph.from_neighbor_lists(*arrays)


@pytest.mark.parametrize("distances", [[[0.0], [1.0]], [[0.5], [7.5]]])
def test_exchanged_indices_and_distances(distances):
    with pytest.raises(GraphError, match="indices are floats, and distances integers: are they exchanged"):
        Graph.from_neighbor_lists(distances, [[1], [0]])


@given(st.data(), st.integers(1, 5), st.booleans())
def test_weights_by_definition(data, min_samples, dense):
    n = data.draw(st.integers(1, 8))
    entry = st.sampled_from([np.inf, 0, 1, 2, 3, 4])
    matrix = np.reshape(data.draw(st.lists(entry, min_size=n * n, max_size=n * n)), (n, n)).astype(float)
    u, v = np.nonzero(np.isfinite(matrix))
    if not dense:
        order = np.array(data.draw(st.permutations(range(u.size))), int)
        u, v = u[order], v[order]
    distances = np.minimum(matrix, matrix.T)
    core = [sorted(row)[min_samples - 1] if min_samples <= n else np.inf for row in distances]
    expected = [max(matrix[i, j] / 2, core[i], core[j]) for i, j in zip(u, v, strict=True)]
    if dense:
        graph = Graph.from_mutual_reachability(
            Graph.from_dense(matrix, null_value=np.inf), min_samples, alpha=2
        )
        expected = np.minimum(distances / 2, np.inf)
        expected = np.maximum(expected, np.maximum.outer(core, core))
        np.fill_diagonal(expected, np.inf)
        assert graph.m == np.isfinite(expected).sum()
        assert np.array_equal(graph.w, expected[np.isfinite(expected)])
    else:
        graph = Graph.from_mutual_reachability(Graph(n, u, v, matrix[u, v]), min_samples, alpha=2)
        assert graph.w.tolist() == expected
        assert (graph.u.tolist(), graph.v.tolist()) == (u.tolist(), v.tolist())


def test_parallel_edges_count_once():
    graph = Graph.from_mutual_reachability(Graph(3, [0, 0, 0], [1, 1, 2], [3, 1, 2]), 2)
    assert graph.w.tolist() == [np.inf] * 3
    graph = Graph(3, [0, 0, 0, 1], [1, 1, 2, 2], [3, 1, 2, 9])
    assert Graph.from_mutual_reachability(graph, 2).w.tolist() == [9, 9, 9, 9]


def test_wrong_arguments():
    edges = Graph(2, [0], [1], [1.0])
    with pytest.raises(OptionError, match="min_samples must be an integer 1 or more"):
        Graph.from_mutual_reachability(edges, 0)
    with pytest.raises(OptionError, match="alpha must be a number"):
        Graph.from_mutual_reachability(edges, 1, alpha=0)
    with pytest.raises(GraphError, match="distances are numbers from 0"):
        Graph.from_mutual_reachability(Graph(2, [0], [1], [-1.0]), 1)
    with pytest.raises(GraphTypeError, match=r"expected a Graph, got tuple: .* else boruvka.as_graph"):
        Graph.from_mutual_reachability(([0], [1], [1.0]), 1)
    with pytest.raises(GraphTypeError, match=r"write Graph.from_distances\(...\) around a matrix of"):
        Graph.from_mutual_reachability(np.zeros((2, 2)), 1)
    with pytest.raises(GraphTypeError, match="needs an edge list or a matrix"):
        Graph.from_mutual_reachability(Graph.from_points([[0.0], [1.0]]), 1)


def test_names_stay():
    graph = Graph.from_edges(["a", "b", "c"], ["b", "c", "a"], [1.0, 2.0, 3.0])
    assert Graph.from_mutual_reachability(graph, 2).names.tolist() == ["a", "b", "c"]
    matrix = Graph.from_dense([[0, 1], [1, 0]]).with_names("ab")
    assert Graph.from_mutual_reachability(matrix, 1).names.tolist() == ["a", "b"]
