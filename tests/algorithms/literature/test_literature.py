"""What each algorithm of the literature is known for."""

import functools
import itertools

import numpy as np
import pytest

import boruvka
from boruvka import Graph, OptionError, generators
from boruvka.algorithms.literature import radix_sort as radix
from boruvka.algorithms.registry import edge_list_algorithms
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve
from tests.conftest import small_tuning

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
def test_a_search_by_component_refuses_large_graphs(algorithm):
    path = generators.path(20_001, seed=1)
    with pytest.raises(OptionError, match="20001 vertices are more than 20000; choose another algorithm"):
        minimum_spanning_forest(path, algorithm=algorithm)
    star, backend = generators.star(41, seed=1), Backend(tuning=Tuning(quadratic_up_to=40))
    with pytest.raises(OptionError, match="41 vertices are more than 40"):
        solve(star, algorithm, backend)
    assert solve(star, algorithm, backend, force=True)[0] == list(range(40))


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
def test_radix_sort_is_stable(low_bits):
    random, backend = np.random.default_rng(3), Threads(3, small_tuning(0))
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
    for name in edge_list_algorithms():
        forest = minimum_spanning_forest(graph, algorithm=name, backend="interpreted")
        assert forest.edges.tolist() == expected
