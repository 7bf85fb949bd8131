"""Polars frames with a row per edge, as Parquet and Arrow files hold them."""

from __future__ import annotations

import os
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, first_true, shown
from boruvka.formats.edge_file import WHOLE_FILE, EdgeBatch, EdgeFile, FileChunk, NamedEdgeBatch
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.name_columns import check_names_are_numbered, name_lookup, named_ends
from boruvka.formats.table_columns import EDGE_INDEX, edge_column_positions, kept_columns
from boruvka.graph.columns import refuse_rounded, without_decimals
from boruvka.graph.exact import common_type
from boruvka.graph.labels import INDEX, take_rows
from boruvka.graph.no_values import blank_texts, int_or_float
from boruvka.graph.validation import MAX_VERTICES, cast_of_decimals, vertex_dtype
from boruvka.interop import missing_values
from boruvka.interop.column_names import ROLES, cost_columns
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime.arguments import hint
from boruvka.runtime.libraries import pl

N_KEY, NAMES_KEY, FIRST_ID_KEY = "boruvka.n", "boruvka.names", "boruvka.first_id"
MAXIMUM_KEY = "boruvka.maximum"
"""Keys of the metadata: the number of vertices, whether names are strings or integers, the first id, and of a
forest whether it is a maximum one."""
_BATCH_ROWS = 1 << 18
"""Rows that are written at once."""
Texts = Mapping[str, str]
MakeError = Callable[[str], FormatError]
"""A function that makes an error that names the file from a message."""


def is_text(dtype: Any) -> bool:
    """Return whether a column of a type holds strings."""
    return dtype in (pl.String, pl.Categorical, pl.Enum)


