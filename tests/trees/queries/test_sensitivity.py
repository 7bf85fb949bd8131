"""Sensitivity against its definition: forests of graphs whose weights are changed."""

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, generators
from tests.oracles import is_forest, kruskal, lightest_by_enumeration
from tests.strategies import graphs

INTEGERS = [np.dtype("i4"), np.dtype("u8")]


def minimal_forests(graph):
    """List all minimum spanning forests, by all sets of edges of the right size."""
    size = len(kruskal(graph.n, graph.u, graph.v, graph.w))
    least = lightest_by_enumeration(graph.n, graph.u, graph.v, graph.w)
    for edges in combinations(range(graph.m), size):
        is_light = sum(graph.w[list(edges)].tolist()) == least
        if is_light and is_forest(graph.n, graph.u, graph.v, np.array(edges, np.int64)):
            yield set(edges)


def test_cuts_and_cycles_as_the_page_on_algorithms_finds_them():
    graph = boruvka.as_graph(
        [(*ends, w) for ends, w in zip(["ab", "bc", "ca", "cd", "da"], [1, 2, 3, 4, 5], strict=True)]
    )
    forest = boruvka.minimum_spanning_forest(graph)
    cuts = {0: [0, 2, 4], 1: [1, 2, 4], 3: [3, 4]}  # by hand, as the cycles
    for edge, expected in cuts.items():
        side = boruvka.Forest(graph, np.setdiff1d(forest.edges, edge)).labels
        assert np.flatnonzero(side[graph.u] != side[graph.v]).tolist() == expected
    assert sorted(np.append(forest.path("c", "a"), 2)) == [0, 1, 2]
    assert sorted(np.append(forest.path("d", "a"), 4)) == [0, 1, 3, 4]


@pytest.mark.filterwarnings("ignore:.*each edge in both directions")
@given(graphs(5, 8, INTEGERS))
def test_masks_are_those_of_all_minimum_spanning_forests(graph):
    graph = Graph(graph.n, graph.u, graph.v, (graph.w % 3).astype(np.int64))  # many ties
    found = boruvka.minimum_spanning_forest(graph).sensitivity()
    every = list(minimal_forests(graph))
    assert np.flatnonzero(found.in_every).tolist() == sorted(set.intersection(*every))
    assert np.flatnonzero(found.in_some).tolist() == sorted(set.union(*every))


@given(graphs(7, 14), st.booleans())
def test_rivals_are_found_by_solving_again(graph, maximum):
    """Without an edge of the forest its rival joins; an edge that must be in the forest removes its rival."""
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    found, edges = forest.sensitivity(), set(forest.edges.tolist())
    for i in range(graph.m):
        if i in edges:
            rest = np.delete(np.arange(graph.m), i)
            others = {rest[k] for k in kruskal(graph.n, graph.u[rest], graph.v[rest], graph.w[rest], maximum)}
            expected = others - edges
            assert edges - others == {i}
        elif graph.u[i] == graph.v[i]:
            expected = set()
        else:
            first = np.concatenate([[i], np.delete(np.arange(graph.m), i)])
            with_it = [i, *sorted(edges)]
            weights = graph.w[with_it].tolist() if graph.dtype.itemsize <= 8 else list(graph.w[with_it])
            ranks = sorted(range(1, len(with_it)), key=lambda k: (-weights[k] if maximum else weights[k], k))
            order = [0, *ranks]
            u, v = graph.u[with_it][order], graph.v[with_it][order]
            kept = kruskal(graph.n, u, v, np.arange(len(order)))
            expected = edges - {with_it[order[k]] for k in kept}
            assert first[0] == i
        assert {found.rival[i]} - {-1} == expected


