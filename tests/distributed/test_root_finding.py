"""Roots of hooked components; the four algorithms run on ranks in `test_solve`."""

import numpy as np

from boruvka.distributed.root_finding import resolve_locally
from boruvka.distributed.vertices import VertexPartition


def test_chains_inside_a_block_need_no_message():
    partition = VertexPartition(8, 2, 0)
    parent = np.array([0, 0, 1, 7], np.uint32)
    root, resolved = parent.copy(), np.array([True, False, False, False])
    resolve_locally(partition, parent, root, resolved)
    assert resolved.tolist() == [True, True, True, False]
    assert root[:3].tolist() == [0, 0, 0]
