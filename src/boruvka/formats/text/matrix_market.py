"""Matrix Market (``.mtx``): a banner, comments, the size, then ``row column value`` per line, ids from 1.

Source: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market exchange formats", NISTIR 5935 (1996).
Every stored entry is an edge: entries of a symmetric file are not doubled, duplicates not summed,
stored zeros kept. In the dense ``array`` form zero means no edge. `scipy.io.mmread` always expands symmetric
files, so it is not used.
"""

from __future__ import annotations

from typing import BinaryIO, NamedTuple

import numpy as np

from boruvka.formats.edge_table import EdgeTable, Options, weight_1
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines.edges import LineLayout, read_edge_lines
from boruvka.formats.text.lines.numbers import WeightType, read_number_rows, whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.lines.writing import write_edge_lines
from boruvka.graph.graph import Graph

_BANNER = "'%%MatrixMarket matrix coordinate real general' or the like"
_FIELDS: dict[bytes, WeightType] = {
    b"integer": "integers",
    b"unsigned-integer": "integers",
    b"real": "floats",
    b"double": "floats",
}


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    form, field, symmetric = _read_banner(text)
    if field == b"pattern" and not options.unweighted:
        raise text.error(0, f"a pattern matrix has no weights{weight_1()}")
    size = _read_size(text, form)
    if form == b"coordinate":
        graph = _read_coordinate(text, size, field, options.unweighted)
    else:
        graph = _read_array(text, size, symmetric, _FIELDS[field])
        if options.unweighted:
            graph = Graph(graph.n, graph.u, graph.v, np.ones(graph.m, np.uint8))
    return graph.annotated(entry_count=graph.m).with_first_id(1)


def _read_banner(text: Text) -> tuple[bytes, bytes, bool]:
    """Return from the first line: coordinate or array, the type of values, whether one triangle is stored."""
    line, _ = text.line(text.start)
    match line.lower().split():
        case [b"%%matrixmarket", b"matrix", (b"coordinate" | b"array") as form, field, symmetry]:
            if field not in _FIELDS and (form, field) != (b"coordinate", b"pattern"):
                raise text.unexpected(0, "a matrix of integer or real values")
            if symmetry not in (b"general", b"symmetric"):
                raise text.unexpected(0, "a general or symmetric matrix")
            return form, field, symmetry == b"symmetric"
    raise text.unexpected(0, _BANNER)


class _Size(NamedTuple):
    """The line of sizes: its offset, n, the number of entries if stated, and the offset of the next line."""

    start: int
    n: int
    entries: int | None
    next_offset: int


def _read_size(text: Text, form: bytes) -> _Size:
    start, line, next_offset = text.first_data_line(b"%", text.line(text.start)[1])
    sizes = [whole_number(token) for token in line.split()]
    if None in sizes or len(sizes) != (3 if form == b"coordinate" else 2):
        raise text.unexpected(start, "'rows columns entries'" if form == b"coordinate" else "'rows columns'")
    if sizes[0] != sizes[1]:
        raise text.unexpected(start, "a square matrix")
    return _Size(start, sizes[0] or 0, sizes[2] if len(sizes) == 3 else None, next_offset)


def _read_coordinate(text: Text, size: _Size, field: bytes, unweighted: bool) -> Graph:
    if field == b"pattern":
        layout = LineLayout("'row column'", fields=2, w=-1, comments=b"%")
    else:
        layout = LineLayout(
            f"'row column value' with {field.decode()} value",
            w=-1 if unweighted else 2,
            comments=b"%",
            weights=_FIELDS[field],
        )
    edges = read_edge_lines(text, size.next_offset, layout, n=size.n, one_based=True)
    if edges.w.size != size.entries:
        raise text.error(size.start, f"announces {size.entries} entries, but the file holds {edges.w.size}")
    return Graph(size.n, edges.u, edges.v, edges.w)


def _read_array(text: Text, size: _Size, symmetric: bool, weights: WeightType) -> Graph:
    n = size.n
    values = read_number_rows(
        text, size.next_offset, comment="%", expected="one value per line", weights=weights
    ).values
    expected = n * (n + 1) // 2 if symmetric else n * n
    if values.size != expected:
        raise text.error(size.start, f"announces {expected} values, but the file holds {values.size}")
    if symmetric:
        v, u = np.triu_indices(n)
        present = (u != v) & (values != 0)
        return Graph(n, u[present], v[present], values[present])
    return Graph.from_dense(values.reshape(n, n).T)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    w = table.w
    if w.dtype.kind == "f":
        field = "real"
    elif w.dtype == np.uint64 and w.size and w.max() >= 2**63:
        field = "unsigned-integer"
    else:
        field = "integer"
    file.write(f"%%MatrixMarket matrix coordinate {field} general\n".encode())
    file.write(f"{table.n} {table.n} {table.m}\n".encode())
    write_edge_lines(file, table, base=1)


MATRIX_MARKET = Codec(_read, _write, frozenset({"unweighted"}))
