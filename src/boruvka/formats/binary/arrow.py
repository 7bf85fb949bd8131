"""Arrow IPC, also called Feather (``.arrow``, ``.feather``): columns u, v, w, for a forest also edge.

The file format and the stream format are read, by pyarrow, which is safe on damaged files. The file format is
written. Dtypes are kept. Ends that are strings are names of vertices; so are integers if ``names=True``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boruvka.errors import FormatError
from boruvka.formats.binary.frames import edge_indices, is_text, named_edges, numbered_edges, write_edges
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
    import polars as pl

    ipc, content = require("pyarrow", "arrow").ipc, bytes(source.content)
    open_content = ipc.open_file if content.startswith(_MAGIC) else ipc.open_stream
    table = open_content(content).read_all()
    table.validate(full=True)
    frame: Any = pl.from_arrow(table)
    return frame


def _read_columns(source: InputFile, frame: polars.DataFrame, options: Options) -> EdgeTable | Graph:
    names = frame.columns
    chosen = [names[i] for i in choose_columns(len(names), names, options, source.error) if i >= 0]
    has_names = any(is_text(frame[name].dtype) for name in chosen[:2])
    edges: EdgeTable | Graph
    if options.names or (has_names and options.names is None):
        edges = named_edges(source, frame, chosen, options).numbered()
    else:
        edges = Graph.from_edges(*numbered_edges(source, frame, chosen, options), options.n)
    warn_of_closed_directions(names, chosen[2:], edges.w)
    return edges


def _read(source: InputFile, options: Options) -> Graph:
    edges = _read_columns(source, read_frame(source), options)
    return edges if isinstance(edges, Graph) else edges.to_graph()


def _read_forest(source: InputFile, options: Options) -> EdgeTable:
    frame = read_frame(source)
    edges = edge_indices(source, frame[EDGE_INDEX]) if EDGE_INDEX in frame.columns else None
    return EdgeTable.of(_read_columns(source, frame, options))._replace(edges=edges)


def _check_names(names: Any) -> None:
    """Refuse integers, which would be read as vertices: polars writes no metadata that says more."""
    if not is_text(name_column(names).dtype):
        raise FormatError(
            "Arrow files hold integers as numbers of vertices, not as names; choose Parquet, csv or npz"
        )


ARROW = Codec(
    read=_read,
    write=lambda table, file: write_edges(table, lambda frame: frame.sink_ipc(file)),
    options=frozenset({"columns", "n", "names", "one_based", "unweighted"}),
    read_forest=_read_forest,
    states_n=False,
    holds_names=True,
    fills_gaps=True,
    check_names=_check_names,
)
