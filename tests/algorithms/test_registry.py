"""Options of algorithms, and the choice of one for a graph."""

import functools

import numpy as np
import pytest

import boruvka
from boruvka import Graph, OptionError, generators
from boruvka.algorithms import filter_boruvka, registry
from boruvka.algorithms.building_blocks import kruskal_pass, locality
from boruvka.algorithms.registry import algorithm_for
from tests import oracles

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


@pytest.mark.parametrize(
    ("algorithm", "options", "message"),
    [
        ("kruskal", {"force": True}, "kruskal has no option 'force'; it has none"),
        ("star-contraction", {"coins": 3}, "it has sequential_flips, seed"),
        ("star-contraction", {"seed": "x"}, "option seed of star-contraction must be an integer, got 'x'"),
        ("csr-contraction", {"remove_duplicates": 1}, "must be True or False, got 1"),
    ],
)
def test_options_are_checked(algorithm, options, message):
    with pytest.raises(OptionError, match=message):
        minimum_spanning_forest(([0], [1], [2]), algorithm=algorithm, options=options)


@pytest.fixture
def small_thresholds(monkeypatch):
    monkeypatch.setattr(registry, "SORTING_PAYS_BELOW", 50)
    monkeypatch.setattr(registry, "SORTING_SCATTERED_PAYS_BELOW", 4_000)
    monkeypatch.setattr(registry, "BLOCKS_PAY_FROM", 5_000)
    monkeypatch.setattr(filter_boruvka, "FILTER_PAYS_FROM", 50)
    monkeypatch.setattr(locality, "BLOCK_BITS", 4)


def shuffled(graph):
    order = np.random.default_rng(1).permutation(graph.m)
    return Graph(graph.n, graph.u[order], graph.v[order], graph.w[order])


def denser_at_the_begin():
    """Make a list by vertex whose light edges join the first vertices."""
    u = np.repeat(np.arange(500), 10)
    v = (u + np.tile(np.arange(1, 11), 500)) % 500
    return Graph(500, u, v, np.maximum(u, v))


@pytest.mark.usefixtures("small_thresholds")
@pytest.mark.parametrize(
    ("make", "threads", "expected"),
    [
        (lambda: generators.random(20, 49, seed=1), 8, "kruskal"),
        (lambda: generators.random(500, 1_500, seed=1), 2, "filter-boruvka"),
        (lambda: generators.random(500, 1_500, seed=1), 4, "filter-boruvka"),
        (lambda: generators.random(1_500, 1_500, seed=1), 4, "boruvka"),
        (lambda: generators.random(100, 1_000, seed=1), 1, "filter-boruvka"),
        (lambda: generators.path(1_000, seed=1), 1, "boruvka"),
        (lambda: shuffled(generators.path(1_000, seed=1)), 1, "kruskal"),
        (lambda: shuffled(generators.path(6_000, seed=1)), 1, "block-boruvka"),
        (denser_at_the_begin, 1, "boruvka"),
        (lambda: shuffled(denser_at_the_begin()), 1, "filter-boruvka"),
    ],
)
def test_the_algorithm_suits_the_graph(make, threads, expected):
    assert algorithm_for("auto", make(), threads=threads).name == expected


@pytest.mark.usefixtures("small_thresholds")
def test_a_filter_that_keeps_most_edges_is_used_once(monkeypatch):
    monkeypatch.setattr(kruskal_pass, "SORT_WORKLIST_BELOW", 10)
    graph = shuffled(denser_at_the_begin())
    times = []
    for kept in (0.5, 1.0):
        monkeypatch.setattr(filter_boruvka, "KEPT_BY_FILTER", kept)
        forest = minimum_spanning_forest(graph, algorithm="filter-boruvka")
        assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)
        times.append([r.phase for r in forest.rounds].count("heavy"))
    assert times[0] == 1 < times[1]
