"""Breadth-first search along arcs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel


class Search(NamedTuple):
    """The vertices that a search reaches."""

    order: NDArray[np.int64]
    """The reached vertices in the order of their hops, each after its parent."""
    parent: NDArray[np.int64]
    """The vertex from which each vertex is first reached; -1 for the root and for vertices not reached."""
    hops: NDArray[np.int64]
    """Number of arcs on the way to each vertex; -1 if it is not reached."""


class Arcs:
    """Arcs by their tails.

    Parameters
    ----------
    n : int
        Number of vertices.
    tail, head : (m,) arrays of integers
        The ends of each arc.
    """

    def __init__(self, n: int, tail: NDArray[Any], head: NDArray[Any]):
        self.n = n
        self.head = head[np.argsort(tail, kind="stable")].astype(np.int64)
        self.row_offsets = np.concatenate([[0], np.cumsum(np.bincount(tail.astype(np.int64), minlength=n))])

    def search(self, root: int) -> Search:
        """Find what can be reached from a vertex."""
        order, parent, hops = np.empty(self.n, np.int64), np.full(self.n, -1), np.full(self.n, -1)
        count = _search(self.row_offsets, self.head, root, order, parent, hops)
        return Search(order[:count], parent, hops)


@kernel
def _search(row_offsets, head, root, order, parent, hops):
    """Search in the order of a queue; return the number of reached vertices."""
    order[0], hops[root], count, i = root, 0, 1, 0
    while i < count:
        x = order[i]
        for k in range(row_offsets[x], row_offsets[x + 1]):
            y = head[k]
            if hops[y] < 0:
                order[count], parent[y], hops[y] = y, x, hops[x] + 1
                count += 1
        i += 1
    return count
