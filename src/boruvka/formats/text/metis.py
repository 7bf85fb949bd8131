"""METIS and Chaco (``.graph``): ``n m fmt``, then line k lists the neighbours of vertex k, from 1.

Source: G. Karypis, METIS 5.1 manual, section 4.1. Every edge is listed at both its ends; it is read once, in
the order of the list of its smaller end. Graphs are simple, weights whole numbers.
"""

from __future__ import annotations

import re
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, first_true
from boruvka.formats.edge_table import EdgeTable, Options, weight_1
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines.numbers import NumberRows, read_number_rows, whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import Graph

_BATCH = 1 << 18
"""List entries that are formatted at once."""
_FORM = re.compile(rb"[01]{3}")


class _Header(NamedTuple):
    """The first line: its offset, n, m, how many numbers of a list precede the neighbours, whether edges have
    weights, and the offset of the next line.
    """

    start: int
    n: int
    m: int
    vertex_numbers: int
    weighted: bool
    next_offset: int


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    header = _read_header(text)
    if header.m and not (header.weighted or options.unweighted):
        raise text.error(header.start, f"the edges have no weights{weight_1()}")
    expected = "a list of neighbours as whole numbers"
    rows = read_number_rows(text, header.next_offset, comment="%", expected=expected, weights="integers")
    u, v, w = _arcs(text, header, rows)
    if options.unweighted or not header.weighted:
        w = np.ones(u.size, np.uint8)
    edges = _arc_of_each_edge(text, rows, u, v, w)
    if u.size != 2 * header.m:
        raise text.error(header.start, f"announces {header.m} edges, but the lists hold {u.size // 2}")
    return Graph(header.n, u[edges], v[edges], w[edges]).with_first_id(1)


def _read_header(text: Text) -> _Header:
    start, line, next_offset = text.first_data_line(b"%")
    tokens = line.split()
    form = tokens[2].zfill(3) if len(tokens) > 2 else b"000"
    constraints = tokens[3] if len(tokens) > 3 else b"1"
    match [whole_number(token) for token in (*tokens[:2], constraints, *tokens[4:])]:
        case [int(n), int(m), int(count)] if _FORM.fullmatch(form) and count < 2**31:
            size, weights, weighted = (digit == ord("1") for digit in form)
            return _Header(start, n, m, size + weights * count, weighted, next_offset)
    raise text.unexpected(start, "'n m [fmt [ncon]]' with fmt of three digits 0 or 1")


