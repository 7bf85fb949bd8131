"""Arborescences against all choices of one incoming arc for each vertex."""

import copy
import pickle
import warnings
from fractions import Fraction
from itertools import product

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError
from tests.strategies import WEIGHTS, graphs


def exact(w):
    """Weights as fractions."""
    return [Fraction(*x.as_integer_ratio()) if w.dtype.kind == "f" else Fraction(int(x)) for x in w]


def arborescences(graph):
    """List all arborescences of a small graph: the root and its arcs."""
    for root in range(graph.n):
        entering = [[i for i in range(graph.m) if graph.v[i] == x] for x in range(graph.n) if x != root]
        for arcs in product(*entering):
            parent = {int(graph.v[i]): int(graph.u[i]) for i in arcs}
            reached = True
            for x in parent:
                for _ in range(graph.n):
                    x = parent.get(x, x)
                reached &= x == root
            if reached:
                yield root, arcs


def lightest(graph, w):
    """Return the weight of the lightest arborescence of each root that has one."""
    least = {}
    for root, arcs in arborescences(graph):
        weight = sum((w[i] for i in arcs), Fraction())
        least[root] = min(least.get(root, weight), weight)
    return least


def directed(max_vertices=5, max_arcs=10, dtypes=WEIGHTS):
    return graphs(max_vertices, max_arcs, dtypes).map(
        lambda g: Graph(g.n, g.u, g.v, np.where(np.isfinite(g.w), g.w, 1).astype(g.w.dtype))
    )


@given(directed(), st.data(), st.booleans())
def test_arborescences_are_the_best_of_all(graph, data, maximum):
    root = data.draw(st.none() | st.integers(0, graph.n - 1))
    w = [-x if maximum else x for x in exact(graph.w)]
    best = lightest(graph, w)
    possible = best if root is None else {r: weight for r, weight in best.items() if r == root}
    if not possible:
        with pytest.raises(GraphError, match=r"does not reach|no vertex reaches all others"):
            boruvka.minimum_spanning_arborescence(graph, root, maximum=maximum)
        return
    tree = boruvka.minimum_spanning_arborescence(graph, root, maximum=maximum)
    least = min(possible.values())
    assert sum((w[i] for i in tree.edges), Fraction()) == least
    assert best[tree.root] == least
    g = networkx.DiGraph()
    g.add_nodes_from(range(graph.n))
    g.add_edges_from(zip(graph.u[tree.edges].tolist(), graph.v[tree.edges].tolist(), strict=True))
    assert networkx.is_arborescence(g)
    assert g.in_degree(tree.root) == 0
    assert tree.verify()
    assert all(graph.v[tree.parent_edge[x]] == x for x in range(graph.n) if x != tree.root)


@given(directed(4, 8), st.data(), st.booleans())
def test_a_certificate_accepts_the_best_ones_alone(graph, data, maximum):
    """All arborescences of a graph, with the dual solution that was found, and with wrong ones."""
    root = data.draw(st.none() | st.integers(0, graph.n - 1))
    try:
        tree = boruvka.minimum_spanning_arborescence(graph, root, maximum=maximum)
    except GraphError:
        return
    w = [-x if maximum else x for x in exact(graph.w)]
    best = lightest(graph, w)
    least, dual = min(best.values()), tree._dual
    for other_root, arcs in arborescences(graph):
        parents = np.full(graph.n, -1)
        parents[graph.v[list(arcs)]] = arcs
        is_best = sum((w[i] for i in arcs), Fraction()) == (least if root is None else best[other_root])
        is_optimal = changed(tree, parents, other_root).verify()
        assert is_optimal == is_best or (other_root != tree.root and root is not None and is_best)
        wrong = data.draw(wrong_duals(dual, graph.n))
        assert is_best or not changed(tree, parents, other_root, wrong).verify()


def changed(tree, parents, root=None, dual=None):
    """Make an arborescence that claims other arcs, another root or another dual solution."""
    root, dual = tree.root if root is None else root, dual or tree._dual
    return boruvka.Arborescence(tree.graph, root, np.array(parents), tree.maximum, dual)


