"""A graph that stays the matrix of its weights."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, OptionError
from boruvka.pairs import PairGraph

__all__ = ["MatrixGraph"]

PART = 1 << 20
"""Entries that are looked at together: their flags fit a cache."""


def value_of(absent: Any, dtype: np.dtype[Any]) -> Any:
    """Give the value that means "no edge" the type of the matrix; None if no entry can have it."""
    if absent is None:
        return None
    if not isinstance(absent, numbers.Real):
        raise OptionError(f"absent must be a number or None, got {absent!r}")
    try:
        value = dtype.type(absent)
    except (OverflowError, ValueError):
        return None
    return value if value == absent or absent != absent else None


def is_present(matrix: NDArray[Any], absent: Any) -> NDArray[np.bool_]:
    """Flag the entries that have not the value that means "no edge"."""
    if absent is None:
        return np.ones(matrix.shape, bool)
    return ~np.isnan(matrix) if np.isnan(absent) else matrix != absent


class MatrixGraph(PairGraph):
    """A graph as the square matrix of its weights, which is read where it is.

    An edge is an entry off the diagonal, so that (i, j) and (j, i) are two.

    Parameters
    ----------
    matrix : (n, n) array of integers or floats of at most 64 bits
        The weights, in any layout.
    absent : number, optional
        The value that means "no edge"; None where every entry off the diagonal is an edge.

    Raises
    ------
    GraphError
        A weight is NaN, and NaN does not mean "no edge".

    See Also
    --------
    Graph.from_dense : makes one of what can be read as a matrix.
    """

    matrix: NDArray[Any]
    absent: Any
    """The value that means "no edge", in the type of the weights, or None."""

    def __init__(self, matrix: NDArray[Any], absent: float | None):
        matrix = matrix.view()
        matrix.flags.writeable = False
        object.__setattr__(self, "matrix", matrix)
        object.__setattr__(self, "absent", value_of(absent, matrix.dtype))
        n = matrix.shape[0]
        begins = np.zeros(n + 1, np.int64)
        rows = max(PART // max(n, 1), 1)
        for first in range(0, n, rows):
            last = min(first + rows, n)
            self._no_nan(first, last)
            begins[first + 1 : last + 1] = np.count_nonzero(self._present(first, last), axis=1)
        super().__init__(np.cumsum(begins))

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.matrix.dtype

    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the indices of pairs that are edges."""
        before = columns - (columns > rows)
        for row, at in self._incomplete(rows):
            before[at] = np.cumsum(self._present(row, row + 1)[0])[columns[at]] - 1
        return self.begins[rows] + before

    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Find the weights of pairs."""
        return self.matrix[rows, columns]

    def _columns(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        columns = k + (k >= rows)
        for row, at in self._incomplete(rows):
            columns[at] = np.flatnonzero(self._present(row, row + 1)[0])[k[at]]
        return columns

    def _incomplete(self, rows: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """Go through the rows in which a pair is no edge, and where they stand in ``rows``."""
        where = np.flatnonzero((np.diff(self.begins) < self.n - 1)[rows])
        where = where[np.argsort(rows[where], kind="stable")]
        distinct, starts = np.unique(rows[where], return_index=True)
        yield from zip(distinct.tolist(), np.split(where, starts[1:]), strict=bool(distinct.size))

    def _present(self, first: int, last: int) -> NDArray[np.bool_]:
        """Flag the entries of some rows that are edges."""
        present = is_present(self.matrix[first:last], self.absent)
        present[np.arange(last - first), np.arange(first, last)] = False
        return present

    def _no_nan(self, first: int, last: int) -> None:
        part = self.matrix[first:last]
        if part.dtype.kind != "f" or (self.absent is not None and np.isnan(self.absent)):
            return
        if np.isnan(part.min()):  # on the diagonal it does not matter
            rows, columns = np.nonzero(np.isnan(part))
            for row, column in zip((rows + first).tolist(), columns.tolist(), strict=True):
                if row != column:
                    raise GraphError(f"entry ({row}, {column}) of the matrix is NaN")
