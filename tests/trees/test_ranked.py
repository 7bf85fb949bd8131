"""Spanning forests in order, compared with all spanning trees of small graphs, and with NetworkX."""

from itertools import combinations, islice

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError
from boruvka.trees.ranked import ranked
from tests import oracles, validity
from tests.strategies import graphs


def all_forests(graph, maximum, required):
    """Return the edges of all spanning forests in order: by weight, then by edges from the largest on."""
    size = graph.n - len(set(oracles.components(graph.n, graph.u, graph.v)))
    weights, sign = validity.exact(graph.w), -1 if maximum else 1
    found = [
        edges
        for edges in combinations(range(graph.m), size)
        if set(required) <= set(edges) and oracles.is_forest(graph.n, graph.u, graph.v, np.array(edges, int))
    ]
    return sorted(found, key=lambda edges: (sign * sum(weights[i] for i in edges), sorted(edges)[::-1]))


@given(graphs(5, 8), st.booleans(), st.data())
def test_all_spanning_forests(graph, maximum, data):
    required = data.draw(st.lists(st.integers(0, max(graph.m - 1, 0)), max_size=graph.m > 0))
    try:
        forest = boruvka.minimum_spanning_forest(graph, maximum=maximum, required=required)
    except GraphError:  # a self-loop cannot be required
        return
    if graph.w.dtype.kind == "f" and not np.isfinite(graph.w).all():
        with pytest.raises(GraphError, match="finite weights"):
            forest.ranked()
        return
    found = list(forest.ranked())
    assert found[0] is forest
    expected = all_forests(graph, maximum, required)
    assert [tuple(tree.edges.tolist()) for tree in found] == expected
    assert [tuple(tree.edges.tolist()) for tree in forest.ranked(3)] == expected[:3]
    for tree in found:
        validity.valid_forest(tree)
        assert tree.required.tolist() == forest.required.tolist()


@given(st.integers(0, 1000))
def test_networkx(seed):
    rng = np.random.default_rng(seed)
    g = networkx.gnm_random_graph(7, 12, seed=seed)
    if not networkx.is_connected(g):
        return
    for a, b in g.edges:
        g.edges[a, b]["weight"] = float(rng.integers(0, 4)) if seed % 2 else rng.random()
    trees = boruvka.minimum_spanning_forest(g).ranked()
    expected = [tree.size("weight") for tree in islice(networkx.SpanningTreeIterator(g), 40)]
    np.testing.assert_allclose([tree.weight for tree in islice(trees, 40)], expected)


def test_points_and_matrices_are_ranked_as_lists_of_edges():
    points = Graph.from_points(np.random.default_rng(2).integers(0, 4, (6, 2)))
    matrix = np.zeros((6, 6))
    matrix[points.u, points.v] = points.w
    matrix = Graph.from_dense(matrix, null_value=0)
    for graph in points, matrix:
        forest = boruvka.minimum_spanning_forest(graph)
        listed = boruvka.minimum_spanning_forest(Graph.from_edges(graph.u, graph.v, graph.w, n=6))
        found, expected = ([tree.edges.tolist() for tree in islice(f.ranked(), 50)] for f in (forest, listed))
        assert found == expected


def test_a_symmetric_matrix_has_each_tree_once():
    forest = boruvka.minimum_spanning_forest(Graph.from_dense(np.ones((4, 4))))
    trees = {frozenset(map(frozenset, zip(t.u.tolist(), t.v.tolist(), strict=True))) for t in forest.ranked()}
    assert len(trees) == sum(1 for _ in forest.ranked()) == 16  # Cayley's formula


def test_sums_of_floats_are_exact():
    u, v, w = [0, 0, 1, 1, 2, 2], [1, 1, 2, 2, 3, 3], [0.1, 0.4, 0.2, 0.5, 1e17, 1e17 + 16]
    trees = list(boruvka.minimum_spanning_forest((u, v, w)).ranked())
    assert len(trees) == 8
    increases = [sum(map(validity.Fraction, tree.w.tolist())) for tree in trees]
    assert increases == sorted(increases)


def test_removed_edges_stay_out():
    forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [1, 2, 3])).update(removed=[0])
    assert [tree.edges.tolist() for tree in forest.ranked()] == [[1, 2]]


def test_a_few_of_very_many():
    graph = boruvka.generators.grid(30, 30, seed=1)
    trees = list(islice(boruvka.minimum_spanning_forest(graph).ranked(), 30))
    assert len({tuple(tree.edges.tolist()) for tree in trees}) == 30
    assert [tree.weight for tree in trees] == sorted(tree.weight for tree in trees)


def test_errors():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3])
    second = list(boruvka.minimum_spanning_forest(graph).ranked())[1]
    for question in "ranked", "network", "sensitivity", "update":
        with pytest.raises(GraphError, match=f"{question} is for .* a next best one"):
            getattr(second, question)()
    with pytest.raises(GraphError, match="joins two trees"):
        list(boruvka.Forest(graph, [0]).ranked())
    for n in 0, 2:
        (forest,) = boruvka.minimum_spanning_forest(Graph.from_edges([], [], [], n=n)).ranked()
        assert len(forest) == 0

    class OnDevice:
        is_on_device = True

    with pytest.raises(GraphTypeError, match="to_host"):
        ranked(OnDevice(), forest.structure)
