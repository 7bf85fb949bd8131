"""How far apart in memory an algorithm reaches, judged from a sample of the edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.graph import Graph

BLOCK_BITS = 15
"""Vertices whose best edges stay in a cache close by: a block of 2**15, 8 bytes each."""
SAMPLE = 1024


def ends_are_close(graph: Graph) -> bool:
    """Say whether most edges join vertices with close numbers: a road network, a grid, a mesh."""
    i = _sample(graph)
    return _mostly_close(graph.u[i], graph.v[i])


def has_lost_its_order(graph: Graph) -> bool:
    """Say whether edges join close vertices, but one edge begins far from where the next one does."""
    if graph.n >> BLOCK_BITS < 8 or not ends_are_close(graph):
        return False
    i = _sample(graph)
    return not _mostly_close(graph.u[i], graph.u[i + 1])


def _sample(graph: Graph) -> Any:
    return np.linspace(0, max(graph.m - 2, 0), min(SAMPLE, max(graph.m - 1, 0))).astype(np.int64)


def _mostly_close(a: Any, b: Any) -> bool:
    """Say whether three quarters of the pairs lie in the same block or in neighbours."""
    blocks_apart = np.abs((a >> BLOCK_BITS).astype(np.int64) - (b >> BLOCK_BITS).astype(np.int64))
    return bool(np.count_nonzero(blocks_apart <= 1) >= 0.75 * a.size)
