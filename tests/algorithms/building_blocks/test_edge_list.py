"""Keys of all edges: their order is the order of edges."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.primitives import Backend
from tests.strategies import graphs


@given(graph=graphs(), maximum=st.booleans())
def test_keys_are_ordered_as_edges(graph, maximum):
    backend = Backend()
    edges = EdgeList.of(graph, maximum, backend)
    keys = edges.keys(backend).tolist()
    weights = graph.w.tolist() if graph.w.dtype.itemsize <= 8 else list(graph.w)
    expected = sorted(range(graph.m), key=lambda i: (-weights[i] if maximum else weights[i], i))
    assert sorted(range(graph.m), key=lambda i: (keys[i], i)) == expected
    if not edges.sort_keys.keys_lack_index:
        assert len(set(keys)) == graph.m
        assert [key & int(edges.sort_keys.index_mask) for key in keys] == list(range(graph.m))
    assert edges.m == graph.m
    assert edges.index_dtype == np.uint32
