"""Coordinates of vertices in a plane: from arrays, frames and mappings by labels, and from points of maps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, first_true, shown, shown_names, warn
from boruvka.graph import axis_names
from boruvka.graph.axis_names import ANGLES, X_COLUMNS, Y_COLUMNS, axes_of, axis_of, degrees_of
from boruvka.graph.columns import read_array, refuse_path
from boruvka.graph.labels import ID_COLUMNS, in_memory, is_pandas, is_table, row_names, rows_by_label
from boruvka.graph.no_values import is_missing
from boruvka.graph.text_numbers import column_of_numbers
from boruvka.runtime.arguments import argument, is_command_running
from boruvka.runtime.libraries import gpd, pyproj, shapely

DEGREES = "EPSG:4326"
"""Longitude and latitude in degrees on the ellipsoid WGS 84."""

MAX_LONGITUDE = 360
"""Largest longitude of a point on the earth, as longitudes are counted to 180 or to 360."""
SYSTEMS = ("xy", "lonlat", "latlon")
"""Meanings of the two columns: x and y, or degrees of longitude and latitude, or the reverse."""


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
            what = f"coordinates must have one row for each of the {graph.n} vertices"
            raise GraphError(f"{what}, these have {len(points)}")
        return points, system
    placed = np.full((graph.n, 2), np.nan)
    placed[rows >= 0] = points[rows[rows >= 0]]
    return placed, system


def _rows_of_two(values: Any, name: str = "coordinates") -> NDArray[np.float64]:
    """Convert coordinates to rows of two floats."""
    array: NDArray[Any] = read_array(name, values)
    if array.size == 0 and array.ndim == 1:
        array = np.empty((0, 2))
    numbers = _numbers(array)
    if array.ndim != 2 or array.shape[1] != 2:
        raise GraphError(f"coordinates must have two columns, x and y, not the shape {array.shape}")
    return numbers


def _numbers(array: NDArray[Any]) -> NDArray[np.float64]:
    if array.dtype.kind not in "iuf":
        raise GraphTypeError(f"coordinates must be numbers, these have dtype {array.dtype}")
    return array.astype(np.float64)


def _known_columns(frame: Any, system: str | None, in_degrees: bool = False) -> tuple[Any, str | None]:
    """Select the columns x and y, or longitude and latitude, if a frame has them; also return the system."""
    if (found := coordinate_columns(frame.columns, in_degrees)) is None:
        return frame, system
    x, y = found
    if {axis_of(frame.columns[k]) for k in found} & {"x", "y"}:
        order = [min(x, y), max(x, y)] if system == "latlon" else [x, y]
    else:
        order, system = [x, y], "xy" if system == "xy" else "lonlat"
    return frame[[frame.columns[i] for i in order]], system


def coordinate_columns(columns: Iterable[Any], in_degrees: bool = False) -> tuple[int, int] | None:
    """Return the positions of the columns x and y, or longitude and latitude; None if a frame has none.

    A frame may have both: then they are in degrees, or not.
    """
    axes = axes_of(columns, None)
    if {"x", "y", "lon", "lat"} <= {*axes}:
        axes = [axis if (axis in ANGLES) == in_degrees else "" for axis in axes]
    x, y = ([i for i, axis in enumerate(axes) if axis in known] for known in (X_COLUMNS, Y_COLUMNS))
    return (x[0], y[0]) if len(x) == len(y) == 1 else None


class Places(NamedTuple):
    """The points of a frame of geopandas, a row for each."""

    frame: Any
    """The frame; a row of several points is there as often."""
    points: NDArray[np.float64]
    """x and y; or longitude and latitude in degrees, if coordinates are geographic."""
    system: str
    """"xy" or "lonlat"."""

    @classmethod
    def read(cls, frame: Any) -> Places:
        """Read a frame or series of geopandas; heights are left out.

        Raises
        ------
        GraphError
            A geometry is missing or is not a point.
        """
        shapes = frame.geometry
        is_point = (shapes.geom_type.isin(["Point", "MultiPoint"]) & ~shapes.is_empty).to_numpy()
        if (row := first_true(~is_point)) is not None:
            raise GraphError(
                f"row {shown(shapes.index[row])} has {shapes.iloc[row]!s:.40}, not a point: leave out such "
                "rows; a frame of lines is a graph, boruvka.as_graph(frame)"
            )
        if (shapes.geom_type == "MultiPoint").any():
            frame = frame.explode(ignore_index=True)
        system = "lonlat" if is_geographic(shapes.crs) else "xy"
        shapes = frame.geometry.to_crs(DEGREES) if system == "lonlat" else frame.geometry
        return cls(frame, np.column_stack([shapes.x, shapes.y]), system)

    def for_metric(self, metric: Any) -> tuple[NDArray[np.float64], Any]:
        """Return the points as a metric takes them, and the metric; the coordinates decide where it is None.

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
        if self.system == "lonlat":
            return np.radians(self.points[:, ::-1]), metric
        raise GraphError(
            f"{argument('metric', metric)} is for longitude and latitude, and the coordinates are not "
            "geographic: leave it out, or convert them, as frame.to_crs(4326) of geopandas does"
        )

    def names(self) -> list[Any] | None:
        """List the names of the points; None if there are none.

        They are the labels of rows, unless these only number them, or else the values of `column_of_names`.
        """
        if (labels := row_names(self.frame)) is not None or not is_table(self.frame):
            return labels
        names = self.column_of_names(self.frame.drop(columns=self.frame.geometry.name), must_be_id=False)
        return None if names is None else names.tolist()

    @staticmethod
    def column_of_names(columns: Any, must_be_id: bool = True) -> Any:
        """Return the column of a frame of pandas that has the names; None if there is none.

        It is called as one of `ID_COLUMNS`, or else is the first of texts; no name is missing or there twice,
        except in a column id that is not empty, where ``must_be_id`` takes no other column.
        """
        place = {name: k for k, name in enumerate(ID_COLUMNS)}
        for name in sorted(columns, key=lambda name: place.get(str(name).lower(), len(place))):
            names = columns[name].convert_dtypes()  # whole numbers beside a gap are floats
            kinds = (str, int) if str(name).lower() in place else str
            is_id = must_be_id and str(name).lower() == "id" and names.notna().any()
            if is_id or (all(isinstance(each, kinds) for each in names.tolist()) and names.is_unique):
                return names
        return None


