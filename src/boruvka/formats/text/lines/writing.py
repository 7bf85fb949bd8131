"""Write edges as lines of text."""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np

from boruvka.formats.format import EdgeTable

_BATCH = 1 << 18
"""Edges that are formatted at once."""


def write_edge_lines(
    file: BinaryIO,
    table: EdgeTable,
    *,
    base: int,
    letter: str = "",
    separator: str = " ",
    edge_indices: bool = False,
) -> None:
    """Write one edge per line: letter, edge index, u, v, w.

    Parameters
    ----------
    file : binary file
    table : EdgeTable
    base : int
        The id of the first vertex.
    letter : str
        The first field of every line, if any.
    separator : str
        The character between fields.
    edge_indices : bool
        Whether lines hold the index of the edge, if the table has indices.
    """
    import polars as pl

    w = table.portable_weights()
    for start in range(0, table.m, _BATCH):
        batch = slice(start, start + _BATCH)
        columns: dict[str, Any] = {}
        if letter:
            columns["letter"] = pl.repeat(letter, w[batch].size, eager=True)
        if edge_indices and table.edges is not None:
            columns["edge"] = table.edges[batch]
        for name, ends in ("u", table.u), ("v", table.v):
            columns[name] = ends[batch].astype(np.uint64) + np.uint64(base)
        columns["w"] = w[batch]
        frame = pl.DataFrame(columns)
        lines = frame.write_csv(include_header=False, separator=separator, quote_style="never")
        file.write(lines.encode())
