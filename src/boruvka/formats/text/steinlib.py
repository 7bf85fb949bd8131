"""SteinLib and PACE (``.stp``, ``.gr``): ``SECTION Graph``, ``Nodes n``, ``Edges m``, then ``E u v w``.

Source: T. Koch, A. Martin, S. Voss, "SteinLib: an updated library on Steiner tree problems in graphs"
(2000), and PACE 2018. Ids begin at 1. ``SECTION Terminals`` with lines ``T v`` gives the terminals; other
sections (coordinates) are skipped.
"""

from __future__ import annotations

import itertools
import re
from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines import LineLayout, Text, read_edge_lines, whole_number, write_edge_lines
from boruvka.graph.graph import Graph

__all__ = ["STEINLIB"]

_MAGIC = "33D32945 STP File, STP Format Version 1.0"
_SECTION = re.compile(rb"\s*section\s+graph\s*", re.IGNORECASE)
_TERMINALS = re.compile(rb"\s*section\s+terminals\s*", re.IGNORECASE)
_LAYOUTS = {
    b"edges": LineLayout("'E u v w'", letter="e", comments=b"#"),
    b"arcs": LineLayout("'A u v w'", letter="a", comments=b"#"),
}


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    begin = offset = _find_section(text)
    n, offset, _, _ = _read_count(text, offset, b"nodes")
    m, offset, key, count_line = _read_count(text, offset, *_LAYOUTS)
    layout = _LAYOUTS[key]
    edges = read_edge_lines(text, offset, layout, n=n, one_based=True)
    last, _ = text.line(edges.end)
    if last.lower() != b"end":
        raise text.unexpected(edges.end, f"{layout.expected} or 'END'")
    if edges.w.size != m:
        raise text.error(count_line, f"announces {m} {key.decode()}, but the section holds {edges.w.size}")
    graph = Graph(n, edges.u, edges.v, edges.w)
    return graph.annotated(first_id=1, terminals=_read_terminals(text, begin, edges.end, n))


def _find_section(text: Text) -> int:
    """Return the offset after the line ``SECTION Graph``."""
    for _, line, next_offset in text.lines():
        if _SECTION.fullmatch(line):
            return next_offset
    raise text.unexpected(text.size, "'SECTION Graph'")


def _read_terminals(text: Text, graph: int, offset: int, n: int) -> NDArray[np.int64] | None:
    """Read ``SECTION Terminals``, before the section of the graph or after it.

    Returns
    -------
    array of int64, or None
        The terminals, from 0; None if the file has no such section, or if its terminals have prizes, so that
        not all of them need to be connected.
    """
    before = itertools.takewhile(lambda line: line[0] < graph, text.lines())
    lines = itertools.chain(before, text.lines(offset))
    if not any(_TERMINALS.fullmatch(line) for _, line, _ in lines):
        return None
    announced, announcement, found = -1, 0, []
    for start, line, _ in lines:
        match line.lower().split():
            case [b"end"]:
                break
            case [b"terminals", count]:
                announced, announcement = whole_number(count) or 0, start
            case [b"t", vertex]:
                found.append(whole_number(vertex) or 0)
                if not 1 <= found[-1] <= n:
                    raise text.unexpected(start, f"'T v' with v from 1 to {n}")
            case [b"tp", *_]:
                return None
            case [b"t", *_]:
                raise text.unexpected(start, "'T v'")
    if announced not in (-1, len(found)):
        raise text.error(announcement, f"announces {announced} terminals, but the section holds {len(found)}")
    return np.array(found, np.int64) - 1


def _read_count(text: Text, offset: int, *keys: bytes) -> tuple[int, int, bytes, int]:
    """Read a key and a count; return the count, the next line's offset, the key, and the line's offset."""
    start, line, next_offset = text.first_data_line(b"#", offset)
    match line.lower().split():
        case [key, number] if key in keys and (count := whole_number(number)) is not None:
            return count, next_offset, key, start
    raise text.unexpected(start, " or ".join(f"'{key.decode().capitalize()} <number>'" for key in keys))


def _write(table: EdgeTable, file: BinaryIO) -> None:
    file.write(f"{_MAGIC}\n\nSECTION Graph\nNodes {table.n}\nEdges {table.m}\n".encode())
    write_edge_lines(file, table, base=1, letter="E")
    file.write(b"END\n\n")
    if table.graph is not None and (terminals := table.graph.annotations.terminals) is not None:
        file.write(f"SECTION Terminals\nTerminals {terminals.size}\n".encode())
        file.writelines(b"T %d\n" % vertex for vertex in (terminals + 1).tolist())
        file.write(b"END\n\n")
    file.write(b"EOF\n")


STEINLIB = Codec(partial(WholeFile, _read), _write)