def in_radians(points: Any, metric: Any) -> tuple[Any, Any]:
    """Convert latitudes and longitudes from degrees, and find the metric; columns called so have any order.

    Raises
    ------
    GraphError, OptionError
        An angle is out of range, or the metric is not on the sphere.

    Warns
    -----
    GraphWarning
        A frame has more columns.
    """
    from boruvka.graph.points import validation
    from boruvka.graph.points.point_pairs import is_on_sphere

    if is_table(points) and axis_names.has_parts(points.columns):
        points = type(points)(axis_names.with_joined_angles({x: points[x] for x in points.columns}))
    angles, default, names = points, "great_circle", list[Any]()
    found = validation.columns_of_angles(points, True) if is_table(points) else []
    if found:
        names = [points.columns[k] for own in found for k in own]
        if len(names) > 2:
            first = [points.columns[own[0]] for own in found]
            what = f"several columns may be a latitude or a longitude, {shown_names(names)}"
            raise GraphError(f"{what}: write points[{first}] for two of them")
        default = "haversine" if "ra" in axes_of(points.columns, True) else default
        if len(points.columns) > 2:
            warn(f"degrees=True takes the columns {shown_names(names)} alone; names=frame[column] adds names")
        angles = points[names]
        read = {name: degrees_of(name, points[name]) for name in names}
        if any(x is not None for x in read.values()):
            for name, x in read.items():
                for k, each in enumerate(points[name]):
                    if not is_missing(each) and (isinstance(each, str) if x is None else np.isnan(x[k])):
                        what = f"the column {shown(name)} has {shown(each)}, which is not an angle"
                        raise GraphError(f"{what} as 12:00:00: write all in one way, or remove point {k}")
            how = {"index": points.index} if is_pandas(points) else {"nan_to_null": True}
            angles = type(points)({name: points[name] if x is None else x for name, x in read.items()}, **how)
    elif is_table(points):
        validation.warn_of_order(points.columns, "points")
    metric = default if metric is None else metric
    if not is_on_sphere(metric):
        raise OptionError(f"degrees=True is for the metrics great_circle and haversine, not {shown(metric)}")
    with validation.naming_columns("points", angles):
        given = read_array("points", angles)
        try:
            angles = given.astype(np.float64)
        except (TypeError, ValueError):
            raise validation.not_numbers(given) from None
        validation.check_range(angles, None)
    if angles.shape[1:] == (2,) and (i := first_true((np.abs(angles) > (90, 360)).any(axis=1))) is not None:
        what = "a latitude from -90 to 90 and a longitude from -360 to 360 degrees"
        way = "remove points of missing values, convert other units, or exchange longitude and latitude"
        raise GraphError(f"point {i} is {tuple(angles[i].tolist())}, not {what}: {way}")
    validation.warn_of_sentinels(angles, names, points)
    if names:
        again = f"Graph.from_points(points[{names}].to_numpy(), {getattr(metric, '__name__', metric)!r}"
        advice = f"write {again}, degrees=True) if in degrees", f"write {again}) if in radians"
        may_differ = axis_of(names[1]) == "ra" and all(x is None for x in read.values())
        validation.warn_of_unit(names, angles if may_differ else None, True, *advice)
    return np.radians(angles), metric


