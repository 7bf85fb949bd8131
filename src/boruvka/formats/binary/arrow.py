"""Arrow IPC, also called Feather (``.arrow``, ``.feather``): columns u, v, w, for a forest also edge.

The file format and the stream format are read, by pyarrow, which is safe on damaged files. The file format is
written. Dtypes are kept. Ends that are strings are names of vertices; so are integers if ``names=True``. The
metadata says whether ids begin at 1.
"""

from __future__ import annotations

from functools import partial
from typing import Any, BinaryIO

from boruvka.errors import FormatError
from boruvka.formats.binary.frames import FIRST_ID_KEY, LoadedFrameFile, is_text, write_edges
from boruvka.formats.edge_table import OF_TABLES, EdgeTable
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import name_column
from boruvka.runtime.libraries import pa, pl

_MAGIC = b"ARROW1"
"""The first bytes of a file; a stream has none."""


def read_file(source: InputFile) -> tuple[pl.DataFrame, dict[str, str]]:
    """Read all columns of a file, and its metadata."""
    ipc, content = pa.ipc, bytes(source.content)
    open_content = ipc.open_file if content.startswith(_MAGIC) else ipc.open_stream
    table = open_content(content).read_all()
    table.validate(full=True)
    frame: Any = pl.from_arrow(table)
    metadata = table.schema.metadata or {}
    return frame, {
        key.decode(errors="replace"): value.decode(errors="replace") for key, value in metadata.items()
    }


def _write(table: EdgeTable, file: BinaryIO) -> None:
    def write_with_first_id(frame: pl.LazyFrame) -> None:  # polars writes no metadata
        edges = frame.collect().to_arrow().replace_schema_metadata({FIRST_ID_KEY: "1"})
        with pa.ipc.new_file(file, edges.schema) as writer:
            writer.write_table(edges)

    write_edges(table, write_with_first_id if table.base else lambda frame: frame.sink_ipc(file))


def _check_names(names: Any) -> None:
    """Refuse integers, which would be read as vertices: polars writes no metadata that says more."""
    if not is_text(name_column(names).dtype):
        raise FormatError(
            "Arrow files hold integers as numbers of vertices, not as names; choose Parquet, csv or npz"
        )


ARROW = Codec(
    partial(LoadedFrameFile, read=read_file),
    _write,
    OF_TABLES,
    Holds(n=False, names=_check_names, columns=["edges"]),
    uses_polars=True,
)
