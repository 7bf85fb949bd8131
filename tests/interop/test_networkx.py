import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from boruvka import GraphError, as_graph

from .graphs import graphs, minimum_spanning_forest, same


@given(graphs())
def test_there_and_back(graph):
    forest = minimum_spanning_forest(graph)
    g = forest.to_networkx()
    assert type(g) is nx.Graph
    assert list(g) == list(range(graph.n))
    assert nx.number_connected_components(g) == forest.n_components
    assert sorted(edge for _, _, edge in g.edges(data="edge")) == forest.edges.tolist()
    back = as_graph(g)
    assert back.names is None
    assert same(forest, minimum_spanning_forest(back))


def test_networkx_finds_the_same_weight():
    g = nx.gnm_random_graph(40, 200, seed=1)
    rng = np.random.default_rng(1)
    for _, _, data in g.edges(data=True):
        data["length"] = int(rng.integers(-20, 20))
    g = nx.relabel_nodes(g, {i: f"node {i}" for i in range(0, 40, 2)})
    g.add_node("alone")
    graph = as_graph(g, weight="length")
    assert (graph.names.tolist(), graph.m) == (list(g), g.number_of_edges())
    for maximum, oracle in [(False, nx.minimum_spanning_edges), (True, nx.maximum_spanning_edges)]:
        forest = minimum_spanning_forest(graph, maximum=maximum)
        assert forest.weight == sum(data["length"] for _, _, data in oracle(g, weight="length"))
        assert forest.n_components == nx.number_connected_components(g)
        back = forest.to_networkx()
        assert list(back) == list(g)
        assert all(g.edges[edge]["length"] == w for *edge, w in back.edges(data="weight"))


@pytest.mark.parametrize("nodes", [["b", "a", "c"], [7, 10**12, 3], [7, 2, 3]])
def test_edges_are_numbered_in_their_order(nodes):
    first, second, third = nodes
    g = nx.MultiGraph()
    g.add_weighted_edges_from([(first, second, 3), (second, first, 1), (third, third, 0)])
    for seen in g, g.edge_subgraph(g.edges):
        graph = as_graph(seen)
        assert graph.names.tolist() == nodes
        assert (graph.u.tolist(), graph.v.tolist(), graph.w.tolist()) == ([0, 0, 2], [1, 1, 2], [3, 1, 0])


def test_nodes_without_edges_are_vertices():
    graph = as_graph(nx.empty_graph(["x", "y"]))
    assert (graph.n, graph.m, graph.names.tolist()) == (2, 0, ["x", "y"])


def test_an_edge_is_called_by_the_names_of_its_ends():
    for weight, message in (
        (None, "has no attribute 'weight'"),
        (float("nan"), "has nan as attribute 'weight', no number"),
    ):
        with pytest.raises(GraphError, match=rf"^edge 0 \('a', 'b'\) {message}"):
            as_graph(nx.Graph([("a", "b", {"weight": weight})]))


def test_the_attribute_that_may_be_meant_is_named():
    g = nx.Graph([("a", "b", {"km": 3})])
    with pytest.raises(GraphError, match=r"no attribute 'Km': did you mean km\?; boruvka.as_graph"):
        as_graph(g, weight="Km")
