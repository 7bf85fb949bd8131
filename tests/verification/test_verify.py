import functools
import itertools
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import boruvka
from boruvka import Forest, Graph, GraphError, GraphTypeError, generators, stream, verify
from boruvka.graph.edge_lookup import ROW
from boruvka.verification.verify import Verification
from tests import oracles
from tests.strategies import graphs


def expected_fault(graph, edges, maximum):
    """Find the witness by the definitions: (edge, heavier), or None if the forest is right.

    One of equal weights counts if there is no other.
    """
    sign = -1 if maximum else 1
    u, v, w = graph.u.tolist(), graph.v.tolist(), graph.w.tolist()

    def key(e):
        return sign * w[e], e

    neighbours = {x: [] for x in range(graph.n)}

    def path(x, end):
        """List the edges of the path between two vertices; None if there is none."""
        to, todo = {x: []}, [x]
        for y in todo:
            for z, e in neighbours[y]:
                if z not in to:
                    to[z] = [*to[y], e]
                    todo.append(z)
        return to.get(end)

    for e in sorted(edges, key=key):
        if path(u[e], v[e]) is not None:
            return e, None
        neighbours[u[e]].append((v[e], e))
        neighbours[v[e]].append((u[e], e))
    tie = None
    for e in sorted(set(range(graph.m)) - set(edges)):
        between = path(u[e], v[e])
        if between is None:
            return e, None
        if between and key(e) < (heaviest := max(map(key, between))):
            if w[e] != w[heaviest[1]]:
                return e, heaviest[1]
            tie = tie or (e, heaviest[1])
    return tie


def check_witness(graph, edges, maximum):
    result = verify(graph, edges, maximum=maximum)
    expected = expected_fault(graph, edges, maximum)
    assert result.ok == (expected is None)
    assert (result.edge, result.replaced_edge) == (expected or (None, None))
    best = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    is_spanning = result.ok or result.replaced_edge is not None
    assert result.is_minimum == (
        is_spanning and sorted(graph.take(np.array(edges, int))[2]) == sorted(best.w)
    )


def nearly_right(draw, graph, maximum):
    """Draw edges: the forest without a few edges and with others; or any edges."""
    every = st.integers(0, graph.m - 1)
    if draw(st.integers(0, 9)) == 0:
        return draw(st.lists(every, unique=True, max_size=graph.n))
    edges = set(oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum))
    for _ in range(draw(st.integers(0, 3))):
        if edges:
            edges.remove(draw(st.sampled_from(sorted(edges))))
        if draw(st.booleans()):
            edges.add(draw(every))
    return draw(st.permutations(sorted(edges)))


@pytest.fixture(params=[1 << 17, 3])
def piece(monkeypatch, request):
    """Check many edges at once, or few."""
    monkeypatch.setattr("boruvka.verification.edges.RANGE", request.param)


@pytest.mark.usefixtures("piece")
@given(graph=graphs(max_vertices=30, max_edges=80), maximum=st.booleans(), data=st.data())
def test_the_witness_is_the_first(graph, maximum, data):
    assume(graph.m)
    check_witness(graph, nearly_right(data.draw, graph, maximum), maximum)


@pytest.mark.long
@pytest.mark.usefixtures("piece")
@given(
    coordinates=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12),
    distance=st.sampled_from(["euclidean", "hamming"]),
    maximum=st.booleans(),
    data=st.data(),
)
def test_the_witness_of_points(coordinates, distance, maximum, data):
    graph = Graph.from_points(np.array(coordinates, float), distance)
    check_witness(graph, nearly_right(data.draw, graph, maximum), maximum)


KINDS = (
    ("f8", np.ascontiguousarray),
    ("i8", np.ascontiguousarray),
    ("i2", np.ascontiguousarray),
    ("f8", np.asfortranarray),
    ("f8", lambda a: a[::-1, ::-1]),
)


