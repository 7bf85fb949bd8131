"""Whether a file fits the memory, or its edges should be streamed."""

from __future__ import annotations

import os
from typing import Any

from boruvka.formats.files import InputFile, is_stream
from boruvka.formats.registry import format_to_read
from boruvka.runtime.libraries import reading_errors
from boruvka.runtime.processors import check_addresses_of_polars, free_addresses
from boruvka.stream.memory import available_memory
from boruvka.stream.sources.parquet import parquet_files

__all__ = ["is_larger_than_memory", "names_several_files"]

BYTES_OF_EDGE = 40
"""Bytes that an edge takes in memory while it is read and solved."""
BYTES_OF_TEXT = 2.5
"""Bytes of memory for a byte of text while it is read and solved; an edge takes at least 16 bytes of text."""
EXPANSION = 6
"""Assumed compression ratio of text."""
LIBRARIES = 512 << 20
"""Bytes of addresses that libraries and their threads take beside the graph, where addresses are limited."""


def names_several_files(path: Any) -> bool:
    """Return whether a path is a folder of Parquet files, or a pattern."""
    return not is_stream(path) and parquet_files(os.fsdecode(path)) is not None


def is_larger_than_memory(path: Any, format: str | None) -> bool:
    """Return whether the graph in a file does not fit the memory that is free, as far as its size tells.

    Formats that cannot be read in parts are read whole in any case.
    """
    if is_stream(path) or not os.path.isfile(path):
        return False
    size, free = os.path.getsize(path), available_memory()
    if size < free / 64:
        return False  # whatever the format, and without looking into the file
    source = InputFile(path)
    chosen = format_to_read(source, format)
    if chosen.name == "parquet" and source.is_plain:
        check_addresses_of_polars()
        import polars

        with reading_errors(source.path, "Parquet"):
            rows = polars.scan_parquet(path).select(polars.len()).collect().item()
        return rows * BYTES_OF_EDGE > free or rows * BYTES_OF_EDGE + LIBRARIES > free_addresses()
    if chosen.codec.holds.division is None:
        return False
    if not source.is_plain:
        return size * BYTES_OF_TEXT * EXPANSION > free
    needed = size * BYTES_OF_TEXT
    return needed > free or needed + size + LIBRARIES > free_addresses()
