"""Rounds: what they log, and the sort of the last edges."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, generators, minimum_spanning_forest
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve
from tests.strategies import graphs


def test_rounds_tell_what_happened():
    graph = generators.kronecker(17, 16, seed=3)
    forest = minimum_spanning_forest(graph, algorithm="filter-boruvka", threads=1)
    assert forest.rounds[0].n_components == graph.n
    assert {r.phase for r in forest.rounds} == {"light", "heavy", "round", "sorted"}
    assert forest.rounds[0].edges == graph.m > forest.rounds[1].edges
    assert all(seconds >= 0 for r in forest.rounds for seconds in r.seconds.values())
    for before, after in itertools.pairwise(forest.rounds):
        if before.phase == after.phase == "round":
            assert after.n_components <= before.n_components / 2
    assert (forest.algorithm, forest.backend, forest.threads) == ("filter-boruvka", "threads", 1)


@given(graph=graphs(max_vertices=30, max_edges=90), maximum=st.booleans())
def test_components_at_least_halve(graph, maximum):
    edges, rounds = solve(graph, "boruvka", Backend(tuning=Tuning(sort_worklist_below=0)), maximum)
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert {r.phase for r in rounds} == {"all"}
    assert rounds[0].n_components == graph.n
    assert rounds[0].edges == graph.m
    for before, after in itertools.pairwise(rounds):
        assert after.n_components <= before.n_components / 2
        assert after.edges < before.edges


@pytest.mark.parametrize("below", [0, 5, 1000])
def test_the_last_edges_are_sorted(below):
    graph = generators.random(60, 300, seed=3)
    edges, rounds = solve(graph, "boruvka", Backend(tuning=Tuning(sort_worklist_below=below)))
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    last = rounds[-1]
    assert (last.phase == "sorted") == (below == 1000)
    assert all(r.edges >= below for r in rounds[1:] if r.phase != "sorted")  # the first reads the input


def test_a_path_of_ascending_weights_takes_one_round():
    graph = Graph(9, range(8), range(1, 9), range(8))
    edges, rounds = solve(graph, "boruvka", Backend())
    assert edges == list(range(8))
    assert len(rounds) == 1