@pytest.mark.filterwarnings("ignore:.*have the weight inf:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("kinds", [KINDS[:2], pytest.param(KINDS, marks=pytest.mark.long)])
@pytest.mark.usefixtures("piece")
@given(
    a=hnp.arrays(np.int16, st.integers(2, 9).map(lambda n: (n, n)), elements=st.integers(-2, 3)),
    null_value=st.sampled_from([0, None, 3, np.nan]),
    maximum=st.booleans(),
    data=st.data(),
)
def test_the_witness_of_a_matrix(kinds, a, null_value, maximum, data):
    dtype, layout = data.draw(st.sampled_from(kinds))
    a = a.astype(dtype)
    if dtype == "f8":
        a[a == -2] = np.nan if null_value is not None and np.isnan(null_value) else np.inf
    graph = Graph.from_dense(layout(a), null_value=null_value)
    assume(graph.m)
    check_witness(graph, nearly_right(data.draw, graph, maximum), maximum)


ROW_2 = re.escape(ROW.format(2))
SQUARE = Graph.from_edges([0, 1, 2, 3, 2], [1, 2, 3, 0, 2], [1, 1, 2, 3, 0])


@pytest.mark.parametrize(
    ("edges", "edge", "heavier", "message"),
    [
        ([0, 1, 9], 9, None, "there is no edge 9: the graph has 5 edges, from 0"),
        ([0, 1, -1], -1, None, "there is no edge -1"),
        ([0, 1, 1], 1, None, r"edge 1 \(1, 2\) is in the forest twice"),
        ([0, 1, 2, 3], 3, None, r"edge 3 \(3, 0\) of the forest closes a cycle"),
        ([0, 1, 2, 4], 4, None, r"edge 4 \(2, 2\) of the forest closes a cycle"),
        ([0, 1], 2, None, r"edge 2 \(2, 3\) joins two trees: the forest does not span"),
        ([], 0, None, r"edge 0 \(0, 1\) joins two trees"),
        ([0, 1, 3], 2, 3, r"edge 2 \(2, 3\) with weight 2 is lighter than edge 3 \(3, 0\) with weight 3"),
    ],
)
def test_what_is_wrong_has_a_witness(edges, edge, heavier, message):
    result = verify(SQUARE, edges)
    assert not result
    assert (result.edge, result.replaced_edge) == (edge, heavier)
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(result.message)


def test_ties_go_to_the_smaller_index():
    graph = Graph.from_edges([0, 0], [1, 1], [5, 5])
    assert verify(graph, [0])
    result = verify(graph, [1])
    assert (result.edge, result.replaced_edge) == (0, 1)
    assert result.message == (
        "it is a minimum spanning forest too, but not the one by the order of edges: of equal weights, the "
        "smaller index goes first, and edge 0 (0, 1) with weight 5 goes before edge 1 (0, 1) on the path "
        "between its ends"
    )
    assert "another minimum spanning forest" in result._repr_html_()
    assert not verify(graph, [1], maximum=True)


def test_a_tie_does_not_hide_an_error():
    graph = Graph.from_edges([0, 0, 1, 1, 1], [1, 1, 2, 2, 2], [5, 5, 2, 1, 1])
    for forest, witness, is_minimum in (
        ([1, 2], (3, 2), False),
        ([1, 3], (0, 1), True),
        ([0, 4], (3, 4), True),
    ):
        for result in (
            verify(graph, forest),
            stream.verify([graph.edges_in_range(0, 5)], Forest(graph, forest)),
        ):
            assert (result.edge, result.replaced_edge) == witness
            assert (result.ok, result.is_minimum) == (False, is_minimum)
    assert [verify(graph, tree).is_minimum for tree in boruvka.minimum_spanning_forest(graph).ranked()] == [
        *[True] * 4,
        *[False] * 2,
    ]


def test_right_message():
    assert verify(SQUARE, [0, 1, 2]).message == (
        "3 edges are the minimum spanning forest with 1 component; every edge was checked"
    )


@pytest.mark.parametrize("forest", [[0.5], "abc", [[0, 1, 2, 3]], [[1], [1, 2]], [None]])
def test_what_is_no_forest(forest):
    with pytest.raises(GraphTypeError):
        verify(SQUARE, forest)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_empty_graphs(n):
    assert verify(Graph(n, [], [], []), [])


def test_all_edges_of_a_graph():
    tree = generators.path(200, seed=3)
    assert verify(tree, np.arange(tree.m))
    ring = Graph(200, np.append(tree.u, 199), np.append(tree.v, 0), np.append(tree.w, -1))
    check_witness(ring, list(range(200)), False)


@pytest.fixture(scope="module")
def dense_graph():
    """Return a graph most of whose edges are accepted by its light tree, and its forest."""
    graph = generators.random(2000, 30_000, seed=7, dtype="float32")
    return graph, np.array(oracles.kruskal(graph.n, graph.u, graph.v, graph.w))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("maximum", [False, True])
def test_every_kind_of_fault_in_a_dense_graph(monkeypatch, dense_graph, maximum, threads):
    monkeypatch.setattr("boruvka.verification.edges.RANGE", 10_000)
    check = functools.partial(verify, maximum=maximum, threads=threads)
    graph, forest = dense_graph
    if maximum:
        graph = Graph(graph.n, graph.u, graph.v, -graph.w)
    generator = np.random.default_rng(1)
    outside = np.setdiff1d(np.arange(graph.m), forest)
    assert check(graph, forest)
    assert "twice" in check(graph, np.append(forest, forest[1234])).message
    assert "no edge" in check(graph, np.append(forest, graph.m)).message
    assert "closes a cycle" in check(graph, np.append(forest, outside[1])).message
    for place in generator.integers(0, forest.size, 8):
        without = check(graph, np.delete(forest, place))
        assert "does not span" in without.message
        # The forest without an edge has two trees; any other edge that joins them is heavier.
        labels = Forest(graph, np.delete(forest, place)).labels
        crossing = np.flatnonzero(labels[graph.u] != labels[graph.v])
        assert without.edge == crossing[0]
        if crossing.size > 1:
            others = np.setdiff1d(crossing, forest[place])
            wrong = np.append(np.delete(forest, place), generator.choice(others))
            result = check(graph, wrong)
            assert result.replaced_edge == wrong[-1]
            assert result.edge in crossing
            # One edge of another weight: the forest is no longer right.
            w = graph.w.copy()
            w[others[-1]] = np.inf if maximum else -np.inf
            changed = check(Graph(graph.n, graph.u, graph.v, w), forest)
            assert changed.edge == others[-1]


def test_ties_in_a_dense_graph(dense_graph):
    """An edge as heavy as the heaviest of the light tree may still precede an edge of its path."""
    graph, _ = dense_graph
    graph = Graph(graph.n, graph.u, graph.v, np.random.default_rng(3).integers(0, 8, graph.m))
    forest = np.array(oracles.kruskal(graph.n, graph.u, graph.v, graph.w))
    assert verify(graph, forest)
    for weight in np.unique(graph.w[forest]):
        place = np.flatnonzero(graph.w[forest] == weight)[0]
        labels = Forest(graph, np.delete(forest, place)).labels
        crossing = np.flatnonzero((labels[graph.u] != labels[graph.v]) & (graph.w == weight))
        if crossing.size > 1:
            result = verify(graph, np.append(np.delete(forest, place), crossing[-1]))
            assert (result.edge, result.replaced_edge) == (forest[place], crossing[-1])


@pytest.mark.long
def test_witness_in_a_late_piece_of_a_large_graph():
    graph = generators.random(300_000, 2_500_000, seed=5)
    answer = boruvka.minimum_spanning_forest(graph).edges
    assert verify(graph, answer)
    assert "does not span" in verify(graph, np.delete(answer, -1)).message
    assert not verify(graph, np.append(answer[:-1], np.setdiff1d(np.arange(graph.m), answer)[-1]))


def test_removed_edges_do_not_count():
    """Witnesses have the numbers of the given graph, which has the removed edges, too."""
    u, v = [0, 1, 2, 0, 1, 3], [1, 2, 3, 3, 3, 4]
    forest = boruvka.minimum_spanning_forest((u, v, [1, 2, 3, 4, 5, 6])).update(removed=[0])
    assert verify((u, v, [1, 2, 3, 4, 5, 6]), forest)
    graph = Graph.from_edges(u, v, [1, 2, 3, 4, 1, 6])
    found = verify(graph, forest)
    assert (found.edge, found.replaced_edge) == (4, 2)
    assert "edge 4 (1, 3) with weight 1 is lighter than edge 2 (2, 3) with weight 3" in found.message
    assert verify(graph, forest.edges).edge == 0
    added = forest.update(([0], [4], [1])).update(removed=[6])
    assert verify((u, v, [1, 2, 3, 4, 5, 6]), added)


def test_an_edge_that_was_removed():
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [1, 2, 3])
    rest = boruvka.minimum_spanning_forest(graph).update(removed=[1]).graph
    for given_graph, claim in (rest, [0, 1]), (graph, Forest(rest, np.array([0, 1]), _is_optimal=False)):
        found = verify(given_graph, claim)
        assert (found.edge, found.message) == (1, "there is no edge 1: it was removed")


