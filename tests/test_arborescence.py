"""Arborescences against all choices of one incoming arc for each vertex."""

from fractions import Fraction
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
        (([0], [1], [1]), 5, GraphError, "root"),
        (Graph.from_points([[0], [1]]), None, GraphTypeError, "lists its arcs"),
        (Graph(0, [], [], []), None, GraphError, "without vertices"),
    ],
)
def test_errors(graph, root, error, message):
    with pytest.raises(error, match=message):
        boruvka.minimum_spanning_arborescence(graph, root)


def extremes(dtype):
    """Values at the ends of the range of a type."""
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        return [ends.min, ends.min // 2, 0, 1, 2, ends.max - 1, ends.max]
    ends = np.finfo(dtype)
    return [
        0.0,
        -0.0,
        1,
        -1,
        1 + ends.eps,
        0.3,
        ends.tiny,
        ends.smallest_subnormal,
        ends.max,
        ends.max / 2,
        ends.min,
    ]


def exact(w):
    return [Fraction(*x.as_integer_ratio()) if w.dtype.kind == "f" else Fraction(int(x)) for x in w]


def every_arborescence(graph, root):
    """List root and arcs of all arborescences, of one root or of any."""
    for start in range(graph.n) if root is None else [root]:
        entering = [np.flatnonzero(graph.v == x).tolist() for x in range(graph.n) if x != start]
        for arcs in product(*entering):
            parent, ends = {int(graph.v[i]): int(graph.u[i]) for i in arcs}, set()
            for x in range(graph.n):
                for _ in range(graph.n):
                    x = parent.get(x, x)
                ends.add(x)
            if ends == {start}:
                yield start, list(arcs)


@pytest.mark.parametrize("dtype", [np.dtype(name) for name in ("i1", "i8", "u8", "f2", "f8", "g")], ids=str)
@given(st.data(), st.booleans())
def test_certificates_accept_the_best_and_nothing_else(dtype, data, maximum):
    """All arborescences of small graphs with weights at the ends of the range, and duals that are changed."""
    n, m = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 8))
    u, v = (data.draw(st.lists(st.integers(0, n - 1), min_size=m, max_size=m)) for _ in "uv")
    values = st.sampled_from(extremes(dtype)).map(dtype.type)
    graph = Graph(n, u, v, np.array(data.draw(st.lists(values, min_size=m, max_size=m)), dtype))
    root, w = data.draw(st.none() | st.integers(0, n - 1)), exact(graph.w)
    every = [
        (start, arcs, sum((w[i] for i in arcs), Fraction(0)))
        for start, arcs in every_arborescence(graph, root)
    ]
    if not every:
        return
    best = (max if maximum else min)(total for _, _, total in every)
    tree = boruvka.minimum_spanning_arborescence(graph, root, maximum=maximum)
    assert sum((w[i] for i in tree.arcs.tolist()), Fraction(0)) == best
    assert tree.is_optimal()
    dual = tree._dual
    above, high, low = dual.above.copy(), dual.high.copy(), dual.low.copy()
    for array in above, high, low:
        if array.size and data.draw(st.booleans()):
            array[data.draw(st.integers(0, array.size - 1))] += data.draw(st.sampled_from([-2, -1, 1, 2]))
    changed = dual._replace(above=above, high=high, low=low & (2**62 - 1))
    for tree.root, arcs, total in every:
        tree.parent_arc = np.full(n, -1)
        tree.parent_arc[graph.v[arcs]] = arcs
        tree._dual = dual
        assert tree.is_optimal() == (total == best)
        tree._dual = changed
        assert total == best or not tree.is_optimal()


def test_weights_of_very_different_sizes_are_exact():
    """In float64 both ways around weigh 1e300."""
    arcs = [0, 0, 1, 2], [1, 2, 2, 1], [1e300, 1e300, 1e-300, 2e-300]
    tree = boruvka.minimum_spanning_arborescence(arcs, 0)
    assert tree.arcs.tolist() == [0, 2]
    tree.parent_arc = np.array([-1, 3, 1])
    assert not tree.is_optimal()
