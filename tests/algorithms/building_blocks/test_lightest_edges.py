"""The lightest edge of each component of a random graph, in the three cases of ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.lightest_edges import LightestEdges
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.backends.primitives import Backend
from tests.strategies import graphs

BACKEND = Backend()


def by_brute_force(graph, maximum):
    """Find the index of the lightest edge at each vertex that is no loop, by (weight, index)."""
    lightest = [None] * graph.n
    weights = graph.w.tolist() if graph.w.dtype.itemsize <= 8 else list(graph.w)
    order = sorted(range(graph.m), key=lambda i: (-weights[i] if maximum else weights[i], i))
    for i in reversed(order):
        if graph.u[i] != graph.v[i]:
            lightest[graph.u[i]] = lightest[graph.v[i]] = i
    return lightest


@pytest.mark.parametrize("kind", ["input", "worklist", "unordered worklist"])
@given(graph=graphs(), maximum=st.booleans())
def test_the_lightest_edge_of_each_vertex(kind, graph, maximum):
    edges = EdgeList.of(graph, maximum, BACKEND)
    view = EdgeView.of(edges, BACKEND)
    if kind != "input":
        view = view.contracted(np.arange(graph.n, dtype=edges.u.dtype))
    if kind == "unordered worklist":
        for column in view.into.columns:
            column[: view.count] = column[: view.count][::-1].copy()
    lightest = LightestEdges(edges, BACKEND, ordered=kind != "unordered worklist")
    lightest.propose(view, graph.n)
    assert lightest.may_tie == (edges.sort_keys.keys_lack_index or kind == "unordered worklist")
    if lightest.may_tie:
        lightest.break_ties(view, graph.n)
    for choice, expected in zip(lightest.chosen, by_brute_force(graph, maximum), strict=True):
        assert (choice == lightest.none) == (expected is None)
        if expected is not None:
            position = int(choice & lightest.position_mask)
            edge_id = position if kind == "input" else view.columns.edge_id[position]
            assert int(edge_id) & int(edges.sort_keys.index_mask) == expected
