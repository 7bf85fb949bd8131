"""DIMACS shortest path (``.gr``): ``p sp n m``, then an arc ``a u v w`` per line, ids from 1.

Source: 9th DIMACS Implementation Challenge, file formats. Every arc is an edge of the graph: a file
that lists both directions gives parallel edges.
"""

from __future__ import annotations

from typing import BinaryIO

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options, Part, Piece
from boruvka.formats.text.lines import Entries, Line, Text, read_entries, whole_number
from boruvka.formats.text.output import write_lines
from boruvka.graph.graph import Graph

__all__ = ["DIMACS"]

_ARC = Line("'a u v w'", letter="a", comments=b"c")
_PROBLEM = "'p sp n m'"


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    n, m, start, at = _problem(text)
    entries = _arcs(text, at, n)
    if entries.w.size != m:
        raise text.error(start, f"announces {m} arcs, but the file holds {entries.w.size}")
    return Graph(n, entries.u, entries.v, entries.w)


def _read_part(source: Source, options: Options, part: Part) -> Piece:
    n, m, _, at = _problem(source.text)
    entries = _arcs(*source.text.cut(at, *part), n)
    return Piece(entries.u, entries.v, entries.w, n, m)


def _problem(text: Text) -> tuple[int, int, int, int]:
    """Read n and m, the offset of their line, and the offset behind."""
    start, problem, at = next(text.data_lines(b"c"), (text.size, b"", text.size))
    match problem.split():
        case [b"p", b"sp", vertices, arcs]:
            n, m = whole_number(vertices), whole_number(arcs)
        case _:
            n = m = None
    if n is None or m is None:
        raise text.unexpected(start, _PROBLEM)
    return n, m, start, at


def _arcs(text: Text, at: int, n: int) -> Entries:
    entries = read_entries(text, at, _ARC, n=n, one_based=True)
    if entries.end < text.size:
        raise text.unexpected(entries.end, _ARC.shown)
    return entries


def _write(content: Content, file: BinaryIO) -> None:
    file.write(f"p sp {content.n} {content.m}\n".encode())
    write_lines(file, content, base=1, letter="a")


def _recognises(source: Source) -> bool:
    _, first, _ = next(source.text.data_lines(b"c"), (0, b"", 0))
    return first.split()[:1] == [b"p"]


DIMACS = Format(
    name="dimacs",
    endings=(".gr",),
    description="DIMACS shortest path: p sp n m, then a u v w",
    read=_read,
    write=_write,
    read_part=_read_part,
    recognises=_recognises,
)
