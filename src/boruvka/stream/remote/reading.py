"""Conversion of Arrow batches to edges on a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.binary.frames import MakeError, check_complete, numbers_in
from boruvka.formats.files import InputFile
from boruvka.graph.columns import refuse_rounded, without_decimals
from boruvka.graph.exact import converted
from boruvka.graph.no_values import fills_gaps
from boruvka.graph.validation import edge_weights
from boruvka.interop.column_names import Costs, check_columns, choose_column_names, cost_columns
from boruvka.interop.missing_values import RowCounts, filled
from boruvka.operators.counter_rng import GOLDEN, mix
from boruvka.runtime.libraries import pa, pl
from boruvka.stream.edge_pass import ROW_BITS
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.sources.parquet import check_valid

Batches = Iterator[tuple[str, "pa.RecordBatch"]]
"""Arrow batches, each with a description of its position, for errors."""
Read = Callable[[list[str]], Batches]
"""Reads the batches of a part, with at least the given columns."""


class ColumnNames(NamedTuple):
    """The columns of an edge, and what is done with rows that lack a value."""

    u: str
    v: str
    w: str
    edge_index: str | None = None
    """A column of unique integers that orders edges of equal weight; None for the order of parts and rows."""
    missing: str = "error"
    """Whether rows without an end or a weight are left out ("drop")."""
    default: float | None = None
    """The weight of edges that have none."""
    costs: Costs | None = None
    """The columns of weights and of costs of the other direction, if there are both."""
    is_stable: bool = False
    """Whether a part is guaranteed to have the same rows, in the same order, when it is read again."""

    @classmethod
    def choose(
        cls, names: Sequence[str], wanted: Sequence[str | None], edge_index: str | None = None, **more: Any
    ) -> ColumnNames:
        """Choose the columns u, v and w of a frame or file; a known name decides where None is wanted.

        ``more`` are other fields of the result.

        Raises
        ------
        OptionError
            There is no such column, also for the indices of edges, or none has a known name.
        """
        check_columns(names, [edge_index])
        u, v, w = choose_column_names(names, wanted)
        return cls(u, v, w, edge_index, costs=cost_columns(names, [w]), **more)

    @property
    def fills_gaps(self) -> bool:
        """Whether rows may lack a value."""
        return fills_gaps(self.missing, self.default)

    @property
    def read(self) -> list[str]:
        """The columns to read, each once; u is the first."""
        return list(dict.fromkeys(name for name in self[:4] if name is not None))


_CLOSED = (
    "a negative {0!r} beside the column {1!r} closes a road in this direction: leave out roads that are "
    "closed in both, give the others their cost that is not negative, and name that column as the weight"
)


class Digest:
    """A checksum of the edges of a part, to notice if they change between passes.

    It is the sum of a hash of each edge: of index, ends and weight. So it does not depend on the order in
    which edges come, unless their indices do.
    """

    def __init__(self, is_stable: bool):
        self.value, self._is_stable = 0, is_stable
        self.row_counts = RowCounts()
        """Counts of rows of the part that a warning is about."""

    def add(self, *columns: NDArray[Any]) -> None:
        """Add edges: their indices, ends and weights."""
        if self._is_stable:
            return
        hashes = np.zeros(columns[0].size, np.uint64)
        for column in columns:
            bits = column.view(f"u{column.itemsize}") if column.dtype.kind == "f" else column
            hashes = mix((hashes ^ bits.astype(np.uint64)) + GOLDEN)
        self.value = (self.value + int(hashes.sum(dtype=np.uint64))) % (1 << 64)


class BatchOfEdges(NamedTuple):
    """The edges of a batch of Arrow."""

    where: str
    ends: tuple[pl.Series, ...]
    """The columns of both ends."""
    indices: NDArray[np.int64]
    """The indices of the edges; without a column of them, the row of the part plus part << `ROW_BITS`."""
    u: NDArray[Any]
    """The ids of the ends, as of `ids_in`."""
    v: NDArray[Any]
    w: NDArray[Any]


def read_edges(
    part: int, read: Read, columns: ColumnNames, digest: Digest, has_ends: bool = True
) -> Iterator[BatchOfEdges]:
    """Read the edges of a part, or their weights alone, and add them to a checksum."""
    row, nothing = part << ROW_BITS, np.empty(0, np.uint32)
    chosen = columns[:3] if has_ends else [columns.w]
    for where, batch in read(columns.read if has_ends else [columns.w]):
        error = InputFile(where).error
        *ends, w = (_column(where, batch, name) for name in chosen)
        index = None if columns.edge_index is None else _column(where, batch, columns.edge_index)
        if columns.fills_gaps:
            (*ends, w), rows, row_counts = _without_gaps((*ends, w), columns, error)
            index = index if index is None or rows is None else index.gather(rows)
            digest.row_counts += row_counts
            if not len(w):  # columns may have no type
                continue
        u, v = (ids_in(column, error) for column in ends) if has_ends else (nothing, nothing)
        weights = _weights(w, error)
        if columns.costs is not None and weights.dtype.kind in "if" and (weights < 0).any():
            raise error(_CLOSED.format(*columns.costs))
        first, row = row, row + weights.size
        indices = np.arange(first, row) if index is None else _indices(index, error)
        if has_ends:
            digest.add(indices, u, v, weights)
        yield BatchOfEdges(where, tuple(ends), indices, u, v, weights)


def _column(where: str, batch: pa.RecordBatch, name: str) -> pl.Series:
    """Return a column; categories as what they stand for."""
    column = batch.column(name)
    check_valid(where, column, name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return pl.Series(name, pl.from_arrow(column))


def _without_gaps(
    values: tuple[pl.Series, ...], columns: ColumnNames, error: MakeError
) -> tuple[list[pl.Series], NDArray[np.int64] | None, RowCounts]:
    """Leave out rows that have no end or no weight, and fill in weights; the rows are None if all stay."""
    found, rows, row_counts = filled(
        values, columns.missing, columns.default, lambda row, message: error(f"row {row}: {message}")
    )
    *ends, w = (pl.Series(old.name, new) for old, new in zip(values, found, strict=True))
    return [*map(_as_integers, ends), w], rows, row_counts


def _as_integers(ids: pl.Series) -> pl.Series:
    """Return ids that are whole as integers: pandas has none beside missing ones."""
    if not ids.dtype.is_float():
        return ids
    refuse_rounded(ids.name, ids.to_numpy())
    whole = ids.cast(pl.Int64, strict=False)
    return whole if (whole == ids).all() else ids


class Reading(NamedTuple):
    """Options for reading edges, the same in all tasks of a pass."""

    columns: ColumnNames
    maximum: bool
    dtype: np.dtype[Any]
    """The common type of all weights."""
    keys: NDArray[np.uint64] | None
    """The keys of the ids, ascending, if these number the vertices; None if ids are numbers."""

    def edges(self, part: int, read: Read, digest: Digest) -> Iterator[IndexedEdges]:
        """Read the edges of a part, and number their ends."""
        for where, _, index, u, v, w in read_edges(part, read, self.columns, digest):
            yield IndexedEdges(
                index, self._numbers(where, u), self._numbers(where, v), converted(w, self.dtype)
            )

    def _numbers(self, where: str, ids: NDArray[Any]) -> NDArray[Any]:
        """Return the vertices with the given ids."""
        if self.keys is None:
            return ids.astype(np.uint32, copy=False)
        keys = as_keys(ids)
        numbers = np.searchsorted(self.keys, keys)
        numbers[numbers == self.keys.size] = 0
        if not np.array_equal(self.keys[numbers], keys):
            raise FormatError(
                f"{where}: there are other ids than before, or this worker has another version of polars "
                "than the driver"
            )
        return numbers.astype(np.uint32)


def ids_in(column: pl.Series, error: MakeError) -> NDArray[Any]:
    """Return the ids in a column: integers as they are, others as hashes.

    Raises
    ------
    FormatError
        A value is missing, or the ids are floats.
    """
    if column.dtype.is_integer():
        return numbers_in(column, error)
    check_complete(column, error)
    if column.dtype.is_float() or column.dtype == pl.Boolean:
        raise error(f"ids must be integers or names, but column {column.name!r} holds {column.dtype}")
    return column.hash().to_numpy()


def as_keys(ids: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a 64-bit key for each id; different integers of one type have different keys."""
    return ids.astype(np.int64, copy=False).view(np.uint64)


def _weights(column: pl.Series, error: MakeError) -> NDArray[Any]:
    """Return the weights in a column, checked."""
    w = edge_weights(numbers_in(without_decimals(column), error))
    if w.dtype.kind == "f" and w.size and np.isnan(w.min()):
        raise error(f"row {int(np.isnan(w).argmax())} has the weight NaN")
    return w


def _indices(column: pl.Series, error: MakeError) -> NDArray[np.int64]:
    """Return the edge indices in a column."""
    index = numbers_in(column, error)
    if index.dtype.kind not in "iu" or (index.dtype == np.uint64 and index.size and int(index.max()) >> 63):
        raise error(f"the indices in column {column.name!r} must be integers of 64 bits")
    return index.astype(np.int64, copy=False)
