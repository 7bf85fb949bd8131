"""Counted edge list: ``n m`` on one line, or n and m on two, then ``u v w`` per line, ids from 1.

Usual in course work and programming contests. m may be missing if n has a line of its own; the
number of edges is then not checked. Ids begin at 1 unless ``one_based=False``.
"""

from __future__ import annotations

from typing import BinaryIO

from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.text.lines import LineLayout, Text, read_edge_lines, whole_number, write_edge_lines
from boruvka.graph.graph import Graph
from boruvka.runtime.argument_names import hint

__all__ = ["COUNTED"]

_COMMENTS = b"#%"


def _read(source: Source, options: Options) -> Graph:
    text = Text.of(source)
    one_based = options.one_based is not False
    n, m, count_line, offset = _read_counts(text)
    fields = len(text.first_data_line(_COMMENTS, offset)[1].split())
    if options.unweighted and fields == 2:
        layout = LineLayout("'u v'", fields=2, w=-1, comments=_COMMENTS)
    elif options.unweighted:
        layout = LineLayout("'u v w'", w=-1, comments=_COMMENTS)
    else:
        layout = LineLayout("'u v w'", comments=_COMMENTS)
    passed = hint(" (if ids begin at 0, pass {one_based})", one_based=False) if one_based else ""
    edges = read_edge_lines(text, offset, layout, n=n, one_based=one_based, hint=passed)
    if m is not None and edges.w.size != m:
        raise text.error(count_line, f"announces {m} edges, but the file holds {edges.w.size}")
    return Graph(n, edges.u, edges.v, edges.w)


def _read_counts(text: Text) -> tuple[int, int | None, int, int]:
    """Return n, m, the offset of the line of m, and the offset of the next line."""
    start, line, offset = text.first_data_line(_COMMENTS)
    match [whole_number(token) for token in line.split()]:
        case [int(n), int(m)]:
            return n, m, start, offset
        case [int(n)]:
            second_start, second, second_offset = text.first_data_line(_COMMENTS, offset)
            edges = whole_number(second)
            return (n, None, start, offset) if edges is None else (n, edges, second_start, second_offset)
    raise text.unexpected(start, "'n m'")


def _write(table: EdgeTable, file: BinaryIO) -> None:
    file.write(f"{table.n} {table.m}\n".encode())
    write_edge_lines(file, table, base=1)


COUNTED = Codec(
    read=_read,
    write=_write,
    options=frozenset({"one_based", "unweighted"}),
)
