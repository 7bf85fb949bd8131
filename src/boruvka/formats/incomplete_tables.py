"""Tables in files that lack ends or weights in some rows, which a caller wants to leave out or fill in."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.formats.files import InputFile
from boruvka.formats.format import Options
from boruvka.formats.name_columns import as_integers, check_names_are_numbered
from boruvka.formats.table_columns import choose_columns
from boruvka.formats.tables import Table, open_table
from boruvka.graph.graph import Graph
from boruvka.interop import missing_values
from boruvka.runtime.arguments import argument

__all__ = ["read_table"]

TABLES = "csv", "tsv", "edges", "parquet", "arrow"
NO_NUMBER = "", "na", "n/a", "nan", "null", "none"
"""Texts of a missing weight in lower case; only an empty one is a missing end, as NA is a country."""


def read_table(source: InputFile, format: str, options: Options) -> Graph:
    """Read a graph from a file with a row per edge; ``missing`` and ``default`` say what to do with gaps.

    Raises
    ------
    FormatError
        A value is missing that the options do not care for, or is no number.
    OptionError
        The format holds no table.
    """
    if format not in TABLES:
        given = [argument(name, getattr(options, name)) for name in ("missing", "default")
                 if name in options.names_set()]  # fmt: skip
        raise OptionError(f"the format {format!r} does not take {given[0]}; {', '.join(TABLES)} do")
    missing_values.check_options(options.missing, options.default)
    table = open_table(source, format, options.header)
    chosen = choose_columns(len(table.names), table.names if table.is_named else None, options, source.error)
    columns = [_ends(table.columns[k]) for k in chosen[:2]]
    if not options.unweighted:
        columns.append(_weights(table, chosen[2]))
    kept, _ = missing_values.filled(tuple(columns), options.missing, options.default, table.error)
    u, v = (_numbers(ids) for ids in kept[:2])
    w = kept[2] if kept[2:] else np.ones(len(kept[0]), np.uint8)
    if u is None or v is None:
        u, v = kept[:2]
    if options.names or not isinstance(u, np.ndarray):
        check_names_are_numbered(options)
        return Graph.from_edges(u, v, w, names=True)
    first = int(bool(options.one_based))
    return Graph.from_edges(u - first, v - first, w, options.n)


def _ends(column: Any) -> Any:
    import polars

    if column.dtype != polars.String:
        return column
    column = column.str.strip_chars(" \t")
    return column.set(column == "", None)


def _numbers(ids: Any) -> NDArray[Any] | None:
    """Return ids as integers if all are; None if they are names."""
    import polars

    return as_integers(ids.to_numpy()) if ids.dtype == polars.String else ids.to_numpy()


def _weights(table: Table, k: int) -> Any:
    """Convert a column of texts to numbers; missing ones are null."""
    import polars

    column = table.columns[k]
    if column.dtype != polars.String:
        return column
    text = column.str.strip_chars(" \t")
    text = text.set(text.str.to_lowercase().is_in(NO_NUMBER), None)
    for dtype in (polars.Int64, polars.UInt64, polars.Float64):
        numbers = text.cast(dtype, strict=False)
        is_wrong = numbers.is_null() & text.is_not_null()
        if not is_wrong.any():
            return numbers
    row = int(is_wrong.arg_max() or 0)
    raise table.error(row, f"expected a number as weight, found {column[row]!r}")
