"""JSON lines (``.jsonl``, ``.ndjson``): an object a line, whose keys are the columns; read only.

Ends that are strings are names of vertices; so are integers if ``names=True``.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from boruvka.formats.binary.frames import LoadedFrameFile
from boruvka.formats.edge_table import OF_TABLES
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    import polars


def read_frame(source: InputFile) -> polars.DataFrame:
    """Read all columns of a file; the types are those of all rows."""
    with source.binary() as file:
        return require("polars", "tables").read_ndjson(file, infer_schema_length=None)


JSON_LINES = Codec(partial(LoadedFrameFile, read=lambda source: (read_frame(source), {})), None, OF_TABLES)
