"""Parquet (``.parquet``): columns u, v, w, for a forest also edge; n in the metadata. Dtypes are kept.

The files of a folder, or of a pattern, are read as one graph, in the order of their names. ``keep`` may also
name what folders are called after, as in ``month=01``. Ends that are strings are names of vertices; integers
are, too, if ``names=`` or the metadata says so. The metadata says whether ids begin at 1, and of a forest
whether it is a maximum one.
"""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats.binary import frames
from boruvka.formats.binary.parquet_check import check_footer, check_pages
from boruvka.formats.edge_file import WHOLE_FILE, DivisibleFile, FileChunk
from boruvka.formats.edge_table import OF_TABLES, EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import name_lookup
from boruvka.graph.exact import check_float_types
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import pl
from boruvka.runtime.output_files import file_errors
from boruvka.runtime.processors import check_addresses_of_polars


def parquet_files(path: str) -> list[str] | None:
    """List the Parquet files that a folder or a pattern names, in order; None for any other path.

    Raises
    ------
    FileError
        There is none.
    """
    if os.path.isdir(path):
        with file_errors(path):  # a folder in it may be removed meanwhile
            found = (file for ending in ("parquet", "pq") for file in Path(path).rglob(f"*.{ending}"))
            files = sorted(str(f) for f in found if not _is_hidden(f.relative_to(path)) and f.is_file())
    elif not os.path.exists(path) and glob.has_magic(path):
        files = sorted(glob.glob(path, recursive=True))
    else:
        return None
    if not files:
        what = "is a directory without" if os.path.isdir(path) else "matches no"
        raise FileError(f"{path}: {what} Parquet files; for another {argument('format')}, name a file")
    return files


def _is_hidden(path: Path) -> bool:
    """Return whether writers keep a file beside the data, as in the log of a Delta table."""
    return any(part.startswith(("_", ".")) for part in path.parts)


def _files_of(source: InputFile) -> list[InputFile]:
    """List the files of a folder or a pattern; none of another path."""
    return [] if source.is_stream else list(map(InputFile, parquet_files(source.path) or ()))


def read_frame(source: InputFile, rows: int | None = None) -> tuple[pl.DataFrame, dict[str, str]]:
    """Read all columns of a file, or of all files of a folder or a pattern; or some rows of the first one.

    Return the metadata of the first file, too.
    """
    if files := _files_of(source):
        found = [read_frame(file, rows) for file in (files if rows is None else files[:1])]
        return pl.concat([frame for frame, _ in found], how="diagonal_relaxed"), found[0][1]
    check_pages(source.path, source.content, check_footer(source.path, source.content))
    with source.binary() as file:
        frame = pl.read_parquet(file, n_rows=rows)
        file.seek(0)
        return frame, pl.read_parquet_metadata(file)


def read_head(source: InputFile, options: Options, error: frames.MakeError) -> frames.FrameHead:
    """Read the types of the columns and the metadata of a file whose footer has been checked."""
    check_addresses_of_polars()
    with source.binary() as file:
        dtypes = dict(pl.read_parquet_schema(file))
        file.seek(0)
        of_folders = {name: unquote(x) for name, x in re.findall(r"([^/\\=]+)=([^/\\]*)[/\\]", source.path)}
        metadata = pl.read_parquet_metadata(file)
    try:
        return frames.FrameHead(dtypes, metadata, options, error, of_folders)
    except OptionError as problem:  # of a column that is not there
        raise OptionError(str(error(str(problem)))) from None


def check_alike(heads: list[frames.FrameHead], paths: list[str]) -> None:
    """Raise an error unless all files of one graph name their vertices, or number them from the same id.

    Integers that are names become texts in all files if there are texts in one.
    """
    names = f"numbers: pass {argument('names', True)} to take all as names, or write all of one type"
    for what, others, found in (
        ("vertices have names", names, [head.has_names for head in heads]),
        ("ids begin at 1", "at 0", [head.first_id == 1 for head in heads]),
    ):
        if len({*found}) > 1:
            has, lacks = (paths[found.index(kind)] for kind in (True, False))
            raise FormatError(f"{has}: {what}, but in {lacks} {others}")
    weights = (head.dtypes[name] for head in heads for name in head.columns[2:])
    check_float_types(zip(weights, paths, strict=False), FormatError)  # without weights there are none
    for head in heads:
        head.takes_texts = any(each.takes_texts for each in heads)


class _ParquetFile(frames.FrameFile, DivisibleFile):
    """An open file, whose footer has been read, or several, which are one graph."""

    def __init__(self, source: InputFile, options: Options):
        self._files = [_ParquetFile(file, options) for file in _files_of(source)]
        if self._files:
            super().__init__(source, self._files[0]._head)
            self._head.n = options.n
            paths = [file._source.path for file in self._files]
            check_alike([file._head for file in self._files], paths)
            return
        self._chunks = check_footer(source.path, source.content)
        super().__init__(source, read_head(source, options, source.error))

    def _read_as(self, columns: list[str], head: frames.FrameHead) -> pl.DataFrame:
        """Read columns of the whole file, and name its columns of edges as another file names them."""
        own = dict(zip(head.columns, self._head.columns, strict=True))
        frame = self._read([own.get(name, name) for name in columns], WHOLE_FILE)
        frame.columns = columns
        return self._head.with_folders(frame, head.of_folders)

    def _read(self, columns: list[str], chunk: FileChunk) -> pl.DataFrame:
        """Read columns; of one chunk of the rows, only their row groups."""
        if self._files:
            parts = [file._read_as(columns, self._head) for file in self._files]
            whole = frames.joined(parts, [file._source.path for file in self._files])
            return whole[chunk.edge_range(len(whole))]
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
    if table.maximum is not None:
        metadata[frames.MAXIMUM_KEY] = str(table.maximum)
    frames.write_edges(table, lambda frame: frame.sink_parquet(file, metadata=metadata))


PARQUET = Codec(
    _ParquetFile, _write, OF_TABLES, Holds(names=name_lookup, columns=["edges"]), uses_polars=True
)
