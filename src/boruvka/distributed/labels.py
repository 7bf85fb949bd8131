"""Component labels of vertices on ranks, numbered as in `boruvka.Forest.labels`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.vertices import VertexPartition
from boruvka.graph.connected_components import label_components

__all__ = ["partitioned_labels", "replicated_labels"]


def replicated_labels(
    communicator: Communicator, n: int, u: NDArray[Any], v: NDArray[Any]
) -> NDArray[np.int64]:
    """Label all n vertices on every rank, from the ends of each rank's edges of the forest."""
    return label_components(n, *communicator.gather((u, v)))


def partitioned_labels(
    communicator: Communicator, backend: Backend, partition: VertexPartition, root: NDArray[Any]
) -> NDArray[np.int64]:
    """Label the vertices of this rank's block, from the root of each.

    Each owner of a root finds the smallest vertex of the component. The owner of that vertex counts the
    smallest vertices before it; this number is the label, and goes back to the owner of the root.
    """
    ids = root.dtype
    roots, position = np.unique(root, return_index=True)
    smallest_here = position.astype(ids) + ids.type(partition.first)
    owned, candidates = communicator.exchange((roots, smallest_here), partition.owner(roots))
    smallest = np.full(partition.size, np.iinfo(ids).max, ids)
    np.minimum.at(smallest, partition.position(owned), candidates)

    owned = partition.position(np.unique(owned))
    (received,) = communicator.exchange((smallest[owned],), partition.owner(smallest[owned]))
    is_smallest = np.zeros(partition.size, np.int64)
    is_smallest[partition.position(received)] = 1
    before = int(communicator.all_gather_number(int(is_smallest.sum()))[: communicator.rank].sum())
    number = before + np.cumsum(is_smallest) - is_smallest
    label_of_root = np.zeros(partition.size, np.int64)
    label_of_root[owned] = communicator.query(
        backend, partition, smallest[owned], lambda x: number[partition.position(x)]
    )
    return communicator.query(backend, partition, root, lambda x: label_of_root[partition.position(x)])
