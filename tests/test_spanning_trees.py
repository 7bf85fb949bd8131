"""Edge-disjoint forests, batches of small graphs and random trees, against solves one by one."""

import math
from collections import Counter
from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError, generators
from tests.oracles import components, is_forest, kruskal
from tests.strategies import graphs

# Edge-disjoint forests


@given(graphs(8, 30), st.integers(1, 4), st.booleans())
def test_each_forest_is_that_of_what_is_left(graph, k, maximum):
    left = np.arange(graph.m)
    found = boruvka.spanning_forests(graph, k, maximum=maximum)
    assert len(found) == k
    for forest in found:
        chosen = kruskal(graph.n, graph.u[left], graph.v[left], graph.w[left], maximum)
        assert forest.edges.tolist() == left[chosen].tolist()
        left = np.delete(left, chosen)


def test_forests_of_points():
    points = np.random.default_rng(0).random((30, 2))
    first, second = boruvka.spanning_forests(Graph.from_points(points), 2)
    assert first.edges.size == second.edges.size == 29
    assert not np.isin(first.edges, second.edges).any()
    with pytest.raises(OptionError, match="k must be an integer 1 or more"):
        boruvka.spanning_forests(Graph.from_points(points), 0)


# Batches


def assert_same_as_one_by_one(batch, graphs_of_batch):
    assert batch.offsets.size == len(graphs_of_batch) + 1
    for i, graph in enumerate(graphs_of_batch):
        edges, u, v, w = batch.forest(i)
        expected = kruskal(graph.n, graph.u, graph.v, graph.w)
        assert edges.tolist() == expected
        assert (u.tolist(), v.tolist()) == (graph.u[expected].tolist(), graph.v[expected].tolist())
        assert w.tolist() == graph.w[expected].tolist()
        assert batch.n_components[i] == graph.n - len(expected)
        if np.isfinite(w).all():
            assert batch.weights[i] == pytest.approx(sum(w.tolist()))


@given(st.lists(graphs(6, 12, [np.dtype("i4")]), max_size=5))
def test_lists_of_graphs(several):
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(several), several)


@given(st.lists(graphs(6, 12, [np.dtype("f4")]), min_size=1, max_size=5))
def test_edges_with_offsets(several):
    columns = tuple(np.concatenate([getattr(graph, c) for graph in several]) for c in "uvw")
    offsets = np.cumsum([0, *(graph.m for graph in several)])
    sizes = [int(max(g.u.max(), g.v.max())) + 1 if g.m else 0 for g in several]
    shrunk = [Graph(n, g.u, g.v, g.w) for n, g in zip(sizes, several, strict=True)]
    assert_same_as_one_by_one(boruvka.minimum_spanning_forests(columns, offsets), shrunk)


@pytest.mark.parametrize("null", [None, 0.0])
def test_stacked_matrices(null):
    values = np.random.default_rng(1).integers(0, 5, (7, 6, 6)).astype(float)
    stack = values + values.transpose(0, 2, 1)
    stack[2, 1, 3] = stack[2, 3, 1] = np.nan
    batch = boruvka.minimum_spanning_forests(stack, null_value=null)
    rows, columns = np.triu_indices(6, 1)
    for i, matrix in enumerate(stack):
        w = matrix[rows, columns]
        kept = np.flatnonzero(~np.isnan(w) & ((null is None) | (w != 0)))
        chosen = kept[kruskal(6, rows[kept], columns[kept], w[kept])]
        edges, u, v, found = batch.forest(i)
        assert edges.tolist() == chosen.tolist()
        assert (u.tolist(), v.tolist()) == (rows[chosen].tolist(), columns[chosen].tolist())
        assert found.tolist() == w[chosen].tolist()


