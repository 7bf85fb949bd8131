"""Source of edges for text that must be read sequentially, one edge per line.

That is compressed text, text from a pipe, and text with names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from boruvka.errors import GraphError, GraphTypeError
from boruvka.formats.files import InputFile, file_name, is_stream
from boruvka.formats.format import EdgeTablePart, FilePartition, Format, NamedEdges, Options
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

PIECE_BYTES = 1 << 21
"""Bytes of text that are read at once."""
LEAST_BYTES = 6
"""Bytes of the shortest line of an edge."""
LEAST_BYTES_WITH_NAMES = 16
"""The same where ends are names, which are hardly ever shorter."""
PIECES_WITH_NAMES = 5
"""Memory of the columns of names of a piece, with the pieces that are read ahead, in multiples of a piece."""
WHOLE = FilePartition(0, 1)


class LinesSource(EdgeSource):
    """Lines of a file that must be read sequentially.

    The head of the file, up to its first edge, determines the layout of the lines. It is prepended to every
    later piece, and its edge is then removed from the result.

    Parameters
    ----------
    file : path-like or binary file
        The file.
    format : Format
        Its format, whose lines hold an edge each.
    options : Options
        How to read it.
    """

    rows_at_once = PIECE_BYTES // LEAST_BYTES
    is_sequential = True

    def __init__(self, file: Any, format: Format, options: Options):
        self.name, self._codec, self._options = file_name(file), format.codec, options
        self.size = 0 if is_stream(file) else os.path.getsize(self.name)
        self._is_file = not is_stream(file)
        self._source, self._passed_bytes = InputFile(file), 0
        self._ahead = ReadAhead(_whole_lines(self._source))
        self._text, self._bytes_read = self._pieces(), 0
        try:
            self._first, head = self._up_to_first_edge()
        except BaseException:
            self.close()
            raise
        self.weight_type = head.w.dtype
        if isinstance(head, NamedEdges):
            self.has_names, self.may_be_integers = True, head.may_be_integers
            self.rows_at_once = PIECE_BYTES // LEAST_BYTES_WITH_NAMES
            self.bytes_at_once = PIECE_BYTES * PIECES_WITH_NAMES
        else:
            self.n, self.m, self.first_id = head.n, head.m, head.first_id or 0

    def identity(self) -> str | None:
        """Return name, size and time of the file."""
        if not self._is_file:
            return None
        return state_of_files([self.name])

    def read(self, chunk: int) -> Iterator[EdgeBatch | NamedEdgeBatch]:
        """Read all edges."""
        first, self._first = self._first, b""
        yield self._rows(self._parse(first, 0), 0)
        lines, in_head = first.count(b"\n"), self._head.count(b"\n")
        del first
        for piece in self._text:
            yield self._rows(self._parse(self._head + piece, lines - in_head), 1)
            lines += piece.count(b"\n")

    def close(self) -> None:
        """Stop reading and decompressing."""
        self._ahead.close()

    def _up_to_first_edge(self) -> tuple[bytes, EdgeTablePart | NamedEdges]:
        """Read pieces until there is an edge, and keep the head of the file; return both."""
        find_end = self._codec.end_of_first_edge
        assert find_end is not None
        self._head, first = b"", b""
        for piece in self._text:
            first += piece
            self._head = first[: find_end(InputFile.of_piece(self.name, first, 0), self._options)]
            head = self._parse(self._head, 0)
            if head.w.size:
                break
        return first, head

    def _pieces(self) -> Iterator[bytes]:
        """Return the pieces of text; remember how much of the file they end at."""
        for piece, bytes_read in self._ahead:
            self._bytes_read = bytes_read
            yield piece

    def _rows(self, part: EdgeTablePart | NamedEdges, skipped: int) -> EdgeBatch | NamedEdgeBatch:
        rows: EdgeBatch | NamedEdgeBatch
        size, self._passed_bytes = self._bytes_read - self._passed_bytes, self._bytes_read
        if isinstance(part, NamedEdges):
            rows = named_batch(self.name, part.u, part.v, part.w, size)
        else:
            rows = checked_batch(self.name, part.u, part.v, part.w, self.n, size)
        return rows.after(skipped)

    def _parse(self, text: bytes, lines_before: int) -> EdgeTablePart | NamedEdges:
        source = InputFile.of_piece(self.name, text, lines_before)
        try:
            if self._codec.read_piece is not None:
                return self._codec.read_piece(source, self._options)
            assert self._codec.read_part is not None
            return self._codec.read_part(source, self._options, WHOLE)
        except (GraphError, GraphTypeError) as error:
            raise source.error(str(error)) from None


def _whole_lines(source: InputFile) -> Iterator[tuple[bytes, int]]:
    """Join pieces of text, and cut them where lines end; return how much of the file is read, too.

    The last line gets its end.
    """
    waiting: list[bytes] = []
    size = 0
    for piece in source.pieces():
        waiting.append(piece)
        size += len(piece)
        if size >= PIECE_BYTES and b"\n" in piece:
            text = b"".join(waiting)
            end = text.rindex(b"\n") + 1
            yield text[:end], source.bytes_read
            waiting, size = [text[end:]], len(text) - end
    text = b"".join(waiting)
    yield text if not text or text.endswith(b"\n") else text + b"\n", source.bytes_read
