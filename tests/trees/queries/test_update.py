import functools
import pickle

import networkx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, OptionError
from boruvka.trees import forest as module
from tests.oracles import kruskal
from tests.strategies import WEIGHTS, graphs

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


def joined(*graphs):
    """Join the edge lists of graphs."""
    n = max(graph.n for graph in graphs)
    return n, *(np.concatenate([getattr(graph, column) for graph in graphs]) for column in "uvw")


@st.composite
def chains(draw):
    """Draw graphs with weights of one type, each of which may have more vertices."""
    dtypes = [draw(st.sampled_from(WEIGHTS))]
    return [draw(graphs(max_vertices, 20, dtypes)) for max_vertices in (8, 10, 12)]


@given(chains(), st.booleans(), st.sampled_from([0, 1 / 8, 100]))
def test_chained_updates_are_solves_of_all_edges(chain, maximum, limit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "NEW_EDGES_PER_VERTEX", limit)
        forest = minimum_spanning_forest(chain[0], maximum=maximum)
        for k in range(1, len(chain)):
            new = chain[k]
            forest = forest.update((new.u, new.v, new.w, max(graph.n for graph in chain[: k + 1])))
            n, u, v, w = joined(*chain[: k + 1])
            assert forest.edges.dtype == np.int64
            assert forest.edges.tolist() == kruskal(n, u, v, w, maximum)
            assert (forest.graph.n, forest.graph.m, forest.graph.dtype) == (n, w.size, w.dtype)
            for column, expected in zip("uvw", (u, v, w), strict=True):
                np.testing.assert_array_equal(getattr(forest.graph, column), expected)
                np.testing.assert_array_equal(getattr(forest, column), expected[forest.edges])
            assert boruvka.verify(forest.graph, forest)


@given(st.data())
def test_parts_of_an_extended_graph(data):
    graph, new = data.draw(graphs(dtypes=[np.dtype("i4")])), data.draw(graphs(dtypes=[np.dtype("i4")]))
    extended = minimum_spanning_forest(graph).update((new.u, new.v, new.w)).graph
    n, u, v, w = joined(graph, Graph.from_edges(new.u, new.v, new.w))
    assert extended.n == n
    places = st.integers(0, max(w.size - 1, 0))
    some = np.array(data.draw(st.lists(places, max_size=9 * bool(w.size))), np.int64)
    first, last = sorted((data.draw(st.integers(0, w.size)), data.draw(st.integers(0, w.size))))
    for k, column in enumerate((u, v, w)):
        assert extended.take(some)[k].tolist() == column[some].tolist()
        assert extended.edges_in_range(first, last)[k].tolist() == column[first:last].tolist()


@pytest.mark.parametrize("maximum", [False, True])
def test_points_and_matrices(maximum):
    generator = np.random.default_rng(2)
    matrix = generator.integers(0, 9, (9, 9)).astype(float)
    for graph in (Graph.from_points(generator.random((12, 2))), Graph.from_dense(matrix)):
        forest = boruvka.minimum_spanning_forest(graph, maximum=maximum)
        new = generator.integers(0, 12, 8), generator.integers(0, 12, 8), generator.random(8) * 4
        updated = forest.update(new)
        n, u, v, w = joined(graph, Graph.from_edges(*new))
        assert updated.edges.tolist() == kruskal(n, u, v, w, maximum)
        assert boruvka.verify(updated.graph, updated)
        again = boruvka.minimum_spanning_forest(updated.graph, maximum=maximum)
        assert again.edges.tolist() == updated.edges.tolist()


def test_queries_of_an_updated_forest():
    forest = minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [5, 2, 7])).update([(3, 0, 1), (4, 3, 9)])
    assert forest.edges.tolist() == [0, 1, 3, 4]
    assert (forest.n, forest.n_components, forest.weight, forest.algorithm) == (5, 1, 17, "update")
    assert forest.bottleneck(2, 4) == (4, 9)
    assert forest.path(2, 4).tolist() == [1, 0, 3, 4]
    assert pickle.loads(pickle.dumps(forest)).edges.tolist() == forest.edges.tolist()
    assert forest.update([]).edges.tolist() == forest.edges.tolist()
    assert forest.cut(2).tolist() == [0, 0, 0, 0, 1]


