"""The lightest edge of each component."""

import numpy as np
import pytest

from boruvka import Graph
from boruvka.algorithms.building_blocks.worklist import columns_of
from boruvka.distributed.lightest_edges import ARC_TO_POSITION, EDGE_TO_POSITION, lightest_edges

from .one_rank import BACKEND, communicator_of_one, local_edges_of


@pytest.mark.parametrize(
    ("do", "index", "positions"),
    [(EDGE_TO_POSITION, [2, 1, 1], [2, 1, 1]), (ARC_TO_POSITION, [2, 1, 3], [2, 1, 2**64 - 1])],
    ids=["an edge to both ends", "an arc to its tail"],
)
def test_edges_propose_themselves(do, index, positions):
    graph = Graph(3, [0, 1, 0], [1, 2, 2], [3, 1, 2])
    segments, worklist = local_edges_of(graph).full_worklist(BACKEND)
    edges = columns_of(worklist)
    round_log = communicator_of_one().round_log
    choice, position = lightest_edges(round_log, BACKEND, segments, edges, 3, do, keys_lack_index=False)
    assert (choice & np.uint64(3)).tolist() == index
    assert position.tolist() == positions
