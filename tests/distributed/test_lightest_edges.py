"""The lightest edge, and the lightest arc, of each component."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.distributed.lightest_edges import lightest_arcs, lightest_edges

from .one_rank import local_edges_of


def test_edges_propose_themselves_to_both_ends():
    local = local_edges_of(Graph(3, [0, 1, 0], [1, 2, 2], [3, 1, 2]))
    edges, log = local.worklist_edges(), local.communicator.round_log
    choice, position = lightest_edges(edges, 3, False, log)
    assert (choice & np.uint64(3)).tolist() == position.tolist() == [2, 1, 1]
    _, other = lightest_edges(edges, 3, False, log, local.communicator.all_reduce_min)
    assert other.tolist() == [2, 2, 1]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=20), st.booleans())
def test_arcs_propose_themselves_to_their_tails(arcs, keys_lack_index):
    index = np.arange(len(arcs), dtype=np.uint64)[::-1]
    tail, key = np.array(arcs, np.uint64).reshape(-1, 2).T
    if not keys_lack_index:
        key = (key << np.uint64(8)) | index
    found = lightest_arcs(6, tail.astype(np.int64), key, index if keys_lack_index else None)
    expected = {}
    for position in sorted(range(len(arcs)), key=lambda k: (key[k], index[k])):
        expected.setdefault(int(tail[position]), position)
    assert found.tolist() == [position for _, position in sorted(expected.items())]
