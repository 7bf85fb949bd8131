"""Which rank owns which vertex: blocks of consecutive ones, equal but for the last."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Blocks"]


class Blocks(NamedTuple):
    """The vertices 0 to ``n - 1``, dealt to ranks.

    Attributes
    ----------
    n : int
        Number of vertices.
    ranks : int
        Number of ranks; the last may own nothing.
    rank : int
        The one that asks.
    """

    n: int
    ranks: int
    rank: int

    @property
    def width(self) -> int:
        """Vertices in a block."""
        return max(-(-self.n // self.ranks), 1)

    @property
    def first(self) -> int:
        """The first vertex of this rank."""
        return min(self.rank * self.width, self.n)

    @property
    def size(self) -> int:
        """Number of vertices of this rank."""
        return min(self.first + self.width, self.n) - self.first

    def own(self, dtype: Any) -> NDArray[Any]:
        """List the vertices of this rank."""
        return np.arange(self.first, self.first + self.size, dtype=dtype)

    def owner(self, x: NDArray[Any]) -> NDArray[np.int64]:
        """Find the rank that owns each vertex."""
        return (x // np.uint64(self.width)).astype(np.int64)

    def local(self, x: NDArray[Any]) -> NDArray[np.int64]:
        """Find the place of vertices of this rank in its block."""
        return x.astype(np.int64) - self.first
