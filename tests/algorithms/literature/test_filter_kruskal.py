"""Quicksort with a filter: parts, and the split at a pivot."""

import pytest

from boruvka import Graph, generators
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve


@pytest.mark.parametrize(("sorts_up_to", "parts"), [(1_200, 1), (300, 3), (10, 10)])
def test_parts_are_split_until_they_are_small(graph, edges, sorts_up_to, parts):
    tuning = Tuning(filter_kruskal_sorts_up_to=sorts_up_to)
    found, rounds = solve(graph, "filter-kruskal", Backend(tuning=tuning))
    assert found == edges
    assert [r.phase for r in rounds[:2]] == ["all", "part"]
    assert len(rounds) - 1 >= parts


def test_most_edges_of_a_dense_graph_are_filtered():
    graph = generators.random(40, 780, seed=2)
    found, rounds = solve(graph, "filter-kruskal", Backend(tuning=Tuning(filter_kruskal_sorts_up_to=20)))
    assert found == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    assert sum(r.edges for r in rounds if r.phase == "part" and r.edges <= 20) < graph.m / 2


def test_equal_weights_are_split_by_index():
    graph = Graph(30, range(29), range(1, 30), [1] * 29)
    found, _ = solve(graph, "filter-kruskal", Backend(tuning=Tuning(filter_kruskal_sorts_up_to=2)))
    assert found == list(range(29))
