"""Polars frames with a row per edge, as Parquet and Arrow files hold them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import Source
from boruvka.formats.format import EdgeTable, NamedEdges, Options
from boruvka.formats.name_columns import check_names_are_numbered, name_column, name_lookup, named_ends
from boruvka.formats.table_columns import EDGE_INDEX
from boruvka.graph.numbering import number_names
from boruvka.runtime.processors import processors
from boruvka.runtime.thread_pool import map_parts

if TYPE_CHECKING:
    import polars

    from boruvka.formats.stored_names import StoredNames

__all__ = [
    "columns_of_names",
    "edge_frame",
    "edge_frames",
    "edge_indices",
    "edge_schema",
    "is_text",
    "named_edges",
    "numbered_edges",
]


_PIECE_ROWS = 1 << 18
"""Rows per piece of a frame that is made in pieces."""


def is_text(dtype: Any) -> bool:
    """Return whether a column of a type holds strings."""
    import polars as pl

    return dtype in (pl.String, pl.Categorical, pl.Enum)


def _is_integer(dtype: Any) -> bool:
    import polars as pl

    return dtype.is_integer() and dtype not in (pl.Int128, pl.UInt128)


def _numbers_of_column(source: Source, column: polars.Series, *, are_ids: bool = False) -> NDArray[Any]:
    """Convert a column of numbers to an array; ids to uint32, as graphs hold them, if they fit.

    Raises
    ------
    FormatError
        The column has no numbers of at most 64 bits, or a row has no value.
    """
    if not (_is_integer(column.dtype) or column.dtype.is_float()):
        raise source.error(
            f"expected numbers of at most 64 bits in column {column.name!r}, found {column.dtype}"
        )
    _check_complete(source, column)
    return _joined(column, are_ids and column.dtype.is_integer())


def _check_complete(source: Source, column: polars.Series) -> None:
    if column.null_count():
        row = int(np.argmax(column.is_null().to_numpy()))
        raise source.error(f"row {row} has no value in column {column.name!r}")


def _joined(column: Any, narrow: bool) -> NDArray[Any]:
    """Return a column as one array, uint32 if asked and possible; its chunks are copied on every core."""
    chunks = [chunk.to_numpy() for chunk in column.get_chunks()]
    if len(chunks) < 2:
        return column.to_numpy()
    ends = list(accumulate(chunk.size for chunk in chunks))

    def largest(chunk: NDArray[Any]) -> int:
        return int(chunk.view(np.uint64).max(initial=0))  # negative ids are beyond 2**32

    def copy(k: int) -> None:
        array[ends[k] - chunks[k].size : ends[k]] = chunks[k]

    fit = narrow and chunks[0].itemsize == 8 and max(map_parts(largest, chunks, processors())) < 2**32
    array = np.empty(ends[-1], np.uint32 if fit else chunks[0].dtype)
    map_parts(copy, range(len(chunks)), processors())
    return array


def _vertex_ids(source: Source, name: str, ids: NDArray[Any], one_based: bool) -> NDArray[Any]:
    """Return the ids of a column, counted from 0."""
    if not one_based:
        return ids
    if (ids < 1).any():
        row = int(np.argmax(ids < 1))
        raise source.error(f"row {row} has the id {ids[row]} in column {name!r}: expected ids from 1")
    return ids - ids.dtype.type(1)


def numbered_edges(
    source: Source, frame: polars.DataFrame, chosen: Sequence[str], options: Options
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Take u, v and w out of a frame whose ends are numbers; ``chosen`` as for `named_edges`."""
    ends = chosen[:2]
    arrays = {
        name: _numbers_of_column(source, frame.drop_in_place(name), are_ids=name in ends) for name in chosen
    }
    u, v = (_vertex_ids(source, name, arrays[name], bool(options.one_based)) for name in ends)
    return u, v, np.ones(u.size, np.uint8) if options.unweighted else arrays[chosen[2]]


def edge_indices(source: Source, column: polars.Series) -> NDArray[Any]:
    """Convert the column of the edge indices of a forest to an array."""
    edges = _numbers_of_column(source, column)
    if edges.dtype.kind not in "iu":
        raise source.error(f"expected whole numbers in column {column.name!r}, found {edges.dtype}")
    return edges


def named_edges(
    source: Source, frame: polars.DataFrame, chosen: Sequence[str], options: Options
) -> EdgeTable:
    """Make edges of a frame whose ends are names.

    Parameters
    ----------
    source : Source
    frame : DataFrame
    chosen : sequence of str
        The columns of u, v and, unless options.unweighted, the weight.
    options : Options
    """
    edges = columns_of_names(source, frame, chosen, options)
    u, v, names = number_names(edges.u, edges.v)
    return EdgeTable(names.size, u, v, edges.w, names=names)


def columns_of_names(
    source: Source, frame: polars.DataFrame, chosen: Sequence[str], options: Options
) -> NamedEdges:
    """Take u, v and w out of a frame as `named_edges` does, but do not number the names."""
    check_names_are_numbered(options)
    first, second = (frame[name] for name in chosen[:2])
    if not any(is_kind(first.dtype) and is_kind(second.dtype) for is_kind in (is_text, _is_integer)):
        raise source.error(
            f"expected strings, or integers of at most 64 bits, in columns {first.name!r} and "
            f"{second.name!r}, found {first.dtype} and {second.dtype}"
        )
    for ends in first, second:
        _check_complete(source, ends)
    w = np.ones(len(frame), np.uint8) if options.unweighted else _numbers_of_column(source, frame[chosen[2]])
    return NamedEdges(first, second, w)


def edge_frame(table: EdgeTable) -> polars.DataFrame:
    """Make a frame of the columns u, v, w, and for a forest also edge; ends are names where there are any."""
    return _frame(table, None if table.names is None else name_column(table.names), slice(None))


def edge_frames(table: EdgeTable) -> Iterator[polars.DataFrame]:
    """Make the frame of `edge_frame` in pieces, gathering the names for each."""
    names = None if table.names is None else name_lookup(table.names)
    return (_frame(table, names, rows) for rows in table.row_slices(_PIECE_ROWS))


def edge_schema(table: EdgeTable) -> polars.Schema:
    """Return the types of the columns of `edge_frames`."""
    return _frame(table, None if table.names is None else name_lookup(table.names), slice(0, 0)).schema


def _frame(table: EdgeTable, names: polars.Series | StoredNames | None, rows: slice) -> polars.DataFrame:
    import polars as pl

    w = table.w if table.w.dtype.itemsize <= 8 else table.portable_weights()
    u, v = (table.u[rows], table.v[rows]) if names is None else named_ends(table, names, rows)
    columns = {"u": u, "v": v, "w": w[rows]}
    if table.edges is not None:
        columns = {EDGE_INDEX: table.edges[rows], **columns}
    return pl.DataFrame(columns)
