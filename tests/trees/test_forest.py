"""The rounds of edges, against Borůvka's algorithm on the whole graph, in plain Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from tests.strategies import graphs


def rounds_by_brute_force(graph, maximum):
    """Run Borůvka's algorithm on all edges, one component at a time: the round that adds each edge."""
    weights = graph.w.tolist() if graph.w.dtype.itemsize <= 8 else list(graph.w)
    keys = [(-w if maximum else w, i) for i, w in enumerate(weights)]
    component, added, number = list(range(graph.n)), {}, 0
    while True:
        lightest = {}
        for i, (a, b) in enumerate(zip(graph.u.tolist(), graph.v.tolist(), strict=True)):
            if component[a] != component[b]:
                for c in (component[a], component[b]):
                    lightest[c] = min(lightest.get(c, i), i, key=keys.__getitem__)
        if not lightest:
            return added
        number += 1
        for i in set(lightest.values()):
            added[i] = number
            old, new = component[graph.u[i]], component[graph.v[i]]
            component = [new if c == old else c for c in component]


@given(graphs(), st.booleans())
def test_rounds_are_those_of_the_whole_graph(graph, maximum):
    forest = boruvka.minimum_spanning_forest(graph, maximum=maximum, backend="interpreted")
    expected = rounds_by_brute_force(graph, maximum)
    assert dict(zip(forest.edges.tolist(), forest.edge_rounds.tolist(), strict=True)) == expected
    assert forest.edge_mask.dtype == bool
    assert np.flatnonzero(forest.edge_mask).tolist() == forest.edges.tolist() == sorted(expected)


def test_the_number_of_rounds():
    """With the weights of a ruler a path takes log2(n) rounds, with ascending weights one."""
    weights = np.array([(k & -k).bit_length() for k in range(1, 1024)])
    ends = np.arange(1023), np.arange(1, 1024)
    assert boruvka.minimum_spanning_forest((*ends, weights)).edge_rounds.max() == 10
    assert set(boruvka.minimum_spanning_forest((*ends, np.arange(1023))).edge_rounds) == {1}
    assert boruvka.minimum_spanning_forest(([], [], [], 5)).edge_rounds.size == 0
