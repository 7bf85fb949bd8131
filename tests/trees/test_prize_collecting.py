"""Prize-collecting trees against all sets of vertices, integer programs, and the growth step by step."""

from contextlib import nullcontext
from fractions import Fraction
from itertools import combinations

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_array, hstack, vstack

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, GraphWarning
from tests.oracles import is_forest, kruskal
from tests.strategies import graphs
from tests.validity import valid_steiner_tree

pytestmark = pytest.mark.filterwarnings("ignore:no path connects these vertices with prizes")
TIES = Graph(7, [4, 5, 0, 4, 2, 5], [1, 3, 2, 1, 0, 2], [1, 0, 0, 0, 1, 1])

FRAME = pandas.DataFrame({"npv": [1, 2], "use": ["x", "y"]}, index=["a", "b"])


def exact(values):
    """Return numbers as fractions."""
    return [Fraction(*x.as_integer_ratio()) if x.dtype.kind == "f" else Fraction(int(x)) for x in values]


def least_total(graph, prizes, root):
    """Return the least total of all trees, by all sets of vertices."""
    w, p, least = exact(graph.w), exact(prizes), None
    for size in range(1, graph.n + 1):
        for inside in combinations(range(graph.n), size):
            if root is not None and root not in inside:
                continue
            edges = np.flatnonzero(np.isin(graph.u, inside) & np.isin(graph.v, inside))
            chosen = edges[kruskal(graph.n, graph.u[edges], graph.v[edges], graph.w[edges])]
            if chosen.size == size - 1:
                total = sum(w[i] for i in chosen) + sum(p[x] for x in range(graph.n) if x not in inside)
                least = total if least is None else min(least, total)
    return least


def check(graph, prizes, root, tree):
    """Check that a result is a tree with the root, and that its total is what it says."""
    valid_steiner_tree(tree)
    assert is_forest(graph.n, graph.u, graph.v, tree.edges)
    assert tree.n_components == (tree.terminals.size > 0)
    assert root is None or root in tree.terminals
    assert all(prizes[x] > 0 or x == root for x in tree.terminals)
    total = sum(exact(graph.w[tree.edges])) + sum(exact(np.delete(prizes, tree.vertices)))
    assert float(total) == pytest.approx(tree.total, rel=1e-15)
    return total


def test_a_set_whose_budget_ends_at_an_edge_inside():
    prizes = np.array([0, 0, 1, 0, 1, 0, 1])
    tree = boruvka.prize_collecting_tree(TIES, prizes, 5)
    assert check(TIES, prizes, 5, tree) == least_total(TIES, prizes, 5)


@given(graphs(6, 12, [np.dtype("u1")]), st.data())
def test_totals_and_bounds(graph, data):
    size = data.draw(st.sampled_from([2, 20, 300, 10**6, 10**18]))
    prizes = np.array(data.draw(st.lists(st.integers(0, size), min_size=graph.n, max_size=graph.n)), int)
    if not graph.n:
        return
    root = data.draw(st.none() | st.integers(0, graph.n - 1))
    tree = boruvka.prize_collecting_tree(graph, prizes, root)
    total, least = check(graph, prizes, root, tree), least_total(graph, prizes, root)
    assert tree.lower_bound <= least <= total <= 2 * least
    assert isinstance(tree.lower_bound, int)
    if root is not None:
        assert total <= 2 * tree.lower_bound
    assert tree.gap == pytest.approx(float(1 - tree.lower_bound / total) if total else 0)
    better = boruvka.prize_collecting_tree(graph, prizes, root, improve=True)
    assert least <= check(graph, prizes, root, better) <= total
    assert better.lower_bound <= least


