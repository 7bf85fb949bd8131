"""How far apart in memory an algorithm reaches, judged from a sample of the edges."""

from __future__ import annotations

import numpy as np

from boruvka.graph import Graph

BLOCK_BITS = 16
"""A block of 2**16 vertices and their edges: about a megabyte, which stays in a cache close by."""
SAMPLE = 1024


def ends_are_close(graph: Graph) -> bool:
    """Say whether most edges join vertices with close numbers: a road network, a grid, a mesh.

    Three quarters of a sample lie in one block or join neighbouring ones.
    """
    if graph.n <= 1 << BLOCK_BITS or not graph.m:
        return True
    i = np.linspace(0, graph.m - 1, min(SAMPLE, graph.m)).astype(np.int64)
    a, b = graph.u[i] >> BLOCK_BITS, graph.v[i] >> BLOCK_BITS
    blocks_apart = np.maximum(a, b) - np.minimum(a, b)
    return bool(np.count_nonzero(blocks_apart <= 1) >= 0.75 * i.size)