def test_a_forest_without_vertices_grows():
    forest = minimum_spanning_forest(Graph(0, [], [], []))
    assert forest.update(([], [], [], 3)).n_components == 3
    assert forest.update(([0, 2, 0], [1, 2, 1], [4.0, 1, 2])).edges.tolist() == [2]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("i8", np.uint8(5)), ("i1", np.int64(127)), ("f8", np.int64(2**53)), ("f4", np.float64(0.5))),
        *(("f4", np.float64("inf")), ("i8", np.float64(5)), ("g", np.float64(0.1))),
    ],
)
def test_weights_are_converted_where_that_is_exact(old, new):
    graph = (
        minimum_spanning_forest(Graph(2, [0], [1], np.array([1], old))).update(([0], [1], new[None])).graph
    )
    assert graph.dtype == old
    assert graph.w[1] == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(
            ("i8", np.uint64(2**63)),
            ("u1", np.int64(-1)),
            ("f8", np.int64(2**63 - 1)),
            ("f4", np.float64(0.1)),
        ),
        *(("f4", np.float64(1e300)), ("i8", np.float64(0.5)), ("i8", np.float64(2**63))),
        *(("u8", np.float64(-1)), ("i8", np.float64("inf"))),
    ],
)
def test_weights_that_the_type_of_the_graph_cannot_hold(old, new):
    forest = minimum_spanning_forest(Graph(2, [0], [1], np.array([1], old)))
    with pytest.raises(GraphError, match=f"weights (of the graph )?are {np.dtype(old)}"):
        forest.update(([0], [1], new[None]))


@pytest.mark.parametrize(("w", "is_taken"), [(0.9, False), (0.75, True), (3, True)])
@pytest.mark.parametrize("old", [np.float32, np.float64])
def test_decimals_are_of_one_type_of_floats(old, w, is_taken):
    """0.9 of float32 is not 0.9 of float64; 0.75, and every integer, is the same number."""
    new = np.float32 if old == np.float64 else np.float64
    forest = minimum_spanning_forest(Graph(2, [0], [1], np.array([w], old)), maximum=True)
    if is_taken:
        assert forest.update(([1], [2], np.array([w], new))).cut_at(w).tolist() == [0, 0, 0]
    else:
        with pytest.raises(GraphError, match=r"weights are float32, but in the .* float64, where 0\.9 is"):
            forest.update(([1], [2], np.array([w], new)))
    assert len(forest.update(([], [], np.empty(0, new)))) == 1
    assert forest.update(([1], [2], [2])).weight == forest.weight + 2


def test_errors():
    forest = minimum_spanning_forest(Graph(3, [0], [1], [1]))
    assert forest.update(([0], [1], [5], 2)).n == 3
    with pytest.raises(GraphError, match="one entry per edge"):
        forest.update(([0], [1], [5, 6]))
    with pytest.raises(GraphError, match="has the weight NaN"):
        forest.update(([0], [1], [np.nan]))


def named_edges(graph, edges):
    u, v, w = (column.tolist() for column in graph.take(edges))
    return [
        (a, b, weight)
        for a, b, weight in zip(graph.name_of(u).tolist(), graph.name_of(v).tolist(), w, strict=True)
    ]


NEW = [("c", "a", 2), ("c", "d", 5), ("e", "d", 0)]


def frame(*arguments, **how):
    """Return a function that makes a frame of polars."""
    return lambda: pytest.importorskip("polars").DataFrame(*arguments, **how)


@pytest.mark.parametrize(
    "new",
    [
        NEW,
        tuple(zip(*NEW, strict=True)),
        frame(NEW, schema=["u", "v", "w"], orient="row"),
        {"c": {"a": 2, "d": 5}, "e": {"d": 0}},
        boruvka.as_graph(NEW),
    ],
    ids=["list", "tuple", "frame", "dict", "graph"],
)
def test_ends_of_new_edges_are_names(new):
    old = [("a", "b", 3), ("b", "c", 1)]
    forest = minimum_spanning_forest(old)
    larger = forest.update(new() if callable(new) else new)
    assert larger.graph.names.tolist()[:3] == ["a", "b", "c"]
    assert set(larger.graph.names.tolist()[3:]) == {"d", "e"}
    assert forest.graph.names.tolist() == ["a", "b", "c"]
    expected = minimum_spanning_forest(old + NEW)
    assert larger.edges.tolist() == expected.edges.tolist()
    assert named_edges(larger.graph, larger.edges) == named_edges(expected.graph, expected.edges)
    assert forest.update([("a", "x", 1)]).graph.names.tolist() == ["a", "b", "c", "x"]
    again = larger.update([("e", "a", -1)])
    assert again.graph.names.tolist() == larger.graph.names.tolist()
    assert again.bottleneck("e", ["a", "d"]).weights.tolist() == [-1, 0]
    assert boruvka.verify(again.graph, again)


@pytest.mark.parametrize(
    "new",
    [
        [(10**15, 7, 4), (-5, 10**15, 1)],
        (np.array([10**15, -5]), np.array([7, 10**15]), [4, 1]),
        frame({"u": [10**15, -5], "v": [7, 10**15], "w": [4, 1]}),
    ],
    ids=["list", "arrays", "frame"],
)
def test_integers_are_names_where_vertices_have_names(new):
    forest = minimum_spanning_forest(boruvka.as_graph((np.array([7]), np.array([10**12]), [3]), names=True))
    larger = forest.update(new() if callable(new) else new)
    assert larger.graph.names.tolist() == [7, 10**12, 10**15, -5]
    assert larger.graph.names.dtype == np.int64
    assert larger.path(-5, 10**12).tolist() == [2, 1, 0]
    rows = forest.update(np.array([[7, 9, 1.0], [9, 10**12, 2.0], [0, 0, 0], [0, 7, 1]]))
    assert rows.graph.names.tolist() == [7, 10**12, 9, 0]


