"""DIMACS shortest path (``.gr``): ``p sp n m``, then an arc ``a u v w`` per line, ids from 1.

Source: 9th DIMACS Implementation Challenge, file formats. Every arc is an edge of the graph: a file
that lists both directions gives parallel edges.
"""

from __future__ import annotations

from typing import BinaryIO

from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, EdgeTable, EdgeTablePart, FilePartition, Options
from boruvka.formats.text.lines import (
    LineLayout,
    ParsedEdges,
    Text,
    read_edge_lines,
    whole_number,
    write_edge_lines,
)
from boruvka.graph.graph import Graph

__all__ = ["DIMACS"]

_ARC = LineLayout("'a u v w'", letter="a", comments=b"c")


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    n, m, problem_line, offset = _read_problem(text)
    arcs = _read_arcs(text, offset, n)
    if arcs.w.size != m:
        raise text.error(problem_line, f"announces {m} arcs, but the file holds {arcs.w.size}")
    return Graph(n, arcs.u, arcs.v, arcs.w).with_first_id(1)


def _read_part(source: InputFile, options: Options, part: FilePartition) -> EdgeTablePart:
    text = Text.of(source)
    n, m, _, offset = _read_problem(text)
    arcs = _read_arcs(*text.cut(offset, part.index, part.count), n)
    return EdgeTablePart(arcs.u, arcs.v, arcs.w, n, m, first_id=1)


def _end_of_first_edge(source: InputFile, options: Options) -> int:
    text = Text.of(source)
    return text.first_data_line(_ARC.comments, _read_problem(text)[-1])[2]


def _read_problem(text: Text) -> tuple[int, int, int, int]:
    """Read the line ``p sp n m``: n and m, the offset of the line, and the offset of the next line."""
    start, line, offset = text.first_data_line(b"c")
    match line.split():
        case [b"p", b"sp", vertices, arcs]:
            n, m = whole_number(vertices), whole_number(arcs)
            if n is not None and m is not None:
                return n, m, start, offset
    raise text.unexpected(start, "'p sp n m'")


def _read_arcs(text: Text, offset: int, n: int) -> ParsedEdges:
    arcs = read_edge_lines(text, offset, _ARC, n=n, one_based=True)
    if arcs.end < text.size:
        raise text.unexpected(arcs.end, _ARC.expected)
    return arcs


def _write(table: EdgeTable, file: BinaryIO) -> None:
    file.write(f"p sp {table.n} {table.m}\n".encode())
    write_edge_lines(file, table, base=1, letter="a")


def _recognises(source: InputFile) -> bool:
    _, line, _ = Text.of(source).first_data_line(b"c")
    return line.split()[:1] == [b"p"]


DIMACS = Codec(
    read=_read,
    write=_write,
    read_part=_read_part,
    end_of_first_edge=_end_of_first_edge,
    recognises=_recognises,
)
