"""Bridges against NetworkX."""

import networkx
import numpy as np
from hypothesis import given

from boruvka.graph.adjacency import adjacency, find_bridges
from tests.strategies import graphs


@given(graphs(10, 14, [np.dtype("u1")]))
def test_bridges_are_those_of_networkx(graph):
    ends = list(zip(graph.u.tolist(), graph.v.tolist(), strict=True))
    found = find_bridges(adjacency(graph.n, graph.u, graph.v), graph.m)
    g = networkx.MultiGraph(ends)
    before = networkx.number_connected_components(g) if ends else 0
    for i, (a, b) in enumerate(ends):
        without = networkx.MultiGraph(ends[:i] + ends[i + 1 :])
        without.add_nodes_from(g)
        assert found[i] == (networkx.number_connected_components(without) > before), (a, b)


def test_a_long_path_has_only_bridges():
    n = 100_000
    x = np.arange(n, dtype=np.uint32)
    assert find_bridges(adjacency(n, x[:-1], x[1:]), n - 1).all()
    assert not find_bridges(adjacency(n, x, np.roll(x, -1)), n).any()
