"""Random trees by elimination: they are trees, and edges are as likely as their effective resistance says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import generators
from boruvka.trees import vertex_elimination
from boruvka.trees.vertex_elimination import tree_by_elimination
from tests.oracles import components, is_forest
from tests.strategies import graphs


def tree_of(graph, weights, seed):
    inside = np.flatnonzero(graph.u != graph.v)
    tree = tree_by_elimination(graph.n, graph.u[inside], graph.v[inside], np.log(weights[inside]), seed)
    return None if tree is None else np.sort(inside[tree])


@given(graphs(12, 40, [np.dtype("u1")]), st.integers(0, 2**40), st.sampled_from([1, 1e-3, 1e-300]))
def test_every_component_has_a_tree(graph, seed, least):
    weights = np.where(graph.w % 2 == 0, 1.0, least)
    edges = tree_of(graph, weights, seed)
    assert is_forest(graph.n, graph.u, graph.v, edges)
    forest = boruvka.Forest(graph, edges)
    assert forest.labels.tolist() == components(graph.n, graph.u, graph.v)
    assert tree_of(graph, weights, seed).tolist() == edges.tolist()


def test_edges_are_as_likely_as_kirchhoff_says():
    graph = generators.random(25, 80, seed=3)
    weights = 10.0 ** np.random.default_rng(0).uniform(-2, 2, graph.m)
    laplacian = np.zeros((25, 25))
    for a, b, w in zip(graph.u, graph.v, weights, strict=True):
        laplacian[[a, b], [a, b]] += w
        laplacian[[a, b], [b, a]] -= w
    inverse = np.linalg.pinv(laplacian)
    u, v = graph.u, graph.v
    expected = weights * (inverse[u, u] + inverse[v, v] - 2 * inverse[u, v])
    counts, draws = np.zeros(graph.m), 3000
    for seed in range(draws):
        counts[tree_of(graph, weights, 10**12 * seed)] += 1
    deviation = np.sqrt(np.maximum(expected * (1 - expected) / draws, 1e-5))
    assert (np.abs(counts / draws - expected) < 5 * deviation).all()


def test_vertices_at_once_make_no_difference(monkeypatch):
    graph = generators.grid(25, 25)
    weights = np.ones(graph.m)
    whole = tree_of(graph, weights, 5)
    monkeypatch.setattr(vertex_elimination, "VERTICES_AT_ONCE", 7)
    assert tree_of(graph, weights, 5).tolist() == whole.tolist()


@pytest.mark.parametrize(("name", "value"), [("MOST_STEPS", 100), ("MOST_ENTRIES", 1000)])
def test_too_large_graphs_have_no_tree(name, value, monkeypatch):
    graph = generators.random(200, 6000, seed=1)
    monkeypatch.setattr(vertex_elimination, name, value)
    assert tree_of(graph, np.ones(graph.m), 5) is None