@pytest.mark.parametrize("m", [0, 1, 2])
def test_another_graph_has_fewer_edges(m):
    forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [1, 2, 3]))
    smaller = Graph.from_edges([0, 1][:m], [1, 2][:m], [1, 2][:m], n=4)
    for claim in forest, forest.update(removed=[0]), forest.edges:
        found = verify(smaller, claim)
        assert m <= found.edge < 3
        assert found.message == f"there is no edge {found.edge}: the graph has {m} edges, from 0"


@pytest.mark.parametrize(
    ("graph", "other", "expected"),
    [
        ([(0, 1, 1), (1, 2, 2), (0, 2, 5)], [(0, 1, 7), (1, 2, 8), (0, 2, 9)], "weighs 7, in the graph 1"),
        ([("a", "b", 1), ("b", "c", 2)], [("a", "b", 1), ("a", "c", 2)], "no edge is between"),
        ([(0, 1, 1), (1, 2, 2)], [("x", "y", 1), ("y", "z", 2)], "the forest: 'x' is not a vertex"),
        ([("x", "y", 1), ("y", "z", 2)], [(0, 1, 1), (1, 2, 2)], "the forest has no names: write"),
        ([("x", "y", 1), ("y", "z", 2)], [("x", "y", 1), ("y", "z", 2)], ""),
        ([(0, 1, 1), (1, 2, 2)], [(0, 1, 1.0), (1, 2, 2.0)], ""),
        (boruvka.as_graph([(5, 7, 1), (7, 9, 2)], names=True), [(5, 9, 1)], "no edge is between"),
    ],
)
def test_a_forest_of_another_graph(graph, other, expected):
    forest = boruvka.minimum_spanning_forest(other)
    try:
        found = verify(graph, forest)
        assert (found.ok, found.is_minimum) == (not expected, not expected)
        message = found.message
    except (GraphError, GraphTypeError) as error:
        message = str(error)
    assert re.search(expected, message)


