"""The check accepts the one right set of edges and nothing else: all sets of edges of small graphs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
import boruvka.stream
from boruvka import Graph
from tests.oracles import is_forest, kruskal
from tests.strategies import FLOATS, INTEGERS, SLOW, graphs


def every_set(m, most):
    for size in range(min(m, most) + 1):
        yield from combinations(range(m), size)


@pytest.mark.parametrize("dtypes", [INTEGERS, FLOATS], ids=["integers", "floats"])
@SLOW
@given(data=st.data(), maximum=st.booleans())
def test_all_sets_of_edges(dtypes, data, maximum):
    graph = data.draw(graphs(5, 7, dtypes))
    right = kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    for edges in every_set(graph.m, graph.n):
        found = boruvka.verify(graph, np.array(edges, np.int64), maximum=maximum)
        assert bool(found) == (list(edges) == right), (edges, found.message)
        if not found:
            assert 0 <= found.edge < graph.m


@SLOW
@given(data=st.data(), maximum=st.booleans())
def test_all_sets_of_edges_of_a_stream(data, maximum):
    graph = data.draw(graphs(4, 6, [np.dtype("i4"), np.dtype("f8")]))
    right = kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    for edges in every_set(graph.m, graph.n):
        forest = boruvka.Forest(graph, np.array(edges, np.int64), maximum, _is_optimal=False)
        cut = data.draw(st.integers(0, graph.m))
        batches = [(graph.u[here], graph.v[here], graph.w[here]) for here in (slice(cut), slice(cut, None))]
        found = boruvka.stream.verify(iter(batches), forest)
        assert bool(found) == (list(edges) == right), (edges, found.message)


@SLOW
@given(data=st.data(), maximum=st.booleans())
def test_forests_that_obey(data, maximum):
    """Of a forest with required and excluded edges, the best one with them is right, and no other."""
    graph = data.draw(graphs(5, 7, [np.dtype("i4")]))
    some = st.lists(st.integers(0, max(graph.m - 1, 0)), max_size=3 * bool(graph.m), unique=True)
    wanted = np.array(data.draw(some), np.int64)
    required = np.sort(wanted[kruskal(graph.n, graph.u[wanted], graph.v[wanted], np.arange(wanted.size))])
    excluded = np.setdiff1d(data.draw(some), required).astype(np.int64)
    how = {"required": required, "excluded": excluded, "maximum": maximum}
    forest = boruvka.minimum_spanning_forest(graph, **how)
    rest = np.setdiff1d(np.arange(graph.m), np.concatenate([required, excluded]))
    weights = graph.w.astype(np.int64)[rest] * (-1 if maximum else 1)
    listed = np.concatenate([required, rest[np.argsort(weights, kind="stable")]])
    chosen = listed[kruskal(graph.n, graph.u[listed], graph.v[listed], np.arange(listed.size))]
    right = sorted(chosen.tolist())
    assert forest.edges.tolist() == right
    for edges in every_set(graph.m, graph.n):
        if set(edges) & set(excluded.tolist()):
            continue
        claimed = boruvka.Forest(forest.graph, np.array(edges), maximum, required, _is_optimal=False)
        for given_graph in graph, forest.graph:
            assert bool(boruvka.verify(given_graph, claimed)) == (list(edges) == right)


@SLOW
@given(points=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=4))
def test_all_sets_of_pairs_of_points(points):
    graph = Graph.from_points(np.array(points, float))
    u, v, w = graph.edges_in_range(0, graph.m)
    right = kruskal(graph.n, u, v, w)
    for edges in every_set(graph.m, graph.n):
        assert bool(boruvka.verify(graph, np.array(edges, np.int64))) == (list(edges) == right)
        assert is_forest(graph.n, u, v, np.array(right, np.int64))


def test_a_forest_of_another_graph():
    forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [1, 2, 3])).update(removed=[0])
    found = boruvka.verify(Graph(2, [], [], []), forest)
    assert (found.ok, found.edge) == (False, 1)
    required = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [1, 2, 3]), required=[2])
    assert boruvka.verify(([0, 1, 2], [1, 2, 0], [1, 2, 3]), required)
    assert not boruvka.verify(Graph(3, [0], [1], [1]), required)
