"""What every graph offers, however its edges are held."""

from __future__ import annotations

from abc import ABC
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["AbstractGraph"]


class AbstractGraph(ABC):
    """An undirected weighted graph of ``n`` vertices and ``m`` edges (u, v, w), numbered from 0.

    See Also
    --------
    boruvka.Graph : an edge list; its constructors make the other kinds.
    """

    __slots__ = ()

    n: int
    """Number of vertices."""
    u: Any
    """First end of each edge."""
    v: Any
    """Second end of each edge."""
    w: Any
    """Weight of each edge."""

    @property
    def m(self) -> int:
        """Number of edges, every entry of the input counted."""
        return self.w.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.w.dtype

    @property
    def is_on_device(self) -> bool:
        """Whether the arrays are in the memory of a GPU."""
        return False

    def between(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """View (u, v, w) of the edges from index ``first`` to before ``last``."""
        return self.u[first:last], self.v[first:last], self.w[first:last]

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """List (u, v, w) of edges by their indices."""
        return self.u[edges], self.v[edges], self.w[edges]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n={self.n}, m={self.m}, weights={self.dtype})"
