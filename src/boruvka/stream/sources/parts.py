"""Files that are read in parts: text whose lines hold an edge each, and npz."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.format import FilePartition
from boruvka.formats.reading import read_part
from boruvka.runtime.processors import free_addresses
from boruvka.stream.sources.source import EdgeBatch, EdgeSource, checked_batch, state_of_files

__all__ = ["PartsSource"]

PART_BYTES = 1 << 22
"""Bytes of a part."""
LEAST_BYTES = 6
"""Bytes of the shortest line of an edge."""


class PartsSource(EdgeSource):
    """A file in parts of about equal size.

    Parameters
    ----------
    path : str
        The file.
    options : dict
        Keyword arguments of `boruvka.read`.
    """

    def __init__(self, path: str, options: dict[str, Any]):
        self.name, self._options = path, options
        self.size = os.path.getsize(path)
        self.chunks = max(1, self.size // PART_BYTES)
        self.rows_at_once = 2 * PART_BYTES // LEAST_BYTES
        first = read_part(path, FilePartition(0, self.chunks), **options)
        self.n, self.m, self.weight_type = first.n, first.m, np.asarray(first.w).dtype
        self.first_id = first.first_id or 0

    @property
    def readers(self) -> int:
        """The most parts to be read at once: each reader maps the file into memory."""
        return max(1, min(self.chunks, free_addresses() // (2 * max(self.size, 1))))

    def read(self, chunk: int) -> Iterator[EdgeBatch]:
        """Read a part."""
        part = read_part(self.name, FilePartition(chunk, self.chunks), **self._options)
        if part.names is not None:
            raise FormatError(
                f"{self.name}: vertices have names, which this format does not give in parts; convert it "
                f"first, as by: boruvka convert {self.name} edges.parquet"
            )
        where = f"{self.name}, part {chunk + 1} of {self.chunks}"
        w, size = np.asarray(part.w), self.size // self.chunks
        yield checked_batch(where, part.u, part.v, w, self.n, size, self.first_id)

    def identity(self) -> str:
        """Return name, size and time of the file."""
        return state_of_files([self.name])
