"""Write numbers as lines of text; polars formats them on every core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from boruvka.formats.edge_table import EdgeTable
from boruvka.formats.name_columns import StoredNames, named_ends
from boruvka.runtime.processors import free_memory
from boruvka.runtime.progress import report

if TYPE_CHECKING:
    import polars
    from polars._typing import CsvQuoteStyle

_BATCH = 1 << 20
"""Edges that are formatted at once."""
_NAMED_BATCH = 1 << 16
"""The number of edges with names, which take more memory, or where little memory is free."""
_ROOM = 1 << 30
"""Bytes that polars has for large batches; it ends the process where it gets no memory."""


def write_edge_lines(
    file: BinaryIO,
    table: EdgeTable,
    *,
    base: int,
    letter: str = "",
    separator: str = " ",
    edge_indices: bool = False,
    names: polars.Series | StoredNames | None = None,
    quote_style: CsvQuoteStyle = "never",
) -> None:
    """Write one edge per line: letter, edge index, u, v, w.

    Parameters
    ----------
    file : binary file
    table : EdgeTable
        Its edges.
    base : int
        The id of the first vertex.
    letter : str
        The first field of every line, if any.
    separator : str
        The character between fields.
    edge_indices : bool
        Whether lines hold the index of the edge, if the table has indices.
    names : Series or StoredNames, optional
        The names of vertices, which are written instead of their numbers.
    quote_style : "never", "necessary" or "non_numeric"
        The names that are quoted: none, those that hold separators, quotes or newlines, or all.
    """
    import polars as pl

    w, has_room = table.portable_weights(), free_memory() > _ROOM
    for batch in table.row_batches(_BATCH if names is None and has_room else _NAMED_BATCH):
        columns: dict[str, Any] = {}
        if letter:
            columns["letter"] = pl.repeat(letter, w[batch].size, eager=True)
        if edge_indices and table.edges is not None:
            columns["edge"] = table.edges[batch]
        if names is not None:
            columns["u"], columns["v"] = named_ends(table, names, batch)
        else:
            for name, ends in ("u", table.u), ("v", table.v):
                columns[name] = ends[batch].astype(np.uint64) + np.uint64(base) if base else ends[batch]
        columns["w"] = w[batch]
        pl.DataFrame(columns).write_csv(
            file, include_header=False, separator=separator, quote_style=quote_style
        )
        report("write", min(batch.stop, table.m), table.m, "edges")
