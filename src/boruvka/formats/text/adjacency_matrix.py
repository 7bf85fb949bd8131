"""Adjacency matrix as text (``.adj``): n, then n rows of n numbers; 0 means no edge.

Read as `Graph.from_dense` does: entries (i, j) and (j, i) are both edges, the diagonal is left out.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import BinaryIO

import numpy as np

from boruvka.errors import FormatError
from boruvka.formats.files import Source
from boruvka.formats.format import Content, Format, Options
from boruvka.formats.text.lines import read_rows, whole_number
from boruvka.formats.text.output import text_weights
from boruvka.graph.graph import Graph

__all__ = ["ADJACENCY_MATRIX"]

_LARGEST = 50_000
"""Above it a matrix has more than 2.5 thousand million numbers, nearly all of them 0."""


def _read(source: Source, options: Options) -> Graph:
    text = source.text
    start, line, at = next(text.data_lines(b"#"), (text.size, b"", text.size))
    n = whole_number(line)
    if n is None:
        raise text.unexpected(start, "the number of vertices alone on the first line")
    rows = read_rows(text, at, comment="#", shown=f"a row of {n} numbers")
    lengths = np.diff(rows.ends, prepend=0)
    wrong = np.flatnonzero((lengths != 0) & (lengths != n))
    if wrong.size:
        raise text.unexpected(int(rows.starts[wrong[0]]), f"a row of {n} numbers")
    found = np.count_nonzero(lengths)
    if found != n:
        raise text.error(start, f"announces {n} rows, but the file holds {found}")
    return Graph.from_dense(rows.values.reshape(n, n))


def _read_forest(source: Source) -> Content:
    """A forest's matrix has every edge twice."""
    content = Content.of(_read(source, Options()))
    once = content.u < content.v
    if 2 * np.count_nonzero(once) != content.m:
        raise source.error("expected a symmetric matrix")
    return replace(content, u=content.u[once], v=content.v[once], w=content.w[once])


def _write(content: Content, file: BinaryIO) -> None:
    w = text_weights(content.w)
    if content.n > _LARGEST:
        raise FormatError(
            f"an adjacency matrix of {content.n} vertices is too large to write (at most {_LARGEST}); "
            "choose another format"
        )
    if (w == 0).any():
        i = int(np.argmax(w == 0))
        raise FormatError(
            f"edge {i} ({content.u[i]}, {content.v[i]}) has weight 0, which means no edge in an adjacency "
            "matrix; choose another format"
        )
    file.write(f"{content.n}\n".encode())
    row, column = np.concatenate([content.u, content.v]), np.concatenate([content.v, content.u])
    w = np.concatenate([w, w])
    order = np.lexsort((w, row))
    ends = np.searchsorted(row[order], np.arange(content.n + 1)).tolist()
    for begin, end in pairwise(ends):
        cells = ["0"] * content.n
        heaviest_first = order[begin:end][::-1]
        for j, weight in zip(column[heaviest_first].tolist(), w[heaviest_first].tolist(), strict=True):
            cells[j] = repr(weight)
        file.write((" ".join(cells) + "\n").encode())


ADJACENCY_MATRIX = Format(
    name="matrix",
    endings=(".adj", ".adjacency"),
    description="Adjacency matrix as text: n, then n rows of n numbers, 0 for no edge",
    read=_read,
    write=_write,
    read_forest=_read_forest,
)
