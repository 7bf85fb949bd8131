"""Edges as lines of text."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.format import Content

__all__ = ["text_weights", "write_lines"]

_BATCH = 1 << 18


def text_weights(w: NDArray[Any]) -> NDArray[Any]:
    """Weights as integers or float64, so that the shortest text that gives a number back gives it exactly.

    Raises
    ------
    FormatError
        A weight of more than 64 bits has no exact float64.
    """
    if w.dtype.kind != "f":
        return w
    doubles = w.astype(np.float64)
    if w.dtype.itemsize > 8 and not np.array_equal(doubles, w):
        i = int(np.argmax(doubles != w))
        raise FormatError(
            f"the weight {w[i]} of edge {i} has no exact float64, and the file would hold no more"
        )
    return doubles


def write_lines(
    file: BinaryIO,
    content: Content,
    *,
    base: int,
    letter: str = "",
    separator: str = " ",
    edges: bool = False,
) -> None:
    """Write an edge per line: letter, index, u, v, w.

    Parameters
    ----------
    file : binary file
    content : Content
    base : int
        The id of the first vertex.
    letter : str
        What begins every line, if anything.
    separator : str
        What stands between fields.
    edges : bool
        Whether the line holds the index of the edge.
    """
    import polars as pl

    w = text_weights(content.w)
    for start in range(0, content.m, _BATCH):
        batch = slice(start, start + _BATCH)
        columns: dict[str, Any] = {}
        if letter:
            columns["letter"] = pl.repeat(letter, w[batch].size, eager=True)
        if edges and content.edges is not None:
            columns["edge"] = content.edges[batch]
        for name, ends in ("u", content.u), ("v", content.v):
            columns[name] = ends[batch].astype(np.uint64) + np.uint64(base)
        columns["w"] = w[batch]
        frame = pl.DataFrame(columns)
        lines = frame.write_csv(include_header=False, separator=separator, quote_style="never")
        file.write(lines.encode())
