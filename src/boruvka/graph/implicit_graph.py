"""Graphs whose edges are pairs of vertices that no list holds: weights are looked up or computed."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.abstract_graph import AbstractGraph

__all__ = ["ImplicitGraph"]


class ImplicitGraph(AbstractGraph):
    """A graph of pairs (row, column) of vertices, numbered along the rows.

    ``u``, ``v`` and ``w`` are lists of all pairs, made when they are first asked for.

    Parameters
    ----------
    begins : (n + 1,) array of int64
        The index of the first edge of each row, and the number of edges.
    """

    begins: NDArray[np.int64]

    def __init__(self, begins: NDArray[np.int64]):
        self.n = begins.size - 1
        self.begins = begins

    @property
    def m(self) -> int:
        """Number of pairs that are edges."""
        return int(self.begins[-1])

    @property
    def u(self) -> NDArray[Any]:
        """Row of each edge."""
        return self._list[0]

    @property
    def v(self) -> NDArray[Any]:
        """Column of each edge."""
        return self._list[1]

    @property
    def w(self) -> NDArray[Any]:
        """Weight of each edge."""
        return self._list[2]

    @cached_property
    def _list(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        listed = self.between(0, self.m)
        for array in listed:
            array.flags.writeable = False
        return listed

    def between(self, first: int, last: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """List (u, v, w) of the edges from a first index to before a last one."""
        return self.take(np.arange(first, last))

    def take(self, edges: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """List (u, v, w) of edges by their indices."""
        rows = np.searchsorted(self.begins, edges, side="right") - 1
        columns = self._columns(rows, edges - self.begins[rows])
        ids = np.uint32 if self.n <= 2**32 else np.uint64
        return rows.astype(ids), columns.astype(ids), self.weights_at(rows, columns)

    @abstractmethod
    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the indices of pairs that are edges."""

    @abstractmethod
    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Find the weights of pairs."""

    @abstractmethod
    def _columns(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the column of the k-th edge of each row."""
