"""geopandas: a frame of lines becomes a graph, and its forest the rows of the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown
from boruvka.graph.columns import read_column
from boruvka.graph.graph import Graph
from boruvka.interop.data_frames import SourceTable
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import geopandas

__all__ = ["graph_from", "to_geopandas"]


def graph_from(frame: geopandas.GeoDataFrame, weight: str | None = None) -> Graph:
    """Make a graph of a frame of lines: edge i is row i, and vertices are the ends of lines.

    Lines that touch elsewhere are not joined there: split them first, where they cross, by
    ``shapely.node``.

    Parameters
    ----------
    frame : geopandas.GeoDataFrame
        A row for each line.
    weight : str, optional
        The column that holds the weights; by default the lengths of lines, in metres if coordinates are
        degrees, else in the unit of the coordinate reference system.

    Returns
    -------
    Graph
        Names of vertices are their coordinates (x, y), and ``graph.coordinates`` holds them too.

    Raises
    ------
    GraphError
        A geometry is missing or no line, or a weight is NaN.
    GraphTypeError
        The frame has no column of geometries, or weights are no numbers.
    OptionError
        There is no such column.
    """
    shapely = require("shapely", "geo")
    try:
        lines = np.asarray(frame.geometry.array)
    except AttributeError as error:
        raise GraphTypeError(f"the frame has no column of geometries: {error}") from None
    is_line = (shapely.get_type_id(lines) == shapely.GeometryType.LINESTRING) & ~shapely.is_empty(lines)
    if not is_line.all():
        row = int(np.argmin(is_line))
        found = "no geometry" if lines[row] is None else f"a {lines[row].geom_type}"
        raise GraphError(
            f"row {row} has {found}, not a line; {np.count_nonzero(~is_line):,} rows have none: write "
            "frame.explode(), and leave out what is no line"
        )
    ends = shapely.get_coordinates([shapely.get_point(lines, k) for k in (0, -1)]) + 0.0  # no minus zero
    places, number = np.unique(np.ascontiguousarray(ends).view(np.complex128).ravel(), return_inverse=True)
    names = list(zip(places.real.tolist(), places.imag.tolist(), strict=True))
    is_geographic = frame.crs is not None and frame.crs.is_geographic
    if weight is None:
        w = _metres(lines, frame.crs) if is_geographic else shapely.length(lines)
    elif list(frame.columns).count(weight) == 1:
        w = read_column("w", frame[weight])
    else:
        known = ", ".join(map(shown, frame.columns))
        raise OptionError(f"there is no column {shown(weight)}; the columns are {known}")
    graph = Graph.from_edges(number[: len(lines)], number[len(lines) :], w, len(names), names)
    system = "lonlat" if is_geographic else "xy"
    graph = graph.with_coordinates(places.view(np.float64).reshape(-1, 2), system)
    graph._initialise(_table=SourceTable(frame, ["source", "target", "weight"], None))
    return graph


def to_geopandas(forest: Any) -> geopandas.GeoDataFrame:
    """Implement `Forest.to_geopandas`."""
    frame = getattr(getattr(forest.graph, "_table", None), "frame", None)
    if frame is None or not hasattr(frame, "geometry"):
        raise GraphTypeError(
            "only the forest of a graph that boruvka.as_graph made of a GeoDataFrame has lines"
        )
    return frame.iloc[forest.edges]


def _metres(lines: NDArray[Any], crs: Any) -> NDArray[np.float64]:
    """Compute the lengths of lines on the ellipsoid of their coordinate reference system."""
    geod = crs.get_geod()
    return np.array([geod.geometry_length(line) for line in lines])
