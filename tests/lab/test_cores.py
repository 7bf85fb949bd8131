import os

import pytest

from boruvka import minimum_spanning_forest
from boruvka.errors import BoruvkaError
from lab import cores
from lab.harness.graphs import graph_of

GRAPH = "random:n=20000,m=200000,seed=1"


@pytest.mark.parametrize(
    ("parts", "threads", "expected"),
    [([], 4, 0), ([5], 4, 5), ([3, 3, 3], 1, 9), ([4, 1, 1, 1], 2, 4), ([2, 2, 2, 2, 2], 2, 6)],
)
def test_parts_go_to_the_thread_that_is_free_first(parts, threads, expected):
    assert cores.longest(parts, threads) == expected


def test_pieces_of_a_solve():
    """All parts of all launches are timed, and edges are compared."""
    graph = graph_of(GRAPH)
    expected = minimum_spanning_forest(graph, threads=1).edges
    pieces = cores.pieces_of(graph, 8, 2, expected)
    assert {"emit_members", "emit"} <= {piece.step for piece in pieces}
    assert all(piece.serial >= 0 and min(piece.parts, default=0) >= 0 for piece in pieces)
    assert max(len(piece.parts) for piece in pieces) == 32
    assert pieces[-1].parts == []
    with pytest.raises(BoruvkaError, match="wrong edges with 8 threads"):
        cores.pieces_of(graph, 8, 1, expected[1:])


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="threads are not bound to processors here")
def test_cores_are_given_back():
    before = os.sched_getaffinity(0)
    with cores.on_cores(1):
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before