def test_edges_of_a_user_in_any_form_and_order():
    """Parallel edges of equal weight keep their indices; another graph's edges are found by their ends."""
    edges = [("a", "b", 1), ("b", "a", 1), ("b", "c", 1), ("c", "d", 5), ("a", "d", 9)]
    graph, mask = boruvka.as_graph(edges), np.array([0, 1, 1, 1, 0], bool)
    for chosen in [3, 2, 1], {1, 2, 3}, mask, np.array([2, 1, 3], np.uint8), Forest(graph, [2, 3, 1]):
        assert Forest(graph, chosen).edges.tolist() == [1, 2, 3]
    for chosen in [3, 2, 1], [1, 2, 3]:
        assert Forest(edges, chosen).cut(2).tolist() == [0, 0, 0, 1]
    for chosen in [("d", "c"), ("c", "b")], {"b": "c", "d": "c", "c": None}, Forest(edges[2:], [1, 0]):
        assert Forest(graph, chosen).edges.tolist() == [2, 3]


def test_a_claim_with_vertices_beyond_the_graph():
    points = Graph.from_points(np.random.default_rng(3).random((5, 2)))
    forest = boruvka.minimum_spanning_forest(points)
    assert "there is no edge" in verify(Graph(2, [0], [1], [5]), forest).message
    assert "there is no edge" in verify(np.eye(2), forest).message


def test_messages_name_vertices():
    graph = boruvka.as_graph([("a", "b", 1), ("b", "c", 2), ("c", "a", 3)])
    found = boruvka.verify(graph, [0, 2])
    assert found.message.startswith("edge 1 ('b', 'c') with weight 2 is lighter than edge 2 ('c', 'a')")


