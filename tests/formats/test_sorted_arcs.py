from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings

from boruvka import generators
from boruvka.errors import FormatError
from boruvka.formats import sorted_arcs as module
from boruvka.formats.format import EdgeTable
from boruvka.formats.sorted_arcs import sorted_arcs

from .helpers import graphs


def assert_sorted(table):
    arcs = [(u, v, i) for i, (u, v) in enumerate(zip(table.u.tolist(), table.v.tolist(), strict=True))]
    arcs = sorted((*arcs, *((v, u, i) for u, v, i in arcs)), key=lambda arc: arc[:2])
    found = sorted_arcs(table)
    assert found.head.tolist() == [v for _, v, _ in arcs]
    assert found.edge.tolist() == [i for _, _, i in arcs]
    degree = Counter(u for u, _, _ in arcs)
    assert np.diff(found.begins).tolist() == [degree[x] for x in range(table.n)]
    assert found.begins[0] == 0


@pytest.mark.parametrize("group_bits", [0, 2, 8, 64])
@given(graph=graphs())
@settings(max_examples=12)
def test_arcs_are_sorted_and_parallel_ones_keep_their_order(group_bits, graph):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "GROUP_BITS", group_bits)
        assert_sorted(EdgeTable.of(graph))


def test_a_graph_of_several_groups():
    assert_sorted(EdgeTable.of(generators.random(700, 20_000, seed=4)))


def test_a_graph_that_no_key_can_hold():
    ends = np.broadcast_to(np.uint64(0), 1 << 20)
    with pytest.raises(FormatError, match="too large for lists of neighbours"):
        sorted_arcs(EdgeTable(1 << 48, ends, ends, ends))