class FrameHead:
    """The properties of edges in a frame that its types, the metadata of its file and the caller state.

    Parameters
    ----------
    dtypes : dict
        The types of all columns in polars, by name.
    metadata : mapping
        The metadata of the file.
    options : Options
    error : callable
        Makes an error that names the file from a message.
    of_folders : mapping
        Columns, and their value, that the names of the file's folders state, as in ``month=01``.

    Attributes
    ----------
    columns : list of str
        The columns of u, v and, unless ``options.unweighted``, the weight.
    costs : Costs or None
        As for `EdgeFile`.
    has_names : bool
        Whether ends are names.
    takes_texts : bool
        Whether integers that are names become texts, as other ends are texts.
    n : int or None
        Number of vertices, if it is stated.
    first_id : 0, 1 or None
        The id of the first vertex, None if it is not stated.
    is_maximum : bool or None
        Whether it is a maximum spanning forest, None if it is not stated.

    Raises
    ------
    FormatError, OptionError
        The columns of an edge are not there, or the metadata is malformed.
    """

    def __init__(
        self, dtypes: dict[str, Any], metadata: Texts, options: Options, error: MakeError, of_folders: Texts
    ):
        dtypes = {name: dtype for name, dtype in dtypes.items() if name != INDEX}
        names = list(dtypes)
        self.of_folders = {name: value for name, value in of_folders.items() if name not in dtypes}
        self.dtypes, self._options = dtypes, options
        positions = edge_column_positions(len(names), names, options, error)
        self.columns = [names[i] for i in positions if i >= 0]
        self.costs = cost_columns(names, self.columns[2:])
        self._weights = [*self.columns[2:], *([] if self.costs is None else [self.costs.other])]
        kept = [*names, *self.of_folders]
        self._kept = kept_columns(len(kept), kept, options)
        self.weight_column = next(iter(self.columns[2:]), None)
        for name in self.columns_to_read if options.keep is not ... else ():
            if (kind := dtypes[name]).is_nested():
                raise error(f"expected a value in each row of column {name!r}, found {kind}")
        are_names = metadata.get(NAMES_KEY) == "integers"
        are_names |= any(is_text(dtypes[name]) for name in self.columns[:2])
        self.has_names = are_names if options.names is None else options.names
        self.takes_texts = bool(options.names) and any(is_text(dtypes[name]) for name in self.columns[:2])
        if self.has_names:
            check_names_are_numbered(options)
        self.is_maximum = {"True": True, "False": False}.get(metadata.get(MAXIMUM_KEY, ""))
        self.n, stated = options.n, metadata.get(N_KEY)
        if self.n is None and stated is not None and not self.has_names:
            if not (stated.isdigit() and len(stated) < 19):
                raise error(f"expected a whole number as {N_KEY} in the metadata, found {stated[:40]!r}")
            self.n = int(stated)
        self.first_id: int | None = None
        if options.one_based is not None:
            self.first_id = int(options.one_based)
        elif N_KEY in metadata or FIRST_ID_KEY in metadata:
            self.first_id = int(metadata.get(FIRST_ID_KEY) == "1")

    @property
    def columns_to_read(self) -> list[str]:
        """The columns of edges, the column of costs of the other direction, and those that are kept."""
        kept = (name for name in self._kept if name not in self.of_folders)
        return list(dict.fromkeys([*self.columns[:2], *self._weights, *kept]))

    def weight_type(self, error: MakeError) -> np.dtype[Any]:
        """Return the type of the weights as the types of columns and the options state it."""
        if self._options.unweighted:
            return np.dtype(np.uint8)
        column = without_decimals(pl.Series(self.columns[2], [], self.dtypes[self.columns[2]]))
        if column.dtype == pl.Null and self._options.default is not None:
            return np.asarray(int_or_float(self._options.default)).dtype
        dtype = numbers_in(column, error).dtype
        other = None if self.costs is None else self.dtypes[self.costs.other]
        if other is None or not other.is_numeric():
            return dtype
        return common_type(dtype, without_decimals(pl.Series("", [], other)).to_numpy().dtype)

    def edges(self, frame: pl.DataFrame, error: MakeError) -> EdgeBatch | NamedEdgeBatch:
        """Take the edges out of the columns of a frame, which is empty afterwards."""
        frame = self.with_folders(frame, self.of_folders)
        kept = {name: frame[name] for name in self._kept}
        frame = frame.with_columns(without_decimals(frame[name]) for name in self._weights)
        frame, rows, row_counts = self._without_gaps(frame, error)
        kept = kept if rows is None else {name: take_rows(column, rows) for name, column in kept.items()}
        first, second, *weights = (frame.drop_in_place(name) for name in self.columns)
        w = numbers_in(weights[0], error) if weights else np.ones(len(first), np.uint8)
        for ends in first, second:
            if ends.dtype.is_float():
                refuse_rounded(ends.name, ends.to_numpy())
        if self.has_names:
            if self.takes_texts:
                first, second = (x.cast(pl.String) if _is_integer(x.dtype) else x for x in (first, second))
            _check_names(first, second, error)
            return NamedEdgeBatch(first, second, w, row_counts=row_counts, kept=kept)
        u, v = numbers_in(first, error), numbers_in(second, error)
        edges = EdgeBatch(u, v, w, n=self.n, first_id=self.first_id, row_counts=row_counts, kept=kept)
        if not self.first_id:
            return edges
        self._check_one_based(edges, rows, error)
        return edges._replace(u=u - u.dtype.type(1), v=v - v.dtype.type(1))

    def with_folders(self, frame: pl.DataFrame, names: Iterable[str]) -> pl.DataFrame:
        """Return a frame with some columns that names of folders state, unless it has them."""
        more = [name for name in names if name not in frame.columns]
        return frame.with_columns(pl.lit(self.of_folders.get(name), pl.String).alias(name) for name in more)

    def _check_one_based(self, edges: EdgeBatch, rows: NDArray[np.int64] | None, error: MakeError) -> None:
        """Raise an error about the first id that is out of range, or weight NaN; rows have these numbers."""
        last, expected = self.n, f"ids from 1 to {self.n}"
        if last is None:
            last, expected = MAX_VERTICES, "ids from 1"
        for name, ids in zip(self.columns, (edges.u, edges.v), strict=False):
            if (k := first_true((ids < 1) | (ids > last))) is not None:
                row = k if rows is None else rows[k]
                raise error(f"row {row} has the id {ids[k]} in column {name!r}: expected {expected}")
        if (k := first_true(edges.w != edges.w)) is not None:
            raise error(f"row {k if rows is None else rows[k]} has the weight NaN")

    def _without_gaps(
        self, frame: pl.DataFrame, error: MakeError
    ) -> tuple[pl.DataFrame, NDArray[np.int64] | None, RowCounts]:
        """Leave out rows without an end or a weight, fill in weights, and open roads, as options say.

        Returns
        -------
        DataFrame
            The other rows.
        array of int64, or None
            Their numbers in the file; None if these are all.
        RowCounts
            How many rows are left out, and why.
        """
        if not self._options.fills_gaps and self.costs is None:
            return frame, None, RowCounts()
        for weight in self.columns[2:]:
            if frame[weight].dtype != pl.Null:
                _check_numbers(frame[weight], error)
        complete, rows, row_counts = missing_values.filled(
            tuple(frame[name] for name in self.columns),
            self._options.missing,
            self._options.default,
            lambda row, message: error(f"row {row}: {message}"),
        )
        if self.costs is not None:
            other = frame[self.costs.other]
            complete, rows, row_counts = missing_values.open_roads(
                self.costs, complete, other, rows, row_counts
            )
        return pl.DataFrame(dict(zip(self.columns, complete, strict=True))), rows, row_counts


