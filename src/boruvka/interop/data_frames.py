"""pandas, Arrow and polars: convert a forest to a table with a row per edge, and such a table to a graph."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphTypeError, OptionError
from boruvka.graph.columns import read_column
from boruvka.graph.graph import Graph
from boruvka.interop.column_names import choose_columns
from boruvka.interop.shared import at_most_64_bits
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["edge_columns", "graph_from", "to_arrow", "to_pandas", "to_polars"]


def to_pandas(forest: Any) -> pandas.DataFrame:
    """Implement `Forest.to_pandas`."""
    pandas, columns = require("pandas", "pandas"), _columns(forest, forest.w)
    try:
        return pandas.DataFrame(columns)
    except UnicodeEncodeError:  # a lone surrogate, which only a column of objects holds
        return pandas.DataFrame({name: pandas.Series(x, dtype=x.dtype) for name, x in columns.items()})


def to_arrow(forest: Any) -> pyarrow.Table:
    """Implement `Forest.to_arrow`."""
    arrow, columns = require("pyarrow", "arrow"), _columns(forest, at_most_64_bits(forest.w))
    return arrow.table({name: _typed(arrow.array, name, column) for name, column in columns.items()})


def to_polars(forest: Any) -> polars.DataFrame:
    """Implement `Forest.to_polars`."""
    import polars

    columns = _columns(forest, at_most_64_bits(forest.w))
    return polars.DataFrame({name: _typed(polars.Series, name, column) for name, column in columns.items()})


def graph_from(
    frame: Any,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    n: int | None = None,
    names: bool | Iterable[Hashable] | None = None,
) -> Graph:
    """Make a graph from a table with a row per edge; edges are numbered in the order of the rows.

    Parameters
    ----------
    frame : table
        A frame of pandas or polars (also lazy), a table, record batch or reader of Arrow, or a relation of
        DuckDB, which has no order unless its query sorts.
    source, target : str, optional
        The columns that hold the ends of each edge: integers from 0, or names, such as strings. By default
        columns with known names, such as source, target, or from, to.
    weight : str, optional
        The column that holds the weights, integers or floats; by default weight, w, cost, distance or length.
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
    >>> graph_from(roads, weight="km").names.tolist()
    ['Bonn', 'Ulm', 'Kiel']
    """
    u, v, w = edge_columns(frame, source, target, weight)
    return Graph.from_edges(u, v, w, n, names)


def edge_columns(frame: Any, source: str | None, target: str | None, weight: str | None) -> tuple[Any, ...]:
    """Extract the columns of edges from a table, as `read_column` returns them; see `graph_from`."""
    columns = _column_names(frame)
    chosen = choose_columns(
        columns, (source, target, weight), partial(_unknown_columns, "geometry" in columns)
    )
    table = _with_columns(frame, chosen)
    return tuple(read_column(end, table[name]) for end, name in zip("uvw", chosen, strict=True))


def _unknown_columns(has_lines: bool, problem: str) -> OptionError:
    way = "write boruvka.as_graph(frame, source=..., target=..., weight=...)"
    if has_lines:
        way = "for lines write frame.to_file('lines.gpkg') and boruvka.read('lines.gpkg')"
    return OptionError(f"{problem}; {way}")


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


def _with_columns(frame: Any, columns: list[str]) -> Any:
    """Load only the columns of edges of a table into memory."""
    if hasattr(frame, "collect"):
        return frame.select(columns).collect()
    if hasattr(frame, "to_arrow_table"):  # a relation of DuckDB
        quoted = ('"' + name.replace('"', '""') + '"' for name in columns)
        return frame.project(", ".join(quoted)).to_arrow_table()
    return frame.read_all() if hasattr(frame, "read_all") else frame


def _typed(make: Callable[[Any], Any], name: str, column: NDArray[Any]) -> Any:
    """Make a column of one type; pyarrow and polars convert some mixtures silently."""
    if column.dtype != object:
        return make(column)
    items = column.tolist()
    kinds = {type(item) for item in items}
    error: object = f"there are {', '.join(sorted(kind.__name__ for kind in kinds))}"
    if len(kinds) <= 1:
        try:
            return make(np.array(items) if items and isinstance(items[0], np.generic) else items)
        except (TypeError, ValueError, ArithmeticError, NotImplementedError) as reason:
            error = reason
    raise GraphTypeError(
        f"the names in the column {name} have no type that it can hold: {error}; to_pandas takes any names, "
        "and graph.with_names(map(str, graph.names)) makes them strings"
    )


def _columns(forest: Any, w: NDArray[Any]) -> dict[str, NDArray[Any]]:
    u, v = forest.graph.name_of(forest.u), forest.graph.name_of(forest.v)
    return {"edge": forest.edges, "source": u, "target": v, "weight": w}
