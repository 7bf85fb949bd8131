"""DIMACS: ``p sp n m``, then ``a u v w`` per line (.gr); or ``p edge n m``, then ``e u v [w]`` (.col).

Source: 9th DIMACS Implementation Challenge (shortest paths) and 2nd one (cliques, colouring). Ids begin at 1.
Every arc is an edge of the graph: a file that lists both directions gives parallel edges. Edges have weights
if the first one has, and lines ``n id value`` are skipped.
"""

from __future__ import annotations

from functools import partial
from typing import BinaryIO

from boruvka.formats.edge_file import EdgeBatch, LineFile
from boruvka.formats.edge_table import EdgeTable, Options, weight_1
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines.edges import LineLayout, read_edge_lines
from boruvka.formats.text.lines.numbers import whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.lines.writing import write_edge_lines

_ARC = LineLayout("'a u v w'", letter="a", comments=b"c")
_EDGE = LineLayout("'e u v w'", letter="e", comments=b"cn")
_LAYOUTS = {b"sp": _ARC, b"edge": _EDGE, b"edges": _EDGE, b"col": _EDGE}


class _Dimacs(LineFile):
    """An open file, whose problem line has been read."""

    def __init__(self, source: InputFile, options: Options):
        self.text = Text.of(source)
        self._n, self._m, self._problem_line, self.offset, self._layout = _read_problem(self.text)
        start, line, _ = self.text.first_data_line(self._layout.comments, self.offset)
        if self._layout is _EDGE and len(line.split()) == 3:
            self._layout = _EDGE._replace(expected="'e u v'", fields=2, w=-1)
            if not options.unweighted:
                raise self.text.error(start, f"the edges have no weights{weight_1()}")
        if options.unweighted:
            self._layout = self._layout._replace(w=-1)

    def edges_in(self, text: Text, offset: int) -> EdgeBatch:
        """Read the arcs after an offset of a text."""
        arcs = read_edge_lines(text, offset, self._layout, n=self._n, one_based=True)
        if arcs.end < text.size:
            raise text.unexpected(arcs.end, self._layout.expected)
        m = self._m if self._layout.letter == "a" else None
        return EdgeBatch(arcs.u, arcs.v, arcs.w, n=self._n, m=m, first_id=1)

    def check_count(self, m: int) -> None:
        """Raise an error if the problem line announces another number of arcs.

        Some files of edges announce twice their number, one for each direction.
        """
        if m != self._m and not (self._layout.letter == "e" and 2 * m == self._m):
            kind = "arcs" if self._layout.letter == "a" else "edges"
            raise self.text.error(self._problem_line, f"announces {self._m} {kind}, but the file holds {m}")


def _read_problem(text: Text) -> tuple[int, int, int, int, LineLayout]:
    """Read the line ``p sp n m``: n, m, the offsets of this and the next line, and the layout of lines."""
    start, line, offset = text.first_data_line(b"c")
    match line.split():
        case [b"p", kind, vertices, arcs] if kind in _LAYOUTS:
            n, m = whole_number(vertices), whole_number(arcs)
            if n is not None and m is not None:
                return n, m, start, offset, _LAYOUTS[kind]
    raise text.unexpected(start, "'p sp n m' or 'p edge n m'")


def _write(table: EdgeTable, file: BinaryIO, *, kind: str, letter: str) -> None:
    file.write(f"p {kind} {table.n} {table.m}\n".encode())
    write_edge_lines(file, table, base=1, letter=letter)


_OPTIONS = frozenset({"unweighted"})
DIMACS = Codec(_Dimacs, partial(_write, kind="sp", letter="a"), _OPTIONS)
DIMACS_EDGE = Codec(_Dimacs, partial(_write, kind="edge", letter="e"), _OPTIONS)
