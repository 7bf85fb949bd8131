import igraph as ig
import numpy as np
import pytest
from hypothesis import given, settings

from boruvka import Graph, GraphError, GraphTypeError
from boruvka.interop.igraph import graph_from

from .graphs import graphs, minimum_spanning_forest, same


@given(graphs())
@settings(deadline=None, max_examples=15)
def test_there_and_back(graph):
    forest = minimum_spanning_forest(graph)
    g = forest.to_igraph()
    assert not g.is_directed()
    assert (g.vcount(), g.es["edge"] if len(forest) else []) == (graph.n, forest.edges.tolist())
    assert len(g.connected_components()) == forest.n_components
    again = minimum_spanning_forest(graph_from(g))
    assert same(forest, again)


def test_attributes_are_numbers_of_python():
    for dtype, kind in [(np.int8, int), (np.uint64, int), (np.float16, float), (np.longdouble, float)]:
        g = minimum_spanning_forest(([0, 1], [1, 2], np.array([0, 3], dtype))).to_igraph()
        assert g.es["weight"] == [0, 3]
        assert {type(x) for x in g.es["weight"]} == {kind}
        assert {type(x) for x in g.es["edge"]} == {int}


def test_igraph_finds_the_same_edges():
    g = ig.Graph.Full(30)
    weights = np.random.default_rng(1).permutation(g.ecount()).tolist()
    g.es["length"] = weights
    g.add_vertex()
    forest = minimum_spanning_forest(graph_from(g, "length"))
    assert forest.edges.tolist() == sorted(g.spanning_tree(weights="length", return_tree=False))
    assert forest.weight == sum(g.spanning_tree(weights="length").es["length"])
    assert forest.n_components == 2


def test_no_vertices():
    assert minimum_spanning_forest(Graph(0, [], [], [])).to_igraph().vcount() == 0
    assert graph_from(ig.Graph()).n == 0


def test_a_missing_weight_is_an_error_unless_there_is_a_default():
    g = ig.Graph([(0, 1), (1, 2)])
    with pytest.raises(GraphError, match=r"^edge 0 \(0, 1\) has no attribute 'weight'; boruvka.as_graph"):
        graph_from(g)
    assert graph_from(g, default=1).w.tolist() == [1, 1]
    g.es[0]["weight"] = 5
    with pytest.raises(GraphError, match=r"^edge 1 \(1, 2\) has no attribute 'weight'"):
        graph_from(g)
    assert graph_from(g, default=1).w.tolist() == [5, 1]
    g.vs["name"] = ["a", "b", "c"]
    with pytest.raises(GraphError, match=r"^edge 1 \('b', 'c'\) has no attribute 'weight'"):
        graph_from(g)


def test_weights_that_numpy_would_round_are_an_error():
    g = ig.Graph([(0, 1), (1, 2)], edge_attrs={"weight": [0.5, 2**53 + 1]})
    with pytest.raises(GraphError, match="no 64-bit type holds all weights exactly"):
        graph_from(g)


def test_a_directed_graph_is_an_error():
    with pytest.raises(GraphTypeError, match=r"expected an undirected graph.*as_undirected"):
        graph_from(ig.Graph([(0, 1)], directed=True))


def test_something_else_is_an_error():
    with pytest.raises(GraphTypeError, match="expected an igraph graph, got list"):
        graph_from([(0, 1)])