def _arcs(text: Text, header: _Header, rows: NumberRows) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return for every entry of every list its vertex, its neighbour (ids from 0) and its weight."""
    lengths = _check_lengths(text, header, rows)
    values = rows.values[: lengths.sum()]
    if header.vertex_numbers:
        begins = np.repeat(rows.ends[: header.n] - lengths, lengths)
        values = values[np.arange(values.size) - begins >= header.vertex_numbers]
    entries = values.reshape(-1, 1 + header.weighted)
    u = np.repeat(np.arange(header.n), (lengths - header.vertex_numbers) // (1 + header.weighted))
    v = entries[:, 0]
    bad = (v < 1) | (v > header.n) | (v.astype(np.int64) == u + 1)
    if (i := first_true(bad)) is not None:
        expected = f"neighbours of vertex {u[i] + 1} from 1 to {header.n} without itself"
        raise text.unexpected(int(rows.starts[u[i]]), expected)
    return u, v.astype(np.int64) - 1, entries[:, -1]


def _check_lengths(text: Text, header: _Header, rows: NumberRows) -> NDArray[np.int64]:
    """Check that there is a list for each vertex, and return how many numbers each list has."""
    lengths = np.diff(rows.ends, prepend=0)
    lengths, rest = lengths[: header.n], lengths[header.n :]
    if lengths.size < header.n:
        raise text.error(
            header.start, f"announces {header.n} vertices, but the file holds {lengths.size} lists"
        )
    if (row := first_true(rest > 0)) is not None:
        begin = int(rows.starts[header.n + row])
        raise text.unexpected(begin, f"the end of the file after {header.n} lists")
    neighbour_numbers = lengths - header.vertex_numbers
    wrong = (neighbour_numbers < 0) | (neighbour_numbers % (1 + header.weighted) != 0)
    if (row := first_true(wrong)) is not None:
        before = f"{header.vertex_numbers} numbers, then " if header.vertex_numbers else ""
        pairs = " with weights in pairs" if header.weighted else ""
        raise text.unexpected(int(rows.starts[row]), f"{before}neighbours{pairs}")
    return lengths


def _arc_of_each_edge(
    text: Text, rows: NumberRows, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]
) -> NDArray[np.int64]:
    """Check that each edge is listed once at both ends with one weight; choose the arc of the smaller end."""

    def error(i: int, message: str) -> FormatError:
        return text.error(int(rows.starts[u[i]]), message)

    # Ids fit 32 bits: there is a line for every vertex, so there are fewer than 2**32.
    ends = np.minimum(u, v).astype(np.uint64) << np.uint64(32) | np.maximum(u, v).astype(np.uint64)
    order = np.argsort(ends, kind="stable")
    u, v, w, ends = (array[order] for array in (u, v, w, ends))
    same = ends[1:] == ends[:-1]
    if (i := first_true(same & (u[1:] == u[:-1]))) is not None:
        twice = f"vertex {u[i] + 1} lists vertex {v[i] + 1} twice"
        raise error(i, f"{twice}; METIS graphs have no parallel edges")
    paired = np.zeros(u.size, bool)
    paired[1:] |= same
    paired[:-1] |= same
    if (i := first_true(~paired)) is not None:
        raise error(i, f"vertex {u[i] + 1} lists vertex {v[i] + 1}, which does not list it")
    if (pair := first_true(w[::2] != w[1::2])) is not None:
        to, here, there = v[2 * pair] + 1, w[2 * pair], w[2 * pair + 1]
        raise error(
            2 * pair, f"the edge to vertex {to} has weight {here} here, but {there} in that vertex's list"
        )
    return np.sort(order[::2])


def _write(table: EdgeTable, file: BinaryIO) -> None:
    _check_writable(table)
    arcs = np.concatenate([table.u, table.v]).astype(np.uint64) << np.uint64(32)
    arcs |= np.concatenate([table.v, table.u]).astype(np.uint64)
    order = np.argsort(arcs, kind="stable")
    arcs, edge = arcs[order], order % max(table.m, 1)
    if (i := first_true(arcs[1:] == arcs[:-1])) is not None:
        raise table.cannot_hold(edge[i], "has a parallel edge, and METIS graphs have none")
    tail, head = arcs >> np.uint64(32), arcs & np.uint64(2**32 - 1)
    file.write(f"{table.n} {table.m} 001".encode())
    row = -1
    for start in range(0, arcs.size, _BATCH):
        batch = slice(start, start + _BATCH)
        written = []
        columns = (tail[batch].tolist(), head[batch].tolist(), table.w[edge[batch]].tolist())
        for i, j, weight in zip(*columns, strict=True):
            written.append("\n" * (i - row) if i > row else " ")
            written.append(f"{j + 1} {weight}")
            row = i
        file.write("".join(written).encode())
    file.write(b"\n" * (table.n - row))


def _check_writable(table: EdgeTable) -> None:
    w = table.w
    if table.n > 2**32:
        raise FormatError("the graph is too large for lists of neighbours; choose another format")
    if w.dtype.kind == "f":
        raise FormatError(f"METIS weights are whole numbers, not {w.dtype}; choose another format")
    for bad, reason in (
        (table.u == table.v, "is a self-loop, and METIS graphs have none"),
        (w < 1, "has a weight below 1, and METIS weights are positive"),
    ):
        if (i := first_true(bad)) is not None:
            raise table.cannot_hold(i, reason)


METIS = Codec(_read, _write, frozenset({"unweighted"}))
