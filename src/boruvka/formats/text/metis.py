"""METIS and Chaco (``.graph``): ``n m fmt``, then line k lists the neighbours of vertex k, from 1.

Source: G. Karypis, METIS 5.1 manual, section 4.1. Every edge stands in the lists of both its ends; it
is read once, in the order of the list of its smaller end. Graphs are simple, weights whole numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.lines import Rows, Text, read_rows, whole_number
from boruvka.graph.graph import Graph

__all__ = ["METIS"]

_BATCH = 1 << 18
_FORM = re.compile(rb"[01]{3}")


@dataclass(frozen=True)
class _Header:
    """The first line: n, m, how many numbers precede the neighbours, whether edges have weights."""

    start: int
    n: int
    m: int
    before: int
    weighted: bool
    behind: int


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    header = _header(text)
    if header.m and not (header.weighted or options.unweighted):
        raise text.error(
            header.start, "the edges have no weights; pass unweighted=True (--unweighted) for weight 1"
        )
    rows = read_rows(
        text, header.behind, comment="%", shown="a list of neighbours as whole numbers", weights="integers"
    )
    u, v, w = _arcs(text, header, rows)
    if options.unweighted or not header.weighted:
        w = np.ones(u.size, np.uint8)
    once = _both_ways(text, rows, u, v, w)
    if u.size != 2 * header.m:
        raise text.error(header.start, f"announces {header.m} edges, but the lists hold {u.size // 2}")
    return Graph(header.n, u[once], v[once], w[once])


def _header(text: Text) -> _Header:
    start, line, behind = next(text.data_lines(b"%"), (text.size, b"", text.size))
    tokens = line.split()
    form = tokens[2].zfill(3) if len(tokens) > 2 else b"000"
    constraints = tokens[3] if len(tokens) > 3 else b"1"
    match [whole_number(token) for token in (*tokens[:2], constraints, *tokens[4:])]:
        case [int(n), int(m), int(count)] if _FORM.fullmatch(form) and count < 2**31:
            size, weights, weighted = (digit == ord("1") for digit in form)
            return _Header(start, n, m, size + weights * count, weighted, behind)
    raise text.unexpected(start, "'n m [fmt [ncon]]' with fmt of three digits 0 or 1")


def _arcs(text: Text, header: _Header, rows: Rows) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Every entry of every list: the vertex that lists, the one listed, the weight; vertices from 0."""
    lengths = np.diff(rows.ends, prepend=0)
    listed, rest = lengths[: header.n], lengths[header.n :]
    if listed.size < header.n:
        raise text.error(
            header.start, f"announces {header.n} vertices, but the file holds {listed.size} lists"
        )
    if rest.any():
        row = header.n + int(np.argmax(rest > 0))
        raise text.unexpected(int(rows.starts[row]), f"the end of the file behind {header.n} lists")

    each = 1 + header.weighted
    wrong = (listed < header.before) | ((listed - header.before) % each != 0)
    if wrong.any():
        before = f"{header.before} numbers, then " if header.before else ""
        raise text.unexpected(
            int(rows.starts[np.argmax(wrong)]),
            before + ("neighbours with weights in pairs" if header.weighted else "neighbours"),
        )
    values = rows.values[: listed.sum()]
    if header.before:
        begins = np.repeat(rows.ends[: header.n] - listed, listed)
        values = values[np.arange(values.size) - begins >= header.before]
    entries = values.reshape(-1, each)
    u = np.repeat(np.arange(header.n), (listed - header.before) // each)
    v = entries[:, 0]
    bad = (v < 1) | (v > header.n) | (v.astype(np.int64) == u + 1)
    if bad.any():
        i = int(np.argmax(bad))
        raise text.unexpected(
            int(rows.starts[u[i]]), f"neighbours of vertex {u[i] + 1} from 1 to {header.n} without itself"
        )
    return u, v.astype(np.int64) - 1, entries[:, -1]


def _both_ways(
    text: Text, rows: Rows, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]
) -> NDArray[np.int64]:
    """Check that both ends list every edge, once and with one weight; choose the smaller end's entries."""

    def error(i: int, message: str) -> FormatError:
        return text.error(int(rows.starts[u[i]]), message)

    # No overflow: there is a line for every vertex, so fewer than 2**32.
    edge = np.minimum(u, v).astype(np.uint64) << np.uint64(32) | np.maximum(u, v).astype(np.uint64)
    order = np.argsort(edge, kind="stable")
    u, v, w, edge = (array[order] for array in (u, v, w, edge))
    same = edge[1:] == edge[:-1]
    twice = same & (u[1:] == u[:-1])
    if twice.any():
        i = int(np.argmax(twice))
        raise error(
            i, f"vertex {u[i] + 1} lists vertex {v[i] + 1} twice; METIS graphs have no parallel edges"
        )
    paired = np.zeros(u.size, bool)
    paired[1:] |= same
    paired[:-1] |= same
    if not paired.all():
        i = int(np.argmin(paired))
        raise error(i, f"vertex {u[i] + 1} lists vertex {v[i] + 1}, which does not list it")
    differ = w[::2] != w[1::2]
    if differ.any():
        i = 2 * int(np.argmax(differ))
        raise error(
            i,
            f"the edge to vertex {v[i] + 1} has weight {w[i]} here, but {w[i + 1]} in that vertex's list",
        )
    return np.sort(order[::2])


def _write(content: Content, file: BinaryIO) -> None:
    _check(content)
    u, v = np.concatenate([content.u, content.v]), np.concatenate([content.v, content.u])
    order = np.lexsort((v, u))
    twice = (np.diff(u[order]) == 0) & (np.diff(v[order]) == 0)
    if twice.any():
        i = order[np.argmax(twice)] % content.m
        raise _refusal(content, i, "has a parallel edge, and METIS graphs have none")
    file.write(f"{content.n} {content.m} 001".encode())
    row = -1
    for start in range(0, order.size, _BATCH):
        batch = order[start : start + _BATCH]
        pieces = []
        columns = (u[batch].tolist(), v[batch].tolist(), content.w[batch % content.m].tolist())
        for i, j, weight in zip(*columns, strict=True):
            pieces.append("\n" * (i - row) if i > row else " ")
            pieces.append(f"{j + 1} {weight}")
            row = i
        file.write("".join(pieces).encode())
    file.write(b"\n" * (content.n - row))


def _check(content: Content) -> None:
    w = content.w
    if w.dtype.kind == "f":
        raise FormatError(f"METIS holds whole numbers as weights, not {w.dtype}; choose another format")
    for bad, reason in (
        (content.u == content.v, "is a self-loop, and METIS graphs have none"),
        (w < 1, "has a weight below 1, and METIS asks for positive weights"),
    ):
        if bad.any():
            raise _refusal(content, int(np.argmax(bad)), reason)


def _refusal(content: Content, i: int, reason: str) -> FormatError:
    return FormatError(f"edge {i} ({content.u[i]}, {content.v[i]}) {reason}; choose another format")


METIS = Format(
    name="metis",
    endings=(".graph", ".metis"),
    description="METIS and Chaco: n m fmt, then a list of neighbours per vertex",
    read=_read,
    write=_write,
    options=frozenset({"unweighted"}),
)
