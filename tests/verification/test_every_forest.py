"""Of all sets of edges of small graphs, exactly one is accepted: the minimum spanning forest."""

from itertools import combinations

import numpy as np
import pytest

import boruvka
from boruvka import Graph, generators, stream, verify
from boruvka.formats.edge_table import EdgeTable
from tests.oracles import is_forest
from tests.strategies import WEIGHTS

DTYPES = pytest.mark.parametrize("dtype", WEIGHTS, ids=str)


def few_weights(dtype):
    """Return weights of a type: the smallest, the largest, and some that are hard to tell apart."""
    if dtype.kind != "f":
        limits = np.iinfo(dtype)
        return np.array([limits.min, limits.min + 1, 0, 1, limits.max - 1, limits.max], dtype)
    limits = np.finfo(dtype)
    tiny = limits.smallest_subnormal
    return np.array([-np.inf, -tiny, -0.0, 0.0, tiny, 1, 1 + limits.eps, limits.max, np.inf], dtype)


def random_graph(generator, dtype, n=4, m=6):
    """Draw a graph with ties, parallel edges and self-loops; half of them have few different weights."""
    weights = few_weights(dtype)
    if generator.integers(2):
        weights = generator.choice(weights, 2)
    return Graph(n, *generator.integers(0, n, (2, m)), generator.choice(weights, m))


def subsets(m):
    """List all sets of edges."""
    return [list(chosen) for size in range(m + 1) for chosen in combinations(range(m), size)]


def the_forest(graph, maximum):
    """Find the spanning forest by comparing all of them: its edges are the first in the order, one by one."""
    u, v, w = graph.take(np.arange(graph.m))
    order = sorted(range(graph.m), key=lambda i: (-w[i].item() if maximum else w[i].item(), i))
    rank = {edge: k for k, edge in enumerate(order)}
    forests = [chosen for chosen in subsets(graph.m) if is_forest(graph.n, u, v, chosen)]
    most = max(map(len, forests))
    return min((f for f in forests if len(f) == most), key=lambda f: sorted(rank[edge] for edge in f))


def check_all(graph, maximum, is_right=verify):
    """Check that one set of edges is accepted, and that the others have a witness."""
    expected = the_forest(graph, maximum)
    for chosen in subsets(graph.m):
        found = is_right(graph, chosen, maximum=maximum)
        assert found.ok == (chosen == expected), (chosen, expected, found)
        assert found.ok == (found.edge is None)


@DTYPES
@pytest.mark.parametrize("maximum", [False, True])
def test_graphs(dtype, maximum):
    generator = np.random.default_rng(WEIGHTS.index(dtype))
    for _ in range(4):
        check_all(random_graph(generator, dtype, m=7), maximum)


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("null_value", [0, None])
def test_matrices(null_value, maximum):
    generator = np.random.default_rng(1)
    for dtype in ("f8", "i2"):
        for _ in range(3):
            matrix = generator.integers(0, 3, (3, 3)).astype(dtype)
            check_all(Graph.from_dense(matrix, null_value=null_value), maximum)


@pytest.fixture
def searched(monkeypatch):
    """Search few points by the tree."""
    monkeypatch.setattr(
        "boruvka.verification.verify.tree_pays", lambda graph: graph.search_metric is not None
    )
    monkeypatch.setattr("boruvka.graph.points.kd_tree.widest_leaf", lambda d: 2)


@pytest.mark.usefixtures("searched")
@pytest.mark.parametrize("samples", [None, 2])
@pytest.mark.parametrize("maximum", [False, True])
def test_points(samples, maximum):
    generator = np.random.default_rng(2)
    for _ in range(4):
        points = generator.integers(0, 3, (4, 2)).astype(float)
        check_all(Graph.from_points(points, min_samples=samples), maximum)


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("maximum", [False, True])
def test_streams(named, maximum):
    generator = np.random.default_rng(3)
    for dtype in map(np.dtype, ("f8", "u8", "i4")):
        graph = random_graph(generator, dtype, m=5)
        names = np.array(["d", "a", "c", "b"]) if named else None
        u, v = (graph.u, graph.v) if names is None else (names[graph.u], names[graph.v])
        batches = [(u[:2], v[:2], graph.w[:2]), (u[2:], v[2:], graph.w[2:])]
        how = {"names": True} if named else {}

        def verify_streamed(graph, chosen, maximum):
            here = np.array(chosen, np.int64)
            table = EdgeTable(graph.n, *graph.take(here), here, names)  # noqa: B023
            return stream.verify(batches, table, maximum=maximum, **how)  # noqa: B023

        check_all(graph, maximum, verify_streamed)


def test_forests_of_all_entrances_are_accepted():
    graph = generators.random(60, 300, seed=4, dtype="int8")
    streamed = stream.minimum_spanning_forest([graph.edges_in_range(0, 100), graph.edges_in_range(100, 300)])
    updated = boruvka.minimum_spanning_forest(graph.edges_in_range(0, 200)).update(
        graph.edges_in_range(200, 300)
    )
    for forest in streamed, updated, boruvka.minimum_spanning_forest(graph, algorithm="kruskal"):
        assert verify(graph, forest)
        assert stream.verify([graph.edges_in_range(0, 300)], forest)
        assert not verify(graph, forest, maximum=True)
    largest = boruvka.minimum_spanning_forest(graph, maximum=True)
    assert verify(graph, largest)
    assert not verify(graph, largest, maximum=False)
    assert not verify(graph, largest.edges)