@pytest.mark.parametrize("maximum", [False, True])
def test_a_graph_of_one_edge(maximum):
    graph = Graph(2, [0], [1], [5])
    assert verify(graph, [0], maximum=maximum)
    result = verify(graph, [], maximum=maximum)
    assert (result.ok, result.edge) == (False, 0)
    assert "joins two trees" in result.message


def test_an_edge_that_was_added_and_removed_is_none_of_the_graph():
    graph = Graph(3, [0, 1], [1, 2], [1, 2])
    forest = boruvka.minimum_spanning_forest(graph).update(([0], [2], [1])).update(removed=[2])
    assert forest.removed.tolist() == [2]
    assert verify(graph, forest)


@pytest.mark.parametrize("maximum", [False, True])
def test_edges_instead_of_indices(maximum):
    networkx, pandas = pytest.importorskip("networkx"), pytest.importorskip("pandas")
    edges = [("a", "b", 1), ("b", "c", 2), ("a", "c", 3)]
    g = networkx.Graph()
    g.add_weighted_edges_from(edges)
    tree = (networkx.maximum_spanning_tree if maximum else networkx.minimum_spanning_tree)(g)
    rows = list(tree.edges(data="weight"))
    forms = [
        tree,
        rows,
        [list(row) for row in rows],
        [(v, u) for u, v, _ in rows],
        pandas.DataFrame(rows, columns=["u", "v", "w"]),
        set(rows),
        zip(*zip(*rows, strict=True), strict=True),
        tuple(zip(*rows, strict=True)),
        np.array(rows, object),
        np.array(rows)[:, :2],
        {u: {v: w} for u, v, w in rows} | {rows[1][1]: {rows[1][0]: rows[1][2]}},
        networkx.to_dict_of_dicts(tree),
        tree.edges,
        tree.edges(data="weight"),
        tree.edges(data=True),
        boruvka.as_graph(rows),
        boruvka.minimum_spanning_forest(rows),
        pandas.DataFrame(rows).itertuples(index=False),
        [row[::2] == ("b", 2) or row[2] == (3 if maximum else 1) for row in edges],
    ]
    for form in forms:
        assert verify(edges, form, maximum=maximum)
    for form in forms[:5]:
        assert not verify(edges, form, maximum=not maximum)
    path = [("a", "b", 1), ("b", "c", 2), ("c", "d", 3)]
    assert all(verify(path, tuple(tuple(row[:k]) for row in path)) for k in (2, 3))
    with pytest.raises(GraphError, match="three pairs may be"):
        verify(([0, 1, 2], [1, 2, 3], [1, 2, 3]), ((0, 1), (1, 2), (2, 3)))
    matrix = np.array([[0, 5, 3], [4, 0, 9], [1, 2, 0]])  # 4, 1 and 2 count, in a maximum forest 5, 3 and 9
    pairs = [(0, 1), (1, 2)] if maximum else [(0, 2), (1, 2)]
    assert verify(Graph.from_dense(matrix), pairs, maximum=maximum)
    assert "closes a cycle" in verify(edges, [row[:2] for row in edges]).message
    assert "twice" in verify(edges, [("a", "b"), ("b", "a")]).message


@given(st.integers(0, 1000))
def test_trees_of_scipy(seed):
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 8))
    matrix = np.triu(rng.choice(9, (n, n)), 1)
    matrix += matrix.T
    tree = sparse.csgraph.minimum_spanning_tree(matrix)
    for form in tree, tree.toarray(), tree + tree.T, tree.tocoo(), Graph.from_scipy(tree):
        assert verify(Graph.from_dense(matrix), form).is_minimum


def test_parallel_edges_by_weight():
    networkx = pytest.importorskip("networkx")
    edges = [("a", "b", 5), ("a", "b", 3), ("b", "c", 1), ("a", "b", 3)]
    g = networkx.MultiGraph()
    g.add_weighted_edges_from(edges)
    for tree in (networkx.minimum_spanning_tree(g), networkx.minimum_spanning_edges(g)):
        assert verify(edges, tree)
    assert verify(edges, edges[:1] + edges[2:3]).edge == 1
    assert verify(edges, [*edges[1:4]]).edge == 3  # the second copy of the row
    other = boruvka.minimum_spanning_forest([("c", "b", 1), ("b", "a", 3)])
    assert verify(edges, other)
    without = boruvka.minimum_spanning_forest([("c", "b", 1), ("c", "a", 0), ("b", "a", 3)], excluded=[1])
    assert verify(edges, without)
    km = networkx.Graph()
    km.add_edge("a", "b", km=3)
    of_km = boruvka.as_graph(km, weight="km")
    g = networkx.Graph()
    g.add_edge("a", "b", weight=3)
    assert all(verify(of_km, tree) for tree in (km, of_km, km.edges(data=True), g, g.edges(data=True)))