@pytest.mark.parametrize(
    ("batch", "offsets", "error", "message"),
    [
        (np.zeros((2, 3, 4)), None, GraphError, r"square matrices, these have the shape \(3, 4\)"),
        (np.arange(8).reshape(2, 2, 2), None, GraphError, r"graphs\[0\]\[0, 1\] is 1, but .* is symmetric"),
        (([0], [1], [2]), [0, 2], GraphError, "offsets must ascend from 0 to 1"),
        (([0], [1], [2]), [0.0, 1.0], GraphTypeError, "offsets must be integers"),
        (([0], [1], [2]), None, GraphTypeError, "needs offsets"),
        ([([0], [1], [2])], [0, 1], GraphTypeError, "needs offsets"),
        (3, None, GraphTypeError, r"graphs are a \(k, n, n\) array"),
        ([Graph.from_points([[0], [1]])], None, GraphTypeError, "list their edges"),
        ((["a"], ["b"], [2]), [0, 1], GraphTypeError, "numbers from 0"),
    ],
)
def test_what_is_no_batch(batch, offsets, error, message):
    with pytest.raises((error, GraphTypeError), match=message):
        boruvka.minimum_spanning_forests(batch, offsets)


def test_no_graphs():
    assert boruvka.minimum_spanning_forests([]).offsets.tolist() == [0]
    assert boruvka.minimum_spanning_forests(np.empty((0, 3, 3))).edges.size == 0


# Random trees


def probabilities(graph, weighted):
    """List all spanning trees, and how likely each is."""
    trees = {}
    for edges in combinations(range(graph.m), graph.n - 1):
        if is_forest(graph.n, graph.u, graph.v, np.array(edges)):
            trees[edges] = math.prod(graph.w[list(edges)].tolist()) if weighted else 1
    total = sum(trees.values())
    return {edges: value / total for edges, value in trees.items()}


@pytest.mark.parametrize("method", ["uniform", "weighted"])
def test_trees_are_as_likely_as_they_should_be(method):
    """By the chi-squared test, of a graph with parallel edges and a loop."""
    graph = Graph(4, [0, 1, 2, 3, 0, 0, 2], [1, 2, 3, 0, 2, 1, 2], [1, 2, 3, 1, 4, 2, 9])
    expected = probabilities(graph, method == "weighted")
    draws = 6000
    drawn = (boruvka.random_spanning_tree(graph, seed, method) for seed in range(draws))
    found = Counter(tuple(tree.edges.tolist()) for tree in drawn)
    assert set(found) <= set(expected)
    chi = sum((found[tree] - draws * p) ** 2 / (draws * p) for tree, p in expected.items())
    assert chi < len(expected) + 6 * math.sqrt(2 * len(expected))


@given(graphs(9, 25, [np.dtype("u1")]), st.integers(0, 99), st.sampled_from(["uniform", "random-weights"]))
def test_every_component_has_a_tree(graph, seed, method):
    forest = boruvka.random_spanning_tree(graph, seed, method)
    assert is_forest(graph.n, graph.u, graph.v, forest.edges)
    assert forest.labels.tolist() == components(graph.n, graph.u, graph.v)
    assert boruvka.random_spanning_tree(graph, seed, method).edges.tolist() == forest.edges.tolist()


def test_mean_degree_is_that_of_kirchhoff():
    """The probability of an edge is its effective resistance."""
    g = networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(3, 3))
    graph = boruvka.as_graph(g, default=1)
    laplacian = np.linalg.pinv(networkx.laplacian_matrix(g).toarray())
    counts = np.zeros(graph.m)
    for seed in range(3000):
        counts[boruvka.random_spanning_tree(graph, seed).edges] += 1
    u, v = graph.u, graph.v
    resistance = laplacian[u, u] + laplacian[v, v] - 2 * laplacian[u, v]
    assert counts / 3000 == pytest.approx(resistance, abs=0.05)


def test_walks_go_on_after_a_pause(monkeypatch):
    graph = generators.grid(30, 30)
    whole = boruvka.random_spanning_tree(graph, 5).edges.tolist()
    monkeypatch.setattr("boruvka.spanning_trees.STEPS_AT_ONCE", 100)
    assert boruvka.random_spanning_tree(graph, 5).edges.tolist() == whole


def test_random_trees_refuse():
    graph = [(0, 1, 1.0), (1, 2, 0.0)]
    with pytest.raises(GraphError, match="positive and finite"):
        boruvka.random_spanning_tree(graph, method="weighted")
    with pytest.raises(OptionError, match="method must be"):
        boruvka.random_spanning_tree(graph, method="wilson")
    with pytest.raises(OptionError, match="seed must be"):
        boruvka.random_spanning_tree(graph, -1)
    with pytest.raises(GraphTypeError, match="list their edges"):
        boruvka.random_spanning_tree(Graph.from_points([[0], [1]]))
