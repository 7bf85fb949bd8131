"""Write numbers and names as lines of text; polars formats them on every core where it is installed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import repeat
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.edge_table import EdgeTable
from boruvka.formats.name_columns import Names, named_ends
from boruvka.runtime.libraries import optional
from boruvka.runtime.processors import free_memory
from boruvka.runtime.progress import report

Quotes = Literal["never", "necessary", "non_numeric"]
"""The names that are quoted: none, those that hold separators, quotes or newlines, or all."""
_BATCH = 1 << 20
"""Edges that are formatted at once."""
_NAMED_BATCH = 1 << 16
"""The number of edges with names, which take more memory, without polars, or where little memory is free."""
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
    names: Names | None = None,
    quotes: Quotes = "never",
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
    names : Series, StoredNames or array, optional
        The names of vertices, as `name_lookup` returns them, which are written instead of their numbers.
    quotes : "never", "necessary" or "non_numeric"
        The names that are quoted.
    """
    polars = optional("polars")
    if polars is None and names is not None and quotes != "never":
        names = _quoted(names.tolist(), separator, quotes)
    w, has_room = table.portable_weights(), polars is not None and free_memory() > _ROOM
    for batch in table.row_batches(_BATCH if names is None and has_room else _NAMED_BATCH):
        columns: dict[str, Any] = {}
        if letter:
            letters = repeat if polars is None else partial(polars.repeat, eager=True)
            columns["letter"] = letters(letter, w[batch].size)
        if edge_indices and table.edges is not None:
            columns["edge"] = table.edges[batch]
        if names is not None:
            columns["u"], columns["v"] = named_ends(table, names, batch)
        else:
            for name, ends in ("u", table.u), ("v", table.v):
                columns[name] = ends[batch].astype(np.uint64) + np.uint64(base) if base else ends[batch]
        columns["w"] = w[batch]
        for name, column in table.more_columns(batch).items() if edge_indices else ():
            is_ready = polars is not None or not isinstance(column, list)
            columns[name] = column if is_ready else _quoted(column, separator, quotes)
        if polars is None:
            rows = zip(*map(_texts, columns.values()), strict=True)
            file.write("".join(f"{separator.join(row)}\n" for row in rows).encode())
        else:
            frame = polars.DataFrame(columns)
            frame.write_csv(file, include_header=False, separator=separator, quote_style=quotes)
        report("write", min(batch.stop, table.m), table.m, "edges")


def _quoted(names: list[Any], separator: str, quotes: Quotes) -> NDArray[Any]:
    quoted = re.compile({"never": "(?!)", "necessary": f'["\r\n{separator}]', "non_numeric": "(?s)."}[quotes])
    texts = [f'"{x.replace(chr(34), chr(34) * 2)}"' if quoted.search(x) else x for x in map(str, names)]
    return np.fromiter(texts, object, len(texts))


def _texts(column: NDArray[Any] | Iterable[str]) -> Iterable[str]:
    """Return numbers as polars writes them, and strings as they are."""
    if not isinstance(column, np.ndarray):
        return column
    texts = map(str, column.tolist())
    if column.dtype.kind != "f":
        return texts
    is_small = np.abs(column) < 1e-4  # Python writes 1e-05 and 1e-07 where polars writes 0.00001 and 1e-7
    return (_shorter(text) if small else text for text, small in zip(texts, is_small.tolist(), strict=True))


def _shorter(text: str) -> str:
    """Write a float below 1e-4 without an exponent down to 1e-5, and else without zeros in the exponent."""
    number, _, exponent = text.partition("e-0")
    if exponent != "5":
        return f"{number}e-{exponent}" if exponent else text
    sign, digits = "-" * number.startswith("-"), number.lstrip("-").replace(".", "")
    return f"{sign}0.0000{digits}"
