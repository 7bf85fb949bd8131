"""The graph as compressed sparse rows."""

import itertools

import numpy as np
from hypothesis import given

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature.arcs import arcs_of, sources_of
from boruvka.backends.primitives import Backend
from tests.strategies import graphs


@given(graph=graphs())
def test_rows_hold_both_directions_of_each_edge_but_loops(graph):
    backend = Backend()
    edges = EdgeList.of(graph, False, backend)
    offsets, arcs = arcs_of(edges, backend)
    expected = [
        sorted(
            (i, b)
            for i, (u, v) in enumerate(zip(graph.u.tolist(), graph.v.tolist(), strict=True))
            for a, b in ((u, v), (v, u))
            if a == x and u != v
        )
        for x in range(graph.n)
    ]
    rows = [slice(int(first), int(last)) for first, last in itertools.pairwise(offsets)]
    listed = [list(zip(arcs.edge[r].tolist(), arcs.neighbour[r].tolist(), strict=True)) for r in rows]
    assert listed == expected
    np.testing.assert_array_equal(arcs.key, edges.keys(backend)[arcs.edge.astype(int)])
    source = [x for x, row in enumerate(expected) for _ in row]
    assert sources_of(offsets, arcs, backend).tolist() == source
