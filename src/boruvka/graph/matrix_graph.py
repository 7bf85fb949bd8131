"""A graph that stays the matrix of its weights."""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, OptionError
from boruvka.graph.implicit_graph import ImplicitGraph
from boruvka.operators.sort_keys import NONE, U64, Packing, packing_of, weight_key
from boruvka.runtime.processors import processors

__all__ = ["MatrixGraph"]

ZERO, ONE = U64(0), U64(1)


class MatrixGraph(ImplicitGraph):
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
    OptionError
        ``absent`` is neither a number nor None.

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
        self.matrix = matrix
        self.absent = value_of(absent, matrix.dtype)
        n = matrix.shape[0]
        edges, nans = np.zeros(n + 1, np.int64), np.empty(n, np.int64)
        rows = np.arange(n + 1, dtype=np.uint64) * U64(n)  # each is as much work
        _threads().for_each_row(survey, rows, *self.entries(packing_of(self.dtype)), edges[1:], nans)
        super().__init__(np.cumsum(edges))
        if nans.any() and not (self.absent is not None and np.isnan(self.absent)):
            self._name_nan(int(np.argmax(nans > 0)))

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the weights."""
        return self.matrix.dtype

    def entries(self, packing: Packing) -> tuple[NDArray[Any], Packing, Absence]:
        """Give the matrix as operators take it: bits, what makes ranks of them, which are no edges."""
        unsigned = f"u{self.dtype.itemsize}"
        infinite = NONE
        if self.dtype.kind == "f":
            infinite = U64(np.array(np.inf, self.dtype).view(unsigned))
        if self.absent is None:
            absence = Absence(NONE, ZERO, NONE, infinite)
        elif np.isnan(self.absent):
            absence = Absence(NONE, ZERO, infinite, infinite)
        else:
            absence = Absence(weight_key(U64(self.absent.view(unsigned)), packing), ONE, NONE, infinite)
        return self.matrix.view(unsigned), packing, absence

    def edges_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the indices of pairs that are edges."""
        before = np.empty(rows.size, np.int64)
        pairs = rows.astype(np.uint64), columns.astype(np.uint64)
        entries = self.entries(packing_of(self.dtype))
        _threads().for_each(count_before, rows.size, *pairs, self.begins, *entries, before)
        return self.begins[rows] + before

    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Find the weights of pairs."""
        return self.matrix[rows, columns]

    def _columns(self, rows: NDArray[np.int64], k: NDArray[np.int64]) -> NDArray[np.int64]:
        columns = np.empty(rows.size, np.int64)
        sought = rows.astype(np.uint64), k.astype(np.uint64)
        entries = self.entries(packing_of(self.dtype))
        _threads().for_each(find_column, rows.size, *sought, self.begins, *entries, columns)
        return columns

    def _name_nan(self, row: int) -> None:
        wrong = np.isnan(self.matrix[row])
        wrong[row] = False
        raise GraphError(f"entry ({row}, {np.argmax(wrong)}) of the matrix is NaN")


class Absence(NamedTuple):
    """Which entries are no edges, by their bits; every field is a uint64."""

    rank: np.uint64  # entries of this rank, if that counts
    counts: np.uint64
    largest: np.uint64  # and those with larger bits, the sign left out
    infinite: np.uint64  # NaN has larger bits than this


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


def _threads() -> Any:
    from boruvka.backends import get_backend

    return get_backend("threads", processors())


# What is done to the entries of a row


def is_edge(b, packing, absence):
    """Say whether an entry off the diagonal with these bits is an edge."""
    counts = (weight_key(b, packing) != absence.rank) | (absence.counts == ZERO)
    return counts & ((b & ~packing.sign) <= absence.largest)


def survey(i, _, bits, packing, absence, edges, nans):
    """Count edges and NaN in row i."""
    found, wrong = U64(0), U64(0)
    for j in range(U64(bits.shape[0])):
        b = U64(bits[i, j])
        found += U64(is_edge(b, packing, absence) & (i != j))
        wrong += U64(((b & ~packing.sign) > absence.infinite) & (i != j))
    edges[i], nans[i] = found, wrong


def count_before(k, rows, columns, begins, bits, packing, absence, before):
    """Count the edges of a row before a column; where all its pairs are edges, there is no need to look."""
    i, column = rows[k], columns[k]
    found = column - U64(i < column)
    if begins[i + ONE] - begins[i] + 1 < bits.shape[0]:
        found = U64(0)
        for j in range(column):
            found += U64(is_edge(U64(bits[i, j]), packing, absence) & (i != j))
    before[k] = found


def find_column(k, rows, sought, begins, bits, packing, absence, columns):
    """Find the column of an edge by its number in the row."""
    i = rows[k]
    column = sought[k] + U64(sought[k] >= i)
    if begins[i + ONE] - begins[i] + 1 < bits.shape[0]:
        column, left = U64(0), sought[k] + ONE
        while left:
            left -= U64(is_edge(U64(bits[i, column]), packing, absence) & (i != column))
            column += ONE
        column -= ONE
    columns[k] = column
