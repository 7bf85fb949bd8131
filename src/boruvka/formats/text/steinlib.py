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
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines.edges import LineLayout, read_edge_lines
from boruvka.formats.text.lines.numbers import whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.lines.writing import write_edge_lines
from boruvka.graph.graph import Graph
from boruvka.graph.text_numbers import number_of_text

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
    announced, announcement, last = -1, 0, 0
    found: dict[bytes, list[int]] = {b"t": [], b"rootp": []}
    values: dict[int, tuple[int | float, int]] = {}
    for start, line, _ in lines:
        match line.lower().split():
            case [b"end"]:
                break
            case [b"terminals", count]:
                if (number := whole_number(count)) is None:
                    raise text.unexpected(start, "'Terminals <number>'")
                announced, announcement = number, start
            case [(b"t" | b"rootp") as key, vertex] | [b"tp" as key, vertex, _]:
                x, last = whole_number(vertex) or 0, start
                if not 1 <= x <= n:
                    raise text.unexpected(start, f"{_EXPECTED[key]} with v from 1 to {n}")
                if key != b"tp":
                    found[key].append(x)
                elif x in values:
                    raise text.error(start, f"vertex {x} has a prize already")
                else:
                    values[x] = _prize(text, start, line.split()[2]), start
            case [(b"t" | b"tp" | b"rootp") as key, *_]:
                raise text.unexpected(start, _EXPECTED[key])
    terminals = found[b"t"]
    if announced not in (-1, held := len(terminals) + len(values)):
        raise text.error(announcement, f"announces {announced} terminals, but the section holds {held}")
    terminals = list(dict.fromkeys([*terminals, *found[b"rootp"]])) if found[b"rootp"] else terminals
    if not values:
        return np.array(terminals, np.int64) - 1, None
    if len(terminals) > 1:
        raise text.error(last, "has prizes, and more than one vertex that must be connected")
    is_float = any(isinstance(value, float) for value, _ in values.values())
    prizes = np.zeros(n, np.float64 if is_float else np.uint64)
    for x, (value, start) in values.items():
        if is_float and float(value) != value:
            raise text.error(start, f"the prize {value} would be rounded, as other prizes are floats")
        prizes[x - 1] = value
    if not is_float and prizes.max() < 2**63:
        prizes = prizes.astype(np.int64)
    return np.array(terminals, np.int64) - 1 if terminals else None, prizes


def _prize(text: Text, start: int, word: bytes) -> int | float:
    """Read a prize: 0 or more, and finite."""
    with suppress(ValueError, GraphError):
        value = number_of_text(word.decode())
        if 0 <= value < (2**64 if isinstance(value, int) else np.inf):
            return value
    raise text.unexpected(
        start, f"{_EXPECTED[b'tp']} with a prize p from 0 to 2**64 - 1, or a float of 0 or more"
    )


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
        only = np.arange(min(prizes.size, 1))  # a prize of 0 says that there are prizes
        collecting = np.flatnonzero(prizes) if prizes.any() else only
        count = collecting.size
        lines += [f"TP {x + 1} {prizes[x]}\n" for x in collecting.tolist()]
    file.write(f"SECTION Terminals\nTerminals {count}\n{''.join(lines)}END\n\n".encode())


STEINLIB = Codec(_read, _write)
