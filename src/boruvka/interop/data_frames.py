"""pandas, Arrow and polars: convert a forest to a table with a row per edge, and such a table to a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from boruvka.errors import GraphTypeError, OptionError
from boruvka.graph.graph import Graph
from boruvka.interop.weights import at_most_64_bits
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from boruvka.forest.forest import Forest

__all__ = ["graph_from", "to_arrow", "to_pandas", "to_polars"]


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
        ``u``, ``v`` and ``w``, which keep their types.

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


def graph_from(frame: Any, u: str = "u", v: str = "v", w: str = "w", n: int | None = None) -> Graph:
    """Make a graph from a table with a row per edge; edges are numbered in the order of the rows.

    Parameters
    ----------
    frame : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        The edges.
    u, v : str
        The columns that hold the ends of each edge: integers from 0.
    w : str
        The column that holds the weights: integers or floats.
    n : int, optional
        Number of vertices; by default one more than the largest id.

    Returns
    -------
    Graph

    Raises
    ------
    GraphError, GraphTypeError
        The columns do not make a graph (see `Graph`): a value is missing, for example; or the argument
        is not a table.
    OptionError
        There is no such column.
    """
    names = getattr(frame, "column_names", getattr(frame, "columns", None))
    if names is None:
        raise GraphTypeError(
            f"expected a frame of pandas or polars or an Arrow table, got {type(frame).__name__}"
        )
    for name in (u, v, w):
        if name not in names:
            raise OptionError(f"there is no column {name!r}; the columns are {', '.join(map(repr, names))}")
    return Graph.from_edges(frame[u].to_numpy(), frame[v].to_numpy(), frame[w].to_numpy(), n)


def _columns(forest: Forest, w: NDArray[Any]) -> dict[str, NDArray[Any]]:
    return {"edge": forest.edges, "u": forest.u, "v": forest.v, "w": w}