@pytest.mark.filterwarnings("ignore:.*each edge in both directions")
@given(graphs(7, 14, [np.dtype("i8"), np.dtype("f8")]))
def test_slack_is_the_change_that_matters(graph):
    graph = Graph(graph.n, graph.u, graph.v, np.clip(graph.w, -1e6, 1e6).astype(np.int64) * 10)
    forest = boruvka.minimum_spanning_forest(graph)
    slack, edges = forest.sensitivity().slack, forest.edges.tolist()
    for i in range(graph.m):
        for change, is_inside in (-5, False), (5, True):
            by = 10**8 if np.isinf(slack[i]) else int(slack[i]) + change
            w = graph.w.copy()
            w[i] += by if i in edges else -by
            now = i in kruskal(graph.n, graph.u, graph.v, w)
            if np.isinf(slack[i]):
                assert now == (i in edges)
            else:
                assert now == ((i in edges) != is_inside)


def test_large_graphs():
    graph = generators.random(3_000, 20_000, dtype="int64", seed=3)
    forest = boruvka.minimum_spanning_forest(graph)
    rival, slack, _, _ = forest.sensitivity()
    chosen = np.random.default_rng(0).choice(forest.edges, 20)
    for i in chosen.tolist():
        without = boruvka.minimum_spanning_forest(graph, excluded=[i])
        new = np.setdiff1d(without.edges, forest.edges)
        assert new.tolist() == [rival[i]][: int(rival[i] >= 0)]
        if rival[i] >= 0:
            assert without.weight - forest.weight == slack[i]


@pytest.mark.parametrize(
    "graph",
    [
        Graph.from_points([[0.0], [1.0], [3.0], [1.0]]),
        Graph.from_profiles([[1, 0, 3], [1, 1, 1], [2, 1, 3], [2, 2, 2], [1, 0, 3]], missing="ignore"),
    ],
    ids=["points", "profiles"],
)
def test_pairs_are_as_listed_edges(graph):
    listed = Graph.from_edges(graph.u, graph.v, graph.w, n=graph.n)
    found, expected = (boruvka.minimum_spanning_forest(x).sensitivity() for x in (graph, listed))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    assert found.to_pandas().equals(expected.to_pandas().astype(found.to_pandas().dtypes))


def test_edges_that_were_removed_are_no_rivals():
    forest = boruvka.minimum_spanning_forest(([0, 0, 0], [1, 1, 1], [1, 2, 3])).update(removed=[1])
    assert forest.sensitivity().rival.tolist() == [2, -1, 0]


@pytest.mark.parametrize(("names", "ends"), [(None, "(5, 0)"), (list("abcdef"), "('f', 'a')")])
def test_an_array_that_was_changed_so_that_an_edge_joins_two_trees(names, ends):
    u, v, w = np.array([0, 1, 2, 3, 3], np.uint32), np.array([1, 2, 3, 4, 0], np.uint32), np.arange(1, 6)
    graph = Graph(6, u, v, w)
    forest = boruvka.minimum_spanning_forest(graph if names is None else graph.with_names(names))
    forest.path(*forest.graph.name_of(np.arange(2)).tolist())
    u[4] = 5
    message = f"the forest does not span the graph: edge 4 {ends} joins two of its trees"
    with pytest.raises(GraphError, match=re.escape(message)):
        forest.sensitivity()


@given(graphs(8, 12, INTEGERS), st.data())
def test_forests_that_span_no_component(graph, data):
    edges = boruvka.minimum_spanning_forest(graph).edges
    left = data.draw(st.lists(st.sampled_from(edges.tolist()), unique=True)) if edges.size else []
    forest = boruvka.Forest(graph, np.array(sorted(left), np.int64))
    if len(left) < edges.size:
        with pytest.raises(GraphError, match=r"edge \d+ .* joins two trees"):
            forest.sensitivity()
    else:
        forest.sensitivity()


def test_an_edge_that_was_excluded_may_join_two_trees():
    forest = boruvka.minimum_spanning_forest(([0, 1, 0], [1, 2, 1], [1, 2, 3]), excluded=[1])
    assert forest.sensitivity().rival.tolist() == [2, -1, 0]


