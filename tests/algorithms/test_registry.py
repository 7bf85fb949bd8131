"""What each algorithm of the literature is known for."""

import functools
import itertools

import numpy as np
import pytest

import boruvka
from boruvka import Graph, OptionError, generators
from boruvka.algorithms import filter_boruvka, registry
from boruvka.algorithms.building_blocks import locality
from boruvka.algorithms.registry import EDGE_LIST_ALGORITHMS, algorithm_for
from boruvka.backends import get_backend
from boruvka.literature import fuh_vemuri
from boruvka.literature import radix_sort as radix
from tests import oracles

pytestmark = pytest.mark.usefixtures("always_shared")

STARS = ["star-contraction", "component-star-contraction"]
BY_COMPONENT = ["component-edge-contraction", "component-star-contraction"]

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


@pytest.fixture(scope="module")
def graph():
    return generators.random(300, 1_200, seed=5, dtype="float64")


@pytest.fixture(scope="module")
def edges(graph):
    return oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)


@pytest.mark.parametrize("options", [{}, {"sequential_flips": True}, {"seed": 7}], ids=str)
@pytest.mark.parametrize("algorithm", STARS)
def test_stars_need_more_rounds_and_find_the_same(graph, edges, algorithm, options):
    forest = minimum_spanning_forest(graph, algorithm=algorithm, options=options)
    assert forest.edges.tolist() == edges
    by_edge = minimum_spanning_forest(graph, algorithm="edge-contraction")
    assert 2 * len(by_edge.rounds) < len(forest.rounds) < 6 * len(by_edge.rounds)


def test_coins_are_seeded():
    graph = generators.random(200, 800, seed=5)

    def components(**options):
        forest = minimum_spanning_forest(graph, algorithm="star-contraction", options=options)
        return [r.n_components for r in forest.rounds]

    assert components(seed=1) == components(seed=1) != components(seed=2)
    assert components(seed=1, sequential_flips=True) == components(seed=1, sequential_flips=True)


@pytest.mark.parametrize(
    "algorithm",
    [
        "sequential",
        "edge-contraction",
        "csr-contraction",
        "colour-contraction",
        "component-ranges",
        "scan-split",
    ],
)
def test_components_at_least_halve(graph, algorithm):
    rounds = minimum_spanning_forest(graph, algorithm=algorithm).rounds
    components = [r.n_components for r in rounds]
    isolated = graph.n - np.unique(np.r_[graph.u, graph.v]).size
    assert components[0] == graph.n
    assert len(components) <= 12
    for before, after in itertools.pairwise(components):
        assert after <= (before + isolated) / 2 + isolated


@pytest.mark.parametrize("algorithm", BY_COMPONENT)
def test_a_search_by_component_refuses_large_graphs(algorithm, monkeypatch):
    path = generators.path(20_001, seed=1)
    with pytest.raises(OptionError, match="20001 vertices are more than 20000; choose another algorithm"):
        minimum_spanning_forest(path, algorithm=algorithm)
    monkeypatch.setattr(fuh_vemuri, "QUADRATIC_UP_TO", 40)
    star = generators.star(41, seed=1)
    with pytest.raises(OptionError, match="41 vertices are more than 40"):
        minimum_spanning_forest(star, algorithm=algorithm)
    forced = minimum_spanning_forest(
        star, algorithm=algorithm, options={"force": True}, backend="interpreted"
    )
    assert len(forced) == 40


def test_duplicates_can_be_removed():
    graph = generators.kronecker(7, 16, seed=4, dtype="float64")
    expected = oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)
    looked_at = {}
    for remove in (False, True):
        forest = minimum_spanning_forest(
            graph, algorithm="csr-contraction", options={"remove_duplicates": remove}
        )
        assert forest.edges.tolist() == expected
        looked_at[remove] = [r.edges for r in forest.rounds]
    assert looked_at[True][0] == looked_at[False][0] == graph.m
    assert looked_at[True][1] < looked_at[False][1]
    last = minimum_spanning_forest(graph, algorithm="scan-split").rounds[-1]
    assert last.edges <= last.n_components * (last.n_components - 1) // 2


@pytest.mark.parametrize(
    ("algorithm", "options", "message"),
    [
        ("kruskal", {"force": True}, "kruskal has no option 'force'; it has none"),
        ("star-contraction", {"coins": 3}, "it has sequential_flips, seed"),
        ("star-contraction", {"seed": "x"}, "option seed of star-contraction must be an integer, got 'x'"),
        ("csr-contraction", {"remove_duplicates": 1}, "must be True or False, got 1"),
    ],
)
def test_options_are_checked(graph, algorithm, options, message):
    with pytest.raises(OptionError, match=message):
        minimum_spanning_forest(graph, algorithm=algorithm, options=options)


def test_ranges_are_noted(graph):
    forest = minimum_spanning_forest(graph, algorithm="component-ranges", backend="threads", threads=3)
    first = forest.rounds[0].notes
    assert first[:3] == [
        "thread 0: components 0 to 100",
        "thread 1: components 100 to 200",
        "thread 2: components 200 to 300",
    ]
    added = sum(int(r.notes[-1].split()[0]) for r in forest.rounds)
    assert added == len(forest)


@pytest.mark.parametrize("low_bits", [0, 5])
def test_radix_sort_is_stable(low_bits, small_limits):
    threads = 3
    random = np.random.default_rng(threads)
    backend = get_backend("threads", threads)
    for top in (1, 4, 2**11, 2**40, 2**64 - 1):
        key = random.integers(0, top, 500, np.uint64, endpoint=True)
        order = np.argsort(key >> np.uint64(low_bits), kind="stable")
        got = radix.sort(backend, key, np.arange(key.size, dtype=np.uint64), low_bits)
        np.testing.assert_array_equal(got[1], order)
        np.testing.assert_array_equal(got[0], key[order])
    nothing = np.empty(0, np.uint64)
    assert radix.sort(backend, nothing, nothing)[0].size == 0


def test_equal_weights_close_no_cycle():
    """A graph on which sources that break ties by vertex alone, or by luck, close cycles."""
    n = 64
    u, v = np.triu_indices(n, 1)
    graph = Graph(n, u, v, np.ones(u.size))
    expected = oracles.kruskal(n, graph.u, graph.v, graph.w, False)
    for name in EDGE_LIST_ALGORITHMS:
        forest = minimum_spanning_forest(graph, algorithm=name, backend="interpreted")
        assert forest.edges.tolist() == expected


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
        (lambda: generators.random(500, 1_500, seed=1), 2, "kruskal"),
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
    monkeypatch.setattr("boruvka.algorithms.building_blocks.kruskal_pass.SORT_WORKLIST_BELOW", 10)
    graph = shuffled(denser_at_the_begin())
    times = []
    for kept in (0.5, 1.0):
        monkeypatch.setattr(filter_boruvka, "KEPT_BY_FILTER", kept)
        forest = minimum_spanning_forest(graph, algorithm="filter-boruvka")
        assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)
        times.append([r.phase for r in forest.rounds].count("heavy"))
    assert times[0] == 1 < times[1]
