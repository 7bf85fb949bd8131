"""Files that are read in chunks: text whose lines hold an edge each, and npz."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.edge_file import FileChunk, errors_of_file
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.registry import format_to_read, open_file
from boruvka.runtime.progress import ignore, listening
from boruvka.stream.sources.lines import LEAST_BYTES
from boruvka.stream.sources.source import EdgeBatch, EdgeSource, checked_batch, state_of_files

__all__ = ["ChunkedFileSource"]

CHUNK_BYTES = 1 << 22
"""Bytes of a chunk."""


class ChunkedFileSource(EdgeSource):
    """A file in chunks of about equal size.

    Parameters
    ----------
    source : InputFile
        The file.
    options : Options
        How to read it.
    """

    def __init__(self, source: InputFile, options: Options):
        self.name, self._source = source.path, source
        self.size = os.path.getsize(source.path)
        self.chunks = max(1, self.size // CHUNK_BYTES)
        self.rows_at_once = 2 * CHUNK_BYTES // LEAST_BYTES
        self._format = format_to_read(source, options.format).name
        with self._reading():
            self._file = open_file(source, options)
            self.has_names, self.costs = self._file.has_names, self._file.costs
            if self.has_names:
                return
            first = self._file.chunk_edges(FileChunk(0, self.chunks))
        self.n, self.m, self.weight_type = first.n, first.m, np.asarray(first.w).dtype
        self.first_id = first.first_id or 0

    def read(self, chunk: int) -> Iterator[EdgeBatch]:
        """Read a chunk."""
        with self._reading():
            edges = self._file.chunk_edges(FileChunk(chunk, self.chunks))
        if edges.names is not None:
            raise FormatError(
                f"{self.name}: vertices have names, which this format does not give in parts; convert it "
                f"first, as by: boruvka convert {self.name} edges.parquet"
            )
        where = f"{self.name}, part {chunk + 1} of {self.chunks}"
        w, size = np.asarray(edges.w), self.size // self.chunks
        batch = checked_batch(where, edges.u, edges.v, w, self.n, size, self.first_id)
        yield batch._replace(row_counts=edges.row_counts)

    def identity(self) -> str:
        """Return name, size and time of the file."""
        return state_of_files([self.name])

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with listening(ignore), errors_of_file(self._source, self._format):
            yield
