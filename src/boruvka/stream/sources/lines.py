"""Source of edges for text that must be read sequentially, one edge per line.

That is compressed text, text from a pipe, and text with names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from boruvka.formats.edge_file import LineFile, NamedEdges, NumberedEdges, errors_of_file
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile, file_name, is_stream
from boruvka.formats.registry import open_file
from boruvka.formats.text.lines import Text
from boruvka.stream.sources.read_ahead import ReadAhead
from boruvka.stream.sources.source import (
    EdgeBatch,
    EdgeSource,
    NamedEdgeBatch,
    checked_batch,
    named_batch,
    state_of_files,
)

__all__ = ["LinesSource"]

BATCH_BYTES = 1 << 21
"""Bytes of text that are read at once."""
LEAST_BYTES = 6
"""Bytes of the shortest line of an edge."""
LEAST_BYTES_WITH_NAMES = 16
"""Bytes of a short line of an edge whose ends are names; shorter lines are rare."""
BATCHES_WITH_NAMES = 5
"""Memory for a batch with names and the batches that are read ahead, as a multiple of a batch."""


class LinesSource(EdgeSource):
    """Lines of a file that must be read sequentially.

    The first batches of text, up to the first edge, determine the layout of all lines.

    Parameters
    ----------
    file : path-like or binary file
        The file.
    options : Options
        How to read it.
    format : str
        The name of its format, whose lines hold an edge each.
    """

    rows_at_once = BATCH_BYTES // LEAST_BYTES
    is_sequential = True

    def __init__(self, file: Any, options: Options, format: str):
        self.name, self._options, self._format = file_name(file), options, format
        self.size = 0 if is_stream(file) else os.path.getsize(self.name)
        self._is_file = not is_stream(file)
        self._passed_bytes = self._lines = 0
        self._ahead = ReadAhead(_whole_lines(InputFile(file)))
        self._text, self._bytes_read, self._is_whole = self._texts(), 0, False
        try:
            self._file, first = self._up_to_first_edge()
        except BaseException:
            self.close()
            raise
        self._first: NumberedEdges | NamedEdges | None = first
        self.weight_type, self.costs = first.w.dtype, self._file.costs
        if isinstance(first, NamedEdges):
            self.has_names, self.may_be_integers = True, self._file.may_be_integers
            self.rows_at_once = BATCH_BYTES // LEAST_BYTES_WITH_NAMES
            self.bytes_at_once = BATCH_BYTES * BATCHES_WITH_NAMES
        else:
            self.n, self.m, self.first_id = first.n, first.m, first.first_id or 0

    def identity(self) -> str | None:
        """Return name, size and time of the file."""
        if not self._is_file:
            return None
        return state_of_files([self.name])

    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read all edges."""
        first, self._first = self._first, None
        assert first is not None
        yield self._batch(first)
        del first
        for text in self._text:
            source = InputFile.of_bytes(self.name, text, self._lines)
            with errors_of_file(source, self._format):
                edges = self._file.edges_in(Text(self.name, text, self._lines), 0)
            yield self._batch(edges)
            self._lines += text.count(b"\n")

    def close(self) -> None:
        """Stop reading and decompressing."""
        self._ahead.close()

    def _up_to_first_edge(self) -> tuple[LineFile, NumberedEdges | NamedEdges]:
        """Read batches of text until there is an edge; return the open file, and their edges."""
        head = b""
        while True:
            head += (text := next(self._text, b""))
            source = InputFile.of_bytes(self.name, head, 0)
            with errors_of_file(source, self._format):
                # A text that is not whole may begin like another format, with three rows for example.
                options = self._options if self._is_whole else self._options._replace(format=self._format)
                file = open_file(source, options)
                assert isinstance(file, LineFile)
                edges = file.edges()
            if edges.w.size or not text:
                self._lines = head.count(b"\n")
                return file, edges

    def _texts(self) -> Iterator[bytes]:
        """Return batches of text; remember how much of the file they end at."""
        for text, bytes_read, is_whole in self._ahead:
            self._bytes_read, self._is_whole = bytes_read, is_whole
            yield text

    def _batch(self, edges: NumberedEdges | NamedEdges) -> EdgeBatch | NamedEdgeBatch:
        size, self._passed_bytes = self._bytes_read - self._passed_bytes, self._bytes_read
        if isinstance(edges, NamedEdges):
            named = named_batch(self.name, edges.u, edges.v, edges.w, size)
            return named._replace(row_counts=edges.row_counts)
        numbered = checked_batch(self.name, edges.u, edges.v, edges.w, self.n, size)
        return numbered._replace(row_counts=edges.row_counts)


def _whole_lines(source: InputFile) -> Iterator[tuple[bytes, int, bool]]:
    """Join bytes of text, and cut them where lines end.

    Returns
    -------
    iterator of (bytes, int, bool)
        The text, how much of the file is read, and whether the text is all of it. The last line gets its end.
    """
    is_first = True
    waiting: list[bytes] = []
    size = 0
    for text in source.decompressed():
        waiting.append(text)
        size += len(text)
        if size >= BATCH_BYTES and b"\n" in text:
            text = b"".join(waiting)
            end = text.rindex(b"\n") + 1
            yield text[:end], source.bytes_read, False
            is_first = False
            waiting, size = [text[end:]], len(text) - end
    text = b"".join(waiting)
    yield text if not text or text.endswith(b"\n") else text + b"\n", source.bytes_read, is_first