def is_geographic(crs: Any) -> bool:
    """Return whether a coordinate reference system is known and has longitude and latitude."""
    return crs is not None and bool(crs.is_geographic)


def is_map(values: Any) -> bool:
    """Return whether values are a frame or series of geopandas that has geometries."""
    return is_pandas(values) and hasattr(values, "to_crs") and hasattr(values, "geometry")


def are_places(values: Any) -> bool:
    """Return whether values are a map, or a table that has columns of coordinates."""
    return is_map(values) or (is_table(values) and coordinate_columns(values.columns) is not None)


def points_of_places(name: str, places: Any, crs: Any) -> NDArray[np.float64]:
    """Return a point of each place, in the coordinate reference system of lines.

    Parameters
    ----------
    name : str
        The argument that holds the places.
    places : frame or series of geopandas, table, or (k, 2) array_like
        Of a polygon, or of anything but a point, a point inside of it is taken. A table has columns x and y,
        or longitude and latitude; x and y, and rows of two, are in the system of the lines.
    crs : pyproj.CRS or None
        The system of the lines.

    Raises
    ------
    GraphError, GraphTypeError
        A place has no point, only one of both has a system, or these are no places.
    """
    crs = None if crs is None else pyproj.CRS(crs)
    shapes = places.geometry if is_map(places) else _points_of_table(name, places, crs)
    if (shapes.crs is None) != (crs is None):
        known, frame, system = ("places", "streets", shapes.crs) if crs is None else ("lines", name, crs)
        command = f"if both are in it, {assigned_system(system.to_epsg())}"
        how = f"write {frame}.set_crs({system.to_epsg() or 'crs'}) if both are in it, "
        how += f"{frame}.set_crs(4326) if they are in degrees"
        only = f"only the {known} have a coordinate reference system, {system.name}"
        raise GraphError(only + advice(how, command))
    given, shapes = shapes, shapes if crs is None else shapes.to_crs(crs)
    inside = np.asarray(shapes.array)
    bounds = np.abs(shapely.bounds(inside))
    is_there = np.isfinite(bounds).all(axis=1)  # GEOS has (0, 0) on a surface at infinity
    is_there &= not is_geographic(crs) or (bounds <= 2 * (MAX_LONGITUDE, 90)).all(axis=1)
    if (row := first_true(~is_there)) is not None:
        what = f"the place {shown(shapes.index[row])}"
        other = f"write {name}.set_crs(..., allow_override=True) with the right one"
        other = assigned_system() if is_command_running() else other
        x, y = given.bounds.iloc[row, :2]
        if np.isfinite((x, y)).all():
            raise GraphError(
                f"{what} is at {x:.12g}, {y:.12g}, nowhere in its reference system, {given.crs.name}: "
                f"columns x and y are in the system of the lines, lon and lat in degrees; of a map, {other}"
            )
        count = f"places without one: {np.count_nonzero(~is_there):,}"
        kept = f", as {name}[{name}.bounds.minx.notna()]" if is_map(places) else ""
        raise GraphError(f"{what} has no point ({count}): leave them out{kept}")
    points: NDArray[np.float64] = shapely.get_coordinates(shapely.point_on_surface(inside))
    return points


