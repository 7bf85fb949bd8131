"""Arborescences against all choices of one incoming arc for each vertex."""

from itertools import product

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError
from tests.strategies import graphs

TYPES = [np.dtype("i4"), np.dtype("u2"), np.dtype("f4")]


def lightest(graph, root, w):
    """Return the weight of the lightest arborescence of a root, None if there is none."""
    weights, least = w.tolist(), None
    entering = [[i for i in range(graph.m) if graph.v[i] == x] for x in range(graph.n) if x != root]
    for arcs in product(*entering):
        parent = {int(graph.v[i]): int(graph.u[i]) for i in arcs}
        reached = True
        for x in parent:
            for _ in range(graph.n):
                x = parent.get(x, x)
            reached &= x == root
        if reached:
            total = sum(weights[i] for i in arcs)
            least = total if least is None else min(least, total)
    return least


def directed(max_vertices=5, max_arcs=11):
    return graphs(max_vertices, max_arcs, TYPES).map(
        lambda g: Graph(g.n, g.u, g.v, np.clip(np.nan_to_num(g.w), -1e6, 1e6).astype(g.w.dtype))
    )


@given(directed(), st.data(), st.booleans())
def test_arborescences_are_the_best_of_all(graph, data, maximum):
    root = data.draw(st.none() | st.integers(0, graph.n - 1))
    w = -graph.w.astype(float) if maximum else graph.w.astype(float)
    roots = range(graph.n) if root is None else [root]
    found = [lightest(graph, r, w) for r in roots]
    possible = [weight for weight in found if weight is not None]
    if not possible:
        with pytest.raises(GraphError, match=r"does not reach|no vertex reaches all others"):
            boruvka.minimum_spanning_arborescence(graph, root, maximum=maximum)
        return
    tree = boruvka.minimum_spanning_arborescence(graph, root, maximum=maximum)
    assert tree.weight == pytest.approx((-1 if maximum else 1) * min(possible), abs=1e-3)
    assert lightest(graph, tree.root, w) == pytest.approx(min(possible))
    g = networkx.DiGraph()
    g.add_nodes_from(range(graph.n))
    g.add_edges_from(zip(graph.u[tree.arcs].tolist(), graph.v[tree.arcs].tolist(), strict=True))
    assert networkx.is_arborescence(g)
    assert g.in_degree(tree.root) == 0
    assert tree.is_optimal()
    assert all(graph.v[tree.parent_arc[x]] == x for x in range(graph.n) if x != tree.root)


@given(directed(6, 20), st.data())
def test_worse_ones_are_not_optimal(graph, data):
    try:
        tree = boruvka.minimum_spanning_arborescence(graph)
    except GraphError:
        return
    x = data.draw(st.integers(0, graph.n - 1))
    if x == tree.root:
        return
    others = [i for i in range(graph.m) if graph.v[i] == x and graph.w[i] > graph.w[tree.parent_arc[x]]]
    for i in others:
        tree.parent_arc[x], before = i, tree.parent_arc[x]
        assert not tree.is_optimal()
        tree.parent_arc[x] = before
    assert tree.is_optimal()


def test_random_graphs_weigh_as_those_of_networkx():
    for seed in range(8):
        g = networkx.gnm_random_graph(60, 500, seed=seed, directed=True)
        rng = np.random.default_rng(seed)
        for a, b in g.edges:
            g[a][b]["weight"] = int(rng.integers(-20, 20))
        tree = boruvka.minimum_spanning_arborescence(g)
        expected = networkx.minimum_spanning_arborescence(g, backend="networkx").size(weight="weight")
        assert tree.weight == expected
        assert tree.is_optimal()


def test_nested_cycles_and_long_paths():
    """Cycles in cycles: each vertex is joined to the ones before, and back."""
    n = 30_000
    back = np.arange(1, n)
    u = np.concatenate([np.arange(n - 1), back, [n]])
    v = np.concatenate([np.arange(1, n), back - 1, [n // 2]])
    w = np.concatenate([np.arange(n - 1) + 5, np.arange(n - 1) + 5, [10**6]])
    tree = boruvka.minimum_spanning_arborescence((u, v, w), root=n)
    assert tree.arcs.size == n
    assert tree.is_optimal()
    expected = sum(range(5, n // 2 + 5)) + sum(range(n // 2 + 5, n + 4)) + 10**6
    assert tree.weight == expected
    assert boruvka.minimum_spanning_arborescence((u[:-1], v[:-1], w[:-1])).arcs.size == n - 1


def test_a_large_graph():
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 5_000, (2, 60_000))
    w = rng.integers(-(2**60), 2**60, 60_000)
    tree = boruvka.minimum_spanning_arborescence((u, v, w, 5_000))
    assert tree.is_optimal()
    assert boruvka.minimum_spanning_arborescence((u, v, -w, 5_000), maximum=True).weight == -tree.weight


def test_names():
    tree = boruvka.minimum_spanning_arborescence([("a", "b", 2.5), ("b", "c", 1.0), ("a", "c", 9.0)], "a")
    assert repr(tree) == "Arborescence(n=3, root=a, weight=3.5)"
    assert tree.w.tolist() == [2.5, 1.0]


@pytest.mark.parametrize(
    ("graph", "root", "error", "message"),
    [
        (([0, 1], [1, 0], [1, 2], 4), 0, GraphError, "the root 0 does not reach 2 vertices: 2, 3"),
        (([0, 2], [1, 3], [1, 2]), None, GraphError, "no vertex reaches all others: 2 roots .* 0, 2"),
        (([0], [1], [float("inf")]), None, GraphError, r"arc 0 .* has the weight inf"),
        (([0], [1], [2**61]), None, GraphError, "must be below"),
        (([0], [1], [1]), 5, GraphError, "root"),
        (Graph.from_points([[0], [1]]), None, GraphTypeError, "lists its arcs"),
        (Graph(0, [], [], []), None, GraphError, "without vertices"),
    ],
)
def test_errors(graph, root, error, message):
    with pytest.raises(error, match=message):
        boruvka.minimum_spanning_arborescence(graph, root)