@pytest.mark.filterwarnings("ignore:.*the weight inf")
@given(st.integers(1, 7), st.booleans(), st.data())
def test_a_symmetric_matrix_lists_each_pair_once(n, maximum, data):
    """The oracle is the condensed form, which has each pair once; weights may be infinite."""
    size = n * (n - 1) // 2
    condensed = np.array(
        data.draw(st.lists(st.sampled_from([0, 1, 2, 3, np.inf]), min_size=size, max_size=size))
    )
    square = np.zeros((n, n))
    square[np.triu_indices(n, 1)] = condensed
    square += square.T
    once = boruvka.minimum_spanning_forest(Graph.from_distances(condensed), maximum=maximum)
    forest = boruvka.minimum_spanning_forest(Graph.from_distances(square), maximum=maximum)
    expected, found = once.sensitivity(), forest.sensitivity()
    number = {}
    for i, pair in enumerate(combinations(range(n), 2)):
        number[pair] = number[pair[::-1]] = i
    ends = zip(forest.graph.u.tolist(), forest.graph.v.tolist(), strict=True)
    edge = np.array([number[pair] for pair in ends], int)
    for field in "slack", "in_every", "in_some":
        assert getattr(found, field).tolist() == getattr(expected, field)[edge].tolist()
    rival = np.append(edge, -1)[found.rival]
    assert rival.tolist() == expected.rival[edge].tolist()


def test_directions_with_different_weights_are_one_edge():
    forest = boruvka.minimum_spanning_forest(Graph.from_dense([[0, 3, 9], [5, 0, 8], [6, 7, 0]]))
    rival, slack, in_every, in_some = forest.sensitivity()
    assert forest.edges.tolist() == [0, 4]  # of weights 3 and 6; (2, 1) of weight 7 is edge 5
    assert rival.tolist() == [5, 5, 5, 4, 5, 4]
    assert slack.tolist() == [4, 1, 4, 1, 1, 1]
    assert in_every.tolist() == in_some.tolist() == [True, True, True, False, True, False]


def test_the_table_names_each_edge_once_and_its_rival():
    pytest.importorskip("pandas")
    rows = [("a", "b", 4), ("b", "c", 5), ("a", "c", 2), ("c", "d", 9), ("d", "a", 1)]
    matrix = Graph.from_dense([[0, 4, 2, 1], [6, 0, 5, 0], [2, 5, 0, 9], [1, 0, 9, 0]])
    tables = [
        boruvka.minimum_spanning_forest(rows).update(removed=[3]).sensitivity().to_pandas(),
        boruvka.minimum_spanning_forest(matrix.with_names("abcd"))
        .update(removed=[("d", "c")])
        .sensitivity()
        .to_pandas(),
    ]
    expected = {
        frozenset("ab"): (True, 1, frozenset("bc")),
        frozenset("bc"): (False, 1, frozenset("ab")),
        frozenset("ac"): (True, 3, frozenset("bc")),
        frozenset("ad"): (True, np.inf, None),
    }
    found = boruvka.minimum_spanning_forest([(f"<{k}", "b", k) for k in range(99)]).sensitivity()
    assert repr(found) == "Sensitivity of 99 edges: to_pandas() is a table of them"
    page = found._repr_html_()
    assert page.startswith("<p>60 of 99 edges</p><table")
    assert page.count("&lt;") == page.count("<tr") - 1 == 60
    for table in tables:
        rivals = zip(table["rival"], table["rival_source"], table["rival_target"], strict=True)
        values = [
            *zip(
                table["in_tree"],
                table["slack"],
                [frozenset(x[1:]) if x[0] >= 0 else None for x in rivals],
                strict=True,
            )
        ]
        ends = map(frozenset, zip(table["source"], table["target"], strict=True))
        assert dict(zip(ends, values, strict=True)) == expected
        assert len(table) == 4
        assert table["rival_source"].isna().tolist() == (table["rival"] < 0).tolist()
    frame = pytest.importorskip("pandas").DataFrame(rows, columns=["from", "to", "slack"])
    found = boruvka.minimum_spanning_forest(frame, weight="slack").sensitivity().to_pandas()
    assert found["slack_given"].tolist() == [4, 5, 2, 9, 1]