@given(graphs(6, 12, [np.dtype("u1")]), st.data())
def test_excluded_edges_and_loads(graph, data):
    """The oracles are the graph without these edges, and trees of which each edge is cut."""
    bits = st.lists(st.booleans(), min_size=graph.m, max_size=graph.m)
    mask = np.array(data.draw(bits), bool)
    prizes, loads = (
        np.array(data.draw(st.lists(st.integers(0, 9), min_size=graph.n, max_size=graph.n)), np.int64)
        for _ in range(2)
    )
    if not graph.n:
        return
    tree = boruvka.prize_collecting_tree(graph, prizes, 0, excluded=mask, load=loads)
    kept = np.flatnonzero(~mask)
    rest = Graph(graph.n, graph.u[kept], graph.v[kept], graph.w[kept])
    assert check(graph, prizes, 0, tree) <= 2 * least_total(rest, prizes, 0)
    same = boruvka.prize_collecting_tree(rest, prizes, 0)
    assert (tree.edges.tolist(), tree.lower_bound) == (kept[same.edges].tolist(), same.lower_bound)
    for edge, load in zip(tree.edges, tree.edge_columns["load"], strict=True):
        whole = networkx.MultiGraph()
        whole.add_node(0)
        whole.add_edges_from(
            zip(*(x[np.setdiff1d(tree.edges, edge)] for x in (graph.u, graph.v)), strict=True)
        )
        beyond = {*tree.vertices} - networkx.node_connected_component(whole, 0)
        assert load == loads[[*beyond]].sum()


@given(
    graphs(5, 9).map(lambda g: Graph(g.n, g.u, g.v, np.where(np.isfinite(g.w) & (g.w >= 0), g.w, 0))),
    st.data(),
)
def test_weights_and_prizes_of_all_types_and_magnitudes(graph, data):
    if not graph.n:
        return
    numbers = st.sampled_from([0.0, 5e-324, 1e-300, 0.1, 1.0, 7.5, 1e17, 1e300, 3e307])
    prizes = np.array(data.draw(st.lists(numbers, min_size=graph.n, max_size=graph.n)))
    if data.draw(st.booleans()):
        prizes = np.minimum(prizes, 2.0**62).astype(np.uint64)
    root = data.draw(st.none() | st.integers(0, graph.n - 1))
    tree = boruvka.prize_collecting_tree(graph, prizes, root)
    total, least = check(graph, prizes, root, tree), least_total(graph, prizes, root)
    assert Fraction(min(tree.lower_bound, 1.79e308)) <= least * (1 + Fraction(1, 2**52)) + Fraction(
        1, 2**1074
    )
    better = boruvka.prize_collecting_tree(graph, prizes, root, improve=True)
    assert least <= check(graph, prizes, root, better) <= total
    assert least <= total <= 2 * least + max(exact(prizes)) / 2**40


def grown_bound(graph, prizes, root):
    """Return the bound of a growth that looks at every edge and set in each step."""
    sets = {x: {x} for x in range(graph.n)}
    of = dict(enumerate(range(graph.n)))
    left, around, spent = dict(enumerate(prizes.tolist())), [0.0] * graph.n, 0.0
    edges = [
        e for e in zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True) if e[0] != e[1]
    ]
    active = {x for x in sets if left[x] > 0 and x != root}
    while len(active) > (root is None):
        step, event = min((left[x], (x, None)) for x in active)
        for u, v, w in edges:
            a, b = of[u], of[v]
            speed = (a in active) + (b in active)
            if a != b and speed:
                step, event = min(
                    (step, event), ((w - around[u] - around[v]) / speed, (a, b)), key=lambda x: x[0]
                )
        for x in active:
            left[x] -= step
            spent += step
            for y in sets[x]:
                around[y] += step
        a, b = event
        active.discard(a)
        if b is not None:
            active.discard(b)
            sets[a] |= sets.pop(b)
            left[a] += left.pop(b)
            of |= dict.fromkeys(sets[a], a)
            if left[a] > 0 and root not in sets[a]:
                active.add(a)
    return spent - (max(around) if root is None else 0)


