"""Parquet (``.parquet``): columns u, v, w, for a forest also edge; n in the metadata. Dtypes are kept.

Ends that are strings are names of vertices; integers are, too, if ``names=`` or the metadata says so. The
metadata says whether ids begin at 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from boruvka.formats.binary import frames
from boruvka.formats.binary.parquet_check import check_footer, check_pages
from boruvka.formats.edge_file import WHOLE_FILE, DivisibleFile, FileChunk
from boruvka.formats.edge_table import OF_TABLES, EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import name_lookup
from boruvka.runtime.libraries import require
from boruvka.runtime.processors import check_addresses_of_polars

if TYPE_CHECKING:
    import polars


def read_frame(source: InputFile) -> polars.DataFrame:
    """Read all columns of a file."""
    pl = require("polars", "tables")
    check_pages(source.path, source.content, check_footer(source.path, source.content))
    with source.binary() as file:
        return pl.read_parquet(file)


def read_head(source: InputFile, options: Options, error: frames.MakeError) -> frames.FrameHead:
    """Read the types of the columns and the metadata of a file whose footer has been checked."""
    check_addresses_of_polars()
    pl = require("polars", "tables")
    with source.binary() as file:
        dtypes = dict(pl.read_parquet_schema(file))
        file.seek(0)
        return frames.FrameHead(dtypes, pl.read_parquet_metadata(file), options, error)


class _ParquetFile(frames.FrameFile, DivisibleFile):
    """An open file, whose footer has been read."""

    def __init__(self, source: InputFile, options: Options):
        self._chunks = check_footer(source.path, source.content)
        super().__init__(source, read_head(source, options, source.error))

    def _read(self, columns: list[str], chunk: FileChunk) -> polars.DataFrame:
        """Read columns; of one chunk of the rows, only their row groups."""
        import polars as pl

        check_pages(self._source.path, self._source.content, self._chunks, chunk.count)
        with self._source.binary() as file:
            if chunk == WHOLE_FILE:
                return pl.read_parquet(file, columns=columns)
            rows = pl.scan_parquet(file).select(pl.len()).collect().item()
            file.seek(0)
            chosen = chunk.edge_range(rows)
            frame = pl.scan_parquet(file).select(columns)
            return frame.slice(chosen.start, chosen.stop - chosen.start).collect()


def _write(table: EdgeTable, file: BinaryIO) -> None:
    if table.names is None:
        metadata = {frames.N_KEY: str(table.n)} | ({frames.FIRST_ID_KEY: "1"} if table.base else {})
    else:
        metadata = {
            frames.NAMES_KEY: "strings" if frames.is_text(name_lookup(table.names).dtype) else "integers"
        }
    frames.write_edges(table, lambda frame: frame.sink_parquet(file, metadata=metadata))


PARQUET = Codec(
    _ParquetFile,
    _write,
    OF_TABLES,
    Holds(names=name_lookup, row_groups=True),
    uses_polars=True,
)
