import functools
import itertools
import uuid

import networkx
import numpy as np
import pandas
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Forest, Graph, GraphError, GraphTypeError
from tests.strategies import graphs
from tests.trees.test_path_maxima import random_forest

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


CYCLE = Forest(Graph(3, [0, 1, 2], [1, 2, 0], [1, 2, 3]), np.arange(3), _is_optimal=False)


def as_networkx(forest):
    """Convert a forest to NetworkX, whose attribute ``edge`` is the index in the graph."""
    g = networkx.Graph()
    g.add_nodes_from(range(forest.n))
    for edge, u, v in zip(forest.edges.tolist(), forest.u.tolist(), forest.v.tolist(), strict=True):
        g.add_edge(u, v, edge=edge)
    return g


def path_in(g, u, v):
    """List the edges of the path between two vertices, None for two trees."""
    if not networkx.has_path(g, u, v):
        return None
    nodes = networkx.shortest_path(g, u, v)
    return [g.edges[a, b]["edge"] for a, b in itertools.pairwise(nodes)]


def check_all_pairs(forest):
    """Compare paths and their heaviest edges between all vertices with those of NetworkX."""
    g, w, sign = as_networkx(forest), forest.graph.w, -1 if forest.maximum else 1
    every = np.arange(forest.n)
    edges, weights = forest.bottleneck(every[:, None], every)
    assert edges.dtype == np.int64
    assert weights.dtype == w.dtype
    assert edges.shape == weights.shape == (forest.n, forest.n)
    for u in range(forest.n):
        for v in range(forest.n):
            expected = path_in(g, u, v)
            if expected is None:
                with pytest.raises(GraphError, match=f"no path connects {u} and {v}: they are in different"):
                    forest.path(u, v)
            else:
                found = forest.path(u, v)
                assert found.dtype == np.int64
                assert found.tolist() == expected
            if not expected:
                assert edges[u, v] == -1
                assert weights.mask[u, v]
            else:
                last = max(expected, key=lambda e: (sign * w[e : e + 1].astype(object)[0], e))
                assert edges[u, v] == last
                assert weights[u, v] == w[last]


@given(graphs(), st.booleans())
def test_paths_and_bottlenecks_of_all_pairs(graph, maximum):
    check_all_pairs(minimum_spanning_forest(graph, maximum=maximum))


@pytest.mark.long
@pytest.mark.parametrize("maximum", [False, True])
def test_points_and_matrices(maximum):
    generator = np.random.default_rng(2)
    matrix = generator.integers(0, 4, (9, 9))
    for graph in (Graph.from_points(generator.integers(0, 5, (12, 2))), Graph.from_dense(matrix)):
        check_all_pairs(boruvka.minimum_spanning_forest(graph, maximum=maximum))


@pytest.mark.parametrize("shape", ["path", "star", "random", "legs"])
def test_larger_forests(shape):
    generator = np.random.default_rng(3)
    u, v = random_forest(40, shape, generator)
    graph = Graph(40, u, v, generator.integers(0, 50, u.size))
    check_all_pairs(Forest(graph, np.arange(graph.m)))


def test_many_pairs_on_several_threads():
    generator = np.random.default_rng(4)
    u, v = random_forest(100, "random", generator)
    forest = Forest(Graph(100, u, v, generator.random(u.size)), np.arange(u.size))
    us, vs = generator.integers(0, 100, (2, 500))
    edges, weights = forest.bottleneck(us, vs)
    for i in range(500):
        assert edges[i] == forest.bottleneck(us[i], vs[i]).edges
    np.testing.assert_array_equal(weights.filled(-1), np.where(edges < 0, -1, forest.graph.w[edges]))


def test_errors_have_the_numbers_of_arguments():
    """As all messages in Python do, also of a graph whose ids in its file begin with 1."""
    graph = Graph(4, [0, 2], [1, 3], [5, 4]).with_first_id(1)
    with pytest.raises(GraphError, match="no path connects 0 and 3"):
        boruvka.minimum_spanning_forest(graph).path(0, 3)


def test_scalars_and_shapes():
    forest = minimum_spanning_forest(([0, 1, 3], [1, 2, 4], [5, 2, 1]))
    edge, weight = forest.bottleneck(0, 2)
    assert (edge, weight) == (0, 5)
    assert edge.dtype == weight.dtype == np.int64
    assert forest.bottleneck(0, 4).edges == -1
    assert forest.bottleneck(1, 1).weights is np.ma.masked
    assert forest.bottleneck([], []).edges.shape == (0,)
    assert forest.bottleneck([[0], [4]], [1, 2, 3]).edges.tolist() == [[0, 0, -1], [-1, -1, 2]]
    assert forest.bottleneck([0, 1], np.uint8(2)).weights.tolist() == [5, 2]
    assert forest.path(np.int8(2), 2).tolist() == []


