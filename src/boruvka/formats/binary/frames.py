"""Polars frames with a row per edge, as Parquet and Arrow files hold them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.edge_file import NamedEdges, NumberedEdges
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.name_columns import StoredNames, check_names_are_numbered, name_lookup, named_ends
from boruvka.formats.table_columns import EDGE_INDEX
from boruvka.graph.validation import MAX_VERTICES, vertex_dtype
from boruvka.interop import missing_values
from boruvka.interop.missing_values import RowCounts
from boruvka.runtime.arguments import hint

if TYPE_CHECKING:
    import polars

__all__ = [
    "FIRST_ID_KEY",
    "edge_indices",
    "first_id_of",
    "is_text",
    "named_edges",
    "numbered_edges",
    "write_edges",
]

FIRST_ID_KEY = "boruvka.first_id"
"""Key of the metadata that state where ids begin, if at 1."""
_BATCH_ROWS = 1 << 18
"""Rows that are written at once."""


def is_text(dtype: Any) -> bool:
    """Return whether a column of a type holds strings."""
    import polars as pl

    return dtype in (pl.String, pl.Categorical, pl.Enum)


def _is_integer(dtype: Any) -> bool:
    import polars as pl

    return dtype.is_integer() and dtype not in (pl.Int128, pl.UInt128)


def _numbers(source: InputFile, column: polars.Series) -> NDArray[Any]:
    """Convert a column of numbers to an array.

    Raises
    ------
    FormatError
        The column has no numbers of at most 64 bits, or a row has no value.
    """
    _check_numbers(source, column)
    _check_complete(source, column)
    return column.to_numpy()


def _check_numbers(source: InputFile, column: polars.Series) -> None:
    if not (_is_integer(column.dtype) or column.dtype.is_float()):
        raise source.error(
            f"expected numbers of at most 64 bits in column {column.name!r}, found {column.dtype}"
        )


def _check_complete(source: InputFile, column: polars.Series) -> None:
    if column.null_count():
        row, count = int(np.argmax(column.is_null().to_numpy())), column.null_count()
        others = f", nor have {count - 1:,} others" if count > 1 else ""
        drop = hint("; {missing} leaves such rows out", missing="drop")
        raise source.error(f"row {row} has no value in column {column.name!r}{others}{drop}")


def _without_gaps(
    source: InputFile, frame: polars.DataFrame, chosen: Sequence[str], options: Options
) -> tuple[polars.DataFrame, NDArray[np.int64] | None, RowCounts]:
    """Leave out rows that have no end or no weight, and fill in weights, as options say.

    Returns
    -------
    DataFrame
        The other rows.
    array of int64, or None
        Their numbers in the file; None if these are all.

    RowCounts
        How many rows are left out, and why.
    """
    import polars as pl

    if not options.fills_gaps:
        return frame, None, RowCounts()
    for weight in chosen[2:]:
        if frame[weight].dtype != pl.Null:
            _check_numbers(source, frame[weight])
    columns = tuple(frame[name] for name in chosen)
    complete, rows, row_counts = missing_values.filled(
        columns, options.missing, options.default, lambda row, message: source.error(f"row {row}: {message}")
    )
    return pl.DataFrame(dict(zip(chosen, complete, strict=True))), rows, row_counts


def numbered_edges(
    source: InputFile,
    frame: polars.DataFrame,
    chosen: Sequence[str],
    options: Options,
    first_id: int | None = None,
) -> NumberedEdges:
    """Take u, v and w out of a frame whose ends are numbers; ``chosen`` as for `named_edges`."""
    frame, rows, row_counts = _without_gaps(source, frame, chosen, options)
    u, v, *weights = (_numbers(source, frame.drop_in_place(name)) for name in chosen)
    if first_id:
        last = MAX_VERTICES if options.n is None else options.n
        for name, ids in zip(chosen, (u, v), strict=False):
            if (wrong := (ids < 1) | (ids > last)).any():
                k = int(np.argmax(wrong))
                row = k if rows is None else rows[k]
                expected = "ids from 1" if options.n is None else f"ids from 1 to {last}"
                raise source.error(f"row {row} has the id {ids[k]} in column {name!r}: expected {expected}")
        for w in weights:
            if (is_nan := w != w).any():
                k = int(np.argmax(is_nan))
                raise source.error(f"row {k if rows is None else rows[k]} has the weight NaN")
        u, v = u - u.dtype.type(1), v - v.dtype.type(1)
    w = weights[0] if weights else np.ones(u.size, np.uint8)
    return NumberedEdges(u, v, w, options.n, first_id=first_id, row_counts=row_counts)


def edge_indices(source: InputFile, column: polars.Series) -> NDArray[Any]:
    """Convert the column of the edge indices of a forest to an array."""
    edges = _numbers(source, column)
    if edges.dtype.kind not in "iu":
        raise source.error(f"expected whole numbers in column {column.name!r}, found {edges.dtype}")
    return edges


def named_edges(
    source: InputFile, frame: polars.DataFrame, chosen: Sequence[str], options: Options
) -> NamedEdges:
    """Take edges out of a frame whose ends are names.

    Parameters
    ----------
    source : InputFile
    frame : DataFrame
    chosen : sequence of str
        The columns of u, v and, unless options.unweighted, the weight.
    options : Options
    """
    check_names_are_numbered(options)
    frame, _, row_counts = _without_gaps(source, frame, chosen, options)
    u, v = (frame[name] for name in chosen[:2])
    if not any(is_kind(u.dtype) and is_kind(v.dtype) for is_kind in (is_text, _is_integer)):
        raise source.error(
            f"expected strings, or integers of at most 64 bits, in columns {u.name!r} and {v.name!r}, "
            f"found {u.dtype} and {v.dtype}"
        )
    for ends in u, v:
        _check_complete(source, ends)
    w = np.ones(len(frame), np.uint8) if options.unweighted else _numbers(source, frame[chosen[2]])
    return NamedEdges(u, v, w, row_counts)


def first_id_of(options: Options, stated: str | None) -> int | None:
    """Return where ids begin: as the caller says, else as the file states; None if neither does."""
    if options.one_based is not None:
        return int(options.one_based)
    return None if stated is None else int(stated == "1")


def write_edges(table: EdgeTable, sink: Callable[[polars.LazyFrame], object]) -> None:
    """Write the columns u, v, w, and for a forest also edge; ends are names where there are any.

    The frame is made in batches while it is written, as names may be in a file.

    Parameters
    ----------
    table : EdgeTable
    sink : callable
        Writes a frame, such as ``lambda frame: frame.sink_ipc(file)``.
    """
    import polars as pl
    from polars.io.plugins import register_io_source

    names = None if table.names is None else name_lookup(table.names)

    def batches(*_: Any) -> Iterator[polars.DataFrame]:
        return (_frame(table, names, rows) for rows in table.row_batches(_BATCH_ROWS))

    try:
        sink(register_io_source(batches, schema=_frame(table, names, slice(0, 0)).schema))
    except pl.exceptions.ComputeError as error:  # the disk is full, for example
        if (number := re.search(r"\(os error (\d+)\)", str(error))) is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from None


def _frame(table: EdgeTable, names: polars.Series | StoredNames | None, rows: slice) -> polars.DataFrame:
    import polars as pl

    w = table.w if table.w.dtype.itemsize <= 8 else table.portable_weights()
    if names is None:
        ids = vertex_dtype(table.n + table.base)
        u, v = (ends[rows].astype(ids, copy=False) + ids(table.base) for ends in (table.u, table.v))
    else:
        u, v = named_ends(table, names, rows)
    columns = {"u": u, "v": v, "w": w[rows]}
    if table.edges is not None:
        columns = {EDGE_INDEX: table.edges[rows], **columns}
    return pl.DataFrame(columns)
