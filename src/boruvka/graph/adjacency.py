"""The edges of each vertex, as lists in one array (compressed sparse rows)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.validation import vertex_dtype
from boruvka.kernels.kernel import kernel

__all__ = ["Adjacency", "adjacency"]

ONE, TWO = np.uint64(1), np.uint64(2)


class Adjacency(NamedTuple):
    """The edges of vertex x are in the slots from ``offsets[x]`` to ``offsets[x + 1] - 1``.

    They are those that begin at x, by index, and then those that end there.
    """

    offsets: NDArray[np.int64]
    """(n + 1,) array."""
    neighbour: NDArray[Any]
    """(2 m,) array: the other end of the edge."""
    edge: NDArray[Any]
    """(2 m,) array: its index."""


def adjacency(n: int, u: NDArray[Any], v: NDArray[Any]) -> Adjacency:
    """List the edges of each vertex."""
    offsets = np.zeros(n + 2, np.int64)
    neighbour, edge = np.empty(2 * u.size, vertex_dtype(n)), np.empty(2 * u.size, vertex_dtype(u.size))
    _count(u, v, offsets)
    np.cumsum(offsets, out=offsets)
    for begin, end in (u, v), (v, u):
        _store(begin, end, offsets, neighbour, edge)
    return Adjacency(offsets[:-1], neighbour, edge)


@kernel
def _count(u, v, offsets):
    """Count the edges of vertex x in ``offsets[x + 2]``."""
    for i in range(u.size):
        offsets[np.uint64(u[i]) + TWO] += 1
        offsets[np.uint64(v[i]) + TWO] += 1


@kernel
def _store(begin, end, offsets, neighbour, edge):
    """Store edges in the slots of one end; ``offsets[x + 1]`` is the next one of vertex x."""
    for i in range(begin.size):
        x = np.uint64(begin[i])
        slot = np.uint64(offsets[x + ONE])
        neighbour[slot], edge[slot] = end[i], i
        offsets[x + ONE] += 1
