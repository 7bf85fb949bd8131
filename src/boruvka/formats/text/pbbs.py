"""PBBS weighted edge array: the word ``WeightedEdgeArray``, then ``u v w`` per line, ids from 0.

Source: G. Blelloch, D. Anderson, L. Dhulipala, The Problem-Based Benchmark Suite (PBBS) V2, PPoPP 2022.
A file does not state the number of vertices: it is one more than the largest id, unless ``n`` is given. So
a graph is written only if its last vertex has an edge.
"""

from __future__ import annotations

from typing import BinaryIO

from boruvka.formats.files import Source
from boruvka.formats.format import Codec, EdgeTable, Options
from boruvka.formats.text.lines import LineLayout, Text, read_edge_lines, write_edge_lines
from boruvka.graph.graph import Graph

__all__ = ["PBBS"]

_HEADER = b"WeightedEdgeArray"


def _read(source: Source, options: Options) -> Graph:
    text = Text.of(source)
    start, line, offset = text.first_data_line(b"")
    if line != _HEADER:
        raise text.unexpected(start, f"'{_HEADER.decode()}'")
    edges = read_edge_lines(text, offset, LineLayout("'u v w'"), n=options.n, one_based=False)
    return Graph.from_edges(edges.u, edges.v, edges.w, options.n)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    file.write(_HEADER + b"\n")
    write_edge_lines(file, table, base=0)


PBBS = Codec(
    read=_read,
    write=_write,
    options=frozenset({"n"}),
    states_n=False,
)
