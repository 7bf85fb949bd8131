"""Every algorithm finds the unique forest, on any backend and with any tuning constants."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import generators, minimum_spanning_forest
from boruvka.algorithms.registry import edge_list_algorithms
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from tests import oracles
from tests.algorithms.solving import solve
from tests.conftest import ALWAYS_SHARED, small_tuning
from tests.strategies import graphs

DEFAULTS = ("filter-boruvka", "boruvka", "block-boruvka", "kruskal")
QUADRATIC = ("component-edge-contraction", "component-star-contraction", "dense")
LITERATURE = tuple(sorted(set(edge_list_algorithms()) - {*DEFAULTS, *QUADRATIC}))
KEYS_32, KEYS_64 = [np.dtype(np.float32)], [np.dtype(np.float64), np.dtype(np.int64)]
"""Types whose keys hold the index, and types whose keys may have no room for it."""

SHARED, APART = small_tuning(0), small_tuning(100)
"""Minima that all threads share, and minima of each thread's own."""

long = pytest.mark.long


def assert_edges_are_those_of_kruskal(graph, maximum, algorithms, backend):
    """Compare algorithms with one answer from outside."""
    expected = oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    for algorithm in algorithms:
        assert solve(graph, algorithm, backend, maximum)[0] == expected, algorithm


@given(graph=graphs(), maximum=st.booleans())
def test_interpreted_edges_are_those_of_kruskal(graph, maximum):
    """Every algorithm and type of weights, without compiling anything."""
    assert_edges_are_those_of_kruskal(graph, maximum, edge_list_algorithms(), Backend(1, SHARED))


@pytest.mark.parametrize(("tuning", "dtypes"), [(SHARED, KEYS_64), (APART, KEYS_32)], ids=["shared", "apart"])
@given(data=st.data(), maximum=st.booleans(), threads=st.sampled_from([2, 3, 5, 16, 64]))
def test_edges_of_the_default_are_those_of_kruskal(tuning, dtypes, data, maximum, threads):
    graph = data.draw(graphs(dtypes=dtypes))
    assert_edges_are_those_of_kruskal(graph, maximum, DEFAULTS, Threads(threads, tuning))


@long
@pytest.mark.parametrize(
    ("algorithm", "tuning", "threads"),
    [
        *itertools.product(edge_list_algorithms(), [APART], [1, 2]),
        *itertools.product(edge_list_algorithms(), [SHARED], [2]),
        *itertools.product(DEFAULTS, [APART, SHARED], [3, 5, 16, 64, 128]),
    ],
    ids=lambda value: value if isinstance(value, str) else "apart" if value == APART else "",
)
@given(graph=graphs(max_vertices=60, max_edges=240), maximum=st.booleans())
def test_edges_are_those_of_kruskal(algorithm, tuning, threads, graph, maximum):
    """With minima of each thread's own, and with shared ones, which a thread alone never has."""
    assert_edges_are_those_of_kruskal(graph, maximum, [algorithm], Threads(threads, tuning))


@pytest.mark.parametrize(
    "algorithms", [DEFAULTS, pytest.param(LITERATURE, marks=long)], ids=["default", "all"]
)
@pytest.mark.parametrize("order", ["ascending", "descending", "equal", "alternating"])
def test_long_paths(order, algorithms):
    """Paths of parents as long as the graph: what does not halve them takes quadratic time, 10**10 steps."""
    n = 100_000
    ids = np.arange(n - 1)
    w = {
        "ascending": ids,
        "descending": ids[::-1],
        "equal": np.zeros(n - 1, np.int64),
        "alternating": np.where(ids % 2, ids, n - ids),
    }[order]
    for algorithm in algorithms:
        edges, _ = solve(boruvka.Graph(n, ids, ids + 1, w), algorithm, Threads(2, ALWAYS_SHARED))
        assert len(edges) == n - 1, algorithm


@pytest.mark.parametrize(
    ("backend", "algorithms"),
    [
        (Backend(), edge_list_algorithms()),
        (Threads(2, ALWAYS_SHARED), DEFAULTS),
        pytest.param(Threads(2, ALWAYS_SHARED), LITERATURE, marks=long),
    ],
    ids=["interpreted", "default", "literature"],
)
def test_graphs_without_edges(backend, algorithms):
    for n, algorithm in itertools.product((0, 1, 2, 100), algorithms):
        assert solve(boruvka.Graph(n, [], [], []), algorithm, backend)[0] == [], algorithm


@long
@pytest.mark.parametrize(
    ("threads", "dtype"),
    [(2, "float64"), (3, "uint8"), (8, "uint8"), (8, "float32")],
)
def test_threads_never_disagree(threads, dtype):
    """Solve on several threads again and again: a race shows once in hundreds of solves."""
    weights = "uniform" if dtype.startswith("f") else "integers_8"
    made = [
        generators.random(40_000, 200_000, seed=1, weights=weights, dtype=dtype),
        generators.grid(300, 300, seed=1, weights=weights, dtype=dtype),
        generators.path(60_000, seed=1, weights=weights, dtype=dtype),
        generators.kronecker(14, 16, seed=1, weights=weights, dtype=dtype),
    ]
    for graph in made:
        for algorithm in (name for name in edge_list_algorithms() if name not in QUADRATIC):
            expected = minimum_spanning_forest(graph, algorithm=algorithm, threads=1).edges
            assert boruvka.verify(graph, expected)
            for _ in range(5):
                got = minimum_spanning_forest(graph, algorithm=algorithm, threads=threads).edges
                np.testing.assert_array_equal(got, expected)