@pytest.mark.parametrize("root", [None, 3])
@pytest.mark.parametrize("prize", [0.3, 1, 3])
def test_growth_step_by_step(root, prize):
    """Weights are continuous, so no two events are at the same time."""
    for seed in range(8):
        rng = np.random.default_rng(seed)
        tree = networkx.random_labeled_tree(60, seed=seed).edges
        u, v = np.concatenate([np.array(tree).T, rng.integers(0, 60, (2, 90))], axis=1)
        graph = Graph(60, u, v, rng.random(u.size))
        prizes = prize * rng.random(60) * (rng.random(60) < 0.4)
        tree = boruvka.prize_collecting_tree(graph, prizes, root)
        assert tree._growth_bound == pytest.approx(grown_bound(graph, prizes, root), rel=1e-9)
        check(graph, prizes, root, tree)


def integer_optimum(graph, prizes, root):
    """Return the least total of a tree with a root, by flows of one unit to each vertex (HiGHS)."""
    n, m = graph.n, graph.m
    tail, head = np.concatenate([graph.u, graph.v]), np.concatenate([graph.v, graph.u])
    others, arcs = np.delete(np.arange(n), root), np.arange(2 * m)
    incidence = coo_array((np.ones(2 * m), (head, arcs)), (n, 2 * m))
    incidence = (incidence - coo_array((np.ones(2 * m), (tail, arcs)), (n, 2 * m))).tocsr()[others]
    # variables: arcs, flow of arcs, vertices
    entering = coo_array((np.ones(2 * m), (head, arcs)), (n, 2 * m)).tocsr()[others]
    one = coo_array((np.ones(n - 1), (np.arange(n - 1), others)), (n - 1, n))
    zero = coo_array((n - 1, 2 * m))
    eye = coo_array((np.ones(2 * m), (arcs, arcs)))
    rows = [
        (hstack([entering, zero, -one]), 0, 0),
        (hstack([zero, incidence, -one]), 0, 0),
        (hstack([-(n - 1) * eye, eye, coo_array((2 * m, n))]), -np.inf, 0),
    ]
    matrix = vstack([row for row, _, _ in rows])
    low, high = (np.concatenate([np.full(r[0].shape[0], r[k]) for r in rows]) for k in (1, 2))
    cost = np.concatenate([graph.w, graph.w, np.zeros(2 * m), -prizes])
    integral = np.concatenate([np.ones(2 * m), np.zeros(2 * m), np.ones(n)])
    upper = np.concatenate([np.ones(2 * m), np.full(2 * m, n - 1), np.ones(n)])
    found = milp(
        cost, constraints=LinearConstraint(matrix, low, high), integrality=integral, bounds=Bounds(0, upper)
    )
    assert found.success
    return round(prizes.sum() + found.fun)


@pytest.mark.long
def test_integer_programs():
    """The numbers are those of the how-to page."""
    ratios, improved = [], []
    for seed in range(25):
        rng = np.random.default_rng(seed)
        graph = boruvka.generators.grid(4, 5, seed=seed, weights="integers_1000", dtype="int64")
        prizes = rng.integers(1, 1500, graph.n) * (rng.random(graph.n) < 0.5)
        least = integer_optimum(graph, prizes, 7)
        rooted, free = (boruvka.prize_collecting_tree(graph, prizes, root) for root in (7, None))
        better = boruvka.prize_collecting_tree(graph, prizes, 7, improve=True)
        check(graph, prizes, 7, better)
        streets = networkx.Graph()
        streets.add_weighted_edges_from(
            zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
        )
        far = networkx.multi_source_dijkstra_path_length(streets, {*better.vertices.tolist()})
        assert all(prizes[vertex] <= far[vertex] for vertex in better.left_out.tolist())
        assert better.lower_bound <= least <= better.total <= rooted.total
        improved.append(better.total / least)
        assert rooted.lower_bound <= least <= rooted.total
        assert free.lower_bound <= least
        ratios.append(rooted.total / least)
    assert ratios.count(1) == 14
    assert np.mean(ratios) == pytest.approx(1.03, abs=0.005)
    assert improved.count(1) == 24
    assert max(improved) < 1.001


