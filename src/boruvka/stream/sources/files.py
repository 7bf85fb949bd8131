"""Files in chunks, several of which are read at once, and text that must be read sequentially."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.edge_file import DivisibleFile, EdgeBatch, EdgeFile, FileChunk, LineFile, NamedEdgeBatch
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile, file_name, is_stream
from boruvka.formats.format import Format, errors_of_file
from boruvka.formats.registry import choose_format, format_to_read
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.networkx_edges import check_not_streamed
from boruvka.runtime.progress import ignore, listening
from boruvka.stream.sources.source import EdgeSource, ReadAhead, checked_batch, state_of_files

CHUNK_BYTES = 1 << 22
"""Bytes of a chunk of a file that is read in chunks."""
BATCH_BYTES = 1 << 21
"""Bytes of text that are read at once where lines are read sequentially, or where vertices have names."""
MAPPED_AT_ONCE = 1 << 21
"""Bytes of a file that a system maps at most where one of them is read: a folio of Linux."""
LEAST_BYTES = 6
"""Bytes of the shortest line of an edge."""
LEAST_BYTES_WITH_NAMES = 16
"""Bytes of a short line of an edge whose ends are names; shorter lines are rare."""
BATCHES_WITH_NAMES = 5
"""Memory for a batch with names and the batches that are read ahead, as a multiple of a batch."""
BATCHES_WITH_MARKS = 20
"""Memory for the texts of numbers with decimal commas, as a multiple of a batch."""


class FileSource(EdgeSource):
    """An open file.

    Parameters
    ----------
    file : path-like or binary file
        The file.
    format : Format
        Its format.
    """

    def __init__(self, file: Any, format: Format):
        self.name, self._format, self._is_file = file_name(file), format, not is_stream(file)
        self.size = os.path.getsize(self.name) if self._is_file else 0

    def identity(self) -> str | None:
        """Return name, size and time of the file."""
        return state_of_files([self.name]) if self._is_file else None

    def _take_head(self, file: EdgeFile, first: EdgeBatch | NamedEdgeBatch) -> None:
        """Take what the open file and its first edges say about all edges."""
        self.has_names, self.costs, self.weight_column = file.has_names, file.costs, file.weight_column
        self.may_be_integers, self.column_names = file.may_be_integers, file.column_names
        self.weight_type = np.asarray(first.w).dtype
        self.bytes_at_once = BATCH_BYTES * BATCHES_WITH_MARKS if file.marked_number else 0
        if isinstance(first, EdgeBatch):
            self.n, self.m, self.first_id = first.n, first.m, first.first_id or 0
            self.ids_are_stated = not (first.n is None and first.first_id is None)
        else:
            self.rows_at_once = BATCH_BYTES // LEAST_BYTES_WITH_NAMES
            self.bytes_at_once += BATCH_BYTES * BATCHES_WITH_NAMES


class ChunkedFileSource(FileSource):
    """A file in chunks of about equal size: text whose lines hold an edge each, also with names, or npz.

    Parameters
    ----------
    source : InputFile
        The file.
    options : Options
        How to read it.
    """

    def __init__(self, source: InputFile, options: Options):
        super().__init__(source.path, format_to_read(source, options.format, options))
        self._source = source
        with errors_of_file(source, self._format):
            if self._format.codec.has_edge_lines:
                check_not_streamed(source)
            self._file = cast(DivisibleFile, self._format.codec.open(source, options))
        self.chunks = max(1, self.size // (BATCH_BYTES if self._file.has_names else CHUNK_BYTES))
        self.rows_at_once = 2 * CHUNK_BYTES // LEAST_BYTES
        self._take_head(self._file, self._edges(0))
        if self._file.marked_number:
            self.chunks = max(1, self.size // BATCH_BYTES)

    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read a chunk."""
        edges = self._edges(chunk)
        self._release(chunk)
        if isinstance(edges, EdgeBatch) and edges.names is not None:
            raise FormatError(
                f"{self.name}: vertices have names, and this format has none in its chunks; convert it "
                f"first, as by: boruvka convert {self.name} edges.parquet"
            )
        where = f"{self.name}, chunk {chunk + 1} of {self.chunks}"
        yield checked_batch(where, edges, self.n, self.size // self.chunks)

    def _release(self, chunk: int) -> None:
        """Unload the mapped pages of a chunk, and those beside it that the system mapped with them.

        They count as memory of this process.
        """
        content = self._source.content
        if isinstance(content, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            begin, end = (self.size * k // self.chunks for k in (chunk, chunk + 1))
            begin = max(begin - MAPPED_AT_ONCE, 0) // mmap.PAGESIZE * mmap.PAGESIZE
            content.madvise(mmap.MADV_DONTNEED, begin, min(end + MAPPED_AT_ONCE, self.size) - begin)

    def _edges(self, chunk: int) -> EdgeBatch | NamedEdgeBatch:
        with listening(ignore), errors_of_file(self._source, self._format):
            return self._file.edges(FileChunk(chunk, self.chunks, is_streamed=True))


class LinesSource(FileSource):
    """Lines of a file that must be read sequentially: compressed text, or a pipe.

    The first batches of text, up to the first edge, determine the layout of all lines.

    Parameters
    ----------
    file : path-like or binary file
        The file.
    options : Options
        How to read it.
    format : Format
        Its format, whose lines hold an edge each.
    """

    rows_at_once = BATCH_BYTES // LEAST_BYTES
    is_sequential = True

    def __init__(self, file: Any, options: Options, format: Format):
        super().__init__(file, format)
        self._options = options
        self._ahead = ReadAhead(_whole_lines(InputFile(file)))
        self._texts = iter(self._ahead)
        self._passed_bytes = self._lines = 0
        try:
            self._file, self._first, self._bytes_read = self._up_to_first_edge()
        except BaseException:
            self.close()
            raise
        self._take_head(self._file, self._first)

    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read all edges."""
        yield self._checked(self._first, self._bytes_read)
        del self._first
        for text, bytes_read, _ in self._texts:
            source = InputFile.of_bytes(self.name, text, self._lines)
            with errors_of_file(source, self._format):
                edges = self._file.edges_in(Text(self.name, text, self._lines), 0)
            yield self._checked(edges, bytes_read)
            self._lines += text.count(b"\n")

    def close(self) -> None:
        """Stop reading and decompressing."""
        self._ahead.close()

    def _up_to_first_edge(self) -> tuple[LineFile, EdgeBatch | NamedEdgeBatch, int]:
        """Read text until there is an edge; return the open file, the edges, and the bytes that are read."""
        head, bytes_read, is_whole = b"", 0, False
        while True:
            text, bytes_read, is_whole = next(self._texts, (b"", bytes_read, is_whole))
            head += text
            source = InputFile.of_bytes(self.name, head, 0)
            with errors_of_file(source, self._format):
                # A text that is not whole may begin like another format, with three rows for example.
                options = self._options if is_whole else self._options._replace(format=self._format.name)
                chosen = choose_format(source, options)
                file = chosen.codec.open(source, options)
                if not isinstance(file, LineFile):
                    raise not_in_chunks(self.name, chosen)
                edges = file.edges()
            if edges.w.size or not text:
                self._lines = head.count(b"\n")
                return file, edges, bytes_read

    def _checked(self, edges: EdgeBatch | NamedEdgeBatch, bytes_read: int) -> EdgeBatch | NamedEdgeBatch:
        size, self._passed_bytes = bytes_read - self._passed_bytes, bytes_read
        return checked_batch(self.name, edges, self.n, size)


def not_in_chunks(path: str, format: Format) -> FormatError:
    """Make the error about a file whose format cannot be streamed."""
    return FormatError(
        f"{path}: the format {format.name!r} cannot be read in chunks; convert it first, as by: "
        f"boruvka convert {path} edges.parquet, with --columns and --keep; its columns are u, v and w"
    )


def _whole_lines(source: InputFile) -> Iterator[tuple[bytes, int, bool]]:
    """Join bytes of text, and cut them where lines end.

    Returns
    -------
    iterator of (bytes, int, bool)
        The text, how much of the file is read, and whether the text is all of it. The last line gets its end.
    """
    waiting, is_first = bytearray(), True
    for text in source.decompressed():
        waiting += text
        if len(waiting) >= BATCH_BYTES and b"\n" in text:
            end = waiting.rindex(b"\n") + 1
            yield bytes(waiting[:end]), source.bytes_read, False
            del waiting[:end]
            is_first = False
    if waiting and not waiting.endswith(b"\n"):
        waiting += b"\n"
    yield bytes(waiting), source.bytes_read, is_first
