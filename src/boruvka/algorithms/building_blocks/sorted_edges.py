"""The sort key of every edge of a graph as one array, and the edges sorted by it."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.primitives import Backend
from boruvka.operators.sort_keys import edge_key


def edge_keys(graph: EdgeList, backend: Backend) -> Any:
    """Compute the keys of the edges; equal keys, which do not hold the index, are compared by index."""
    key = backend.empty(graph.m, np.uint64)
    backend.for_each(store_edge_key, graph.m, graph.sort_keys.bits, graph.sort_keys.packing, key)
    return key


def sorted_edges(graph: EdgeList, backend: Backend) -> Any:
    """List the edges from the lightest to the heaviest.

    Returns
    -------
    (m,) array of uint64
        ``index_mask`` of the sort keys extracts the index of each edge.
    """
    key = edge_keys(graph, backend)
    if not graph.sort_keys.keys_lack_index:
        backend.sort(key)
        return key
    return backend.argsort(key)


def store_edge_key(i, bits, packing, key):
    """Store the key of edge i."""
    key[i] = edge_key(i, bits, packing)


def identity_permutation(size: int, backend: Backend) -> Any:
    """List the numbers from 0 to ``size - 1``."""
    index = backend.empty(size, np.uint64)
    backend.for_each(store_index, size, index)
    return index


def store_index(k, index):
    """Store k at position k."""
    index[k] = k
