"""The base of graphs without an edge list: weights of pairs of vertices are looked up or computed."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.abstract_graph import LazyEdgeList, read_only, vertex_dtype

__all__ = ["ImplicitGraph"]


class ImplicitGraph(LazyEdgeList):
    """A graph whose edges are pairs (row, column) of vertices, numbered row by row.

    ``u``, ``v`` and ``w`` are computed for all edges when one of them is first read.
    """

    @property
    def m(self) -> int:
        """Number of edges."""
        return int(self.row_offsets[-1])

    @property
    @abstractmethod
    def row_offsets(self) -> NDArray[np.int64]:
        """The index of the first edge of each row, then the number of edges."""

    def check(self) -> None:
        """Raise a `GraphError` if the arrays, which may have changed, make no graph any more."""

    def edge_slice(self, start: int, stop: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with indices from ``start`` to ``stop - 1``, as read-only arrays."""
        return read_only(self.take(np.arange(start, stop)))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with these indices."""
        rows = np.searchsorted(self.row_offsets, edges, side="right") - 1
        columns = self._columns(rows, edges - self.row_offsets[rows])
        ids = vertex_dtype(self.n)
        return rows.astype(ids), columns.astype(ids), self.weights_at(rows, columns)

    @abstractmethod
    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the indices of edges from their rows and columns."""

    @abstractmethod
    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Compute the weights of edges from their rows and columns."""

    @abstractmethod
    def _columns(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        """Compute the column of the k-th edge of each row, from 0."""