@pytest.mark.parametrize("seed", range(4))
def test_without_a_root_no_root_gives_a_better_tree(seed):
    graph, rng = boruvka.generators.grid(5, 5, seed=seed), np.random.default_rng(seed)
    graph = graph.with_weights(rng.uniform(1, 3, graph.m))
    prizes = rng.uniform(0, 8, graph.n) * (rng.random(graph.n) < 0.3)
    found = boruvka.prize_collecting_tree(graph, prizes)
    check(graph, prizes, None, found)
    rooted = [boruvka.prize_collecting_tree(graph, prizes, root).total for root in range(graph.n)]
    assert found.lower_bound <= found.total <= min(rooted) + 1e-9


def test_a_large_graph():
    graph = boruvka.generators.random(20_000, 60_000, seed=1)
    prizes = np.random.default_rng(2).random(graph.n) * (np.arange(graph.n) % 10 == 0)
    for root in None, 5:
        tree = boruvka.prize_collecting_tree(graph, prizes, root)
        assert tree.n_components == 1
        assert is_forest(graph.n, graph.u, graph.v, tree.edges)
        assert 0 < tree.lower_bound <= tree.total <= 2 * tree.lower_bound
        assert tree.total == pytest.approx(tree.weight + np.delete(prizes, tree.vertices).sum())


@pytest.mark.parametrize(
    "kind", [dict, pandas.Series, lambda p: pandas.DataFrame({"id": [*p], "gain": [*p.values()]})]
)
def test_prizes_by_name(kind):
    roads = [("plant", "a", 4), ("a", "b", 3), ("b", "c", 9)]
    tree = boruvka.prize_collecting_tree(roads, kind({"c": 5, "b": 7, "a": 2}), root="plant")
    assert tree.edges.tolist() == [0, 1]
    assert tree.prizes.tolist() == [0, 2, 7, 5]
    assert (tree.weight, tree.missed, tree.total, tree.lower_bound, tree.gap) == (7, 5, 12, 12, 0)
    assert sorted(tree.to_networkx()) == ["a", "b", "plant"]
    assert tree.to_pandas().iloc[:, 1:3].to_numpy().tolist() == [["plant", "a"], ["a", "b"]]
    assert "missed" in tree._repr_html_()
    assert "missed=5" in repr(tree)


def test_integers_that_float64_rounds():
    """A bound is not above a tree that exists."""
    large = 2**53
    tree = boruvka.prize_collecting_tree(Graph(2, [0], [1], [large]), [0, large + 2], 0)
    assert tree.lower_bound <= tree.total == large
    for prizes in np.array([2**64 - 1] * 2, np.uint64), [2**62] * 4:
        tree = boruvka.prize_collecting_tree(Graph(len(prizes), [0], [1], [1]), prizes)
        assert (tree.weight, tree.vertices.tolist()) == (1, [0, 1])
        assert tree.lower_bound <= tree.total


def test_trees_without_edges():
    two = Graph(4, [0, 2], [1, 3], [5, 5])
    alone = boruvka.prize_collecting_tree(two, [0, 3, 2, 0])
    assert (alone.vertices.tolist(), alone.total, alone.lower_bound) == ([1], 2, 2)
    nothing = boruvka.prize_collecting_tree(two, {})
    assert (nothing.vertices.size, nothing.total, nothing.lower_bound, nothing.gap) == (0, 0, 0, 0)
    assert boruvka.prize_collecting_tree(two, {}, root=2).vertices.tolist() == [2]
    assert boruvka.prize_collecting_tree(Graph(0, [], [], []), []).total == 0
    free = boruvka.prize_collecting_tree(Graph(2, [0], [1], [0]), [3, 4])
    assert (free.edges.tolist(), free.total) == ([0], 0)