class FrameFile(EdgeFile):
    """A file of columns, whose head has been read; a `DivisibleFile`, too, if `_read` reads a chunk alone."""

    def __init__(self, source: InputFile, head: FrameHead):
        self._source, self._head = source, head
        self.has_names, self.costs, self.weight_column = head.has_names, head.costs, head.weight_column
        self.column_names, self.written_as = list(head.dtypes), (source.path, head.is_maximum)

    def edges(self, chunk: FileChunk = WHOLE_FILE) -> EdgeBatch | NamedEdgeBatch:
        """Read the edges in the rows of a chunk."""
        return self._head.edges(self._read(self._head.columns_to_read, chunk), self._source.error)

    def edge_indices(self) -> NDArray[Any] | None:
        """Read the column of the indices of edges, if there is one."""
        if EDGE_INDEX not in self._head.dtypes:
            return None
        edges = numbers_in(self._read([EDGE_INDEX], WHOLE_FILE)[EDGE_INDEX], self._source.error)
        if edges.dtype.kind not in "iu":
            raise self._source.error(f"expected whole numbers in column {EDGE_INDEX!r}, found {edges.dtype}")
        return edges

    @abstractmethod
    def _read(self, columns: list[str], chunk: FileChunk) -> pl.DataFrame:
        """Read columns of the rows of a chunk into a new frame."""


class LoadedFrameFile(FrameFile):
    """An open file, which ``read`` has read whole: a function of the source, of the columns and metadata."""

    def __init__(self, source: InputFile, options: Options, read: Callable[[InputFile], tuple[Any, Any]]):
        self._frame, metadata = read(source)
        super().__init__(source, FrameHead(dict(self._frame.schema), metadata, options, source.error, {}))

    def _read(self, columns: list[str], chunk: FileChunk) -> pl.DataFrame:
        """Select rows of columns that have been read."""
        return self._frame.select(columns)[chunk.edge_range(len(self._frame))]


def joined(parts: list[pl.DataFrame], paths: Sequence[str]) -> pl.DataFrame:
    """Join frames of the same columns, each of a file; an error if no type holds all values."""
    frame = pl.concat(parts, how="vertical_relaxed")
    for part, path in zip(parts, paths, strict=True):
        if not part.cast(frame.schema).cast(part.schema, strict=False).equals(part):
            raise FormatError(f"{path}: no type holds the values of this file and of others exactly")
    return frame


def _is_integer(dtype: Any) -> bool:
    return dtype.is_integer() and dtype not in (pl.Int128, pl.UInt128)


