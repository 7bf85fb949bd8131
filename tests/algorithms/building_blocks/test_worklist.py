"""Views of edges: contraction, and members of a worklist."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView, Worklist
from boruvka.backends.threads import Threads
from tests.conftest import small_tuning
from tests.strategies import graphs

BACKEND = Threads(3, small_tuning(0))
DTYPES = [np.dtype("f4"), np.dtype("i8")]


def listed(view, edges):
    """List index and ends of each edge, from its columns."""
    columns = [view.segments.taken_from(column) for column in (view.columns.end, view.columns.ends_xor)]
    index = view.segments.taken_from(view.columns.edge_id).astype(np.uint64) & edges.sort_keys.index_mask
    ends = zip(columns[0].tolist(), (columns[0] ^ columns[1]).tolist(), strict=True)
    return list(zip(index.tolist(), ends, strict=True))


def is_even(i, u):
    return u[i] % np.uint32(2) == np.uint32(0)


@given(graph=graphs(dtypes=DTYPES), data=st.data())
def test_contraction_keeps_edges_between_components(graph, data):
    edges = EdgeList.of(graph, False, BACKEND)
    view, label = EdgeView.of(edges, BACKEND), list(range(graph.n))
    expected = dict(enumerate(zip(graph.u.tolist(), graph.v.tolist(), strict=True)))
    for _ in range(3):
        size = max(label, default=0) + 1
        new = [data.draw(st.integers(0, k)) for k in range(size)]
        expected = {i: (new[a], new[b]) for i, (a, b) in expected.items() if new[a] != new[b]}
        label = new
        view = view.contracted(np.array(new, edges.u.dtype))
        assert view.count == len(expected)
        assert listed(view, edges) == list(expected.items())
        assert not view.are_input


@pytest.mark.needs("numba")
@given(graph=graphs(dtypes=DTYPES))
def test_members_are_copied_without_loops(graph):
    edges = EdgeList.of(graph, False, BACKEND)
    view = EdgeView.of(edges, BACKEND)
    chosen = view.into.emit_members((is_even, (edges.u,)), view)
    ends = list(enumerate(zip(graph.u.tolist(), graph.v.tolist(), strict=True)))
    assert listed(chosen, edges) == [(i, (a, b)) for i, (a, b) in ends if a % 2 == 0 and a != b]


@pytest.mark.needs("numba")
@given(graph=graphs(dtypes=DTYPES))
def test_few_members_are_copied_with_loops(graph):
    edges = EdgeList.of(graph, False, BACKEND)
    view = EdgeView.of(edges, BACKEND)
    chosen = view.into.emit_few_members((is_even, (edges.u,)), view, edges.sort_keys.index_mask)
    ends = list(enumerate(zip(graph.u.tolist(), graph.v.tolist(), strict=True)))
    assert listed(chosen, edges) == [(i, (a, b)) for i, (a, b) in ends if a % 2 == 0]
    key = view.segments.taken_from(edges.keys(BACKEND))
    kept = [i for i, (a, _) in ends if a % 2 == 0]
    assert chosen.segments.taken_from(chosen.columns.key).tolist() == key[kept].tolist()


def test_a_worklist_of_the_same_types():
    worklist = Worklist.allocate(BACKEND, 5, (np.uint32, np.uint32, np.uint64))
    other = worklist.like(3)
    assert [(column.size, column.dtype) for column in other.columns] == [
        (3, column.dtype) for column in worklist.columns
    ]
    assert other.all_edges().count == 3
