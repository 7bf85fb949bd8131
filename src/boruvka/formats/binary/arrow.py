"""Arrow IPC, also called Feather (``.arrow``, ``.feather``): columns u, v, w, for a forest also edge.

The file format and the stream format are read, by pyarrow, which is safe on damaged files. The file format is
written. Dtypes are kept. Ends that are strings are names of vertices; so are integers if ``names=True``. The
metadata says whether ids begin at 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from boruvka.errors import FormatError
from boruvka.formats.binary.frames import (
    FIRST_ID_KEY,
    edge_indices,
    first_id_of,
    is_text,
    named_edges,
    numbered_edges,
    write_edges,
)
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.name_columns import name_column
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import warn_of_closed_directions
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import polars

__all__ = ["ARROW", "read_frame"]

_MAGIC = b"ARROW1"
"""The first bytes of a file; a stream has none."""


def read_frame(source: InputFile) -> polars.DataFrame:
    """Read all columns of a file."""
    return _read_file(source)[0]


def _read_file(source: InputFile) -> tuple[polars.DataFrame, dict[bytes, bytes]]:
    """Read all columns of a file, and its metadata."""
    import polars as pl

    ipc, content = require("pyarrow", "arrow").ipc, bytes(source.content)
    open_content = ipc.open_file if content.startswith(_MAGIC) else ipc.open_stream
    table = open_content(content).read_all()
    table.validate(full=True)
    frame: Any = pl.from_arrow(table)
    return frame, table.schema.metadata or {}


def _read_columns(
    source: InputFile, frame: polars.DataFrame, metadata: dict[bytes, bytes], options: Options
) -> EdgeTable:
    names = frame.columns
    chosen = [names[i] for i in choose_columns(len(names), names, options, source.error) if i >= 0]
    has_names = any(is_text(frame[name].dtype) for name in chosen[:2])
    edges: EdgeTable | Graph
    if options.names or (has_names and options.names is None):
        edges = named_edges(source, frame, chosen, options).numbered()
    else:
        stated = metadata.get(FIRST_ID_KEY.encode())
        first_id = first_id_of(options, None if stated is None else stated.decode(errors="replace"))
        graph = Graph.from_edges(*numbered_edges(source, frame, chosen, options, first_id), options.n)
        edges = EdgeTable.of(graph)._replace(first_id=first_id)
    warn_of_closed_directions(names, chosen[2:], edges.w)
    return edges


def _read(source: InputFile, options: Options) -> Graph:
    return _read_columns(source, *_read_file(source), options).to_graph()


def _read_forest(source: InputFile, options: Options) -> EdgeTable:
    frame, metadata = _read_file(source)
    edges = edge_indices(source, frame[EDGE_INDEX]) if EDGE_INDEX in frame.columns else None
    return _read_columns(source, frame, metadata, options)._replace(edges=edges)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    def write_with_first_id(frame: polars.LazyFrame) -> None:  # polars writes no metadata
        arrow = require("pyarrow", "arrow")
        edges = frame.collect().to_arrow().replace_schema_metadata({FIRST_ID_KEY: "1"})
        with arrow.ipc.new_file(file, edges.schema) as writer:
            writer.write_table(edges)

    write_edges(table, write_with_first_id if table.base else lambda frame: frame.sink_ipc(file))


def _check_names(names: Any) -> None:
    """Refuse integers, which would be read as vertices: polars writes no metadata that says more."""
    if not is_text(name_column(names).dtype):
        raise FormatError(
            "Arrow files hold integers as numbers of vertices, not as names; choose Parquet, csv or npz"
        )


ARROW = Codec(
    read=_read,
    write=_write,
    options=frozenset({"columns", "n", "names", "one_based", "unweighted"}),
    read_forest=_read_forest,
    states_n=False,
    holds_names=True,
    fills_gaps=True,
    check_names=_check_names,
)
