"""Which component a vertex lies in, asked of all ranks: numbered as `boruvka.Forest.labels` does."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.communicator import World
from boruvka.distributed.vertex_partition import Blocks
from boruvka.graph.connected_components import label_components

__all__ = ["number_components", "replicated_labels"]


def replicated_labels(world: World, n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.int64]:
    """Label all vertices on every rank, from the ends of its own edges of the forest."""
    return label_components(n, *world.gather((u, v)))


def number_components(world: World, blocks: Blocks, root: NDArray[Any]) -> NDArray[np.int64]:
    """Label the vertices of a block from the roots of their components.

    The owner of a root learns the smallest vertex of its component. The owner of that vertex counts how
    many smallest vertices come before it, and the number goes back the same way.
    """
    ids = root.dtype
    roots, place = np.unique(root, return_index=True)
    smallest_here = place.astype(ids) + ids.type(blocks.first)
    owned, smallest = world.exchange((roots, smallest_here), blocks.owner(roots))
    least = np.full(blocks.size, np.iinfo(ids).max, ids)
    np.minimum.at(least, blocks.local(owned), smallest)

    owned = blocks.local(np.unique(owned))
    (first_ones,) = world.exchange((least[owned],), blocks.owner(least[owned]))
    is_first = np.zeros(blocks.size, np.int64)
    is_first[blocks.local(first_ones)] = 1
    before = int(world.of_each(int(is_first.sum()))[: world.rank].sum())
    number = before + np.cumsum(is_first) - is_first
    of_root = np.zeros(blocks.size, np.int64)
    of_root[owned] = world.ask(blocks, least[owned], lambda x: number[blocks.local(x)])
    return world.ask(blocks, root, lambda x: of_root[blocks.local(x)])
