"""A value, or a row of values, for each vertex or edge: matched by labels where there are some.

The labels of a mapping are its keys, and those of a pandas series or frame its index, unless that only
numbers the rows. A frame without such an index, of any library, may have a column of labels: one that holds
names of vertices. Arrays, lists, and columns of polars and Arrow have no labels, and are in the order of the
vertices.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.columns import is_missing, read_array

if TYPE_CHECKING:
    from boruvka.graph.abstract_graph import AbstractGraph

__all__ = ["in_edge_order", "in_vertex_order", "labels_and_values", "rows_of_vertices"]

LABEL_COLUMNS = "vertex", "node", "name", "id"
"""Names of columns that hold labels if one of their values is a vertex."""
MOST = 0.5
"""Share of the values of a column that must be names of vertices, if the column has another name."""


def in_vertex_order(graph: AbstractGraph, argument: str, values: Any, *, partial: bool = False) -> Any:
    """Sort values by vertex if they have labels; return others as they are.

    Parameters
    ----------
    graph : AbstractGraph
        The graph.
    argument : str
        The name of the argument, for errors.
    values : object
        A value or a row for each vertex. If profiles were collapsed, there may be one for each profile.
    partial : bool
        Whether vertices may lack a value, which is then NaN.

    Returns
    -------
    (n,) or (n, p) array, or the values
        An array if the values had labels.

    Raises
    ------
    GraphError, GraphTypeError
        A label is no vertex, or is there twice; or a vertex has no value.
    """
    labels, plain = labels_and_values(graph, argument, values)
    if labels is None:
        return plain
    array = read_array(argument, plain)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    rows = rows_of_vertices(graph, argument, labels, partial=partial)
    found = array[rows] if len(array) else np.full((rows.size, *array.shape[1:]), np.nan)
    if (rows < 0).any():
        if array.dtype.kind not in "biuf":
            raise GraphTypeError(f"{argument} must be numbers, these have dtype {array.dtype}")
        found = found.astype(np.float64)
        found[rows < 0] = np.nan
    return found


def labels_and_values(
    graph: AbstractGraph, argument: str, values: Any, *, may_lack_labels: bool = False
) -> tuple[list[Any] | None, Any]:
    """Separate labels from values; labels are None if values are in the order of the vertices.

    Raises
    ------
    GraphError
        Vertices have names, and a series or frame of pandas has none, unless it ``may_lack_labels``.
    """
    if isinstance(values, Mapping):
        return list(values), list(values.values())
    has_index = hasattr(values, "iloc") and hasattr(values, "index")
    if has_index and not _numbers_rows(values.index):
        return values.index.tolist(), values
    if hasattr(values, "columns") and hasattr(values, "shape"):
        names = list(getattr(values, "column_names", values.columns))
        if (name := _label_column(graph, values, names)) is not None:
            if hasattr(values, "column_names"):  # of Arrow
                return values[name].to_pylist(), values.drop_columns([name])
            rest = values.drop(columns=[name]) if has_index else values.drop(name)
            return values[name].to_list(), rest
    if has_index and graph.names is not None and not may_lack_labels:
        raise GraphError(
            f"{argument} has an index that only numbers its rows, and vertices have names: make the names "
            "its index; or, if it is in the order of the vertices, write .to_numpy() behind it"
        )
    return None, values


def rows_of_vertices(
    graph: AbstractGraph, argument: str, labels: list[Any], *, partial: bool = False
) -> NDArray[np.int64]:
    """Return the row of each vertex in a list of labels; -1 if it has none and that is allowed."""
    of_profiles = getattr(graph, "profile_names", None)
    if of_profiles is not None and len(labels) == len(of_profiles) > graph.n:
        first = graph.first_rows  # type: ignore[attr-defined]
        rows, names = _rows_of(of_profiles, argument, labels)[first], [of_profiles[i] for i in first]
    else:
        names = graph.name_of(np.arange(graph.n)).tolist()
        rows = _rows_of(names, argument, labels)
    if not partial:
        _check_all(argument, "vertex", names, rows)
    return rows


def in_edge_order(graph: AbstractGraph, argument: str, mask: Any) -> Any:
    """Sort a mask of edges by edge if it has labels: those of the rows of which the graph was made.

    Raises
    ------
    GraphError
        The labels are not those of the edges.
    """
    if not (
        hasattr(mask, "iloc")
        and hasattr(mask, "index")
        and str(getattr(mask, "dtype", "")) in ("bool", "boolean")
    ):
        return mask
    if _numbers_rows(mask.index):
        return mask.to_numpy()
    table, edges = getattr(graph, "_table", None), np.arange(graph.m)
    index = getattr(getattr(table, "frame", None), "index", None)
    names = edges.tolist() if table is None or index is None else index[table.rows_of(edges)].tolist()
    rows = _rows_of(names, argument, mask.index.tolist())
    _check_all(argument, "edge", names, rows)
    return mask.to_numpy()[rows]


def _check_all(argument: str, kind: str, names: list[Any], rows: NDArray[np.int64]) -> None:
    """Raise a `GraphError` if something has no row."""
    missing = np.flatnonzero(rows < 0)
    if missing.size:
        others = f", nor have {missing.size - 1:,} others" if missing.size > 1 else ""
        raise GraphError(f"{argument}: the {kind} {shown(names[missing[0]])} has no value{others}")


def _rows_of(names: list[Any], argument: str, labels: list[Any]) -> NDArray[np.int64]:
    """Return for each name the row that has it as label, -1 if none has."""
    numbers: Mapping[Hashable, int] = {name: i for i, name in enumerate(names)}
    rows = np.full(len(names), -1)
    for row, label in enumerate(labels):
        if not _is_in(label, numbers):
            raise GraphError(f"{argument} has the label {shown(label)}, which is unknown")
        if rows[numbers[label]] >= 0:
            raise GraphError(f"{argument} has the label {shown(label)} twice")
        rows[numbers[label]] = row
    return rows


def _numbers_rows(index: Any) -> bool:
    """Return whether an index of pandas only numbers the rows from 0."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def _label_column(graph: AbstractGraph, frame: Any, names: list[Any]) -> Any:
    """Find the column of a frame that holds vertices."""
    if graph.names is None:
        known = {name for name in names if str(name).lower() in ("vertex", "node", "id")}
        whole = (name for name in names if name in known and np.asarray(frame[name]).dtype.kind in "iu")
        return next(whole, None)
    vertices = {*graph.name_of(slice(None)).tolist(), *(getattr(graph, "profile_names", None) or ())}
    has_numbers = graph.names.dtype.kind in "iu"
    for name in names:
        is_known = str(name).lower().lstrip("#") in LABEL_COLUMNS
        column = np.asarray(frame[name])
        if column.ndim != 1 or column.dtype.kind == "f" or (has_numbers and not is_known):
            continue  # numbers may be anything
        values = [value for value in column.tolist() if not is_missing(value)]
        count = sum(_is_in(value, vertices) for value in values)
        if count and (is_known or count >= MOST * len(values)):
            return name
    return None


def _is_in(value: Any, known: Any) -> bool:
    try:
        return value in known
    except TypeError:  # it has no hash
        return False
