"""Random spanning trees: their probabilities, and walks that are too long."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, OptionError, generators
from tests.oracles import components, is_forest
from tests.strategies import graphs


def probabilities(graph, weighted):
    """List all spanning trees, and how likely each is."""
    trees = {}
    for edges in combinations(range(graph.m), graph.n - 1):
        if is_forest(graph.n, graph.u, graph.v, np.array(edges)):
            trees[edges] = math.prod(graph.w[list(edges)].tolist()) if weighted else 1
    total = sum(trees.values())
    return {edges: value / total for edges, value in trees.items()}


def assert_likely(graph, draws, method="weighted"):
    """Compare trees with exact probabilities by the chi-squared test; rare trees count together."""
    ratios = [
        Fraction(*w.as_integer_ratio()) if hasattr(w, "as_integer_ratio") else Fraction(int(w))
        for w in graph.w
    ]
    products = {}
    for edges in combinations(range(graph.m), graph.n - 1):
        if is_forest(graph.n, graph.u, graph.v, np.array(edges)):
            products[edges] = math.prod(ratios[i] for i in edges) if method == "weighted" else 1
    total = sum(products.values())
    expected = {edges: float(draws * value / total) for edges, value in products.items()}
    drawn = [boruvka.random_spanning_tree(graph, seed=seed, method=method) for seed in range(draws)]
    found = Counter(tuple(tree.edges.tolist()) for tree in drawn)
    assert set(found) <= set(expected)
    often = {edges: value for edges, value in expected.items() if value >= 5}
    rest = draws - sum(often.values())
    chi = sum((found[edges] - value) ** 2 / value for edges, value in often.items())
    chi += (draws - sum(found[edges] for edges in often) - rest) ** 2 / max(rest, 1)
    assert chi < len(often) + 1 + 6 * math.sqrt(2 * len(often) + 2)
    return {tree.algorithm for tree in drawn}


LONG, TINY = np.finfo(np.longdouble).max, np.finfo(np.longdouble).tiny
ENDS_OF_RANGES = {
    "largest": np.array([1.7e308, 8e307, 6e307, 1.7e308, 4e307, 8e307, 1.0, 3e307]),
    "smallest": 5e-324 * np.array([1, 2, 3, 1, 4, 2, 1, 5]),
    "float16": np.array([65504, 30000, 20000, 65504, 10000, 30000, 6e-8, 15000], np.float16),
    "int64": np.array([2**63 - 1, 2**62, 2**61, 2**63 - 1, 2**60, 2**62, 1, 2**61]),
    "uint64": np.array([2**64 - 1, 2**63, 2**62, 2**64 - 1, 2**61, 2**63, 1, 2**62], np.uint64),
    "long double": LONG / np.array([1, 2, 3, 1, 4, 2, LONG, 5], np.longdouble),
    "small long double": TINY * np.array([1, 2, 3, 1, 4, 2, 1, 5], np.longdouble),
}


@pytest.mark.parametrize("walks", [0, 6, 1 << 22])
@pytest.mark.parametrize("w", ENDS_OF_RANGES.values(), ids=ENDS_OF_RANGES)
def test_weights_at_the_ends_of_ranges(w, walks, monkeypatch):
    """Trees are as likely whether they are walked, eliminated, or whichever ends first."""
    monkeypatch.setattr("boruvka.trees.random_tree.WALK_STEPS", walks)
    monkeypatch.setattr("boruvka.trees.random_tree.WALK_STEPS_PER_EDGE", 0)
    graph = Graph(4, [0, 1, 2, 3, 0, 0, 2, 1], [1, 2, 3, 0, 2, 1, 2, 3], w)
    algorithms = assert_likely(graph, 1000)
    assert algorithms == (
        {"elimination"} if not walks else {"wilson"} if walks > 6 else {"elimination", "wilson"}
    )


@pytest.mark.parametrize(
    "w",
    [
        [1, 2, 3, 3, 2, 1, 1e-300, 2e-300, 3e-300],
        [1.7e308, 8e307, 6e307, 1, 2, 3, 5e-324, 1e-323, 1.5e-323],
        np.array([LONG, LONG / 2, LONG / 3, 1, 2, 3, TINY, 2 * TINY, 3 * TINY]),
        pytest.param([1, 1e-12, 1e-12, 1, 1e-12, 1e-12, 1e-24, 1e-24, 1e-24], marks=pytest.mark.long),
        pytest.param([3, 1, 2, 1e3, 1e3, 2e3, 1, 2, 1], marks=pytest.mark.long),
    ],
)
def test_heavy_parts_with_light_edges_between(w, monkeypatch):
    """A walk would not leave the triangles."""
    monkeypatch.setattr("boruvka.trees.random_tree.WALK_STEPS", 1000)
    monkeypatch.setattr("boruvka.trees.random_tree.WALK_STEPS_PER_EDGE", 0)
    assert_likely(Graph(6, [0, 1, 2, 3, 4, 5, 0, 1, 2], [1, 2, 0, 4, 5, 3, 3, 4, 5], np.array(w)), 1500)


def test_what_would_be_a_long_walk_ends():
    n = 50_000
    x = np.arange(n)
    path = Graph(n, x[:-1], x[1:], np.tile([1e-12, 1.0], n)[: n - 1])
    cycle = Graph(n, x, np.roll(x, -1), 10.0 ** (x % 600 - 300))
    for graph in path, cycle:
        for method in "uniform", "weighted":
            tree = boruvka.random_spanning_tree(graph, seed=3, method=method)
            assert len(tree) == n - 1
            assert tree.n_components == 1
    assert boruvka.random_spanning_tree(([0, 1], [1, 2], [1e-12, 1.0]), method="weighted").edges.tolist() == [
        0,
        1,
    ]


def test_hopeless_walks_are_refused(monkeypatch):
    for name, value in ("WALK_STEPS", 100), ("WALK_STEPS_PER_EDGE", 0):
        monkeypatch.setattr(f"boruvka.trees.random_tree.{name}", value)
    monkeypatch.setattr("boruvka.trees.vertex_elimination.MOST_STEPS", 0)
    graph = Graph(6, [0, 1, 2, 3, 4, 5, 0, 1], [1, 2, 0, 4, 5, 3, 3, 4], [1, 1, 1, 1, 1, 1, 1e-99, 1e-99])
    with pytest.raises(GraphError, match=r"more than 6,400 steps.* method='random-weights' does not walk"):
        boruvka.random_spanning_tree(graph, method="weighted")
    assert len(boruvka.random_spanning_tree(graph)) == 5  # the longer walk suffices


@pytest.mark.parametrize("method", ["uniform", "weighted"])
def test_trees_are_as_likely_as_they_should_be(method):
    """By the chi-squared test, of a graph with parallel edges and a loop."""
    graph = Graph(4, [0, 1, 2, 3, 0, 0, 2], [1, 2, 3, 0, 2, 1, 2], [1, 2, 3, 1, 4, 2, 9])
    expected = probabilities(graph, method == "weighted")
    draws = 6000
    drawn = (boruvka.random_spanning_tree(graph, seed=seed, method=method) for seed in range(draws))
    found = Counter(tuple(tree.edges.tolist()) for tree in drawn)
    assert set(found) <= set(expected)
    chi = sum((found[tree] - draws * p) ** 2 / (draws * p) for tree, p in expected.items())
    assert chi < len(expected) + 6 * math.sqrt(2 * len(expected))


@given(graphs(9, 25, [np.dtype("u1")]), st.integers(0, 99), st.sampled_from(["uniform", "random-weights"]))
def test_every_component_has_a_tree(graph, seed, method):
    forest = boruvka.random_spanning_tree(graph, seed=seed, method=method)
    assert is_forest(graph.n, graph.u, graph.v, forest.edges)
    assert forest.labels.tolist() == components(graph.n, graph.u, graph.v)
    assert (
        boruvka.random_spanning_tree(graph, seed=seed, method=method).edges.tolist() == forest.edges.tolist()
    )


def test_mean_degree_is_that_of_kirchhoff():
    """The probability of an edge is its effective resistance."""
    g = networkx.convert_node_labels_to_integers(networkx.grid_2d_graph(3, 3))
    graph = boruvka.as_graph(g, default=1)
    adjacency = networkx.to_numpy_array(g)
    laplacian = np.linalg.pinv(np.diag(adjacency.sum(axis=0)) - adjacency)
    counts = np.zeros(graph.m)
    for seed in range(3000):
        counts[boruvka.random_spanning_tree(graph, seed=seed).edges] += 1
    u, v = graph.u, graph.v
    resistance = laplacian[u, u] + laplacian[v, v] - 2 * laplacian[u, v]
    assert counts / 3000 == pytest.approx(resistance, abs=0.05)


def test_walks_go_on_after_a_pause(monkeypatch):
    graph = generators.grid(30, 30)
    whole = boruvka.random_spanning_tree(graph, seed=5).edges.tolist()
    monkeypatch.setattr("boruvka.trees.random_tree.STEPS_AT_ONCE", 100)
    assert boruvka.random_spanning_tree(graph, seed=5).edges.tolist() == whole


def test_random_trees_refuse():
    graph = [(0, 1, 1.0), (1, 2, 0.0)]
    with pytest.raises(GraphError, match="positive and finite"):
        boruvka.random_spanning_tree(graph, method="weighted")
    with pytest.raises(OptionError, match="method must be"):
        boruvka.random_spanning_tree(graph, method="wilson")
    with pytest.raises(OptionError, match="seed must be"):
        boruvka.random_spanning_tree(graph, seed=-1)
    with pytest.raises(GraphTypeError, match="list their edges"):
        boruvka.random_spanning_tree(Graph.from_points([[0], [1]]))
