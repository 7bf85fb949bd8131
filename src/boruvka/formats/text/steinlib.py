"""SteinLib and PACE (``.stp``, ``.gr``): ``SECTION Graph``, ``Nodes n``, ``Edges m``, then ``E u v w``.

Source: T. Koch, A. Martin, S. Voss, "SteinLib: an updated library on Steiner tree problems in graphs"
(2000), and PACE 2018. Ids begin at 1. ``SECTION Terminals`` with lines ``T v`` gives the terminals, or with
``TP v p`` prizes, with a line ``RootP v`` for the root, if there is one; other sections (coordinates) are
skipped.
"""

from __future__ import annotations

import itertools
import re
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO

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
_EXPECTED = {b"t": "'T v'", b"tp": "'TP v p'", b"rootp": "'RootP v'"}
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
    terminals, prizes = _read_terminals(text, begin, edges.end, n)
    return Graph(n, edges.u, edges.v, edges.w).annotated(first_id=1, terminals=terminals, prizes=prizes)


def _find_section(text: Text) -> int:
    """Return the offset after the line ``SECTION Graph``."""
    for _, line, next_offset in text.lines():
        if _SECTION.fullmatch(line):
            return next_offset
    raise text.unexpected(text.size, "'SECTION Graph'")


def _read_terminals(
    text: Text, graph: int, offset: int, n: int
) -> tuple[NDArray[np.int64] | None, NDArray[Any] | None]:
    """Read ``SECTION Terminals``, before the section of the graph or after it.

    Returns
    -------
    array of int64, or None
        The terminals, from 0; where there are prizes, the root. None if there are none.
    array, or None
        The prize of each vertex; None if there are none.
    """
    before = itertools.takewhile(lambda line: line[0] < graph, text.lines())
    lines = itertools.chain(before, text.lines(offset))
    if not any(_TERMINALS.fullmatch(line) for _, line, _ in lines):
        return None, None
    announced, announcement = -1, 0
    found: dict[bytes, list[int]] = {b"t": [], b"tp": [], b"rootp": []}
    values: list[int | float] = []
    for start, line, _ in lines:
        match line.lower().split():
            case [b"end"]:
                break
            case [b"terminals", count]:
                announced, announcement = whole_number(count) or 0, start
            case [(b"t" | b"rootp") as key, vertex] | [b"tp" as key, vertex, _]:
                found[key].append(whole_number(vertex) or 0)
                if not 1 <= found[key][-1] <= n:
                    raise text.unexpected(start, f"{_EXPECTED[key]} with v from 1 to {n}")
                if key == b"tp":
                    values.append(_prize(text, start, line.split()[2]))
            case [(b"t" | b"tp" | b"rootp") as key, *_]:
                raise text.unexpected(start, _EXPECTED[key])
    terminals, collecting = found[b"t"], found[b"tp"]
    if announced not in (-1, len(terminals) + len(collecting)):
        held = len(terminals) + len(collecting)
        raise text.error(announcement, f"announces {announced} terminals, but the section holds {held}")
    if not collecting:
        return np.array(terminals, np.int64) - 1, None
    required = sorted({*terminals, *found[b"rootp"]})
    if len(required) > 1:
        raise text.error(announcement, "has prizes, and more than one vertex that must be connected")
    prizes = np.zeros(n, np.array(values).dtype)
    prizes[np.array(collecting) - 1] = values
    return np.array(required, np.int64) - 1 if required else None, prizes


def _prize(text: Text, start: int, word: bytes) -> int | float:
    """Read a prize: 0 or more, and finite."""
    for kind in int, float:
        with suppress(ValueError):
            if 0 <= (value := kind(word)) < np.inf:
                return value
    raise text.unexpected(start, f"{_EXPECTED[b'tp']} with a prize p of 0 or more")


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
    if table.graph is not None:
        _write_terminals(table.graph, file)
    file.write(b"EOF\n")


def _write_terminals(graph: Graph, file: BinaryIO) -> None:
    terminals, prizes = graph.annotations.terminals, graph.prizes
    if terminals is None and prizes is None:
        return
    required = [] if terminals is None else (terminals + 1).tolist()
    lines = [f"{'T' if prizes is None else 'RootP'} {vertex}\n" for vertex in required]
    count = len(lines)
    if prizes is not None:
        collecting = np.flatnonzero(prizes)
        count = collecting.size
        lines += [f"TP {x + 1} {prizes[x]}\n" for x in collecting.tolist()]
    file.write(f"SECTION Terminals\nTerminals {count}\n{''.join(lines)}END\n\n".encode())


STEINLIB = Codec(partial(WholeFile, _read), _write)
