"""Choose how a source of edges is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from boruvka.errors import FileError, GraphTypeError, OptionError
from boruvka.formats.advice import advising
from boruvka.formats.binary.parquet import parquet_files
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile, file_name, is_stream
from boruvka.formats.registry import OF_FOLDERS, check_format_options, format_named, format_to_read
from boruvka.formats.table_columns import refuse_windows
from boruvka.runtime.arguments import argument
from boruvka.stream.sources.batches import BatchSource, is_table
from boruvka.stream.sources.files import ChunkedFileSource, LinesSource, not_in_chunks
from boruvka.stream.sources.parquet import ParquetSource
from boruvka.stream.sources.source import EdgeSource


def open_source(source: Any, read_options: Mapping[str, Any]) -> EdgeSource:
    """Open a source of edges.

    Parameters
    ----------
    source : object
        As for `boruvka.stream.minimum_spanning_forest`.
    read_options : dict
        Keyword arguments of `boruvka.read`.

    Raises
    ------
    FileError, FormatError, OptionError
        The file cannot be read, or not in chunks.
    GraphTypeError
        It is not a source of edges.
    """
    options = Options.of(read_options).checked()
    if isinstance(source, str | bytes | os.PathLike) or is_stream(source):
        opened = _open_file(source, options)
        refuse_windows(opened.column_names, options.columns, opened.name)
        return opened
    is_iterable = hasattr(source, "__next__") or hasattr(source, "__iter__")
    if is_table(source) or (is_iterable and not hasattr(source, "tocoo")):  # sparse arrays have rows
        return BatchSource(source, options)
    raise GraphTypeError(
        "expected a file, a folder of Parquet files, a table, or an iterator of batches (u, v, w), got "
        f"{type(source).__name__}"
    )


def _open_file(file: Any, options: Options) -> EdgeSource:
    name = file_name(file)
    if not is_stream(file) and (files := parquet_files(name)) is not None:
        of_folders = format_named(OF_FOLDERS)
        if options.format is not None and format_named(options.format) is not of_folders:
            given = argument("format", options.format)
            raise OptionError(f"{name}: several files are read as Parquet: leave out {given}, or name a file")
        check_format_options(of_folders, options)
        with advising(InputFile(file), options):
            return ParquetSource(files, options)
    if not is_stream(file) and not os.path.exists(name):
        raise FileError(f"{name}: No such file or directory")
    opened = InputFile(file)
    with advising(opened, options) if opened.is_plain else nullcontext():
        chosen = format_to_read(opened, options.format, options if opened.is_plain else None)
        check_format_options(chosen, options)
        if chosen.name == OF_FOLDERS:
            return ParquetSource([name], options, None if opened.is_plain else opened)
        if chosen.codec.is_divisible and opened.is_plain:
            return ChunkedFileSource(opened, options)
    if chosen.codec.has_edge_lines:
        return LinesSource(file, options, chosen)
    raise not_in_chunks(name, chosen)
