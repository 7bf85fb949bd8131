"""PBBS weighted edge array: the word ``WeightedEdgeArray``, then ``u v w`` per line, ids from 0.

Source: G. Blelloch, D. Anderson, L. Dhulipala, The Problem-Based Benchmark Suite (PBBS) V2, PPoPP 2022.
The number of vertices is not stated: it is one more than the largest id unless ``n`` is given. So a graph
is written only if its last vertex has an edge.
"""

from __future__ import annotations

from typing import BinaryIO

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.lines import Line, read_entries
from boruvka.formats.text.output import write_lines
from boruvka.graph.graph import Graph

__all__ = ["PBBS"]

_HEADER = b"WeightedEdgeArray"


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    start, first, at = next(text.data_lines(b""), (text.size, b"", text.size))
    if first != _HEADER:
        raise text.unexpected(start, f"'{_HEADER.decode()}'")
    entries = read_entries(text, at, Line("'u v w'"), n=options.n, one_based=False)
    return Graph.from_edges(entries.u, entries.v, entries.w, options.n)


def _write(content: Content, file: BinaryIO) -> None:
    file.write(_HEADER + b"\n")
    write_lines(file, content, base=0)


PBBS = Format(
    name="pbbs",
    endings=(),
    description="PBBS weighted edge array: a header, then u v w, ids from 0",
    read=_read,
    write=_write,
    options=frozenset({"n"}),
    states_n=False,
)
