"""Parquet (``.parquet``): columns u, v, w, for a forest also edge; n in the metadata. Dtypes are kept.

Ends that are strings are names of vertices; integers are, too, if ``names=`` or the metadata says so. The
metadata says whether ids begin at 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from boruvka.formats.binary.frames import (
    FIRST_ID_KEY,
    edge_indices,
    first_id_of,
    is_text,
    named_edges,
    numbered_edges,
    write_edges,
)
from boruvka.formats.binary.parquet_check import check_pages
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, FilePartition, Options
from boruvka.formats.name_columns import name_lookup
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import warn_of_closed_directions
from boruvka.runtime.processors import check_addresses_of_polars

if TYPE_CHECKING:
    import polars

__all__ = ["PARQUET", "read_frame"]

_N_KEY, _NAMES_KEY = "boruvka.n", "boruvka.names"
_WHOLE = FilePartition(0, 1)


def read_frame(source: InputFile) -> polars.DataFrame:
    """Read all columns of a file."""
    check_pages(source.path, source.content)
    return _read_columns(source, None)


def _read_columns(
    source: InputFile, columns: list[str] | None, part: FilePartition = _WHOLE
) -> polars.DataFrame:
    """Read columns of a file that has been checked; of one part of the rows, only their row groups."""
    import polars as pl

    with source.binary() as file:
        if part == _WHOLE:
            return pl.read_parquet(file, columns=columns)
        rows = pl.scan_parquet(file).select(pl.len()).collect().item()
        file.seek(0)
        chosen = part.slice(rows)
        return pl.scan_parquet(file).select(columns).slice(chosen.start, chosen.stop - chosen.start).collect()


def _read(source: InputFile, options: Options) -> Graph:
    return _graph(_read_part(source, options, _WHOLE))


def _graph(edges: EdgeTablePart) -> Graph:
    graph = Graph.from_edges(edges.u, edges.v, edges.w, edges.n, edges.names)
    return graph.with_first_id(edges.first_id or 0)


def _read_part(source: InputFile, options: Options, part: FilePartition) -> EdgeTablePart:
    check_pages(source.path, source.content, part.count)
    dtypes, metadata = _schema(source)
    columns = list(dtypes)
    chosen = [columns[i] for i in choose_columns(len(columns), columns, options, source.error) if i >= 0]
    has_names = any(is_text(dtypes[name]) for name in chosen[:2]) or metadata.get(_NAMES_KEY) == "integers"
    if has_names if options.names is None else options.names:
        edges = named_edges(source, _read_columns(source, chosen), chosen, options)
        warn_of_closed_directions(columns, chosen[2:], edges.w)
        return edges.numbered().part(part)
    first_id = first_id_of(options, metadata.get(FIRST_ID_KEY, "0" if _N_KEY in metadata else None))
    stated = metadata.get(_N_KEY) if options.n is None else str(options.n)
    if stated is not None and not (stated.isdigit() and len(stated) < 19):
        raise source.error(f"expected a whole number as {_N_KEY} in the metadata, found {stated[:40]!r}")
    n = None if stated is None else int(stated)
    frame = _read_columns(source, chosen, part)
    u, v, w = numbered_edges(source, frame, chosen, options._replace(n=n), first_id)
    warn_of_closed_directions(columns, chosen[2:], w)
    return EdgeTablePart(u, v, w, n, first_id=first_id)


def _read_forest(source: InputFile, options: Options) -> EdgeTable:
    edges = _read_part(source, options, _WHOLE)
    table = EdgeTable.of(_graph(edges))._replace(first_id=edges.first_id)
    if EDGE_INDEX not in _schema(source)[0]:
        return table
    return table._replace(edges=edge_indices(source, _read_columns(source, [EDGE_INDEX])[EDGE_INDEX]))


def _schema(source: InputFile) -> tuple[dict[str, polars.DataType], dict[str, str]]:
    """Return the types of columns by name, and the metadata."""
    check_addresses_of_polars()
    import polars as pl

    with source.binary() as file:
        dtypes = dict(pl.read_parquet_schema(file))
        file.seek(0)
        return dtypes, pl.read_parquet_metadata(file)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    if table.names is None:
        metadata = {_N_KEY: str(table.n)} | ({FIRST_ID_KEY: "1"} if table.base else {})
    else:
        metadata = {_NAMES_KEY: "strings" if is_text(name_lookup(table.names).dtype) else "integers"}
    write_edges(table, lambda frame: frame.sink_parquet(file, metadata=metadata))


PARQUET = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "n", "names", "one_based", "unweighted"}),
    read_part=_read_part,
    read_forest=_read_forest,
    holds_names=True,
    fills_gaps=True,
    check_names=name_lookup,
)
