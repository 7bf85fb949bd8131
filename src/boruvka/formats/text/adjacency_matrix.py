"""Adjacency matrix as text (``.adj``): n, then n rows of n numbers; 0 means no edge.

Read as `Graph.from_dense` does: entries (i, j) and (j, i) are both edges, the diagonal is not read. The line
of n may be missing; then commas, semicolons or tabs may separate numbers, too.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import BinaryIO

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.text.lines import Text, read_number_rows, whole_number
from boruvka.graph.graph import Graph
from boruvka.graph.names import ends_text

__all__ = ["ADJACENCY_MATRIX"]

_SEPARATORS_AS_BLANKS = bytes.maketrans(b",;\t", b"   ")
_MAX_VERTICES = 50_000
"""A larger matrix would have more than 2.5 billion numbers, nearly all of them 0."""


def _read(source: InputFile, options: Options) -> Graph:
    text = Text.of(source)
    start, line, offset = text.first_data_line(b"#")
    if (n := whole_number(line)) is None:
        fields = line.translate(_SEPARATORS_AS_BLANKS).split()
        if len(fields) < 2:
            raise text.unexpected(start, "the number of vertices, or a row of numbers, on the first line")
        n, offset = len(fields), start
        if line != line.translate(_SEPARATORS_AS_BLANKS):
            text = text.with_content(text.content[: text.size].translate(_SEPARATORS_AS_BLANKS))
    rows = read_number_rows(text, offset, comment="#", expected=f"a row of {n} numbers")
    lengths = np.diff(rows.ends, prepend=0)
    wrong = np.flatnonzero((lengths != 0) & (lengths != n))
    if wrong.size:
        raise text.unexpected(int(rows.starts[wrong[0]]), f"a row of {n} numbers")
    present = np.count_nonzero(lengths)
    if present != n:
        announced = f"a square matrix has {n} rows" if offset == start else f"announces {n} rows"
        raise text.error(start, f"{announced}, but the file holds {present}")
    return Graph.from_dense(rows.values.reshape(n, n))


class _MatrixFile(WholeFile):
    """An open file."""

    def forest(self) -> EdgeTable:
        """Read a symmetric matrix, which holds every edge of a forest twice."""
        table = super().forest()
        once = table.u < table.v
        if 2 * np.count_nonzero(once) != table.m:
            raise self._source.error("expected a symmetric matrix")
        return table._replace(u=table.u[once], v=table.v[once], w=table.w[once])


def _write(table: EdgeTable, file: BinaryIO) -> None:
    w = table.portable_weights()
    if table.n > _MAX_VERTICES:
        raise FormatError(
            f"an adjacency matrix of {table.n} vertices is too large to write (at most {_MAX_VERTICES}); "
            "choose another format"
        )
    if (w == 0).any():
        i = int(np.argmax(w == 0))
        raise FormatError(
            f"edge {i} {_ends(table, i)} has weight 0, which means no edge in an adjacency matrix; choose "
            "another format"
        )
    pair = np.minimum(table.u, table.v) * np.uint64(table.n) + np.maximum(table.u, table.v)
    _, first, number = np.unique(pair, return_index=True, return_inverse=True)
    if (differs := w != w[first][number]).any():
        i = int(np.argmax(differs))
        raise FormatError(
            f"edge {i} {_ends(table, i)} is parallel to another of a different weight, and an adjacency "
            "matrix holds one weight for two vertices; choose another format"
        )
    file.write(f"{table.n}\n".encode())
    row, column = np.concatenate([table.u, table.v]), np.concatenate([table.v, table.u])
    w = np.concatenate([w, w])
    order = np.argsort(row, kind="stable")
    ends = np.searchsorted(row[order], np.arange(table.n + 1)).tolist()
    for begin, end in pairwise(ends):
        cells = ["0"] * table.n
        for j, weight in zip(column[order[begin:end]].tolist(), w[order[begin:end]].tolist(), strict=True):
            cells[j] = repr(weight)
        file.write((" ".join(cells) + "\n").encode())


def _ends(table: EdgeTable, i: int) -> str:
    return ends_text(None, table.u[i], table.v[i], table.base)


ADJACENCY_MATRIX = Codec(partial(_MatrixFile, _read), _write)
