"""Steiner trees against all sets of further vertices, and against published optima."""

import copy
import pickle
import warnings
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import networkx
import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphTypeError, GraphWarning
from boruvka.trees import steiner
from tests.oracles import components, is_forest, kruskal
from tests.strategies import graphs

INSTANCES = Path(__file__).parents[2] / "shared" / "data" / "steiner"


def lightest_tree(graph, terminals):
    """Return the weight of the lightest Steiner forest, by all sets of vertices; terminals are connected."""
    least = np.inf
    others = sorted(set(range(graph.n)) - set(terminals))
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            inside = np.isin(np.arange(graph.n), [*terminals, *more])
            edges = np.flatnonzero(inside[graph.u] & inside[graph.v])
            u, v, w = graph.u[edges], graph.v[edges], graph.w[edges]
            label = np.array(components(graph.n, u, v))
            if np.unique(label[list(terminals)]).size == 1:
                chosen = kruskal(graph.n, u, v, w)
                kept = [k for k in chosen if label[u[k]] == label[terminals[0]]]
                least = min(least, sum(w[kept].tolist()))
    return least


def check(graph, terminals, tree):
    """Check that a result is a forest, that it connects what can be, and that its leaves are terminals."""
    assert is_forest(graph.n, graph.u, graph.v, tree.edges)
    whole = np.array(components(graph.n, graph.u, graph.v))
    found = np.array(components(graph.n, tree.u, tree.v))
    for a, b in combinations(terminals, 2):
        assert (whole[a] == whole[b]) == (found[a] == found[b])
    degree = np.bincount(np.concatenate([tree.u, tree.v]).astype(int), minlength=graph.n)
    assert set(np.flatnonzero(degree == 1).tolist()) <= set(terminals)
    assert tree.n_components == np.unique(whole[terminals]).size
    assert sorted(tree.vertices.tolist()) == sorted({*terminals, *np.flatnonzero(degree).tolist()})
    assert tree.weight == pytest.approx(sum(graph.w[tree.edges].tolist()))


