"""Arrow IPC, also called Feather (``.arrow``, ``.feather``): columns u, v, w, for a forest also edge.

The file format and the stream format are read, the file format is written. Dtypes are kept. Columns u and v
of strings are names of vertices.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.attributes import names_as_text
from boruvka.formats.binary.frames import edge_frame, number_columns, polars_errors, vertex_ids
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.graph.graph import Graph

if TYPE_CHECKING:
    import polars

__all__ = ["ARROW"]

_MAGIC = b"ARROW1"


def _frame(source: Source, wanted: list[str] | None = None, rows: int | None = None) -> polars.DataFrame:
    import polars as pl

    read = pl.read_ipc if source.content[: len(_MAGIC)] == _MAGIC else pl.read_ipc_stream
    with source.binary() as file, polars_errors(source, "Arrow"):
        return read(file, columns=wanted, n_rows=rows)


def _read(source: Source, options: Options) -> Graph:
    names = _frame(source, rows=0).columns
    columns = choose_columns(len(names), names, options, source.error)
    chosen = [names[i] for i in columns if i >= 0]
    frame = _frame(source, chosen)
    if options.unweighted:
        w = np.ones(frame.height, np.uint8)
    else:
        w = number_columns(source, frame, chosen[2:])[chosen[2]]
    if all(not frame[name].dtype.is_numeric() for name in chosen[:2]):
        return Graph.from_edges(frame[chosen[0]], frame[chosen[1]], w, options.n)
    ids = number_columns(source, frame, chosen[:2])
    u, v = (vertex_ids(source, name, ids[name], bool(options.one_based)) for name in chosen[:2])
    return Graph.from_edges(u, v, w, options.n)


def _read_forest(source: Source) -> EdgeTable:
    table = EdgeTable.of(_read(source, Options()))
    if EDGE_INDEX not in _frame(source, rows=0).columns:
        return table
    edges = number_columns(source, _frame(source, [EDGE_INDEX]), [EDGE_INDEX])[EDGE_INDEX]
    if edges.dtype.kind not in "iu":
        raise source.error(f"expected whole numbers in column {EDGE_INDEX!r}, found {edges.dtype}")
    return table._replace(edges=edges)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    import polars as pl

    frame = edge_frame(table)
    if table.names is not None:
        if np.unique(np.concatenate([table.u, table.v])).size < table.n:
            raise FormatError("vertices without edges would lose their names; choose another format")
        names = pl.Series(names_as_text(table), dtype=pl.String)
        frame = frame.with_columns(u=names.gather(frame["u"]), v=names.gather(frame["v"]))
    encoded = io.BytesIO()
    frame.write_ipc(encoded)
    file.write(encoded.getbuffer())


ARROW = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "n", "one_based", "unweighted"}),
    read_forest=_read_forest,
    states_n=False,
    holds_names=True,
)
