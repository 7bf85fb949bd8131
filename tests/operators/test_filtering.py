"""The filter: light edges, and one bit for each vertex outside the largest component."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka.operators.edges import InputEdges, read_input
from boruvka.operators.filtering import is_light, leaves_largest, mark_outside_largest, sample_key
from boruvka.operators.sort_keys import sort_keys_of
from tests.strategies import graphs


@given(st.lists(st.integers(0, 3), min_size=1, max_size=150), st.integers(0, 3), st.randoms())
def test_edges_that_leave_the_largest_component(labels, largest, random):
    n, label = len(labels), np.array(labels, np.uint32)
    outside = np.empty((n + 63) // 64, np.uint64)
    for word in range(outside.size):
        mark_outside_largest(word, label, np.uint32(largest), outside)
    bits = np.unpackbits(outside.view(np.uint8), bitorder="little")[:n]
    np.testing.assert_array_equal(bits, label != largest)
    u, v = (np.array([random.randrange(n) for _ in range(30)], np.uint32) for _ in range(2))
    for i in range(30):
        expected = labels[u[i]] != largest or labels[v[i]] != largest
        assert bool(leaves_largest(i, u, v, outside)) == expected


@given(graph=graphs(), data=st.data())
def test_light_edges_are_the_pivot_and_the_edges_before_it(graph, data):
    if not graph.m:
        return
    keys = sort_keys_of(graph.w)
    edges, pivot = (
        InputEdges(graph.u, graph.v, keys.bits, keys.packing),
        data.draw(st.integers(0, graph.m - 1)),
    )
    key, edge_id = np.empty(1, np.uint64), np.empty(1, np.uint64)
    sample_key(read_input)(0, np.array([pivot]), edges, key, edge_id)
    weights = graph.w.tolist() if graph.w.dtype.itemsize <= 8 else list(graph.w)
    for i in range(graph.m):
        expected = (weights[i], i) <= (weights[pivot], pivot)
        assert bool(is_light(read_input)(i, edges, key[0], edge_id[0])) == expected
