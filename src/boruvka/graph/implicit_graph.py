"""The base of graphs without an edge list: weights of pairs of vertices are looked up or computed."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.abstract_graph import AbstractGraph, vertex_dtype

__all__ = ["ImplicitGraph"]


class ImplicitGraph(AbstractGraph):
    """A graph whose edges are pairs (row, column) of vertices, numbered row by row.

    ``u``, ``v`` and ``w`` are computed for all edges when one of them is first read.

    Parameters
    ----------
    begins : (n + 1,) array of int64
        The index of the first edge of each row, then the number of edges.
    """

    begins: NDArray[np.int64]

    def __init__(self, begins: NDArray[np.int64]):
        self._initialise(n=begins.size - 1, begins=begins)

    @property
    def m(self) -> int:
        """Number of edges."""
        return int(self.begins[-1])

    @property
    def u(self) -> NDArray[Any]:
        """Row of each edge."""
        return self._edge_list[0]

    @property
    def v(self) -> NDArray[Any]:
        """Column of each edge."""
        return self._edge_list[1]

    @property
    def w(self) -> NDArray[Any]:
        """Weight of each edge."""
        return self._edge_list[2]

    @cached_property
    def _edge_list(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        columns = self.between(0, self.m)
        for array in columns:
            array.flags.writeable = False
        return columns

    def between(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with indices from ``first`` to ``last - 1``."""
        return self.take(np.arange(first, last))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Compute (u, v, w) of the edges with these indices."""
        rows = np.searchsorted(self.begins, edges, side="right") - 1
        columns = self._columns(rows, edges - self.begins[rows])
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