def test_new_vertices_may_be_isolated():
    graph = networkx.Graph()
    graph.add_nodes_from("za")
    forest = minimum_spanning_forest([("a", "b", 3)]).update(graph)
    assert forest.graph.names.tolist() == ["a", "b", "z"]
    assert (len(forest), forest.n_components) == (1, 2)


def test_names_of_several_types():
    forest = minimum_spanning_forest(
        boruvka.as_graph((np.array([2**63]), np.array([5], np.uint64), [1]), names=True)
    )
    assert forest.graph.names.dtype == np.uint64
    assert forest.update([(-1, 5, 2)]).graph.names.tolist() == [2**63, 5, -1]
    larger = forest.update([("a", 5, 2), ((1, 2), "a", 3)])
    assert larger.graph.names.tolist() == [2**63, 5, "a", (1, 2)]
    assert larger.path(2**63, (1, 2)).tolist() == [0, 1, 2]


def test_new_edges_have_no_names_where_vertices_have_none():
    forest = minimum_spanning_forest(([0], [1], [5]))
    with pytest.raises(GraphError, match=r"but the graph has no names: give numbers, or solve graph\."):
        forest.update([("a", "b", 3)])
    with pytest.raises(
        OptionError, match="remove is for new edges, and there are none: did you mean removed"
    ):
        forest.update(remove=[0])


def test_a_forest_without_vertices_takes_names():
    frame = pd.DataFrame({"from": ["a", "b"], "to": ["b", "c"], "km": [3, 4]})
    for nothing in frame[:0], frame[:0].astype({"from": float, "to": float}):
        empty = boruvka.minimum_spanning_forest(nothing, weight="km")
        forest = empty.update(frame).update([("c", "d", 1)])
        assert (forest.graph.names.tolist(), forest.weight) == ([*"abcd"], 8)
        assert forest.to_pandas()["from"].tolist() == [*"abc"]


def test_new_edges_beside_old_ones_are_pointed_out():
    edges = [("A", "B", 4), ("B", "C", 2), ("C", "A", 3), ("C", "C", 0)]
    forest = boruvka.minimum_spanning_forest(edges)
    for graph in forest, forest.update(removed=[("A", "B")]):
        with pytest.warns(boruvka.GraphWarning, match=r"1 of 2 new edges .*removed=\[\('C', 'B'\)\]"):
            assert graph.update([("C", "B", 9), ("A", "D", 1)]).graph.m == 6
    assert forest.update([("C", "B", 9), ("C", "C", 2)], removed=[("B", "C")]).weight == 7
    points = boruvka.minimum_spanning_forest(Graph.from_points([[0, 0], [0, 2], [3, 0]]))
    assert points.update([(0, 2, 1.0)]).weight == 3  # a shortcut: every pair of points is an edge
    with pytest.raises(GraphError, match=r"of the graph are int64, .*float\(w\)\) for u, v, w in edges"):
        forest.update([("A", "B", 2.5)], removed=[("A", "B")])


@pytest.mark.parametrize("is_named", [True, False])
@pytest.mark.parametrize("convert", [lambda new: new, pl.from_pandas, pa.Table.from_pandas])
def test_new_edges_are_in_the_columns_of_the_first_table(is_named, convert):
    """Against a solve of both tables; a table with other columns is read by their known names."""
    ends = list("abcda") if is_named else [0, 1, 2, 3, 0]
    old = pd.DataFrame({"day": 0, "kunde": ends[:3], "firma": ends[1:4], "eur": [3, 1, 4], "weight": 9})
    new = pd.DataFrame({"firma": ends[2:4], "kunde": [ends[0]] * 2, "weight": 9, "eur": [2, 1]})
    columns = {"source": "kunde", "target": "firma", "weight": "eur"}
    larger = minimum_spanning_forest(old, **columns).update(convert(new))
    expected = minimum_spanning_forest(pd.concat([old, new], ignore_index=True), **columns)
    assert larger.edges.tolist() == expected.edges.tolist()
    again = larger.update(convert(new.assign(eur=0)))
    assert again.w.tolist() == [1, 0, 0]
    others = new.rename(columns={"kunde": "u", "firma": "v", "eur": "w"}).drop(columns="weight")
    assert minimum_spanning_forest(old, **columns).update(convert(others)).w.tolist() == larger.w.tolist()
