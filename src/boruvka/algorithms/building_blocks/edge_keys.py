"""The place of every edge of a graph in the total order, as one array of keys, and the edges sorted by it."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms.building_blocks import radix_sort as radix
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends.protocol import Backend
from boruvka.operators.sort_keys import edge_key


def edge_keys(graph: EdgeList, backend: Backend) -> Any:
    """Make the keys of the edges; where they do not hold the index, that decides between equal ones."""
    key = backend.empty(graph.m, np.uint64)
    backend.for_each(store_edge_key, graph.m, graph.sort_keys.bits, graph.sort_keys.packing, key)
    return key


def sorted_edges(graph: EdgeList, backend: Backend) -> Any:
    """List the edges from the lightest to the heaviest.

    The sort is stable, so it need not look at the bits that hold indices.
    """
    index = backend.empty(graph.m, np.uint64)
    backend.for_each(store_position, graph.m, index)
    return radix.sort(backend, edge_keys(graph, backend), index, int(graph.sort_keys.packing.index_bits))[1]


def store_edge_key(i, bits, packing, key):
    """Note the key of edge i."""
    key[i] = edge_key(i, bits, packing)


def store_position(k, place):
    """Note that the k-th is the k-th."""
    place[k] = k
