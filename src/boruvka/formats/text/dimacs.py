"""DIMACS shortest path (``.gr``): ``p sp n m``, then an arc ``a u v w`` per line, ids from 1.

Source: 9th DIMACS Implementation Challenge, file formats. Every arc is an edge of the graph: a file
that lists both directions gives parallel edges.
"""

from __future__ import annotations

from typing import BinaryIO

from boruvka.formats.edge_file import EdgeBatch, LineFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines import (
    LineLayout,
    Text,
    read_edge_lines,
    whole_number,
    write_edge_lines,
)

__all__ = ["DIMACS"]

_ARC = LineLayout("'a u v w'", letter="a", comments=b"c")


class _Dimacs(LineFile):
    """An open file, whose problem line has been read."""

    def __init__(self, source: InputFile, options: Options):
        self.text = Text.of(source)
        self._n, self._m, self._problem_line, self.offset = _read_problem(self.text)

    def edges_in(self, text: Text, offset: int) -> EdgeBatch:
        """Read the arcs after an offset of a text."""
        arcs = read_edge_lines(text, offset, _ARC, n=self._n, one_based=True)
        if arcs.end < text.size:
            raise text.unexpected(arcs.end, _ARC.expected)
        return EdgeBatch(arcs.u, arcs.v, arcs.w, n=self._n, m=self._m, first_id=1)

    def check_count(self, m: int) -> None:
        """Raise an error if the problem line announces another number of arcs."""
        if m != self._m:
            raise self.text.error(self._problem_line, f"announces {self._m} arcs, but the file holds {m}")


def _read_problem(text: Text) -> tuple[int, int, int, int]:
    """Read the line ``p sp n m``: n and m, the offset of the line, and the offset of the next line."""
    start, line, offset = text.first_data_line(b"c")
    match line.split():
        case [b"p", b"sp", vertices, arcs]:
            n, m = whole_number(vertices), whole_number(arcs)
            if n is not None and m is not None:
                return n, m, start, offset
    raise text.unexpected(start, "'p sp n m'")


def _write(table: EdgeTable, file: BinaryIO) -> None:
    file.write(f"p sp {table.n} {table.m}\n".encode())
    write_edge_lines(file, table, base=1, letter="a")


DIMACS = Codec(_Dimacs, _write)