def find(graph, terminals, improve=False):
    """Find a tree; a warning at this line is right if there are several."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tree = boruvka.steiner_tree(graph, terminals, improve=improve)
    assert [(w.category, w.filename) for w in caught] == [(GraphWarning, __file__)] * (tree.n_components > 1)
    assert all(f"in {tree.n_components} components" in str(w.message) for w in caught)
    return tree


@given(graphs(7, 14, [np.dtype("u1")]), st.data(), st.booleans())
def test_trees_are_at_most_twice_as_heavy_as_the_lightest(graph, data, improve):
    terminals = data.draw(st.lists(st.integers(0, graph.n - 1), min_size=1, max_size=4))
    tree = find(graph, terminals, improve)
    terminals = sorted(set(terminals))
    assert tree.terminals.tolist() == terminals
    check(graph, terminals, tree)
    least, label = 0, np.array(components(graph.n, graph.u, graph.v))
    for component in np.unique(label[terminals]):
        least += lightest_tree(graph, [t for t in terminals if label[t] == component])
    assert tree.lower_bound <= least <= tree.weight <= 2 * (1 - 1 / len(terminals)) * least
    assert tree.gap == (1 - tree.lower_bound / tree.weight if tree.weight else 0)
    if improve:
        assert tree.weight <= find(graph, terminals).weight


def lightest_by_edges(graph, terminals, w):
    """Return the weight of the lightest set of edges that connects terminals as the graph does."""
    whole, least = components(graph.n, graph.u, graph.v), None
    for size in range(graph.n):
        for edges in combinations(range(graph.m), size):
            some = list(edges)
            found = components(graph.n, graph.u[some], graph.v[some])
            if all((whole[a] == whole[b]) == (found[a] == found[b]) for a, b in combinations(terminals, 2)):
                weight = sum((w[i] for i in edges), Fraction())
                least = weight if least is None else min(least, weight)
    return least


@given(
    graphs(5, 7).map(lambda g: Graph(g.n, g.u, g.v, np.where(np.isfinite(g.w) & (g.w >= 0), g.w, 0))),
    st.data(),
    st.booleans(),
)
def test_weights_of_all_types_and_magnitudes(graph, data, improve):
    """Sums may overflow every type. Integers are exact, floats up to rounding."""
    terminals = sorted(data.draw(st.sets(st.integers(0, graph.n - 1), min_size=1, max_size=3)))
    tree = find(graph, terminals, improve)
    assert is_forest(graph.n, graph.u, graph.v, tree.edges)
    w = [Fraction(*x.as_integer_ratio()) if w_is_float(graph) else Fraction(int(x)) for x in graph.w]
    weight, least = sum((w[i] for i in tree.edges), Fraction()), lightest_by_edges(graph, terminals, w)
    is_exact = not w_is_float(graph) and least < 2**58
    error = Fraction(0) if is_exact else Fraction(1, 10**12)
    assert least <= weight <= 2 * (1 - Fraction(1, len(terminals))) * least * (1 + error)
    assert Fraction(min(tree.lower_bound, 1.79e308)) <= least * (1 + error)


def w_is_float(graph):
    return graph.dtype.kind == "f"


@pytest.mark.parametrize(
    ("heavy", "light"),
    [
        (np.int64(2**63 - 1), 2**53),
        (np.uint64(2**64 - 1), 2**53),
        (np.float64(1.7e308), 5e-324),
        (np.float32(3e38), 1.4e-45),
        (np.float16(60_000), 6e-8),
        (np.longdouble("1e4900"), np.longdouble("1e-4900")),
    ],
)
def test_the_shortest_of_two_paths(heavy, light):
    """Two terminals are joined by the shortest path, also beside edges that are much heavier or lighter."""
    more = light + 1 if heavy.dtype.kind in "iu" else light * 2
    w = np.array([light, more, light, light, heavy, heavy], heavy.dtype)
    graph = Graph(6, [0, 1, 0, 2, 3, 4], [1, 3, 2, 3, 4, 5], w)
    assert boruvka.steiner_tree(graph, [0, 3]).edges.tolist() == [2, 3]
    assert {4, 5} < set(boruvka.steiner_tree(graph, [0, 3, 5], improve=True).edges.tolist())


def test_a_tiny_graph_has_the_lightest_tree():
    """The graph of the textbook of Cormen et al., by brute force over the other vertices."""
    pairs = "AB4 BC8 CD7 DE9 EF10 FG2 GH1 HA8 BH11 HI7 IG6 IC2 CF4 DF14"
    edges = [(pair[0], pair[1], int(pair[2:])) for pair in pairs.split()]
    g = networkx.Graph()
    g.add_weighted_edges_from(edges)
    for terminals in "AEI", "AD", "BEGI":
        others = [x for x in g if x not in terminals]
        parts = [
            g.subgraph([*terminals, *more])
            for k in range(len(others) + 1)
            for more in combinations(others, k)
        ]
        trees = [networkx.minimum_spanning_tree(part) for part in parts if networkx.is_connected(part)]
        least = min(tree.size("weight") for tree in trees)
        assert boruvka.steiner_tree(edges, list(terminals)).weight == least


def test_improvements_are_deterministic_and_near_a_tree(monkeypatch):
    graph = boruvka.generators.random(4000, 12_000, seed=3)
    label = np.array(components(graph.n, graph.u, graph.v))
    terminals = np.flatnonzero(label == label[graph.u[0]])[::150]
    monkeypatch.setattr(steiner, "NEAR", 3000)
    monkeypatch.setattr(steiner, "TRIES", 50)
    first, tree, again = (boruvka.steiner_tree(graph, terminals, improve=i) for i in (False, True, True))
    check(graph, terminals.tolist(), tree)
    assert tree.weight < first.weight
    assert tree.edges.tolist() == again.edges.tolist()
    monkeypatch.setattr(steiner, "WORK", 0)
    assert boruvka.steiner_tree(graph, terminals, improve=True).edges.tolist() == first.edges.tolist()


@pytest.mark.parametrize("kind", [list, tuple, set, iter, np.array, dict.fromkeys, pandas.Series])
def test_kinds_of_terminals(kind):
    path = [(i, i + 1, 1) for i in range(5)]
    named = [(f"v{u}", f"v{v}", w) for u, v, w in path]
    assert boruvka.steiner_tree(path, kind([4, 1, 1])).edges.tolist() == [1, 2, 3]
    assert boruvka.steiner_tree(named, kind(["v4", "v1", "v1"])).edges.tolist() == [1, 2, 3]


def test_copies_and_pickles():
    tree = boruvka.steiner_tree([("a", "b", 2.5), ("b", "c", 1.0), ("a", "c", 9.0)], ["a", "c"])
    assert "<td" in tree._repr_html_()
    for other in copy.copy(tree), copy.deepcopy(tree), pickle.loads(pickle.dumps(tree)):
        assert repr(other) == repr(tree)
        assert other.edges.tolist() == tree.edges.tolist()


def test_parallel_edges_loops_and_zeros():
    graph = Graph(4, [0, 0, 1, 1, 2], [1, 1, 1, 2, 3], [5.0, 0.0, 0.0, 0.0, 2.5])
    tree = boruvka.steiner_tree(graph, [0, 3])
    assert tree.edges.tolist() == [1, 3, 4]
    assert (tree.weight, tree.w.tolist()) == (2.5, [0.0, 0.0, 2.5])
    assert "SteinerTree(terminals=2, edges=3, components=1, weight=2.5)" in repr(tree)
    assert boruvka.steiner_tree(graph, []).edges.size == 0
    assert boruvka.steiner_tree(graph, [2]).vertices.tolist() == [2]


@pytest.mark.parametrize(
    ("graph", "terminals", "error", "message"),
    [
        ([("a", "b", 1)], ["c"], GraphError, "c"),
        ([("a", "b", -1)], ["a"], GraphError, r"edge 0 .* has the weight -1"),
        ([("a", "b", 1)], [True], GraphError, "True is the name of no vertex"),
        (([0], [1], [1]), [True], GraphTypeError, "integers"),
        (([0], [1], [1]), [-1], GraphError, "not negative"),
        (([0], [1], [1]), [2], GraphError, "n = 2 vertices"),
        ([("a", "b", float("inf"))], ["a"], GraphError, "it must be 0 or more, and finite"),
        (Graph.from_points([[0], [1]]), [0], GraphTypeError, "lists its edges"),
    ],
)
def test_errors(graph, terminals, error, message):
    with pytest.raises(error, match=message):
        boruvka.steiner_tree(graph, terminals)


def optimum(graph, terminals):
    """Return the weight of the lightest tree by Dreyfus and Wagner, in O(3^t n)."""
    g = networkx.Graph()
    for u, v, w in zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True):
        if u != v and w < g.get_edge_data(u, v, {"weight": np.inf})["weight"]:
            g.add_edge(u, v, weight=w)
    n, (root, *others) = graph.n, terminals
    distances = np.full((n, n), np.inf)
    for x, lengths in networkx.all_pairs_dijkstra_path_length(g):
        distances[x, list(lengths)] = list(lengths.values())
    full = 1 << len(others)
    best = np.full((full, n), np.inf)
    for k, x in enumerate(others):
        best[1 << k] = distances[x]
    for subset in range(1, full):
        if subset & (subset - 1):
            part = (subset - 1) & subset
            joined = np.full(n, np.inf)
            while part:
                joined = np.minimum(joined, best[part] + best[subset ^ part])
                part = (part - 1) & subset
            best[subset] = (distances + joined).min(axis=1)
    return best[full - 1][root]


@pytest.mark.parametrize("seed", range(40))
def test_few_terminals_in_streets_have_the_lightest_tree(seed):
    """Streets of nearly equal lengths have many trees that no single change makes lighter."""
    rng = np.random.default_rng(seed)
    grid = boruvka.generators.grid(9, 9, seed=seed)
    w = rng.integers(81, 99, grid.m) if seed % 4 == 0 else 90 * rng.uniform(0.9, 1.1, grid.m)
    terminals = rng.choice(81, rng.integers(3, 8), replace=False)
    graph = Graph(81, grid.u, grid.v, w)
    tree = boruvka.steiner_tree(graph, terminals, improve=True)
    check(graph, terminals.tolist(), tree)
    least = optimum(graph, terminals.tolist())
    assert tree.weight == pytest.approx(least, rel=1e-12)
    assert tree.is_optimal
    assert (tree.gap, tree.lower_bound) == (0, tree.weight)
    without = boruvka.steiner_tree(graph, terminals, improve=True, excluded=tree.edges[:2])
    kept = np.setdiff1d(np.arange(graph.m), tree.edges[:2])
    other = Graph(81, graph.u[kept], graph.v[kept], w[kept])
    assert without.weight == pytest.approx(optimum(other, terminals.tolist()), rel=1e-12)
    assert not np.isin(tree.edges[:2], without.edges).any()


def test_lightest_trees_in_several_components():
    two = [
        (f"{side}{a}", f"{side}{b}", w)
        for side in "xy"
        for a, b, w in [("h", 1, 3), ("h", 2, 3), ("h", 3, 3)]
    ]
    two += [(f"{side}{a}", f"{side}{b}", 5) for side in "xy" for a, b in [(1, 2), (2, 3)]]
    with pytest.warns(GraphWarning, match="in 2 components"):
        tree = boruvka.steiner_tree(two, [f"{side}{k}" for side in "xy" for k in (1, 2, 3)], improve=True)
    assert (tree.weight, tree.is_optimal, tree.n_components) == (18, True, 2)


def test_the_tree_of_a_root():
    """It is the tree of the terminals in the component of the root."""
    roads = [("plant", "a", 1), ("a", "b", 2), ("x", "y", 4), ("y", "z", 1)]
    with pytest.warns(GraphWarning, match=r"these terminals with the root, .* left out: \['x', 'z'\]$"):
        tree = boruvka.steiner_tree(roads, ["b", "x", "z"], root="plant")
    assert tree.left_out.tolist() == tree.graph.name_of(tree.crossed).tolist() == ["x", "z"]
    assert (tree.edges.tolist(), tree.n_components) == ([0, 1], 1)
    assert tree.graph.name_of(tree.terminals).tolist() == ["plant", "b"]
    assert boruvka.steiner_tree(roads, ["y", "z"], root="x").edges.tolist() == [2, 3]
    with pytest.warns(GraphWarning, match=r"left out: \['b'\]; excluded edges connect these$"):
        assert not len(boruvka.steiner_tree(roads, ["b"], root="plant", excluded=[("a", "b")]))
    text = r"left out: \['x', 'b'\]; excluded edges connect \['b'\]$"
    with pytest.warns(GraphWarning, match=text):
        boruvka.steiner_tree(roads, ["b", "x"], root="plant", excluded=[("a", "b")])
    with pytest.raises(GraphError, match="root"):
        boruvka.steiner_tree(roads, ["b"], root="c")


def test_excluded_edges_by_their_ends():
    ring = [("a", "b", 1), ("b", "c", 1), ("c", "a", 3)]
    assert boruvka.steiner_tree(ring, ["a", "c"], excluded=[("b", "a")]).edges.tolist() == [2]
    with pytest.raises(GraphError, match="excluded: no edge is between"):
        boruvka.steiner_tree(ring[:2], ["a", "c"], excluded=[("a", "c")])


def instance(name):
    path = INSTANCES / name
    if not path.exists():
        pytest.skip("needs the instances of PACE 2018")
    lines = path.read_text().splitlines()
    return boruvka.read(path), [int(line.split()[1]) - 1 for line in lines if line.startswith("T ")]


@pytest.mark.parametrize(
    "name", ["track1-001.gr", "track1-021.gr", pytest.param("track1-051.gr", marks=pytest.mark.long)]
)
def test_instances_with_few_terminals(name):
    graph, terminals = instance(name)
    least = optimum(graph, terminals)
    tree = boruvka.steiner_tree(graph, terminals, improve=True)
    assert 0.9 * least <= tree.lower_bound <= least <= tree.weight <= 1.15 * least
    assert boruvka.steiner_tree(graph, terminals).weight <= 2 * least


def test_the_odd_wheel_of_steinlib(tmp_path):
    """The example of the format of SteinLib, whose optimum is 5."""
    path = tmp_path / "wheel.stp"
    edges = ["1 2 1", "1 4 1", "1 6 1", "2 3 1", "3 4 1", "4 5 1", "5 6 1", "6 7 1", "7 2 1"]
    lines = ["SECTION Graph", "Nodes 7", "Edges 9", *(f"E {edge}" for edge in edges), "END"]
    lines += ["SECTION Terminals", "Terminals 4", *(f"T {x}" for x in (1, 3, 5, 7)), "END", "EOF"]
    path.write_text("\n".join(lines))
    graph = boruvka.read(path)
    tree = boruvka.steiner_tree(graph, graph.terminals, improve=True)
    assert tree.lower_bound <= 5 == tree.weight


@pytest.mark.parametrize(("dimensions", "least"), [(6, 39), (7, 77)])
def test_hypercubes_of_steinlib(dimensions, least):
    """Instances hc6u and hc7u: terminals have an even number of ones; optima as published."""
    x = np.arange(2**dimensions)
    u, v = np.concatenate(
        [np.column_stack([x, x ^ (1 << k)])[x & (1 << k) == 0] for k in range(dimensions)]
    ).T
    graph = Graph(x.size, u, v, np.ones(u.size, int))
    terminals = [t for t in x.tolist() if t.bit_count() % 2 == 0]
    tree = boruvka.steiner_tree(graph, terminals, improve=True)
    assert 0.85 * least <= tree.lower_bound <= least <= tree.weight <= 1.1 * least


@pytest.mark.long
@pytest.mark.parametrize("name", ["track1-101.gr", "track1-151.gr", "track3-001.gr", "track3-101.gr"])
def test_instances_with_many_terminals(name):
    graph, terminals = instance(name)
    tree, better = (boruvka.steiner_tree(graph, terminals, improve=improve) for improve in (False, True))
    assert better.weight <= tree.weight
    assert tree.n_components == better.n_components == 1
    assert set(terminals) <= set(better.vertices.tolist())
    assert better.lower_bound == tree.lower_bound
    assert better.gap <= (0.3 if name == "track1-161.gr" else 0.1)


def test_a_graph_with_added_edges():
    path = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [1, 1, 1]))
    graph = path.update([(0, 3, 1)]).graph
    assert boruvka.steiner_tree(graph, [0, 3]).edges.tolist() == [3]
    assert boruvka.minimum_spanning_arborescence(graph, root=0).weight == 3


LARGE = [1.7e308] * 4, np.array(["1e400"] * 4, np.longdouble), np.array(["1e-4000"] * 4, np.longdouble)


@pytest.mark.parametrize(
    "w", [*LARGE, [5e-324] * 4, np.array([60_000] * 4, np.float16), [2**63 - 1] * 4], ids=str
)
def test_weights_at_the_ends_of_the_range(w):
    ring = Graph(5, [0, 1, 2, 3, 0], [1, 2, 3, 4, 4], np.append(w, np.asarray(w)[:1]))
    assert boruvka.steiner_tree(ring, [0, 3]).edges.tolist() == [3, 4]
    assert boruvka.steiner_tree(ring, [0, 3], improve=True).edges.tolist() == [3, 4]


def test_the_backend_leaves_what_it_refuses_to_networkx():
    steiner_tree = networkx.approximation.steiner_tree
    ring = networkx.Graph([(0, 1, {"weight": 1}), (1, 2, {"weight": 1}), (2, 0, {"weight": float("inf")})])
    found = steiner_tree(ring, iter([0, 2]), method="mehlhorn", backend="boruvka")
    assert sorted(found.edges) == [(0, 1), (1, 2)]
    with pytest.raises(networkx.NodeNotFound, match="Node nowhere not found in graph"):
        steiner_tree(networkx.path_graph(3), (x for x in [0, "nowhere"]), backend="boruvka")


def test_bound_at_a_vertex_with_many_neighbours():
    star = Graph(2000, np.zeros(1999, int), np.arange(1, 2000), np.arange(1, 2000))
    assert boruvka.steiner_tree(star, np.arange(1, 2000)).gap == 0


def test_the_component_of_most_terminals_need_not_be_the_first():
    graph = Graph(5, [0, 2, 3], [1, 3, 4], [1, 1, 1])
    with pytest.warns(GraphWarning, match=r"; 3 are in one of them, and 1 in others: \[0\]"):
        assert boruvka.steiner_tree(graph, [0, 2, 3, 4]).edges.tolist() == [1, 2]