def advice(text: str, command: str = "") -> str:
    """Return what to write in Python, or where a command runs what to do there; there may be no text."""
    return f": {how}" if (how := command if is_command_running() else text) else ""


def assigned_system(epsg: int | None = None) -> str:
    """Return how to give a file a reference system on the command line."""
    return f"ogr2ogr -a_srs EPSG:{epsg or 'CODE'} NEW.gpkg FILE writes it with this system"


def _points_of_table(name: str, places: Any, crs: Any) -> Any:
    """Return the places of a table, or of rows of two coordinates, as a series of geopandas."""
    for each in places if isinstance(places, list | tuple) else [places]:
        refuse_path(name, each, "geopandas.read_file({}) or pandas.read_csv")
    places, index = in_memory(places), places.index if is_pandas(places) else None
    if is_table(places):
        if coordinate_columns(places.columns) is None:
            raise GraphTypeError(
                f"{name} has no columns x and y, or lon and lat, and no geometries; its columns are "
                f"{shown_names([str(column) for column in places.columns])}: rename those of the coordinates"
            )
        table, system = _known_columns(places, None, is_geographic(crs))
        crs = DEGREES if system == "lonlat" else crs
        places = np.column_stack([column_of_numbers(str(c), table[c]) for c in table.columns])
    return gpd.GeoSeries.from_xy(*_rows_of_two(places, name).T, index=index, crs=crs)


def vertices_near(graph: Any, place: Any) -> Any:
    """Implement `Graph.vertex_near`."""
    if graph.coordinates is None:
        raise GraphTypeError("the vertices have no coordinates: graph.with_coordinates gives them")
    if are_places(place):
        frame = getattr(graph.annotations.table, "frame", None)
        crs = DEGREES if graph.system == "lonlat" else getattr(place, "crs", None)
        place = points_of_places("place", place, getattr(frame, "crs", crs))
    points = _numbers(read_array("place", place))
    if points.shape[-1:] != (2,) or points.ndim > 2 or not np.isfinite(points).all():
        raise GraphError(f"a place has two coordinates, and several have rows of two, got {shown(place)}")
    placed = np.flatnonzero(~np.isnan(graph.coordinates).any(axis=1))
    if not placed.size:
        raise GraphError("no vertex has coordinates")
    known, at = graph.coordinates[placed], points.reshape(-1, 2)
    if graph.system == "lonlat":
        from boruvka.graph.points.search_metric import on_sphere

        known, at = (on_sphere(np.radians(degrees[:, ::-1])) for degrees in (known, at))
    columns = np.ascontiguousarray(known.T)  # a tenth of the time of rows
    nearest = np.array([((columns - each[:, None]) ** 2).sum(axis=0).argmin() for each in at], np.int64)
    extent = np.linalg.norm(np.ptp(known, axis=0))
    if extent and (far := np.linalg.norm(known[nearest] - at, axis=1) > extent).any():
        x, y = points.reshape(-1, 2)[np.argmax(far)]
        warn(
            f"place: ({x:g}, {y:g}) is farther from all vertices than they extend: it may be in another "
            "coordinate system, or have its columns exchanged"
        )
    found = placed[nearest]
    return graph.name_of(int(found[0]) if points.ndim == 1 else found)