TREES_WITHOUT_WEIGHTS = {
    "networkx": lambda pairs: pytest.importorskip("networkx").Graph(pairs),
    "multigraph": lambda pairs: pytest.importorskip("networkx").MultiGraph(pairs),
    "pandas": lambda pairs: pytest.importorskip("pandas").DataFrame(pairs, columns=["u", "v"]),
    "polars": lambda pairs: pytest.importorskip("polars").DataFrame(pairs, schema=["u", "v"], orient="row"),
    "neighbours": lambda pairs: {a: {*sum((p for p in pairs if a in p), ())} - {a} for a in "abcd"},
    "parents": lambda pairs: {"a": None} | {b: a for a, b in pairs},
}


@pytest.mark.parametrize("form", TREES_WITHOUT_WEIGHTS)
def test_trees_without_weights(form):
    edges = [("a", "b", 3), ("b", "c", 4), ("c", "d", 1), ("a", "d", 9)]
    for pairs, is_right in (
        ([("a", "b"), ("b", "c"), ("c", "d")], True),
        ([("a", "b"), ("b", "c"), ("a", "d")], False),
    ):
        tree = TREES_WITHOUT_WEIGHTS[form](pairs)
        assert verify(edges, tree).is_minimum == is_right
    for tree in {("a", "b"): 3}, {"a": [("b", 3)]}, {"a": [["b", 3]]}:
        with pytest.raises(GraphTypeError, match="a graph given as a dict"):
            verify(edges, tree)
    assert "no edge is between ('a', 'c')" in verify(edges, {"a": ["c"]}).message
    with pytest.raises(GraphError, match=r"if it is a mask, write numpy.array\(x, bool\)"):
        verify(edges, [1, 1, 1, 0])
    with pytest.raises(
        GraphTypeError, match=r"a mask x has booleans, not 0 and 1: write numpy.array\(x, bool\)"
    ):
        verify(edges[:3], [1, 1, 1, 0][1:])
    assert verify(edges, np.array([1, 1, 1, 0], bool))
    with pytest.raises(GraphTypeError, match="not an array of object"):
        verify(edges, np.array([{}, [], [1], [1, 2]], object))


@pytest.mark.parametrize(
    ("forest", "message"),
    [
        ([("a", "b"), ("d", "a")], rf"^{ROW_2}: 'd' is the name of no vertex"),
        ((["a", "a"], ["b", "d"], [1, 1]), rf"^{ROW_2}: 'd' is the name of no vertex"),
        (np.array([["b", "a"], ["a", "d"], ["b", "c"]]), rf"^{ROW_2}: 'd' is the name of no vertex"),
        ({"a": "b", "c": "d"}, "^the forest: 'd' is the name of no vertex"),
        ({("a", "d")}, "^the forest: 'd' is the name of no vertex"),
        ([("b", "c")], r"2 edges between \('b', 'c'\), with the indices \[1, 2\]: write .*\('b', 'c', 2\)"),
        ([("a", "b", 1 + 1e-15)], r"in the graph 1: if rounding changed it, .* list\(tree.edges\)"),
    ],
)
def test_edges_that_cannot_be_found(forest, message):
    with pytest.raises(GraphError, match=message):
        verify([("a", "b", 1), ("b", "c", 2), ("b", "c", 3)], forest)
    with pytest.raises(
        GraphTypeError,
        match=r"\[\('A', 'B'\)\] or \[tuple\(x\) for x in edges\] \(of 'A-B', x.split\('-'\)\), not",
    ):
        verify([("a", "b", 1)], ["ab"])