@st.composite
def wrong_duals(draw, dual, n):
    """Change one value or the nesting of sets, or draw all of them."""
    up, limbs = dual.up.copy(), dual.limbs.copy()
    x, value = draw(st.integers(0, up.size - 1)), draw(st.integers(-3, 3))
    kind = draw(st.sampled_from(["value", "nesting", "all"]))
    if kind == "value":
        limbs[x, -1] += value
    elif kind == "nesting":
        up[x] = draw(st.integers(-2, up.size))
    else:
        size = draw(st.integers(n, 2 * n))
        up = np.array([draw(st.integers(max(i + 1, n), size)) for i in range(size)])
        up[up == size] = -1
        limbs = np.array(draw(st.lists(st.integers(-4, 4), min_size=size, max_size=size)))[:, None]
    return dual._replace(up=up, limbs=limbs)


def test_certificates_refuse_what_is_no_arborescence():
    graph = Graph(3, [0, 1, 2, 0], [1, 2, 1, 2], [1, 1, 1, 5])
    tree = boruvka.minimum_spanning_arborescence(graph, 0)
    assert tree.verify()
    for wrong in [-1, 1, 2], [-1, 0, -1], [-1, 0, 4], [-1, 0, -2], [0, 0, 1], [-1, 1, 0], [-1, 0]:
        assert not changed(tree, wrong).verify()
    assert not changed(tree, [-1, 0, 1], root=1).verify()


def test_a_set_is_entered_once():
    tree = boruvka.minimum_spanning_arborescence(([0, 0, 1, 2], [1, 2, 2, 1], [10, 10, 1, 1]), 0)
    tree = changed(tree, [-1, 0, 1])
    assert (tree.weight, tree.verify()) == (20, False)


@pytest.mark.parametrize(
    "scale",
    [np.int64(2**62), np.float64(1.7e308), np.float64(5e-324), np.longdouble("1e4000"), np.float16(60_000)],
)
def test_differences_of_weights_are_exact(scale):
    """Sums and differences of these weights are outside the range of their type."""
    u, v, signs = [0, 3, 2, 0, 3, 1, 1], [3, 0, 0, 1, 2, 2, 1], [1, -1, 1, 0, -1, 1, 0]
    for root in None, 0, 1, 2, 3:
        small = boruvka.minimum_spanning_arborescence((u, v, signs), root)
        large = boruvka.minimum_spanning_arborescence((u, v, np.array(signs, scale.dtype) * scale), root)
        assert large.edges.tolist() == small.edges.tolist()
        assert small.verify()
        assert large.verify()


def test_weights_of_all_magnitudes():
    rng = np.random.default_rng(1)
    u, v = rng.integers(0, 30, (2, 300))
    w = np.ldexp(rng.integers(-1, 2, 300).astype(float), rng.integers(-1074, 1023, 300))
    for maximum in False, True:
        tree = boruvka.minimum_spanning_arborescence((u, v, w, 30), maximum=maximum)
        assert tree.verify()
        again = boruvka.minimum_spanning_arborescence((u, v, w, 30), tree.root, maximum=maximum)
        assert sum(exact(again.w)) == sum(exact(tree.w))


def test_copies_and_pickles():
    tree = boruvka.minimum_spanning_arborescence([("a", "b", 2.5), ("b", "c", 1.0), ("a", "c", 9.0)])
    for other in copy.copy(tree), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree)):
        assert repr(other) == repr(tree)
        assert other.parent_edge.tolist() == tree.parent_edge.tolist()
        assert other.verify()


def test_random_graphs_weigh_as_those_of_networkx():
    for seed in range(8):
        g = networkx.gnm_random_graph(60, 500, seed=seed, directed=True)
        rng = np.random.default_rng(seed)
        for a, b in g.edges:
            g[a][b]["weight"] = int(rng.integers(-20, 20))
        tree = boruvka.minimum_spanning_arborescence(g)
        expected = networkx.minimum_spanning_arborescence(g, backend="networkx").size(weight="weight")
        assert tree.weight == expected
        assert tree.verify()


