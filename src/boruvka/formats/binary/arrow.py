"""Arrow IPC, also called Feather (``.arrow``, ``.feather``): columns u, v, w, for a forest also edge.

The file format and the stream format are read, by pyarrow, which is safe on damaged files. The file format is
written. Dtypes are kept. Ends that are strings are names of vertices; so are integers if ``names=True``. The
metadata says whether ids begin at 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from numpy.typing import NDArray

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
from boruvka.formats.edge_file import EdgeFile, NamedEdges, NumberedEdges
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import name_column
from boruvka.formats.table_columns import EDGE_INDEX, choose_columns
from boruvka.interop.column_names import cost_columns
from boruvka.runtime.libraries import require

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


class _ArrowFile(EdgeFile):
    """An open file, which has been read."""

    def __init__(self, source: InputFile, options: Options):
        self._source, self._options = source, options
        self._frame, metadata = _read_file(source)
        names = self._frame.columns
        chosen = choose_columns(len(names), names, options, source.error)
        self._chosen = [names[i] for i in chosen if i >= 0]
        self.costs = cost_columns(names, self._chosen[2:])
        has_names = any(is_text(self._frame[name].dtype) for name in self._chosen[:2])
        self.has_names = has_names if options.names is None else options.names
        stated = metadata.get(FIRST_ID_KEY.encode())
        self._stated_first_id = None if stated is None else stated.decode(errors="replace")

    def edges(self) -> NumberedEdges | NamedEdges:
        """Take all edges out of the columns of the file."""
        edges: NumberedEdges | NamedEdges
        if self.has_names:
            edges = named_edges(self._source, self._frame, self._chosen, self._options)
        else:
            first_id = first_id_of(self._options, self._stated_first_id)
            edges = numbered_edges(self._source, self._frame.clone(), self._chosen, self._options, first_id)
        return edges._replace(row_counts=edges.row_counts.with_costs(self.costs, edges.w))

    def _edge_indices(self) -> NDArray[Any] | None:
        if EDGE_INDEX not in self._frame.columns:
            return None
        return edge_indices(self._source, self._frame[EDGE_INDEX])


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
    _ArrowFile,
    _write,
    frozenset({"columns", "default", "missing", "n", "names", "one_based", "unweighted"}),
    Holds(n=False, names=_check_names),
)