def test_graphs_without_edges():
    forest = minimum_spanning_forest(Graph(2, [], [], np.empty(0, np.float32)))
    edges, weights = forest.bottleneck([0, 0], [0, 1])
    assert edges.tolist() == [-1, -1]
    assert weights.filled(np.inf).tolist() == [np.inf, np.inf]
    assert minimum_spanning_forest(Graph(0, [], [], [])).bottleneck([], []).edges.size == 0


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f: f.path(0, 3), GraphError, r"v = 3 is not a vertex: the graph has n = 3 vertices"),
        (lambda f: f.path(-1, 0), GraphError, "ids are not negative"),
        (lambda f: f.path("a", 0), GraphTypeError, "is not a vertex: ids are integers"),
        (lambda f: f.bottleneck([0, 3], 0), GraphError, r"us\[1\] = 3 is not a vertex"),
        (lambda f: f.bottleneck([0, 1], [0, 1, 2]), GraphError, r"broadcast: shapes \(2,\) and \(3,\)"),
        (lambda _: CYCLE.path(0, 1), GraphError, "close a cycle"),
        (lambda _: CYCLE.bottleneck(0, 1), GraphError, "edge 2 of the forest closes a cycle"),
    ],
)
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call(minimum_spanning_forest(([0, 1], [1, 2], [5, 2])))


NAMES = {
    "strings": ["ab", "ä", "", "c d", "e"],
    "large integers": [10**15, -4, 0, 7, 2**62],
    "tuples": [(0, 1), ("x",), (), (1, (2, 3)), (5,)],
    "several types": ["0", 0, (0,), uuid.UUID(int=1), 2.5],
}


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_queries_take_names(names):
    graph = Graph.from_edges([0, 1, 3], [1, 2, 4], [5, 2, 1]).with_names(names)
    forest = minimum_spanning_forest(graph)
    by_number = minimum_spanning_forest((graph.u, graph.v, graph.w))
    tree = networkx.Graph([(0, 1), (1, 2), (3, 4)])
    for u in range(5):
        for v in range(5):
            if networkx.has_path(tree, u, v):
                steps = networkx.shortest_path(tree, u, v)
                assert forest.path(names[u], names[v]).tolist() == by_number.path(u, v).tolist()
                assert forest.path(names[u], names[v], names=True).tolist() == [names[x] for x in steps]
                assert by_number.path(u, v, names=True).tolist() == steps
            assert forest.bottleneck(names[u], names[v]).edges.shape == ()
            assert forest.bottleneck(names[u], names[v]).edges == by_number.bottleneck(u, v).edges
    every = by_number.bottleneck(np.arange(5)[:, None], np.arange(5)).edges.tolist()
    assert forest.bottleneck([[name] for name in names], names).edges.tolist() == every
    array = np.fromiter(names, object, 5)
    assert forest.bottleneck(array[:, None], (*names,)).edges.tolist() == every
    assert forest.bottleneck([], names[0]).edges.tolist() == []


def polars_series(values):
    return pytest.importorskip("polars").Series(values)


@pytest.mark.parametrize(
    "column",
    [np.array, polars_series, pandas.Series, pytest.param(pyarrow.array, marks=pytest.mark.needs("polars"))],
)
def test_columns_of_names(column):
    forest = minimum_spanning_forest([("a", "b", 5), ("b", "c", 2)])
    assert forest.bottleneck("c", column(["a", "c", "b"])).edges.tolist() == [0, -1, 1]


def test_unknown_names():
    forest = minimum_spanning_forest([("Brno", "Praha", 5), ("Praha", "Ostrava", 2), ("7", "Brno", 1)])
    for u, v, message in (
        ("Brno", "Prag", r"vs = 'Prag' is the name of no vertex; .* by their names; is it 'Praha'\?"),
        ("Brno", ["Praha", "Wien"], r"vs\[1\] = 'Wien' is the name of no vertex; .* by their names$"),
        (np.array([["Brno", "x"]]), "Brno", r"us\[1\] = 'x'"),
        (7, "Brno", "us = 7 .* and there is '7', which is a string"),
        (0, "Brno", "us = 0 .* that of vertex number 0 is 'Brno'"),
        (("Brno", "x"), "Brno", r"us\[1\] = 'x'"),
        (None, "Brno", "us = None is the name of no vertex"),
        ([["Brno"], ["Praha", "Brno"]], "Brno", "us has rows of different lengths"),
    ):
        with pytest.raises(GraphError, match=message):
            forest.bottleneck(u, v)
    with pytest.raises(GraphError, match=r"v = 'Brünn' is the name of no vertex"):
        forest.path("Brno", "Brünn")
    with pytest.raises(GraphTypeError, match="us must hold names of vertices: unhashable"):
        forest.bottleneck(["Brno", {}], "Brno")
    numbers = minimum_spanning_forest(boruvka.as_graph([(7, 8, 1)], names=True))
    with pytest.raises(GraphError, match=r"us = '7' .* and there is 7, which is not a string"):
        numbers.bottleneck("7", 8)
    with pytest.raises(GraphError, match="vertices 0 and 2 have the same name 'a'"):
        Graph.from_edges([0, 1], [1, 2], [1, 2]).with_names("aba")
    nested = []
    nested.append(nested)
    with pytest.raises(GraphTypeError, match="nested more than 32 times"):
        forest.path(nested, "Brno")