def test_nested_cycles_and_long_paths():
    """Cycles in cycles: each vertex is joined to the ones before, and back."""
    n = 30_000
    back = np.arange(1, n)
    u = np.concatenate([np.arange(n - 1), back, [n]])
    v = np.concatenate([np.arange(1, n), back - 1, [n // 2]])
    w = np.concatenate([np.arange(n - 1) + 5, np.arange(n - 1) + 5, [10**6]])
    tree = boruvka.minimum_spanning_arborescence((u, v, w), root=n)
    assert tree.edges.size == n
    assert tree.verify()
    expected = sum(range(5, n // 2 + 5)) + sum(range(n // 2 + 5, n + 4)) + 10**6
    assert tree.weight == expected
    assert boruvka.minimum_spanning_arborescence((u[:-1], v[:-1], w[:-1])).edges.size == n - 1


def test_a_large_graph():
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 5_000, (2, 60_000))
    w = rng.integers(-(2**63) + 1, 2**63 - 1, 60_000)
    tree = boruvka.minimum_spanning_arborescence((u, v, w, 5_000))
    assert tree.verify()
    assert boruvka.minimum_spanning_arborescence((u, v, -w, 5_000), maximum=True).weight == -tree.weight


def test_names():
    tree = boruvka.minimum_spanning_arborescence([("a", "b", 2.5), ("b", "c", 1.0), ("a", "c", 9.0)], "a")
    assert repr(tree) == "Arborescence(n=3, root=a, weight=3.5)"
    assert tree.w.tolist() == [2.5, 1.0]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"seller": ["a", "b", "a"], "buyer": ["b", "c", "c"], "usd": [2.5, 1.0, 9.0]})
    columns = {"source": "seller", "target": "buyer", "weight": "usd"}
    assert boruvka.minimum_spanning_arborescence(frame, "a", **columns).w.tolist() == [2.5, 1.0]


def test_frames_that_are_not_symmetric():
    """A frame is read like an array: (i, j) is an arc from i to j, and 0 is none."""
    pandas = pytest.importorskip("pandas")
    trade = pandas.DataFrame([[0, 2, 9], [7, 0, 1], [8, 0, 0]], list("abc"), list("abc"))
    for graph in trade, Graph.from_dense(trade):
        tree = boruvka.minimum_spanning_arborescence(graph, "a")
        assert (tree.w.tolist(), tree.graph.name_of(tree.v).tolist()) == ([2, 1], ["b", "c"])
    gaps = trade.where(trade > 0).where(trade != 8)
    with pytest.raises(GraphError, match=r'pass missing="drop" to Graph.*, or beside a frame'):
        boruvka.minimum_spanning_arborescence(gaps, "a")
    with pytest.warns(boruvka.GraphWarning, match="are NaN, and no edges"):
        assert boruvka.minimum_spanning_arborescence(gaps, "a", missing="drop").w.tolist() == [2, 1]
    with pytest.raises(GraphError, match=r"or Graph\.from_dense\(a\) for arcs"):
        boruvka.minimum_spanning_forest(trade)


@pytest.mark.parametrize(
    ("graph", "root", "error", "message"),
    [
        (([0, 1], [1, 0], [1, 2], 4), 0, GraphError, "the root 0 does not reach 2 vertices: 2, 3"),
        (([0, 2], [1, 3], [1, 2]), None, GraphError, "no vertex reaches all others: 2 roots .* 0, 2"),
        (([0], [1], [float("inf")]), None, GraphError, r"arc 0 .* has the weight inf"),
        (([0], [1], [float("-inf")]), 0, GraphError, r"arc 0 .* has the weight -inf"),
        (([0], [1], [1]), 5, GraphError, "root"),
        (Graph.from_points([[0], [1]]), None, GraphTypeError, "lists its arcs"),
        (Graph(0, [], [], []), None, GraphError, "without vertices"),
    ],
)
def test_errors(graph, root, error, message):
    with pytest.raises(error, match=message):
        boruvka.minimum_spanning_arborescence(graph, root)


@pytest.mark.parametrize(
    "arcs",
    [
        np.array([[0, 2, 0, 9], [0, 0, 3, 0], [0, 0, 0, 1], [0, 0, 2, 0]]),
        {0: {1: 2, 3: 9}, 1: {2: 3}, 2: {3: 1}, 3: {2: 2}},
    ],
    ids=["matrix", "dict"],
)
def test_opposite_arcs_of_two_weights_are_no_typing_error(arcs):
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        assert boruvka.minimum_spanning_arborescence(arcs, 0).weight == 6
        assert shown == []
        boruvka.as_graph(arcs)
    assert "the better counts, unless they are arcs" in str(shown[0].message)


def test_weights_of_very_different_sizes_are_exact():
    """In float64 both ways around weigh 1e300."""
    arcs = [0, 0, 1, 2], [1, 2, 2, 1], [1e300, 1e300, 1e-300, 2e-300]
    tree = boruvka.minimum_spanning_arborescence(arcs, 0)
    assert tree.edges.tolist() == [0, 2]
    assert not changed(tree, [-1, 3, 1]).verify()
