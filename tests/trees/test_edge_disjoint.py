"""Forests that share no edge, against Kruskal on what is left."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, OptionError
from tests.oracles import kruskal
from tests.strategies import graphs


@given(graphs(8, 30), st.integers(1, 4), st.booleans())
def test_each_forest_is_that_of_what_is_left(graph, k, maximum):
    left = np.arange(graph.m)
    found = boruvka.edge_disjoint_forests(graph, k, maximum=maximum)
    assert len(found) == k
    for forest in found:
        chosen = kruskal(graph.n, graph.u[left], graph.v[left], graph.w[left], maximum)
        assert forest.edges.tolist() == left[chosen].tolist()
        left = np.delete(left, chosen)


def test_forests_of_points():
    points = np.random.default_rng(0).random((30, 2))
    first, second = boruvka.edge_disjoint_forests(Graph.from_points(points), 2)
    assert first.edges.size == second.edges.size == 29
    assert not np.isin(first.edges, second.edges).any()
    with pytest.raises(OptionError, match="k must be an integer 1 or more"):
        boruvka.edge_disjoint_forests(Graph.from_points(points), 0)


def test_excluded_edges_are_in_no_forest():
    cycle = [0, 1, 2, 0], [1, 2, 0, 2], [1, 2, 3, 4]
    found = boruvka.edge_disjoint_forests(cycle, 2, excluded=[1])
    assert [forest.edges.tolist() for forest in found] == [[0, 2], [3]]
    assert len(boruvka.edge_disjoint_forests(cycle, 1, excluded=None, required=None)) == 1
    with pytest.raises(OptionError, match="required edges would be in every forest"):
        boruvka.edge_disjoint_forests(cycle, 2, required=[0])
    with pytest.raises(GraphError, match="excluded has 4"):
        boruvka.edge_disjoint_forests(cycle, 2, excluded=[4])
