"""Partition of the vertices into one block of consecutive vertices for each rank."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["VertexPartition"]


class VertexPartition(NamedTuple):
    """Vertices 0 to ``n - 1`` in blocks of equal size; the last blocks may be smaller or empty.

    Attributes
    ----------
    n : int
        Number of vertices.
    ranks : int
        Number of ranks.
    rank : int
        This rank.
    """

    n: int
    ranks: int
    rank: int

    @property
    def block_size(self) -> int:
        """Number of vertices in a full block."""
        return max(-(-self.n // self.ranks), 1)

    @property
    def first(self) -> int:
        """First vertex of this rank."""
        return min(self.rank * self.block_size, self.n)

    @property
    def size(self) -> int:
        """Number of vertices of this rank."""
        return min(self.first + self.block_size, self.n) - self.first

    def vertices(self, dtype: Any) -> NDArray[Any]:
        """List the vertices of this rank."""
        return np.arange(self.first, self.first + self.size, dtype=dtype)

    def owner(self, x: NDArray[Any]) -> NDArray[np.int64]:
        """Find the rank that owns each vertex."""
        return (x // np.uint64(self.block_size)).astype(np.int64)

    def position(self, x: NDArray[Any]) -> NDArray[np.int64]:
        """Find the positions of vertices of this rank in its block."""
        return x.astype(np.int64) - self.first
