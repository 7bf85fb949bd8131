"""geopandas: a frame of lines becomes a graph, and its forest the rows of the frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown
from boruvka.graph.columns import read_column
from boruvka.graph.coordinates import DEGREES
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.interop.data_frames import SourceTable
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    import geopandas

__all__ = [
    "count_touching_ends",
    "graph_from",
    "graph_of_lines",
    "line_frame",
    "line_points",
    "split_lines",
    "to_geopandas",
]

MAX_LATITUDE, MAX_LONGITUDE = 90, 360
"""Largest degrees of a point on the earth; longitudes are counted to 180 or to 360."""


def graph_from(frame: geopandas.GeoDataFrame, weight: str | None = None, node: bool = False) -> Graph:
    """Make a graph of a frame of lines: edge i is row i, and vertices are the ends of lines, without heights.

    Parameters
    ----------
    frame : geopandas.GeoDataFrame
        A row for each line. Each part of a row of several lines is an edge, with the values of the row.
    weight : str, optional
        The column that holds the weights; by default the lengths of lines, in metres on the ellipsoid
        WGS 84, or in the unit of coordinates without a reference system.
    node : bool
        Split lines where they cross or touch, also at bridges; the edges are these pieces. Without it, lines
        are joined only at their ends.

    Returns
    -------
    Graph
        Names of vertices are their coordinates (x, y), and ``graph.coordinates`` holds them too.

    Raises
    ------
    GraphError
        A geometry is missing or no line, or a weight is NaN.
    GraphTypeError
        The frame has no column of geometries, or weights are not numbers.
    OptionError
        There is no such column, or it is given with ``node``.
    """
    shapely = require("shapely", "geo")
    try:
        lines = np.asarray(frame.geometry.array)
    except AttributeError as error:
        raise GraphTypeError(f"the frame has no column of geometries: {error}") from None
    kinds, several = shapely.get_type_id(lines), shapely.GeometryType.MULTILINESTRING
    is_line = ((kinds == shapely.GeometryType.LINESTRING) | (kinds == several)) & ~shapely.is_empty(lines)
    if not is_line.all():
        row = int(np.argmin(is_line))
        kind = "an empty" if lines[row] is not None and lines[row].is_empty else "a"
        found = "no geometry" if lines[row] is None else f"{kind} {lines[row].geom_type}"
        raise GraphError(
            f"row {row} has {found}, not a line; {np.count_nonzero(~is_line):,} rows have none: leave "
            "them out; points are a graph by boruvka.Graph.from_points(frame)"
        )
    if node and weight is not None:
        passed = argument("node", True)
        raise OptionError(f"{passed} splits lines, and weights of a column cannot be split: leave one out")
    if weight is not None and list(frame.columns).count(weight) != 1:
        known = ", ".join(map(shown, frame.columns))
        raise OptionError(f"there is no column {shown(weight)}; the columns are {known}")
    if (kinds == several).any():
        frame = frame.explode(index_parts=False)
        frame = frame[~frame.is_empty]
    frame = split_lines(frame) if node else frame
    return graph_of_lines(frame, None if weight is None else read_column("w", frame[weight]))


def split_lines(frame: geopandas.GeoDataFrame) -> geopandas.GeoDataFrame:
    """Split lines where they meet; a piece has the values of its line, or of the first that overlap."""
    shapely = require("shapely", "geo")
    lines = np.asarray(frame.geometry.array)
    _check_finite(lines)
    try:
        pieces = shapely.get_parts(shapely.node(shapely.multilinestrings(lines)))
    except shapely.errors.GEOSException as error:
        raise GraphError(f"the lines cannot be split: {error}") from None
    with np.errstate(over="ignore", invalid="ignore"):
        middles = shapely.line_interpolate_point(pieces, 0.5, normalized=True)
    piece, row = shapely.STRtree(lines).query_nearest(middles)
    first = np.full(len(pieces), len(lines))
    np.minimum.at(first, piece, row)
    if (first == len(lines)).any():
        largest = np.abs(shapely.get_coordinates(lines)).max()
        raise GraphError(f"the lines cannot be split: coordinates are as large as {largest:g}")
    order = np.argsort(first, kind="stable")
    return frame.iloc[first[order]].set_geometry(pieces[order], crs=frame.crs)


def graph_of_lines(frame: geopandas.GeoDataFrame, w: NDArray[Any] | None) -> Graph:
    """Make a graph of a frame of lines and their weights, by default their lengths."""
    shapely = require("shapely", "geo")
    lines = np.asarray(frame.geometry.array)
    ends = shapely.get_coordinates([shapely.get_point(lines, k) for k in (0, -1)]) + 0.0  # no minus zero
    _check_finite(lines)
    places, number = np.unique(np.ascontiguousarray(ends).view(np.complex128).ravel(), return_inverse=True)
    names = list(zip(places.real.tolist(), places.imag.tolist(), strict=True))
    w = _lengths(lines, frame.crs) if w is None else w
    graph = Graph.from_edges(number[: len(lines)], number[len(lines) :], w, n=len(names), names=names)
    is_geographic = frame.crs is not None and frame.crs.is_geographic
    graph = graph.with_coordinates(
        places.view(np.float64).reshape(-1, 2), "lonlat" if is_geographic else "xy"
    )
    return graph.annotated(table=SourceTable(frame, ["source", "target", "weight"], None))


def _check_finite(lines: NDArray[Any]) -> None:
    """Raise an error about the first line that has a coordinate which is NaN or infinite."""
    coordinates, line = require("shapely", "geo").get_coordinates(lines, return_index=True)
    if (wrong := ~np.isfinite(coordinates).all(axis=1)).any():
        raise GraphError(f"line {line[np.argmax(wrong)]} has a coordinate that is not finite")


def to_geopandas(forest: EdgeSet) -> geopandas.GeoDataFrame:
    """Implement `Forest.to_geopandas`."""
    frame = line_frame(forest.graph, forest.edges, forest.u, forest.v)
    return frame if _lines_of(forest.graph) is not None else frame.assign(weight=forest.w)


def line_frame(
    graph: Any,
    edges: NDArray[np.int64],
    u: NDArray[Any],
    v: NDArray[Any],
    ids: Callable[[NDArray[Any]], Any] | None = None,
) -> geopandas.GeoDataFrame:
    """Return the lines of edges: rows of the frame of a graph, else straight lines between vertices.

    ``ids`` are what the columns source and target call vertices, by default `Graph.name_of`.
    """
    ids = graph.name_of if ids is None else ids
    frame = _lines_of(graph)
    if frame is not None:
        return frame.iloc[graph.annotations.table.rows_of(edges)]
    if getattr(graph, "coordinates", None) is None:
        raise GraphTypeError(
            "the vertices have no coordinates, so edges cannot be lines: graph.with_coordinates gives them"
        )
    geopandas, shapely = require("geopandas", "geo"), require("shapely", "geo")
    lines = shapely.linestrings(np.stack([graph.coordinates[u], graph.coordinates[v]], axis=1))
    columns = {"source": ids(u), "target": ids(v)}
    crs = DEGREES if graph.system == "lonlat" else None
    return geopandas.GeoDataFrame(columns, geometry=lines, crs=crs)


def line_points(graph: Any, edges: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]] | None:
    """Return the points of the lines of edges, and the place of the edge of each; None without lines."""
    frame = _lines_of(graph)
    if frame is None:
        return None
    lines = np.asarray(frame.geometry.array)[graph.annotations.table.rows_of(edges)]
    points, place = require("shapely", "geo").get_coordinates(lines, return_index=True)
    return points, place


def count_touching_ends(graph: Any) -> int:
    """Count the vertices that lie inside a line of another edge: lines that are not joined there."""
    frame = _lines_of(graph)
    if frame is None:
        return 0
    shapely = require("shapely", "geo")
    lines = np.asarray(frame.geometry.array)
    vertex, line = shapely.STRtree(lines).query(shapely.points(graph.coordinates), predicate="within")
    is_end = (graph.u[line] == vertex) | (graph.v[line] == vertex)  # of a closed line
    return int(np.unique(vertex[~is_end]).size)


def _lines_of(graph: Any) -> Any:
    """Return the frame of lines that a graph was made from, None if there is none."""
    frame = getattr(graph.annotations.table, "frame", None)
    return frame if hasattr(frame, "geometry") else None


def _lengths(lines: NDArray[Any], crs: Any) -> NDArray[np.float64]:
    """Compute the lengths of lines: in metres on the ellipsoid WGS 84, along all points."""
    shapely = require("shapely", "geo")
    if crs is None:
        with np.errstate(over="ignore"):
            lengths: NDArray[np.float64] = shapely.length(lines)
        if not np.isfinite(lengths).all():
            raise GraphError(f"line {np.argmin(np.isfinite(lengths))} is longer than float64 holds")
        return lengths
    pyproj = require("pyproj", "geo")
    points, line = shapely.get_coordinates(lines, return_index=True)
    try:
        to_degrees = pyproj.Transformer.from_crs(crs, DEGREES, always_xy=True)
        x, y = to_degrees.transform(*points.T, errcheck=True)
    except pyproj.exceptions.ProjError as error:
        raise GraphError(
            f"the lines have coordinates that are not on the earth, so they have no length: {error}; take "
            "the weights from a column"
        ) from None
    for kind, values, limit in ("latitude", y, MAX_LATITUDE), ("longitude", x, MAX_LONGITUDE):
        if (beyond := ~(np.abs(values) <= limit)).any():
            k = int(np.argmax(beyond))
            raise GraphError(
                f"line {line[k]} has the {kind} {values[k]:g}, beyond {limit} degrees, so it has no length; "
                "correct it, or take the weights from a column"
            )
    steps = np.asarray(pyproj.Geod(ellps="WGS84").inv(x[:-1], y[:-1], x[1:], y[1:])[2])
    inside = line[1:] == line[:-1]
    return np.bincount(line[1:][inside], steps[inside], len(lines)).astype(np.float64, copy=False)
