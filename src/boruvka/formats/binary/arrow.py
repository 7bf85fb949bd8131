"""Arrow IPC, also called Feather (``.arrow``, ``.feather``): columns u, v, w, for a forest also edge.

The file format and the stream format are read, the file format is written. Dtypes are kept. Ends that are
strings are names of vertices; integers are, too, if ``names=True``.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, BinaryIO

from boruvka.errors import FormatError
from boruvka.formats.binary.arrow_check import MAGIC, check_arrow
from boruvka.formats.binary.frames import (
    edge_frame,
    edge_indices,
    is_text,
    named_edges,
    numbered_edges,
)
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.name_columns import name_column
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.graph.graph import Graph

if TYPE_CHECKING:
    import polars

__all__ = ["ARROW"]


def _frame(source: Source, wanted: list[str] | None = None, rows: int | None = None) -> polars.DataFrame:
    import polars as pl

    read = pl.read_ipc if source.content[: len(MAGIC)] == MAGIC else pl.read_ipc_stream
    with source.binary() as file:
        return read(file, columns=wanted, n_rows=rows)


def _read(source: Source, options: Options) -> Graph:
    check_arrow(source)
    names = _frame(source, rows=0).columns
    columns = choose_columns(len(names), names, options, source.error)
    chosen = [names[i] for i in columns if i >= 0]
    frame = _frame(source, chosen)
    has_names = any(is_text(frame[name].dtype) for name in chosen[:2])
    if options.names or (has_names and options.names is None):
        return named_edges(source, frame, chosen, options).to_graph()
    return Graph.from_edges(*numbered_edges(source, frame, chosen, options), options.n)


def _read_forest(source: Source, options: Options) -> EdgeTable:
    table = EdgeTable.of(_read(source, options))
    if EDGE_INDEX not in _frame(source, rows=0).columns:
        return table
    return table._replace(edges=edge_indices(source, _frame(source, [EDGE_INDEX])[EDGE_INDEX]))


def _check_names(names: Any) -> None:
    """Refuse integers, which would be read as vertices: polars writes no metadata that says more."""
    if is_text(name_column(names).dtype):
        return
    raise FormatError(
        "Arrow files hold integers as numbers of vertices, not as names; choose Parquet, csv or npz"
    )


def _write(table: EdgeTable, file: BinaryIO) -> None:
    encoded = io.BytesIO()
    edge_frame(table).write_ipc(encoded)
    file.write(encoded.getbuffer())


ARROW = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "n", "names", "one_based", "unweighted"}),
    read_forest=_read_forest,
    states_n=False,
    holds_names=True,
    check_names=_check_names,
)