def numbers_in(column: pl.Series, error: MakeError) -> NDArray[Any]:
    """Convert a column of numbers to an array.

    Raises
    ------
    FormatError
        The column has no numbers of at most 64 bits, or a row has no value.
    """
    _check_numbers(column, error)
    check_complete(column, error)
    return column.to_numpy()


def _check_numbers(column: pl.Series, error: MakeError) -> None:
    if not (_is_integer(column.dtype) or column.dtype.is_float()):
        found = f"{column.dtype}{cast_of_decimals(column.dtype)}"
        if is_text(column.dtype):
            row = first_true(column.is_not_null().to_numpy())
            found += "" if row is None else f", {shown(column[row])} in row {row}"
            found += ": write numbers, without quotes, or cast the column to them"
        raise error(f"expected numbers of at most 64 bits in column {column.name!r}, found {found}")


def check_complete(column: pl.Series, error: MakeError) -> None:
    """Raise an error if a value of a column is missing; a blank text is."""
    is_gap = missing_values.missing_in(column) if is_text(column.dtype) else column.is_null().to_numpy()
    if count := np.count_nonzero(is_gap):
        others = f", nor have {count - 1:,} others" if count > 1 else ""
        drop = hint("; {missing} leaves such rows out", missing="drop")
        raise error(f"row {is_gap.argmax()} has no value in column {column.name!r}{others}{drop}")


def _check_names(u: pl.Series, v: pl.Series, error: MakeError) -> None:
    """Raise an error unless both columns hold strings, or both integers, in every row."""
    if not any(is_kind(u.dtype) and is_kind(v.dtype) for is_kind in (is_text, _is_integer)):
        found = f"found {u.dtype} and {v.dtype}"
        way = "" if "Float" in found else hint("; {names} takes integers as texts", names=True)
        raise error(
            f"expected strings, or integers of at most 64 bits, in columns {u.name!r} and {v.name!r}, "
            f"{found}{way}; or cast both to one of these types"
        )
    for ends in u, v:
        check_complete(ends, error)


def write_edges(table: EdgeTable, sink: Callable[[pl.LazyFrame], object]) -> None:
    """Write the columns u, v, w, and for a forest also edge; ends are names where there are any.

    The frame is made in batches while it is written, as names may be in a file.

    Parameters
    ----------
    table : EdgeTable
    sink : callable
        Writes a frame, such as ``lambda frame: frame.sink_ipc(file)``.
    """
    from polars.io.plugins import register_io_source

    names = None if table.names is None else name_lookup(table.names)
    if isinstance(names, pl.Series) and is_text(names.dtype) and blank_texts(names).any():
        raise FormatError("a blank name would be read as a missing end: rename the vertex, or choose npz")

    def batches(*_: Any) -> Iterator[pl.DataFrame]:
        return (_frame(table, names, rows) for rows in table.row_batches(_BATCH_ROWS))

    try:
        sink(register_io_source(batches, schema=_frame(table, names, slice(0, 0)).schema))
    except pl.exceptions.ComputeError as error:  # the disk is full, for example
        if (number := re.search(r"\(os error (\d+)\)", str(error))) is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from None


def _frame(table: EdgeTable, names: Any, rows: slice) -> pl.DataFrame:
    w = table.w if table.w.dtype.itemsize <= 8 else table.portable_weights()
    if names is None:
        ids = vertex_dtype(table.n + table.base)
        u, v = (ends[rows].astype(ids, copy=False) + ids(table.base) for ends in (table.u, table.v))
    else:
        u, v = named_ends(table, names, rows)
    columns = dict(zip(ROLES, (u, v, w[rows]), strict=True))
    more = table.more_columns(rows).items()
    columns |= {n: pl.Series(x, dtype=u.dtype) if isinstance(x, list) else x for n, x in more}
    if table.edges is not None:
        columns = {EDGE_INDEX: table.edges[rows], **columns}
    return pl.DataFrame(columns)
