"""The place of every edge of a graph in the total order, as one array of keys, and the edges sorted by it."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.algorithms import radix
from boruvka.backends.base import Backend
from boruvka.graph import Graph
from boruvka.order import Order, key_of


def keys_of(graph: Graph, order: Order, backend: Backend) -> Any:
    """Make the keys of the edges; where they do not hold the index, that decides between equal ones."""
    key = backend.empty(graph.m, np.uint64)
    backend.for_each(make_key, graph.m, order.bits, order.packing, key)
    return key


def sorted_edges(graph: Graph, order: Order, backend: Backend) -> Any:
    """List the edges from the lightest to the heaviest.

    The sort is stable, so it need not look at the bits that hold indices.
    """
    index = backend.empty(graph.m, np.uint64)
    backend.for_each(note_place, graph.m, index)
    return radix.sort(backend, keys_of(graph, order, backend), index, int(order.packing.index_bits))[1]


def make_key(i, bits, packing, key):
    """Note the key of edge i."""
    key[i] = key_of(i, bits, packing)


def note_place(k, place):
    """Note that the k-th is the k-th."""
    place[k] = k
