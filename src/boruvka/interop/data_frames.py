"""pandas, Arrow and polars: convert a forest to a table with a row per edge, and such a table to a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphTypeError, OptionError
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import ends_among, weights_among
from boruvka.interop.shared import at_most_64_bits
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from boruvka.forest.forest import Forest

__all__ = ["choose_columns", "edge_columns", "graph_from", "to_arrow", "to_pandas", "to_polars"]


def to_pandas(forest: Forest) -> pandas.DataFrame:
    """Convert a forest to a pandas frame.

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    pandas.DataFrame
        A row per edge, in ascending order of index, with the columns ``edge`` (its index in the graph),
        ``u``, ``v`` (names, if vertices have them) and ``w``, which keep their types.

    Raises
    ------
    MissingExtraError
        pandas is not installed.
    """
    return require("pandas", "pandas").DataFrame(_columns(forest, forest.w))


def to_arrow(forest: Forest) -> pyarrow.Table:
    """Convert a forest to an Arrow table.

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    pyarrow.Table
        As for `to_pandas`, but ``longdouble`` is rounded to float64.

    Raises
    ------
    MissingExtraError
        pyarrow is not installed.
    """
    return require("pyarrow", "arrow").table(_columns(forest, at_most_64_bits(forest.w)))


def to_polars(forest: Forest) -> polars.DataFrame:
    """Convert a forest to a polars frame.

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    polars.DataFrame
        As for `to_pandas`, but ``longdouble`` is rounded to float64.
    """
    import polars

    return polars.DataFrame(_columns(forest, at_most_64_bits(forest.w)))


def graph_from(
    frame: Any,
    u: str | None = None,
    v: str | None = None,
    w: str | None = None,
    n: int | None = None,
    names: bool | Iterable[Hashable] | None = None,
) -> Graph:
    """Make a graph from a table with a row per edge; edges are numbered in the order of the rows.

    Parameters
    ----------
    frame : table
        A frame of pandas or polars (also lazy), a table, record batch or reader of Arrow, or a relation of
        DuckDB, which has no order unless its query sorts.
    u, v : str, optional
        The columns that hold the ends of each edge: integers from 0, or names, such as strings. By default
        columns with known names: u, v; source, target; from, to; and so on.
    w : str, optional
        The column that holds the weights, integers or floats; by default w, weight, cost, distance or length.
    n : int, optional
        Number of vertices, if the ends are integers; by default one more than the largest.
    names : bool or iterable of n names, optional
        As for `Graph.from_edges`: True if integers are names too.

    Returns
    -------
    Graph

    Raises
    ------
    GraphError, GraphTypeError
        The columns do not make a graph (see `Graph`): a value is missing, for example; or the argument
        is not a table.
    OptionError
        There is no such column, or none has a known name.

    Examples
    --------
    >>> import polars
    >>> roads = polars.DataFrame({"from": ["Bonn", "Ulm"], "to": ["Ulm", "Kiel"], "km": [440, 810]})
    >>> graph_from(roads, w="km").names.tolist()
    ['Bonn', 'Ulm', 'Kiel']
    """
    return Graph.from_edges(*edge_columns(frame, u, v, w), n, names)


def edge_columns(frame: Any, u: str | None, v: str | None, w: str | None) -> tuple[Any, Any, NDArray[Any]]:
    """Extract the columns of edges from a table: numbers as arrays, names as they are; see `graph_from`."""
    columns = _column_names(frame)
    chosen = choose_columns(columns, (u, v, w), "boruvka.as_graph(frame, u=..., v=..., w=...)")
    table = _with_columns(frame, chosen)
    first, second, weights = (_column(table, name) for name in chosen)
    return first, second, np.asarray(weights)


def _column_names(frame: Any) -> list[str]:
    if hasattr(frame, "collect_schema"):  # a lazy frame of polars
        return frame.collect_schema().names()
    for names in (lambda: frame.column_names, lambda: frame.columns, lambda: frame.schema.names):
        with suppress(AttributeError):
            return list(names())
    raise GraphTypeError(
        "expected a frame of pandas or polars, an Arrow table or a DuckDB relation, got "
        f"{type(frame).__name__}"
    )


def choose_columns(
    columns: list[str],
    wanted: tuple[str | None, str | None, str | None],
    call: str = "source=, target=, weight=",
) -> list[str]:
    """Find the columns of ends and weights that the caller did not name.

    Parameters
    ----------
    columns : list of str
        All columns.
    wanted : tuple
        The columns of u, v and w that the caller named; None for the others.
    call : str
        Code that names the columns, for errors.

    Raises
    ------
    OptionError
        There is no such column, or none has a known name.
    """
    shown = ", ".join(map(repr, columns))
    for name in wanted:
        if name is not None and name not in columns:
            raise OptionError(f"there is no column {name!r}; the columns are {shown}")
    u, v, w = wanted
    hint = f"among the columns {shown}; write {call}"
    if u is None or v is None:
        ends = ends_among(columns)
        if len(ends) != 1:
            if "geometry" in columns:
                way = "for lines write frame.to_file('lines.gpkg') and boruvka.read('lines.gpkg')"
                hint = f"among the columns {shown}; {way}"
            raise OptionError(f"cannot tell the ends of edges {hint}")
        u, v = (given or columns[i] for given, i in zip((u, v), ends[0], strict=True))
    if w is None:
        weights = weights_among(columns)
        if len(weights) != 1:
            raise OptionError(f"cannot tell the weights {hint}")
        w = columns[weights[0]]
    return [u, v, w]


def _with_columns(frame: Any, columns: list[str]) -> Any:
    """Load only the columns of edges of a table into memory."""
    if hasattr(frame, "collect"):
        return frame.select(columns).collect()
    if hasattr(frame, "to_arrow_table"):  # a relation of DuckDB
        quoted = ('"' + name.replace('"', '""') + '"' for name in columns)
        return frame.project(", ".join(quoted)).to_arrow_table()
    return frame.read_all() if hasattr(frame, "read_all") else frame


def _column(table: Any, name: str) -> Any:
    """Return a numeric column as an array, any other as it is."""
    column = table[name]
    kind = type(column).__module__.partition(".")[0]
    if kind == "polars":
        return column.to_numpy() if column.dtype.is_numeric() else column
    if kind == "pyarrow":
        from pyarrow import types

        numeric = types.is_integer(column.type) or types.is_floating(column.type)
        return column.to_numpy() if numeric else column
    if kind == "pandas":
        from pandas.api.types import is_numeric_dtype

        if not is_numeric_dtype(column.dtype):  # to_numpy would make an object of each string
            return column
    values = column.to_numpy()
    return values if values.dtype.kind in "iuf" else column


def _columns(forest: Forest, w: NDArray[Any]) -> dict[str, NDArray[Any]]:
    u, v = forest.graph.name_of(forest.u), forest.graph.name_of(forest.v)
    return {"edge": forest.edges, "u": u, "v": v, "w": w}