@pytest.mark.parametrize(
    ("forest", "message"),
    [
        (
            [("a", "b", 2)],
            f"{ROW.format(1)}: edge ('a', 'b') weighs 2, in the graph 1; ends alone are enough",
        ),
        ({("b", "c", 4)}, "the forest: edge ('b', 'c') weighs 4, in the graph 2 or 3"),
        ([("a", "b"), ("a", "a")], f"{ROW.format(2)}: no edge is between ('a', 'a')"),
    ],
)
def test_edges_that_are_not_in_the_graph(forest, message):
    assert verify([("a", "b", 1), ("b", "c", 2), ("b", "c", 3)], forest) == Verification(False, message)


PARENTS = {  # of vertices 0 to 3, with the right tree first
    "None": ([None, 0, 1, 0], [None, 0, 1, 2]),
    "-1": ([-1, 0, 1, 0], [-1, 0, 1, 2]),
    "itself": ([0, 0, 1, 0], [0, 0, 1, 2]),
    "-9999": ([-9999, 0, 1, 0], [-9999, 0, 1, 2]),
}


@pytest.mark.parametrize("root", PARENTS)
@pytest.mark.parametrize("names", [None, "STUV", [-1, 5, 6, 7]], ids=str)
def test_parents_of_vertices(root, names):
    edges = [(0, 1, 2), (0, 3, 1), (1, 2, 3), (2, 3, 4)]
    name = dict(enumerate(names or range(4))).__getitem__
    graph = Graph.from_edges(*zip(*((name(u), name(v), w) for u, v, w in edges), strict=True), names=True)
    graph = graph if names else edges
    for parents, is_right in zip(PARENTS[root], (True, False), strict=True):
        listed = [x if x in (None, -1, -9999) else name(x) for x in parents]
        if names == [-1, 5, 6, 7] and root == "-1":
            continue  # a vertex is called -1
        assert verify(graph, dict(zip(map(name, range(4)), listed, strict=True))).ok == is_right
        for form in list, np.array:
            with pytest.raises(GraphError, match=r"may list parents: write \{vertex: parent\}"):
                verify(graph, form(parents))
    assert "in the forest twice" in verify(graph, [0, 0, 1]).message
    assert "closes a cycle" in verify(graph, [0, 1, 2, 3]).message


def spanning_trees(graph):
    """List the spanning trees of a connected graph, as indices of edges, with their weights."""
    for edges in map(list, itertools.combinations(range(graph.m), graph.n - 1)):
        u, v, w = graph.take(np.array(edges))
        if len(set(oracles.components(graph.n, u, v))) == 1:
            yield edges, w.sum()


def submissions(graph, edges, name):
    """Yield a tree in the forms of submissions that have no weights."""
    networkx, pandas, sparse = map(pytest.importorskip, ("networkx", "pandas", "scipy.sparse"))
    u, v, _ = graph.take(np.array(edges))
    tree, n = networkx.Graph(zip(u.tolist(), v.tolist(), strict=True)), graph.n
    pairs = [(name(a), name(b)) for a, b in tree.edges]
    yield from (pairs, tuple(map(list, zip(*pairs, strict=True))), np.array(pairs, object).T)
    a = networkx.to_numpy_array(tree, nodelist=range(n), weight=None)
    yield {name(i): {name(j): 1 for j in range(n) if a[i, j]} for i in range(n)}
    yield networkx.relabel_nodes(networkx.from_numpy_array(a), name)
    parents = {name(child): name(parent) for parent, child in networkx.bfs_edges(tree, n - 1)}
    root = name(n - 1)
    for sign in None, np.nan, "", "-", -1, -9999, pandas.NA:
        rooted = parents | {root: sign}
        yield from (rooted, list(rooted.items()))
    yield from (parents, parents | {root: root}, pandas.Series(parents | {root: None}, dtype=object))
    yield pandas.DataFrame(list((parents | {root: None}).items()), dtype=object)
    if graph.names is None:
        dense = boruvka.Graph.from_dense(np.where(a > 0, 1, np.inf), null_value=np.inf)
        yield from (a, a.astype(int), a > 0, np.triu(a), sparse.csr_array(a), sparse.csr_array(a > 0), dense)
        yield np.array(pairs).T


