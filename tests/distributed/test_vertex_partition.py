"""Blocks of vertices."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boruvka.distributed.vertex_partition import VertexPartition


@given(st.integers(0, 50), st.integers(1, 9))
def test_every_vertex_is_in_one_block(n, ranks):
    partitions = [VertexPartition(n, ranks, rank) for rank in range(ranks)]
    blocks = [partition.vertices(np.uint32) for partition in partitions]
    assert np.concatenate(blocks).tolist() == list(range(n))
    for partition, block in zip(partitions, blocks, strict=True):
        assert np.all(partition.owner(block) == partition.rank)
        assert partition.position(block).tolist() == list(range(partition.size))
