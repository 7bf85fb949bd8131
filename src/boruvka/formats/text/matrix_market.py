"""Matrix Market (``.mtx``): a banner, comments, the size, then ``row column value`` per line, from 1.

Source: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market exchange formats", NISTIR 5935 (1996).
Every stored entry is an edge: entries of a symmetric file are not doubled, duplicates not summed,
stored zeros kept. In the dense ``array`` form zero means no edge. `scipy.io.mmread` expands symmetric
files and cannot be told not to; hence the package's own reader of lines.
"""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.lines import Line, Text, Weights, read_entries, read_rows, whole_number
from boruvka.formats.text.output import write_lines
from boruvka.graph.graph import Graph

__all__ = ["MATRIX_MARKET"]

_BANNER = "'%%MatrixMarket matrix coordinate real general' or the like"
_FIELDS: dict[bytes, Weights] = {
    b"integer": "integers",
    b"unsigned-integer": "integers",
    b"real": "floats",
    b"double": "floats",
}


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    form, field, symmetric = _banner(text)
    if field == b"pattern" and not options.unweighted:
        raise text.error(0, "a pattern has no weights; pass unweighted=True (--unweighted) for weight 1")
    start, n, stored, at = _size(text, form)
    if form == b"coordinate":
        return _coordinate(text, start, at, n, stored or 0, field, options.unweighted)
    return _dense(text, start, at, n, symmetric, _FIELDS[field], options.unweighted)


def _banner(text: Text) -> tuple[bytes, bytes, bool]:
    """Read the first line: coordinate or array, the field, and whether only one triangle is stored."""
    line, _ = text.line(text.start)
    match line.lower().split():
        case [b"%%matrixmarket", b"matrix", (b"coordinate" | b"array") as form, field, symmetry]:
            if field not in _FIELDS and (form, field) != (b"coordinate", b"pattern"):
                raise text.unexpected(0, "a matrix of integer or real values")
            if symmetry not in (b"general", b"symmetric"):
                raise text.unexpected(0, "a general or symmetric matrix")
            return form, field, symmetry == b"symmetric"
    raise text.unexpected(0, _BANNER)


def _size(text: Text, form: bytes) -> tuple[int, int, int | None, int]:
    """Read the line of sizes: its offset, n, the number of entries if stated, the offset behind."""
    start, line, behind = next(text.data_lines(b"%", text.line(text.start)[1]), (text.size, b"", text.size))
    sizes = [whole_number(token) for token in line.split()]
    if None in sizes or len(sizes) != (3 if form == b"coordinate" else 2):
        raise text.unexpected(start, "'rows columns entries'" if form == b"coordinate" else "'rows columns'")
    if sizes[0] != sizes[1]:
        raise text.unexpected(start, "a square matrix")
    return start, sizes[0] or 0, sizes[2] if len(sizes) == 3 else None, behind


def _coordinate(
    text: Text, start: int, at: int, n: int, stored: int, field: bytes, unweighted: bool
) -> Graph:
    if field == b"pattern":
        line = Line("'row column'", fields=2, w=-1, comments=b"%")
    else:
        line = Line(
            f"'row column value' with {field.decode()} value",
            w=-1 if unweighted else 2,
            comments=b"%",
            weights=_FIELDS[field],
        )
    entries = read_entries(text, at, line, n=n, one_based=True)
    if entries.w.size != stored:
        raise text.error(start, f"announces {stored} entries, but the file holds {entries.w.size}")
    return Graph(n, entries.u, entries.v, entries.w)


def _dense(
    text: Text, start: int, at: int, n: int, symmetric: bool, weights: Weights, unweighted: bool
) -> Graph:
    values = read_rows(text, at, comment="%", shown="one value per line", weights=weights).values
    expected = n * (n + 1) // 2 if symmetric else n * n
    if values.size != expected:
        raise text.error(start, f"announces {expected} values, but the file holds {values.size}")
    if symmetric:
        v, u = np.triu_indices(n)
        present = (u != v) & (values != 0)
        graph = Graph(n, u[present], v[present], values[present])
    else:
        graph = Graph.from_dense(values.reshape(n, n).T)
    return Graph(n, graph.u, graph.v, np.ones(graph.m, np.uint8)) if unweighted else graph


def _write(content: Content, file: BinaryIO) -> None:
    w = content.w
    if w.dtype.kind == "f":
        field = "real"
    elif w.dtype == np.uint64 and w.size and w.max() >= 2**63:
        field = "unsigned-integer"
    else:
        field = "integer"
    file.write(f"%%MatrixMarket matrix coordinate {field} general\n".encode())
    file.write(f"{content.n} {content.n} {content.m}\n".encode())
    write_lines(file, content, base=1)


MATRIX_MARKET = Format(
    name="matrix-market",
    endings=(".mtx", ".mm"),
    description="Matrix Market: every stored entry is an edge",
    read=_read,
    write=_write,
    options=frozenset({"unweighted"}),
)
