"""The forest of the edges of one rank."""

from hypothesis import given
from hypothesis import strategies as st

from boruvka.distributed.local_forest import forest_and_labels, forest_of_worklist

from ..oracles import components, kruskal
from ..strategies import graphs
from .one_rank import BACKEND, columns_of, local_edges_of
from .strategies import DTYPES


@given(graphs(dtypes=DTYPES))
def test_forest_of_a_worklist(graph):
    keys = local_edges_of(graph).sort_keys
    forest = forest_of_worklist(columns_of(graph), graph.n, keys, BACKEND)
    assert (forest[-1] & keys.index_mask).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)


@given(graphs(dtypes=DTYPES), st.randoms())
def test_forest_and_labels_of_a_worklist_in_any_order(graph, random):
    columns, keys = columns_of(graph), local_edges_of(graph).sort_keys
    shuffled = random.sample(range(columns[0].size), columns[0].size)
    forest, tree = forest_and_labels([column[shuffled] for column in columns], graph.n, keys, BACKEND)
    assert (forest[-1] & keys.index_mask).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)
    assert tree.tolist() == components(graph.n, graph.u, graph.v)
