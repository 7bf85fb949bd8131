"""The pass over sorted edges that takes each one that joins two trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.kruskal_pass import (
    ends_of_input,
    ends_of_worklist,
    join,
    sorted_worklist,
)
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from tests import oracles
from tests.conftest import small_tuning
from tests.strategies import graphs

BACKENDS = [Backend(), pytest.param(Threads(3, small_tuning(0)), marks=pytest.mark.long)]


@pytest.mark.parametrize("backend", BACKENDS, ids=["interpreted", "threads"])
@given(graph=graphs(dtypes=[np.dtype("u1"), np.dtype("f8")]), worklist=st.booleans())
def test_joined_edges_are_those_of_kruskal(backend, graph, worklist):
    edges = EdgeList.of(graph, False, backend)
    parent, mask = backend.empty(graph.n, edges.u.dtype), edges.sort_keys.index_mask
    if worklist:
        view = EdgeView.of(edges, backend).contracted(np.arange(graph.n, dtype=edges.u.dtype))
        order = sorted_worklist(view, mask, True, backend)
        ends = view.columns.end, view.columns.ends_xor
        taken = join(order, ends_of_worklist, ends, parent, backend)
        taken = view.columns.edge_id[taken.astype(np.int64)].astype(np.uint64) & mask
    else:
        order = np.lexsort((np.arange(graph.m), graph.w)).astype(np.uint64), np.uint64(2**64 - 1)
        taken = join(order, ends_of_input, (edges.u, edges.v), parent, backend)
    assert sorted(taken.tolist()) == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
    roots = [x for x in range(graph.n) if parent[x] == x]
    assert len(roots) == graph.n - taken.size
