"""Conversion of Arrow batches to edges on a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.graph.columns import without_decimals
from boruvka.graph.exact import converted
from boruvka.graph.no_values import fills_gaps
from boruvka.graph.validation import cast_of_decimals, edge_weights
from boruvka.interop.column_names import Costs, check_columns, choose_column_names, cost_columns
from boruvka.interop.missing_values import RowCounts, filled
from boruvka.operators.counter_rng import GOLDEN, mix
from boruvka.runtime.arguments import argument
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


class ArrowEdges(NamedTuple):
    """The edges of a batch of Arrow."""

    where: str
    batch: pa.RecordBatch
    indices: NDArray[np.int64]
    """The indices of the edges; without a column of them, the row of the part plus part << `ROW_BITS`."""
    u: NDArray[Any]
    """The ids of the ends, as of `ids_in`."""
    v: NDArray[Any]
    w: NDArray[Any]


def read_arrow_edges(
    part: int, read: Read, columns: ColumnNames, digest: Digest, has_ends: bool = True
) -> Iterator[ArrowEdges]:
    """Read the edges of a part, or their weights alone, and add them to a checksum."""
    row, nothing = part << ROW_BITS, np.empty(0, np.uint32)
    for where, batch in read(columns.read if has_ends else [columns.w]):
        if columns.fills_gaps:
            batch, row_counts = _without_gaps(where, batch, columns)
            digest.row_counts += row_counts
            if not batch.num_rows:  # its columns may have no type
                continue
        u, v = (ids_in(where, batch, name) if has_ends else nothing for name in columns[:2])
        w = weights_in(where, batch, columns.w)
        if columns.costs is not None and w.dtype.kind in "if" and (w < 0).any():
            raise FormatError(f"{where}: {_CLOSED.format(*columns.costs)}")
        index = np.arange(row, row + w.size)
        if columns.edge_index is not None:
            index = indices_in(where, batch, columns.edge_index)
        if has_ends:
            digest.add(index, u, v, w)
        row += w.size
        yield ArrowEdges(where, batch, index, u, v, w)


def _without_gaps(
    where: str, batch: pa.RecordBatch, columns: ColumnNames
) -> tuple[pa.RecordBatch, RowCounts]:
    """Leave out rows that have no end or no weight, and fill in weights."""
    chosen = columns[:3]
    for name in chosen:
        check_valid(where, batch.column(name), name)
    values = tuple(pl.Series(pl.from_arrow(batch.column(name))) for name in chosen)

    def error(row: int, message: str) -> FormatError:
        return FormatError(f"{where}: row {row}: {message}")

    (_, _, w), rows, row_counts = filled(values, columns.missing, columns.default, error)
    found = batch if rows is None else batch.take(pa.array(rows))
    if w is not values[2]:
        filled_in = w.to_arrow() if isinstance(w, pl.Series) else pa.array(w)
        found = found.set_column(found.schema.get_field_index(columns.w), columns.w, filled_in)
    for name in chosen[:2]:
        ids = found.column(name)
        if pa.types.is_floating(ids.type):  # pandas has no integers beside missing ones
            with suppress(pa.ArrowInvalid):
                position = found.schema.get_field_index(name)
                found = found.set_column(position, name, ids.cast(pa.int64()))
    return found, row_counts


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
        for where, _, index, u, v, w in read_arrow_edges(part, read, self.columns, digest):
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


def ids_in(where: str, batch: pa.RecordBatch, name: str) -> NDArray[Any]:
    """Return the ids in a column: integers as they are, others as hashes.

    Raises
    ------
    FormatError
        A value is missing, or the ids are floats.
    """
    kind = batch.schema.field(name).type
    if pa.types.is_integer(kind):
        return _numbers_in(where, batch, name)
    column = batch.column(name)
    _check_no_null(where, column, name)
    check_valid(where, column, name)
    if pa.types.is_dictionary(kind):
        return ids_in(where, pa.record_batch({name: column.cast(kind.value_type)}), name)
    if pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        raise FormatError(f"{where}: ids must be integers or names, but column {name!r} holds {kind}")
    return pl.Series(pl.from_arrow(column)).hash().to_numpy()


def as_keys(ids: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a 64-bit key for each id; different integers of one type have different keys."""
    return ids.astype(np.int64, copy=False).view(np.uint64)


def holds_integers(kind: pa.DataType) -> bool:
    """Return whether a column of this type holds integers."""
    return pa.types.is_integer(kind.value_type if pa.types.is_dictionary(kind) else kind)


def weights_in(where: str, batch: pa.RecordBatch, name: str) -> NDArray[Any]:
    """Return the weights in a column, checked."""
    w = edge_weights(_numbers_in(where, batch, name))
    if w.dtype.kind == "f" and w.size and np.isnan(w.min()):
        raise FormatError(f"{where}: row {int(np.isnan(w).argmax())} of them has the weight NaN")
    return w


def indices_in(where: str, batch: pa.RecordBatch, name: str) -> NDArray[np.int64]:
    """Return the edge indices in a column."""
    index = _numbers_in(where, batch, name)
    if index.dtype.kind not in "iu" or (index.dtype == np.uint64 and index.size and int(index.max()) >> 63):
        raise FormatError(f"{where}: the indices in column {name!r} must be integers of 64 bits")
    return index.astype(np.int64, copy=False)


def _numbers_in(where: str, batch: Any, name: str) -> Any:
    """Return a column of numbers as an array, copied only where it is not aligned.

    Parameters
    ----------
    where : str
        The position of the batch, for errors.
    batch : pyarrow.RecordBatch
        The batch.
    name : str
        The column.

    Raises
    ------
    FormatError
        It holds something else, or a value is missing.
    """
    column = batch.column(name)
    _check_no_null(where, column, name)
    if (numbers := without_decimals(column)) is not column:
        column = numbers.to_arrow()
    kind = str(column.type)
    if not kind.startswith(("int", "uint", "float", "double", "halffloat")):
        kind += cast_of_decimals(kind)
        raise FormatError(f"{where}: expected numbers in column {name!r}, found {kind}")
    return np.require(np.from_dlpack(column), requirements="A")  # a method of Arrow would import pandas


def _check_no_null(where: str, column: Any, name: str) -> None:
    """Raise an error if a value of a column is missing."""
    if count := column.null_count:
        row = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
        problem = f"{where}: row {row} of them has no value in column {name!r}, {count:,} rows in all"
        raise FormatError(f"{problem}; {argument('missing', 'drop')} leaves them out")
