"""Coordinates of vertices in a plane: from arrays, from frames and mappings by the labels of vertices."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.columns import read_array
from boruvka.graph.labels import is_table, rows_by_label

__all__ = ["SYSTEMS", "X_COLUMNS", "Y_COLUMNS", "read_coordinates"]

SYSTEMS = ("xy", "lonlat", "latlon")
"""Meanings of the two columns: x and y, or degrees of longitude and latitude, or the reverse."""
X_COLUMNS = ("x", "lon", "lng", "long", "longitude")
Y_COLUMNS = ("y", "lat", "latitude")
"""Names of the columns of coordinates, in lower case; all but the first are degrees."""


def read_coordinates(
    graph: Any,
    coordinates: Any,
    system: str | None = None,
    numbers: Mapping[Any, int] | None = None,
    is_partial: bool = False,
) -> tuple[NDArray[np.float64], str]:
    """Read the coordinates of vertices.

    Parameters
    ----------
    graph : Graph
        The graph.
    coordinates : (n, 2) array_like of numbers, mapping or frame
        The coordinates of each vertex, as `boruvka.graph.labels.values_of_vertices` takes them.
        Columns of a frame that are named x and y, or longitude and latitude, may have any order.
    system : str, optional
        One of `SYSTEMS`; by default names of columns decide, or else "xy".
    numbers : mapping, optional
        The number of each name of the graph, if it is known.
    is_partial : bool
        Labels may leave out vertices, whose coordinates are NaN.

    Returns
    -------
    (n, 2) array of float64
    str
        The meaning of its columns, "xy" or "lonlat": columns of "latlon" are exchanged.

    Raises
    ------
    GraphError, GraphTypeError
        The coordinates are not rows of two numbers, or labels do not match.
    """
    values, rows = rows_by_label(graph, "coordinates", coordinates, numbers, is_partial)
    if is_table(values):
        values, system = _known_columns(values, system)
    if getattr(values, "ndim", 2) == 1 and hasattr(values, "tolist"):  # of pairs
        with suppress(NotImplementedError):  # a memoryview of items that Python has not
            values = values.tolist()
    points, system = _rows_of_two(values), system or "xy"
    if system == "latlon":
        points, system = points[:, ::-1], "lonlat"
    if rows is None:
        if len(points) != graph.n:
            raise GraphError(
                f"coordinates must have one row for each of the {graph.n} vertices, these have {len(points)}"
            )
        return points, system
    placed = np.full((graph.n, 2), np.nan)
    placed[rows >= 0] = points[rows[rows >= 0]]
    return placed, system


def _rows_of_two(values: Any) -> NDArray[np.float64]:
    """Convert coordinates to rows of two floats."""
    array: NDArray[Any] = read_array("coordinates", values)
    if array.size == 0 and array.ndim == 1:
        array = np.empty((0, 2))
    if array.dtype.kind not in "iuf":
        raise GraphTypeError(f"coordinates must be numbers, these have dtype {array.dtype}")
    if array.ndim != 2 or array.shape[1] != 2:
        raise GraphError(f"coordinates must have two columns, x and y, not the shape {array.shape}")
    return array.astype(np.float64)


def _known_columns(frame: Any, system: str | None) -> tuple[Any, str | None]:
    """Select the columns x and y, or longitude and latitude, if a frame has them; also return the system."""
    lower = [str(name).lower() for name in frame.columns]
    found = [[i for i, name in enumerate(lower) if name in known] for known in (X_COLUMNS, Y_COLUMNS)]
    if not all(len(positions) == 1 for positions in found):
        return frame, system
    x, y = found[0][0], found[1][0]
    if lower[x] == "x" or lower[y] == "y":
        order = [min(x, y), max(x, y)] if system == "latlon" else [x, y]
    else:
        order, system = [x, y], "xy" if system == "xy" else "lonlat"
    return frame[[frame.columns[i] for i in order]], system
