import igraph as ig
import numpy as np
import pytest
from hypothesis import given

from boruvka import GraphError, as_graph

from .graphs import graphs, minimum_spanning_forest, same


@given(graphs())
def test_there_and_back(graph):
    forest = minimum_spanning_forest(graph)
    g = forest.to_igraph()
    assert not g.is_directed()
    assert (g.vcount(), g.es["edge"] if len(forest) else []) == (graph.n, forest.edges.tolist())
    assert len(g.connected_components()) == forest.n_components
    assert same(forest, minimum_spanning_forest(g))


def test_igraph_finds_the_same_edges():
    g = ig.Graph.Full(30)
    g.es["length"] = np.random.default_rng(1).permutation(g.ecount()).tolist()
    g.add_vertex()
    forest = minimum_spanning_forest(as_graph(g, weight="length"))
    assert forest.edges.tolist() == sorted(g.spanning_tree(weights="length", return_tree=False))
    assert forest.n_components == 2


def test_an_edge_without_a_weight_is_called_by_the_names_of_its_ends():
    g = ig.Graph([(0, 1)], vertex_attrs={"name": ["a", "b"]})
    with pytest.raises(GraphError, match=r"^edge 0 \('a', 'b'\) has no attribute 'weight'"):
        as_graph(g)
