"""What ranks agree on, and the edges of one rank."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.distributed.local_edges import (
    compact_vertices,
    forest_and_labels,
    forest_of_worklist,
    prepare_local_edges,
)
from boruvka.operators.sort_keys import NONE, sort_keys_of

from ..oracles import components, kruskal
from ..strategies import graphs
from .one_rank import BACKEND, columns_of, communicator_of_one, local_edges_of
from .strategies import DTYPES


@given(graphs(dtypes=DTYPES), st.booleans())
def test_ranks_pack_sort_keys_as_one_machine(graph, maximum):
    keys = prepare_local_edges(communicator_of_one(), BACKEND, graph, None, maximum).sort_keys
    expected = sort_keys_of(graph.w, maximum)
    assert (keys.packing, keys.keys_lack_index) == (expected.packing, expected.keys_lack_index)


@given(graphs(dtypes=DTYPES), st.booleans())
def test_edges_of_other_ranks_are_skipped(graph, with_index):
    index = np.arange(graph.m, dtype=np.uint64) * np.uint64(2) + np.uint64(100) if with_index else None
    local = local_edges_of(graph, 0 if with_index else 100, index)
    edge_ids = local.indices(np.arange(graph.m))
    if not local.sort_keys.keys_lack_index:
        edge_ids |= np.uint64(3) << local.sort_keys.packing.index_bits
    others = np.array([3, 99, 100 + 2 * graph.m + 5], np.uint64)
    local.add_to_forest(np.concatenate([others, edge_ids[::2], np.full(2, NONE)]))
    assert np.flatnonzero(local.in_forest).tolist() == list(range(0, graph.m, 2))


@given(graphs(dtypes=DTYPES), st.sampled_from([0, 1000]))
def test_vertices_are_compacted_by_lookup_or_sorting(graph, more):
    vertices, u, v = compact_vertices(graph.n + more, graph.u, graph.v, BACKEND)
    assert vertices.tolist() == sorted({*graph.u.tolist(), *graph.v.tolist()})
    assert np.array_equal(vertices[u], graph.u)
    assert np.array_equal(vertices[v], graph.v)


def test_slices_must_not_overlap(on_ranks):
    edges = [0, 0], [1, 1], [1, 2]
    returned = on_ranks(2, "overlap", [(edges, 4), (edges, 5)])
    assert len(set(returned)) == 1
    assert "rank 0 has 2 edges from index 4, but the edges of rank 1 begin at index" in returned[0]


@pytest.mark.parametrize(("indices", "twice"), [(([4, 9], [7, 9]), 9), (([8, 20], 8), 8)])
def test_no_index_is_on_two_ranks(on_ranks, indices, twice):
    edges = [0, 0], [1, 1], [1, 2]
    returned = on_ranks(2, "overlap", [(edges, index) for index in indices])
    assert returned == [f"the index {twice} occurs twice: indices must be unique"] * 2


def test_weights_have_one_type_on_all_ranks(on_ranks):
    first, second = on_ranks(2, "refuse", [(1, ([0], [1], [0.5]), {})])
    assert first == second
    assert "one type on all ranks, but there are float64, int64" in first[0][1]


@given(graphs(dtypes=DTYPES))
def test_forest_of_a_worklist(graph):
    local = local_edges_of(graph)
    forest = forest_of_worklist(columns_of(graph), graph.n, local)
    assert (forest[-1] & local.sort_keys.index_mask).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)


@given(graphs(dtypes=DTYPES), st.randoms())
def test_forest_and_labels_of_a_worklist_in_any_order(graph, random):
    columns, local = columns_of(graph), local_edges_of(graph)
    shuffled = random.sample(range(columns[0].size), columns[0].size)
    forest, tree = forest_and_labels([column[shuffled] for column in columns], graph.n, local)
    assert (forest[-1] & local.sort_keys.index_mask).tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)
    assert tree.tolist() == components(graph.n, graph.u, graph.v)
