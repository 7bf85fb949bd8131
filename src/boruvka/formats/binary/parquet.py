"""Parquet (``.parquet``): columns u, v, w, for a forest also edge; n in the metadata. Dtypes are kept.

Damage is reported where Polars reports it; some damaged files make Polars abort the process.
"""

from __future__ import annotations

import io
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.binary.frames import edge_frame, number_columns, polars_errors, vertex_ids
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, Options, Part
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.graph.graph import Graph

__all__ = ["PARQUET"]

_N_KEY = "boruvka.n"
_WHOLE = Part(0, 1)


def _read(source: Source, options: Options) -> Graph:
    part = _read_part(source, options, _WHOLE)
    return Graph.from_edges(part.u, part.v, part.w, n=part.n)


def _read_part(source: Source, options: Options, part: Part) -> EdgeTablePart:
    names, n = _schema(source)
    columns = choose_columns(len(names), names, options, source.error)
    chosen = [names[i] for i in columns if i >= 0]
    arrays = _columns(source, chosen, part)
    u, v = (vertex_ids(source, name, arrays[name], bool(options.one_based)) for name in chosen[:2])
    w = np.ones(u.size, np.uint8) if options.unweighted else arrays[chosen[2]]
    return EdgeTablePart(u, v, w, n if options.n is None else options.n)


def _read_forest(source: Source) -> EdgeTable:
    table = EdgeTable.of(_read(source, Options()))
    if EDGE_INDEX not in _schema(source)[0]:
        return table
    edges = _columns(source, [EDGE_INDEX])[EDGE_INDEX]
    if edges.dtype.kind not in "iu":
        raise source.error(f"expected whole numbers in column {EDGE_INDEX!r}, found {edges.dtype}")
    return table._replace(edges=edges)


def _schema(source: Source) -> tuple[list[str], int | None]:
    """Read the names of the columns, and n if the metadata states it."""
    import polars as pl

    with source.binary() as file, polars_errors(source, "Parquet"):
        names = list(pl.read_parquet_schema(file))
        file.seek(0)
        stated = pl.read_parquet_metadata(file).get(_N_KEY)
    if stated is not None and not (stated.isdigit() and len(stated) < 19):
        raise source.error(f"expected a whole number as {_N_KEY} in the metadata, found {stated[:40]!r}")
    return names, None if stated is None else int(stated)


def _columns(source: Source, names: list[str], part: Part = _WHOLE) -> dict[str, NDArray[Any]]:
    with source.binary() as file, polars_errors(source, "Parquet"):
        frame = _rows(file, names, part)
    return number_columns(source, frame, names)


def _rows(file: BinaryIO, names: list[str], part: Part) -> Any:
    """Read columns; for one part, read only its row groups."""
    import polars as pl

    if part == _WHOLE:
        return pl.read_parquet(file, columns=names)
    rows = pl.scan_parquet(file).select(pl.len()).collect().item()
    file.seek(0)
    chosen = part.slice(rows)
    return pl.scan_parquet(file).select(names).slice(chosen.start, chosen.stop - chosen.start).collect()


def _write(table: EdgeTable, file: BinaryIO) -> None:
    encoded = io.BytesIO()
    edge_frame(table).write_parquet(encoded, metadata={_N_KEY: str(table.n)})
    file.write(encoded.getbuffer())


PARQUET = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "n", "one_based", "unweighted"}),
    read_part=_read_part,
    read_forest=_read_forest,
)
