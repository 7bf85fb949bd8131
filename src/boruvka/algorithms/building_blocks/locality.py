"""Locality of a graph: whether vertices and edges that are used together have close numbers, or weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.graph import Graph

SAMPLE = 1024


def ends_are_close(graph: Graph, block_bits: int) -> bool:
    """Return whether most edges join vertices with close numbers, as in a road network, a grid or a mesh."""
    if graph.n <= 1 << block_bits or not graph.m:
        return True
    return _mostly_close(graph.u, graph.v, block_bits)


def edges_are_close(graph: Graph, block_bits: int) -> bool:
    """Return whether consecutive edges have close vertices: a list by vertex, not a shuffled one."""
    return graph.m < 2 or _mostly_close(graph.u[:-1], graph.u[1:], block_bits)


def light_edges_are_together(graph: Graph, light: float) -> bool:
    """Return whether light edges come together in a list by vertex, as in dense regions of points.

    ``light`` is their share of all edges. If they come together, most are followed by another light edge of
    the same vertex. In a list in another order this cannot be seen.
    """
    i = _sample(graph.m - 1)
    w = graph.w[i]
    heaviest = np.sort(w)[int(light * w.size)]
    i = i[w <= heaviest]
    pairs = (graph.u[i] == graph.u[i + 1]) & (graph.w[i + 1] <= heaviest)
    return bool(np.count_nonzero(pairs) > 0.5 * (1 + i.size / w.size) * i.size)


def _mostly_close(u: NDArray[np.unsignedinteger], v: NDArray[np.unsignedinteger], block_bits: int) -> bool:
    """Return whether three quarters of a sample of pairs lie in the same block or in adjacent blocks."""
    i = _sample(u.size)
    a, b = u[i] >> block_bits, v[i] >> block_bits
    return bool(np.count_nonzero(np.maximum(a, b) - np.minimum(a, b) <= 1) >= 0.75 * i.size)


def _sample(size: int) -> NDArray[np.int64]:
    return np.linspace(0, size - 1, min(SAMPLE, size)).astype(np.int64)
