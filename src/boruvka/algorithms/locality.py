"""How far apart in memory an algorithm reaches, judged from a sample of the edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.graph import Graph

BLOCK_BITS = 16
"""A block of 2**16 vertices and their edges: about a megabyte, which stays in a cache close by."""
SAMPLE = 1024


def ends_are_close(graph: Graph) -> bool:
    """Say whether most edges join vertices with close numbers: a road network, a grid, a mesh."""
    if graph.n <= 1 << BLOCK_BITS or not graph.m:
        return True
    i = np.linspace(0, graph.m - 1, min(SAMPLE, graph.m)).astype(np.int64)
    return _mostly_close(graph.u[i], graph.v[i])


def edges_are_close(graph: Graph) -> bool:
    """Say whether most edges come after one of close vertices: a list by vertex, not a shuffled one."""
    if graph.n <= 1 << BLOCK_BITS or graph.m < 2:
        return True
    i = np.linspace(0, graph.m - 2, min(SAMPLE, graph.m - 1)).astype(np.int64)
    return _mostly_close(graph.u[i], graph.u[i + 1])


def _mostly_close(u: NDArray[np.unsignedinteger], v: NDArray[np.unsignedinteger]) -> bool:
    """Say whether three quarters of the pairs lie in one block or in neighbouring ones."""
    a, b = u >> BLOCK_BITS, v >> BLOCK_BITS
    return bool(np.count_nonzero(np.maximum(a, b) - np.minimum(a, b) <= 1) >= 0.75 * a.size)
