"""Frames of polars with a row per edge, as Parquet and Arrow files hold them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.files import Source
from boruvka.formats.format import EdgeTable
from boruvka.formats.table_columns import EDGE_INDEX
from boruvka.runtime.processors import processors
from boruvka.runtime.thread_pool import map_parts

if TYPE_CHECKING:
    import polars

__all__ = ["edge_frame", "number_columns", "polars_errors", "vertex_ids"]


@contextlib.contextmanager
def polars_errors(source: Source, format: str) -> Iterator[None]:
    """Turn errors of polars into errors that name the file."""
    import polars as pl

    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        if getattr(error, "errno", None) is not None:  # polars also has errors of its own of this type
            raise
        raise source.error(f"cannot be read as {format}: {error}") from None


def number_columns(source: Source, frame: polars.DataFrame, names: list[str]) -> dict[str, NDArray[Any]]:
    """Take columns of numbers out of a frame, as arrays.

    Raises
    ------
    FormatError
        A column has no numbers of at most 64 bits, or a row has no value.
    """
    import polars as pl

    for column in map(frame.get_column, names):
        number = column.dtype.is_integer() or column.dtype.is_float()
        if not number or column.dtype in (pl.Int128, pl.UInt128):
            raise source.error(
                f"expected numbers of at most 64 bits in column {column.name!r}, found {column.dtype}"
            )
        if column.null_count():
            row = int(np.argmax(column.is_null().to_numpy()))
            raise source.error(f"row {row} has no value in column {column.name!r}")
    return {name: _joined(frame.drop_in_place(name)) for name in names}


def _joined(column: Any) -> NDArray[Any]:
    """Return a column as one array; its chunks, one for each row group, are copied on every core."""
    chunks = [chunk.to_numpy() for chunk in column.get_chunks()]
    if len(chunks) < 2:
        return column.to_numpy()
    ends = list(accumulate(chunk.size for chunk in chunks))
    array = np.empty(ends[-1], chunks[0].dtype)

    def copy(k: int) -> None:
        array[ends[k] - chunks[k].size : ends[k]] = chunks[k]

    map_parts(copy, range(len(chunks)), processors())
    return array


def vertex_ids(source: Source, name: str, ids: NDArray[Any], one_based: bool) -> NDArray[Any]:
    """Return the ids of a column, counted from 0."""
    if not one_based:
        return ids
    if (ids < 1).any():
        row = int(np.argmax(ids < 1))
        raise source.error(f"row {row} has the id {ids[row]} in column {name!r}: expected ids from 1")
    return ids - ids.dtype.type(1)


def edge_frame(table: EdgeTable) -> polars.DataFrame:
    """Make a frame of the columns u, v, w, and for a forest also edge."""
    import polars as pl

    w = table.w if table.w.dtype.itemsize <= 8 else table.portable_weights()
    columns = {"u": table.u, "v": table.v, "w": w}
    if table.edges is not None:
        columns = {EDGE_INDEX: table.edges, **columns}
    return pl.DataFrame(columns)
