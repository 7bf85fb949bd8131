"""Names of vertices as columns of files: strings, or integers of 64 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError
from boruvka.formats.format import EdgeTable, Options
from boruvka.runtime.argument_names import argument

if TYPE_CHECKING:
    import polars

__all__ = ["as_integers", "check_names_are_numbered", "name_column", "named_ends"]


def check_names_are_numbered(options: Options) -> None:
    """Raise an `OptionError` for options that say how ids are numbered: names are numbered as they appear."""
    for name in "n", "one_based":
        if getattr(options, name) is not None:
            raise OptionError(f"names are numbered as they appear: leave out {argument(name)}")


def name_column(names: NDArray[Any]) -> polars.Series:
    """Make a column of strings, int64 or uint64 of the names of vertices; other names become text.

    Raises
    ------
    FormatError
        Two vertices have the same name, or a name is not valid Unicode.
    """
    import polars as pl

    if {type(name) for name in names.tolist()} == {int}:
        column = pl.Series(_integers(names))
    else:
        try:
            column = pl.Series([str(name) for name in names.tolist()], dtype=pl.String)
        except UnicodeEncodeError as error:
            raise FormatError(f"the name {error.object!r} is not valid Unicode") from None
    if column.n_unique() < len(column):
        twice = column.filter(column.is_duplicated())[0]
        raise FormatError(f"two vertices have the name {twice!r}: a file could not tell them apart")
    return column


def _integers(names: NDArray[Any]) -> NDArray[Any]:
    for dtype in np.int64, np.uint64:
        try:
            return names.astype(dtype, casting="safe" if names.dtype.kind in "iu" else "unsafe")
        except (OverflowError, TypeError):
            continue
    raise FormatError(
        "no 64-bit integer type holds all names; graph.with_names(map(str, graph.names)) makes them strings"
    )


def as_integers(names: NDArray[Any]) -> NDArray[Any] | None:
    """Convert names to integers; None unless each is written as Python writes an integer of 64 bits."""
    import polars as pl

    column = pl.Series(names, dtype=pl.String)
    for dtype in pl.Int64, pl.UInt64:
        integers = column.cast(dtype, strict=False)
        if not integers.null_count() and (integers.cast(pl.String) == column).all():
            return integers.to_numpy()
    return None


def named_ends(table: EdgeTable, names: polars.Series) -> tuple[Any, Any]:
    """Make columns of the names of the ends of all edges, for a format that names only these.

    Parameters
    ----------
    table : EdgeTable
    names : Series
        The column of the names of its vertices.

    Raises
    ------
    FormatError
        A vertex of a graph has no edge. One of a forest may have none: its name is in the file of the graph.
    """
    if table.edges is None:
        has_edge = np.zeros(table.n, bool)
        has_edge[table.u] = has_edge[table.v] = True
        if not has_edge.all():
            raise FormatError(
                f"the vertex {names[int(np.argmin(has_edge))]!r} has no edge, and the format names only the "
                "ends of edges; choose npz or graph-tool"
            )
    return names.gather(table.u), names.gather(table.v)
