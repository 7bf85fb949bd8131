"""Blocks of vertices, and unique ids with their inverse."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka.distributed.vertices import VertexPartition, unique_ids

from .one_rank import BACKEND


@given(st.integers(0, 50), st.integers(1, 9))
def test_every_vertex_is_in_one_block(n, ranks):
    partitions = [VertexPartition(n, ranks, rank) for rank in range(ranks)]
    blocks = [partition.vertices(np.uint32) for partition in partitions]
    assert np.concatenate(blocks).tolist() == list(range(n))
    for partition, block in zip(partitions, blocks, strict=True):
        assert np.all(partition.owner(block) == partition.rank)
        assert partition.position(block).tolist() == list(range(partition.size))


@given(
    hnp.arrays(st.sampled_from([np.uint32, np.uint64]), st.integers(0, 40), elements=st.integers(0, 9)),
    st.sampled_from([10, 1000]),
)
def test_by_a_table_or_by_sorting(x, n):
    unique, inverse = unique_ids(x, n, BACKEND)
    assert unique.tolist() == sorted(set(x.tolist()))
    assert np.array_equal(unique[inverse], x)


def test_ids_of_63_bits():
    x = np.array([2**62, 5, 2**62, 2**62 + 1], np.uint64)
    unique, inverse = unique_ids(x, 2**63, BACKEND)
    assert unique.tolist() == [5, 2**62, 2**62 + 1]
    assert inverse.tolist() == [1, 0, 1, 2]
