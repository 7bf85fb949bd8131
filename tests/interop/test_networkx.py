import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from boruvka import Graph, GraphError, GraphTypeError
from boruvka.interop.networkx import graph_from

from .graphs import graphs, minimum_spanning_forest, same


@given(graphs())
@settings(deadline=None, max_examples=15)
def test_there_and_back(graph):
    forest = minimum_spanning_forest(graph)
    g = forest.to_networkx()
    assert type(g) is nx.Graph
    assert list(g) == list(range(graph.n))
    assert nx.number_connected_components(g) == forest.n_components
    assert sorted(edge for _, _, edge in g.edges(data="edge")) == forest.edges.tolist()
    back = graph_from(g)
    assert back.names is None
    assert same(forest, minimum_spanning_forest(back))


def test_attributes_are_numbers_of_python():
    for dtype, kind in [(np.int8, int), (np.uint64, int), (np.float16, float), (np.longdouble, float)]:
        w = np.array([0, 3], dtype)
        g = minimum_spanning_forest(([0, 1], [1, 2], w)).to_networkx()
        assert [(a, b, type(x)) for a, b, x in g.edges(data="weight")] == [(0, 1, kind), (1, 2, kind)]
        assert g.edges[1, 2] == {"weight": 3, "edge": 1}
        assert type(g.edges[1, 2]["edge"]) is type(next(iter(g))) is int


def test_integers_are_not_rounded_and_long_doubles_are():
    g = minimum_spanning_forest(([0], [1], np.array([2**64 - 1], np.uint64))).to_networkx()
    assert g.edges[0, 1]["weight"] == 2**64 - 1
    huge = np.array([np.finfo(np.longdouble).max, np.nextafter(np.longdouble(1), 2)])
    g = minimum_spanning_forest(([0, 1], [1, 2], huge)).to_networkx()
    assert g.edges[1, 2]["weight"] == float(huge[1])
    assert g.edges[0, 1]["weight"] == float(huge[0])


def test_networkx_finds_the_same_weight():
    g = nx.gnm_random_graph(40, 200, seed=1)
    rng = np.random.default_rng(1)
    for _, _, data in g.edges(data=True):
        data["length"] = int(rng.integers(-20, 20))
    g = nx.relabel_nodes(g, {i: f"node {i}" for i in range(0, 40, 2)})
    g.add_node("alone")
    for maximum, oracle in [(False, nx.minimum_spanning_edges), (True, nx.maximum_spanning_edges)]:
        graph = graph_from(g, "length")
        forest = minimum_spanning_forest(graph, maximum=maximum)
        assert graph.names.tolist() == list(g)
        assert graph.m == g.number_of_edges()
        assert forest.weight == sum(data["length"] for _, _, data in oracle(g, weight="length"))
        assert forest.n_components == nx.number_connected_components(g)
        back = forest.to_networkx()
        assert list(back) == list(g)
        assert all(g.edges[edge]["length"] == w for *edge, w in back.edges(data="weight"))


def test_edges_are_numbered_in_their_order():
    g = nx.MultiGraph()
    g.add_edge("b", "a", weight=3)
    g.add_edge("a", "b", weight=1)
    g.add_edge("c", "c", weight=0)
    graph = graph_from(g)
    assert graph.names.tolist() == ["b", "a", "c"]
    assert (graph.u.tolist(), graph.v.tolist(), graph.w.tolist()) == ([0, 0, 2], [1, 1, 2], [3, 1, 0])
    assert minimum_spanning_forest(graph).edges.tolist() == [1]


def test_a_graph_without_edges():
    graph = graph_from(nx.empty_graph(["x", "y"]))
    assert (graph.n, graph.m, graph.names.tolist()) == (2, 0, ["x", "y"])
    graph = graph_from(nx.Graph())
    assert (graph.n, graph.m, graph.names) == (0, 0, None)
    assert len(minimum_spanning_forest(Graph(0, [], [], [])).to_networkx()) == 0


def test_a_missing_weight_is_an_error_unless_there_is_a_default():
    g = nx.Graph([("a", "b", {"weight": 2}), ("b", "c", {}), ("c", "d", {"weight": None})])
    with pytest.raises(GraphError, match=r"^edge 1 \('b', 'c'\) has no attribute 'weight'; boruvka.as_graph"):
        graph_from(g)
    assert graph_from(g, default=0).w.tolist() == [2, 0, 0]


def test_a_weight_of_nan_is_an_error():
    with pytest.raises(GraphError, match=r"edge 0 \('a', 'b'\) has the weight NaN"):
        graph_from(nx.Graph([("a", "b", {"weight": float("nan")})]))


@pytest.mark.parametrize("weight", ["1", 1j, True, [1, 2], 10**30])
def test_weights_that_are_none(weight):
    with pytest.raises((GraphTypeError, GraphError)):
        graph_from(nx.Graph([("a", "b", {"weight": weight})]))


@pytest.mark.parametrize("other", [0.5, -1])
def test_integers_that_another_weight_would_round_are_an_error(other):
    g = nx.Graph([("a", "b", {"weight": other}), ("b", "c", {"weight": 2**63 + 1})])
    with pytest.raises(GraphError, match=f"exactly, as edge 1 has the weight {2**63 + 1};"):
        graph_from(g)
    g.edges["b", "c"]["weight"] = 2**53
    assert graph_from(g).w.tolist() == [other, 2**53]


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_a_directed_graph_is_an_error(kind):
    with pytest.raises(GraphTypeError, match=r"expected an undirected graph.*to_undirected"):
        graph_from(kind([(0, 1)]))


def test_something_else_is_an_error():
    with pytest.raises(GraphTypeError, match="expected a NetworkX graph, got list"):
        graph_from([(0, 1)])