@pytest.mark.parametrize("names", [None, "abcde"])
def test_submissions_are_right_if_no_tree_is_lighter(names):
    rng = np.random.default_rng(4)
    for n in (4, 5) if names is None else (3, 4, 5):  # a 3 x 3 array may be edges
        u, v = np.array([*itertools.combinations(range(n), 2)]).T
        graph = Graph(n, u, v, rng.integers(2, 6, u.size))
        graph = graph if names is None else graph.with_names([*names[:n]])
        trees = list(spanning_trees(graph))
        least = min(weight for _, weight in trees)
        chosen = rng.permutation(len(trees))[:8].tolist()
        for edges, weight in [trees[k] for k in chosen] + [min(trees, key=lambda tree: tree[1])]:
            for form in submissions(graph, edges, lambda x: x if names is None else names[x]):
                assert verify(graph, form).is_minimum == (weight == least), form


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ([("a", "b"), ("b", "a"), ("c", "b"), ("d", "c")], "twice"),
        ([("a", "b"), ("b", "c"), ("c", "b"), ("b", "a")], "edge 0 .* is in the forest twice"),
        ([("a", "b", 1), ("b", "c", 2), ("b", "c", 2), ("b", "c", 2)], "edge 1 .* is in the forest twice"),
        ({"a": "b", "b": "a", "c": "b", "d": "c"}, "twice"),
        (["b", None, "b", "c"], "GraphTypeError: a forest is a Forest, .* a dict of parents, boruvka"),
        ([("a", "b"), ("a", None)], "GraphError: .* None is the name of no vertex"),
        (
            "tree.csv",
            r"GraphTypeError: a forest is .* boruvka.read\(path\) of a file",
        ),
        (([0, 1], [2, 3]), "GraphError: two rows x may be two edges"),
        (boruvka.steiner_tree(([0], [1], [2]), [0, 1]), "GraphTypeError: verify is for spanning forests"),
        (
            boruvka.minimum_spanning_arborescence(([0], [1], [2])),
            "GraphTypeError: .* an arborescence has tree.verify()",
        ),
        ([("a", "b", 1), ("b", "c", 1), ("c", "d", 1)], "weighs 1, in the graph 2"),
    ],
)
def test_messages_about_submissions(form, message):
    graph = [("a", "b", 1), ("b", "c", 2), ("c", "d", 3), ("a", "d", 4)]
    try:
        found = verify(graph, form)
        text = found.message
        assert not found.ok
    except (GraphError, GraphTypeError) as error:
        text = f"{type(error).__name__}: {error}"
    assert re.search(message, text), text


def test_matrices_and_series_with_two_meanings():
    pandas = pytest.importorskip("pandas")
    w = np.array([[0, 4, 0, 6], [4, 0, 3, 0], [0, 3, 0, 5], [6, 0, 5, 0.0]])
    tree = np.where(w < 6, w, 0)
    assert verify(w, tree)
    with pytest.raises(GraphError, match=r"are inf.*Graph.from_dense\(a, null_value=numpy.inf\)"):
        verify(w, np.where(tree + np.eye(4) > 0, tree, np.inf))
    parents = pandas.Series({1: 0, 2: 1, 3: 2})
    with pytest.raises(GraphError, match=r"parents, x.to_dict\(\), or indices of edges, x.to_numpy\(\)"):
        verify(w, parents)
    assert verify(w, parents.to_dict())
    # Rows (0, 1) and (2, 3), or the edges 0-2 and 1-3, are in the first graph; the second has only the rows.
    for pairs in [(0, 1), (2, 3), (0, 2), (1, 3)], [(0, 1), (2, 3)]:
        graph = [(u, v, 2) for u, v in pairs]
        if len(pairs) == 2:
            assert verify(graph, np.array([[0, 1], [2, 3]]))
        else:
            with pytest.raises(GraphError, match="two rows x may be"):
                verify(graph, np.array([[0, 1], [2, 3]]))


@pytest.mark.parametrize(
    ("text", "options"), [("u,v,w\nc,b,2\nb,a,1\n", {}), ("from,to\na,b\nb,c\n", {"unweighted": True})]
)
def test_a_forest_in_a_file_is_read_as_the_message_says(tmp_path, text, options):
    (path := tmp_path / "tree.csv").write_text(text)
    assert verify([("a", "b", 1), ("b", "c", 2), ("a", "c", 3)], boruvka.read(path, **options))
