"""Square matrices of weights, whose entries are edges: which ones are, and how they are numbered.

Every entry off the diagonal is an edge, unless it has the value that means "no edge"; (i, j) and (j, i) are
two edges. They are numbered along the rows.
"""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Operator
from boruvka.errors import GraphError, OptionError, shown
from boruvka.graph.columns import read_only
from boruvka.operators.sort_keys import NONE, U64, Packing, packing_of, weight_key
from boruvka.runtime.processors import processors

__all__ = ["WeightMatrix", "is_edge", "is_present", "null_value_of"]

ZERO, ONE = U64(0), U64(1)
CHANGED = "it was changed after the graph was made of it; make the graph of a copy"


class WeightMatrix(NamedTuple):
    """A matrix of weights, which is not copied, and the value that means "no edge"."""

    weights: NDArray[Any]
    """(n, n) array of integers or floats of at most 64 bits, in any memory layout."""
    null_value: Any
    """In the type of the weights; None where every entry off the diagonal is an edge."""

    @classmethod
    def read(cls, weights: NDArray[Any], null_value: float | None) -> WeightMatrix:
        """Make one; raise an `OptionError` if the value is neither a number nor None."""
        return cls(read_only(weights), null_value_of(null_value, weights.dtype))

    def row_offsets(self) -> NDArray[np.int64]:
        """Count the edges of rows: the index of the first edge of each, then the number of edges.

        Raises
        ------
        GraphError
            A weight is NaN, and NaN does not mean "no edge".
        """
        n = len(self.weights)
        edges, nans = np.zeros(n + 1, np.int64), np.empty(n, np.int64)
        rows = np.arange(n + 1, dtype=np.uint64) * U64(n)  # all rows are the same work
        _backend().for_each_row(count_row, rows, *self.entries(), edges[1:], nans)
        if nans.any() and not (self.null_value is not None and np.isnan(self.null_value)):
            row = int(np.argmax(nans > 0))
            columns = np.flatnonzero(np.isnan(self.weights[row]))
            raise GraphError(
                f"entry ({row}, {columns[columns != row][0]}) of the matrix is NaN; where that means "
                '"no edge": Graph.from_dense(matrix, null_value=numpy.nan)'
            )
        return read_only(np.cumsum(edges))

    def entries(self, packing: Packing | None = None) -> tuple[NDArray[Any], Packing, Absence]:
        """Return the arguments of operators on the matrix: bits of the weights, packing, absence."""
        dtype = self.weights.dtype
        packing = packing_of(dtype) if packing is None else packing
        unsigned = f"u{dtype.itemsize}"
        infinite = U64(np.array(np.inf, dtype).view(unsigned)) if dtype.kind == "f" else NONE
        if self.null_value is None:
            absence = Absence(NONE, ZERO, NONE, infinite)
        elif np.isnan(self.null_value):
            absence = Absence(NONE, ZERO, infinite, infinite)
        else:
            absence = Absence(weight_key(U64(self.null_value.view(unsigned)), packing), ONE, NONE, infinite)
        return self.weights.view(unsigned), packing, absence

    def weights_at(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[Any]:
        """Read the weights of edges from their rows and columns."""
        weights = self.weights[rows, columns]
        if np.isnan(weights).any():
            raise GraphError(f"an entry of the matrix is NaN: {CHANGED}")
        return weights

    def for_each(
        self, operator: Operator, row_offsets: NDArray[np.int64], *edges: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Run an operator that computes a number for each edge: `count_before` or `find_column`."""
        found = np.empty(edges[0].size, np.int64)
        unsigned = (array.astype(np.uint64) for array in edges)
        _backend().for_each(operator, found.size, *unsigned, row_offsets, *self.entries(), found)
        if (found < 0).any():
            raise GraphError(f"a row of the matrix has another number of edges than before: {CHANGED}")
        return found


class Absence(NamedTuple):
    """The entries that are not edges, by their bits; every field is a uint64."""

    key: np.uint64  # entries with this weight key, if has_key is 1
    has_key: np.uint64
    largest: np.uint64  # and entries with larger bits, without the sign bit
    infinite: np.uint64  # NaN has larger bits than this


def null_value_of(null_value: Any, dtype: np.dtype[Any]) -> Any:
    """Convert the value that means "no edge" to the type of the matrix; None if no entry can equal it."""
    if null_value is None:
        return None
    if not isinstance(null_value, numbers.Real):
        raise OptionError(f"null_value must be a number or None, got {shown(null_value)}")
    try:
        with np.errstate(over="ignore"):
            value = dtype.type(null_value)
    except (OverflowError, ValueError):
        return None
    return value if value == null_value or null_value != null_value else None


def is_present(matrix: NDArray[Any], null_value: Any) -> NDArray[np.bool_]:
    """Return a mask of the entries that do not have the value that means "no edge"."""
    if null_value is None:
        return np.ones(matrix.shape, bool)
    return ~np.isnan(matrix) if np.isnan(null_value) else matrix != null_value


def _backend() -> Any:
    from boruvka.backends import get_backend

    return get_backend("threads", processors())


# Operators on the entries of a row


def is_edge(b, packing, absence):
    """Return whether an entry off the diagonal with these bits is an edge."""
    differs = (weight_key(b, packing) != absence.key) | (absence.has_key == ZERO)
    return differs & ((b & ~packing.sign) <= absence.largest)


def count_row(i, _, bits, packing, absence, edges, nans):
    """Count the edges and the NaN of row i."""
    found, wrong = U64(0), U64(0)
    for j in range(U64(bits.shape[0])):
        b = U64(bits[i, j])
        found += U64(is_edge(b, packing, absence) & (i != j))
        wrong += U64(((b & ~packing.sign) > absence.infinite) & (i != j))
    edges[i], nans[i] = found, wrong


def count_before(k, rows, columns, row_offsets, bits, packing, absence, before):
    """Count the edges of a row before a column; a row without null entries is not read.

    The result is `NONE`, which is -1, if the row has another number of edges than when the graph was made.
    """
    i, column = rows[k], columns[k]
    found = column - U64(i < column)
    if row_offsets[i + ONE] - row_offsets[i] + 1 < bits.shape[0]:
        found, left = U64(0), U64(row_offsets[i + ONE] - row_offsets[i])
        for j in range(U64(bits.shape[0])):
            is_one = U64(is_edge(U64(bits[i, j]), packing, absence) & (i != j))
            found += is_one & U64(j < column)
            left -= is_one
        if left:
            found = NONE
    before[k] = found


def find_column(k, rows, wanted, row_offsets, bits, packing, absence, columns):
    """Find the column of an edge from its position in the row; a row without null entries is not read.

    The result is `NONE`, which is -1, if the row has fewer edges.
    """
    i = rows[k]
    column = wanted[k] + U64(wanted[k] >= i)
    if row_offsets[i + ONE] - row_offsets[i] + 1 < bits.shape[0]:
        column, left = U64(0), wanted[k] + ONE
        while left and column < bits.shape[0]:
            left -= U64(is_edge(U64(bits[i, column]), packing, absence) & (i != column))
            column += ONE
        column = NONE if left else column - ONE
    columns[k] = column
