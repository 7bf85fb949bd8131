"""How far apart in memory an algorithm reaches, judged from a sample of the edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.abstract_graph import AbstractGraph

BLOCK_BITS = 16
"""A block of 2**16 vertices and their edges: about a megabyte, which stays in a cache close by."""
SAMPLE = 1024


def ends_are_close(graph: AbstractGraph) -> bool:
    """Say whether most edges join vertices with close numbers: a road network, a grid, a mesh."""
    if graph.n <= 1 << BLOCK_BITS or not graph.m:
        return True
    return _mostly_close(graph.u, graph.v)


def edges_are_close(graph: AbstractGraph) -> bool:
    """Say whether most edges come after one of close vertices: a list by vertex, not a shuffled one."""
    return graph.m < 2 or _mostly_close(graph.u[:-1], graph.u[1:])


def _mostly_close(u: NDArray[np.unsignedinteger], v: NDArray[np.unsignedinteger]) -> bool:
    """Say whether three quarters of a sample of pairs lie in one block or in neighbouring ones."""
    i = np.linspace(0, u.size - 1, min(SAMPLE, u.size)).astype(np.int64)
    a, b = u[i] >> BLOCK_BITS, v[i] >> BLOCK_BITS
    return bool(np.count_nonzero(np.maximum(a, b) - np.minimum(a, b) <= 1) >= 0.75 * i.size)
