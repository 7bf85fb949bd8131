"""Parquet (``.parquet``): columns u, v, w, for a forest also edge; n in the metadata. Dtypes are kept.

Ends that are strings are names of vertices; integers are, too, if ``names=`` or the metadata says so.
"""

from __future__ import annotations

import io
import os
import re
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from boruvka.formats.binary.frames import (
    edge_frame,
    edge_frames,
    edge_indices,
    edge_schema,
    is_text,
    named_edges,
    numbered_edges,
)
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, FilePartition, Options
from boruvka.formats.name_columns import name_lookup
from boruvka.formats.stored_names import StoredNames
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.graph.graph import Graph
from boruvka.runtime.parquet_check import check_pages

if TYPE_CHECKING:
    import polars

__all__ = ["PARQUET"]

_N_KEY, _NAMES_KEY = "boruvka.n", "boruvka.names"
_WHOLE = FilePartition(0, 1)


def _read(source: Source, options: Options) -> Graph:
    part = _read_part(source, options, _WHOLE)
    return Graph.from_edges(part.u, part.v, part.w, part.n, part.names)


def _read_part(source: Source, options: Options, part: FilePartition) -> EdgeTablePart:
    check_pages(source.path, source.content, part.count)
    schema = _schema(source)
    columns = choose_columns(len(schema.dtypes), list(schema.dtypes), options, source.error)
    chosen = [list(schema.dtypes)[i] for i in columns if i >= 0]
    if schema.has_names(chosen[:2], options):
        return named_edges(source, _frame(source, chosen), chosen, options).part(part)
    u, v, w = numbered_edges(source, _frame(source, chosen, part), chosen, options)
    return EdgeTablePart(u, v, w, schema.n if options.n is None else options.n)


def _read_forest(source: Source, options: Options) -> EdgeTable:
    table = EdgeTable.of(_read(source, options))
    if EDGE_INDEX not in _schema(source).dtypes:
        return table
    return table._replace(edges=edge_indices(source, _frame(source, [EDGE_INDEX])[EDGE_INDEX]))


class _Schema(NamedTuple):
    """Metadata of a file: types of columns by name, number of vertices, and whether integers are names."""

    dtypes: dict[str, Any]
    n: int | None
    integers_are_names: bool

    def has_names(self, ends: list[str], options: Options) -> bool:
        """Return whether ends are names: as the caller or the file says, else if they are strings."""
        if options.names is not None:
            return options.names
        return self.integers_are_names or any(is_text(self.dtypes[name]) for name in ends)


def _schema(source: Source) -> _Schema:
    import polars as pl

    with source.binary() as file:
        dtypes = dict(pl.read_parquet_schema(file))
        file.seek(0)
        metadata = pl.read_parquet_metadata(file)
    n = metadata.get(_N_KEY)
    if n is not None and not (n.isdigit() and len(n) < 19):
        raise source.error(f"expected a whole number as {_N_KEY} in the metadata, found {n[:40]!r}")
    return _Schema(dtypes, None if n is None else int(n), metadata.get(_NAMES_KEY) == "integers")


def _frame(source: Source, names: list[str], part: FilePartition = _WHOLE) -> polars.DataFrame:
    with source.binary() as file:
        return _rows(file, names, part)


def _rows(file: BinaryIO, names: list[str], part: FilePartition) -> Any:
    """Read columns; for one part, read only its row groups."""
    import polars as pl

    if part == _WHOLE:
        return pl.read_parquet(file, columns=names)
    rows = pl.scan_parquet(file).select(pl.len()).collect().item()
    file.seek(0)
    chosen = part.slice(rows)
    return pl.scan_parquet(file).select(names).slice(chosen.start, chosen.stop - chosen.start).collect()


def _write(table: EdgeTable, file: BinaryIO) -> None:
    if isinstance(table.names, StoredNames):
        _write_in_pieces(table, file)
        return
    frame, encoded = edge_frame(table), io.BytesIO()
    if table.names is None:
        metadata = {_N_KEY: str(table.n)}
    else:
        metadata = {_NAMES_KEY: "strings" if is_text(frame["u"].dtype) else "integers"}
    frame.write_parquet(encoded, metadata=metadata)
    file.write(encoded.getbuffer())


def _write_in_pieces(table: EdgeTable, file: BinaryIO) -> None:
    """Write a table whose names are in a file, one frame after the other."""
    import polars as pl
    from polars.io.plugins import register_io_source

    schema = edge_schema(table)
    frames = register_io_source(lambda *_: edge_frames(table), schema=schema)
    names = "strings" if is_text(schema["u"]) else "integers"
    try:
        frames.sink_parquet(file, metadata={_NAMES_KEY: names})
    except pl.exceptions.ComputeError as error:  # of the file: the disk is full, for example
        if (number := re.search(r"\(os error (\d+)\)", str(error))) is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from None


PARQUET = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "n", "names", "one_based", "unweighted"}),
    read_part=_read_part,
    read_forest=_read_forest,
    holds_names=True,
    check_names=name_lookup,
)