@pytest.mark.parametrize(
    ("prizes", "root", "error", "message"),
    [
        ({"x": 1}, None, GraphError, "x"),
        ([1, 2], None, GraphError, "each of the 3 vertices"),
        (
            {"b": 3, "a": -1},
            None,
            GraphError,
            "prizes must be 0 or more, and finite: the vertex 'a' has -1",
        ),
        (
            {"c": float("nan")},
            None,
            GraphError,
            "prizes must be 0 or more, and finite: the vertex 'c' has nan",
        ),
        ([1, 2, -3], None, GraphError, "the vertex 'c' has -3"),
        (
            "npv",
            None,
            GraphTypeError,
            r"prizes is a text: pass values of the vertices, such as prizes=frame\['npv'\]",
        ),
        (
            FRAME,
            None,
            GraphTypeError,
            r"one number for each vertex, not object of shape \(3, 2\)",
        ),
        ({"a": 1e308, "b": 1e308}, None, GraphError, "more than float64 holds"),
        ({"a": "much"}, None, GraphTypeError, "prizes"),
        ([[1], [2], [3]], None, GraphTypeError, "prizes"),
        ({"a": 1}, "x", GraphError, "x"),
    ],
)
def test_errors(prizes, root, error, message):
    with pytest.raises(error, match=message):
        boruvka.prize_collecting_tree([("a", "b", 1), ("b", "c", 1)], prizes, root)


def test_names_of_what_is_collected_and_left_out():
    roads = [("plant", "a", 4), ("a", "b", 3), ("b", "c", 9)]
    tree = boruvka.prize_collecting_tree(roads, {"a": 2, "b": 7, "c": 5}, root="plant")
    assert tree.collected.tolist() == ["a", "b"]
    assert tree.left_out.tolist() == ["c"]
    assert sum({"a": 2, "b": 7, "c": 5}[name] for name in tree.left_out) == tree.missed
    numbered = boruvka.prize_collecting_tree(Graph(3, [0, 1], [1, 2], [1, 9]), [4, 0, 5])
    assert (numbered.collected.tolist(), numbered.left_out.tolist()) == ([2], [0])


def test_pictures_cross_out_what_is_left_out():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    graph = boruvka.generators.grid(3, 3)
    places = graph.coordinates
    tree = boruvka.prize_collecting_tree(graph, np.where(np.arange(9) == 4, 0.01, 0))
    few = boruvka.prize_collecting_tree(Graph(9, [0], [1], [5]).with_coordinates(places), np.arange(9))
    for each in tree, few:
        ax = each.plot()
        crosses = [line.get_xydata().tolist() for line in ax.lines if line.get_marker() == "x"]
        assert crosses == ([places[each.left_out].tolist()] if each.left_out.size else [])
        pyplot.close(ax.figure)
    texts = [text.get_text() for legend in few.plot().figure.legends for text in legend.get_texts()]
    assert "prize not collected (7)" in texts
    laid_out = boruvka.prize_collecting_tree(Graph(9, [0], [1], [5]), np.arange(9)).plot()
    assert [line for line in laid_out.lines if line.get_marker() == "x"] == []


@pytest.mark.parametrize(
    ("root", "left_out"), [("plant", "'b', 'c'"), ("b", "'a'"), ("far", "'b', 'a', 'c'"), (None, None)]
)
def test_prizes_that_no_path_connects_with_the_root_are_named(root, left_out):
    graph = boruvka.as_graph([("plant", "a", 1), ("b", "c", 1), ("far", "far off", 2)])
    message = f"no path connects these vertices with prizes with the root, .* left out: .{left_out}.$"
    with pytest.warns(GraphWarning, match=message) if root else nullcontext():
        boruvka.prize_collecting_tree(graph, {"a": 2, "b": 3, "c": 4}, root)
