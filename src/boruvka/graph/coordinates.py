"""Coordinates of vertices in a plane: from arrays, frames and mappings by labels, and from points of maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.columns import read_array
from boruvka.graph.labels import ID_COLUMNS, is_pandas, is_table, row_names, rows_by_label
from boruvka.runtime.arguments import argument

__all__ = [
    "DEGREES",
    "SYSTEMS",
    "X_COLUMNS",
    "Y_COLUMNS",
    "Places",
    "is_map",
    "name_column",
    "read_coordinates",
]

DEGREES = "EPSG:4326"
"""Longitude and latitude in degrees on the ellipsoid WGS 84."""

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


class Places(NamedTuple):
    """The points of a frame of geopandas, a row for each."""

    frame: Any
    """The frame; a row of several points is there as often."""
    points: NDArray[np.float64]
    """x and y; or longitude and latitude in degrees, if coordinates are geographic."""
    system: str
    """"xy" or "lonlat"."""
    unit: str
    """Unit of the coordinates, empty if the frame does not say."""

    @classmethod
    def read(cls, frame: Any) -> Places:
        """Read a frame or series of geopandas; heights are left out.

        Raises
        ------
        GraphError
            A geometry is missing or no point.
        GraphTypeError
            The frame has no column of geometries.
        """
        try:
            shapes = frame.geometry
        except AttributeError as error:
            raise GraphTypeError(f"the frame has no column of geometries: {error}") from None
        is_point = (shapes.geom_type.isin(["Point", "MultiPoint"]) & ~shapes.is_empty).to_numpy()
        if not is_point.all():
            row = int(np.argmin(is_point))
            shape = shapes.iloc[row]
            found = "no geometry" if shape is None else f"{'an empty' * shape.is_empty or 'a'} {shape.geom_type}"
            raise GraphError(
                f"row {shown(shapes.index[row])} has {found}, not a point; {np.count_nonzero(~is_point):,} rows "
                "have none: leave them out; lines are edges, boruvka.as_graph(frame)"
            )
        if (shapes.geom_type == "MultiPoint").any():
            frame = frame.explode(ignore_index=True)
            shapes = frame.geometry
        if shapes.crs is not None and shapes.crs.is_geographic:
            shapes = shapes.to_crs(DEGREES)
            return cls(frame, np.column_stack([shapes.x, shapes.y]), "lonlat", "degree")
        unit = "" if shapes.crs is None else next((axis.unit_name for axis in shapes.crs.axis_info), "")
        return cls(frame, np.column_stack([shapes.x, shapes.y]), "xy", unit)

    def for_metric(self, metric: Any) -> tuple[NDArray[np.float64], Any]:
        """Return the points as a metric takes them, and the metric: None for the one that suits the coordinates.

        Raises
        ------
        GraphError
            The metric is for places on the earth, and coordinates are not geographic.
        """
        from boruvka.graph.points.point_pairs import is_on_sphere

        if metric is None:
            metric = "great_circle" if self.system == "lonlat" else "euclidean"
        if not is_on_sphere(metric):
            return self.points, metric
        if self.system != "lonlat":
            raise GraphError(
                f"{argument('metric', metric)} is for longitude and latitude, and the coordinates are not geographic: "
                "leave it out, or convert them first, as frame.to_crs(4326) of geopandas does"
            )
        return np.radians(self.points[:, ::-1]), metric

    def names(self) -> list[Any] | None:
        """List the names of the points: labels of rows that do more than number them, else a column of names."""
        if (names := row_names(self.frame)) is not None or not is_table(self.frame):
            return names
        others = self.frame.drop(columns=self.frame.geometry.name)
        columns = [others.iloc[:, i].tolist() for i in range(others.shape[1])]
        position = name_column(list(map(str, others.columns)), columns)
        return None if position is None else columns[position]


def is_map(values: Any) -> bool:
    """Return whether values are a frame or series of geopandas."""
    return is_pandas(values) and hasattr(values, "to_crs")


def name_column(names: Sequence[str], columns: Sequence[Sequence[Any]]) -> int | None:
    """Choose the column that names the rows: one called name or id, else the first of texts; None if there is none.

    No value is missing or there twice.
    """
    lower = [name.lower() for name in names]
    known = [lower.index(name) for name in (*reversed(ID_COLUMNS), "label") if name in lower]
    texts = [i for i, column in enumerate(columns) if all(isinstance(value, str) for value in column)]
    for i in (*known, *texts):
        values = list(columns[i])
        if all(isinstance(x, str | int | np.integer) and x != "" for x in values) and len(set(values)) == len(values):
            return i
    return None
