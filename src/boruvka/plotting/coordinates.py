"""Coordinates of vertices: from arrays, by name, or from files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, GraphError, GraphTypeError, OptionError
from boruvka.graph.columns import read_array
from boruvka.plotting.layout import MOST_VERTICES, forest_layout
from boruvka.runtime.argument_names import argument
from boruvka.runtime.arguments import choice
from boruvka.runtime.library_errors import reading_errors
from boruvka.runtime.parquet_check import check_pages

if TYPE_CHECKING:
    import polars

__all__ = ["SYSTEMS", "Places", "place_vertices", "read_coordinates"]

SYSTEMS = ("xy", "lonlat", "latlon")
"""What the two columns of coordinates are: x and y, or degrees of longitude and latitude, or the reverse."""
ENDINGS = (".co", ".csv", ".tsv", ".parquet", ".pq", ".npy")
COLUMNS = {
    "id": ("id", "vertex", "node", "name"),
    "x": ("x", "lon", "lng", "long", "longitude"),
    "y": ("y", "lat", "latitude"),
}
"""Names of the columns of tables, in lower case."""
DEGREES_OF_LATITUDE = 90


class Places(NamedTuple):
    """Where vertices are drawn.

    Attributes
    ----------
    points : (n, 2) array of float64
        x and y of each vertex; NaN where a vertex without an edge has none.
    aspect : float
        Length of a unit of y, in units of x.
    """

    points: NDArray[np.float64]
    aspect: float = 1.0


class _Columns(NamedTuple):
    """Coordinates in a file: the vertices that have them (None: all, in order), two columns, the system."""

    vertices: Any
    points: NDArray[np.float64]
    system: str | None = None


def place_vertices(forest: Any, coordinates: Any = None, system: str | None = None) -> Places:
    """Find where to draw the vertices of a forest.

    Parameters
    ----------
    forest : Forest
        The forest.
    coordinates : (n, 2) array_like of numbers, mapping, or path, optional
        The coordinates of each vertex; or by name, as ``{"Brno": (16.6, 49.2)}``; or a file, see
        `read_coordinates`. By default the points of a `DistanceGraph`; other small forests are laid out.
    system : "xy", "lonlat" or "latlon", optional
        What the two columns are. By default that of the file, else x and y. Degrees are drawn with the aspect
        of the middle latitude; millionths of degrees, which DIMACS uses, may stand for degrees.

    Returns
    -------
    Places

    Raises
    ------
    OptionError
        There are not coordinates, and the forest is not small; or there is no such system.
    GraphError, GraphTypeError
        The coordinates are not an array of n rows of two numbers, or lack one for the end of an edge.
    FileError, FormatError
        As for `read_coordinates`.
    """
    if system is not None:
        choice("system", system, SYSTEMS)
    if coordinates is None:
        coordinates = _points_of(forest)
        if coordinates is not None:
            return Places(coordinates)
        if forest.n > MOST_VERTICES:
            raise OptionError(
                f"a forest of {forest.n:,} vertices needs {argument('coordinates')}: only forests of up to "
                f"{MOST_VERTICES:,} vertices are laid out without"
            )
        return Places(forest_layout(forest.n, forest.u, forest.v))
    if isinstance(coordinates, str | os.PathLike):
        points, stated_system = read_coordinates(coordinates, forest)
        system = system or stated_system
    elif isinstance(coordinates, Mapping):
        points = _by_name(forest, list(coordinates), _rows_of_two(list(coordinates.values())))
    else:
        points = _rows_of_two(coordinates)
        if len(points) != forest.n:
            raise GraphError(
                f"coordinates must have one row for each of the {forest.n} vertices, these have {len(points)}"
            )
    _check_ends(forest, points)
    return _projected(points, system or "xy")


def read_coordinates(
    path: str | os.PathLike[Any], forest: Any, one_based: bool = False
) -> tuple[NDArray[np.float64], str | None]:
    """Read the coordinates of the vertices of a forest from a file.

    Parameters
    ----------
    path : path-like
        DIMACS ``.co`` (``v id x y``, ids from 1); a table ``.csv``, ``.tsv`` or ``.parquet`` with the columns
        id (or vertex, node, name), x (lon, longitude) and y (lat, latitude); or ``.npy`` with two columns. A
        ``.gz``, ``.zst``, ``.bz2`` or ``.xz`` behind the ending is decompressed. Ids of a table are names, if
        vertices have names; a table without ids, and ``.npy``, have a row for each vertex.
    forest : Forest
        The forest.
    one_based : bool
        Whether ids of a table begin at 1.

    Returns
    -------
    (n, 2) array of float64
        The coordinates; NaN for vertices that the file leaves out.
    str or None
        The system that the columns of a table name: "lonlat" or "xy".

    Raises
    ------
    FileError
        The file cannot be read.
    FormatError
        It has none of these endings, or not these columns; an id is not a vertex, or is there twice.
    """
    name = os.fspath(path)
    read = {".co": _read_dimacs, ".npy": _read_npy}.get(_ending(name), _read_table)
    with reading_errors(name):
        columns = read(name, _content(name))
    if columns.vertices is None:
        if len(columns.points) != forest.n:
            raise FormatError(
                f"{name}: expected one row for each of the {forest.n} vertices, found {len(columns.points)}"
            )
        return columns.points, columns.system
    vertices = columns.vertices
    if one_based and vertices.dtype.kind in "iu":
        vertices = vertices - 1
    try:
        return _by_name(forest, vertices, columns.points), columns.system
    except GraphError as error:
        raise FormatError(f"{name}: {error}") from None


def _points_of(forest: Any) -> NDArray[np.float64] | None:
    """Return the points whose distances are the weights, if they have two coordinates."""
    from boruvka.graph.distance_graph import DistanceGraph
    from boruvka.graph.distances import haversine

    graph = forest.graph
    if not isinstance(graph, DistanceGraph) or graph.points.shape[1:] != (2,):
        return None
    points = graph.points.astype(np.float64)
    return points[:, ::-1] if graph.distance is haversine else points


def _ending(name: str) -> str:
    base, ending = os.path.splitext(name.lower())
    ending = os.path.splitext(base)[1] if ending in (".gz", ".zst", ".bz2", ".xz") else ending
    if ending not in ENDINGS:
        raise FormatError(f"{name}: coordinates are read from files that end in {', '.join(ENDINGS)}")
    return ending


def _content(name: str) -> bytes:
    with open(name, "rb") as file:
        stored = file.read()
    try:
        match os.path.splitext(name.lower())[1]:
            case ".gz":
                return gzip.decompress(stored)
            case ".bz2":
                return bz2.decompress(stored)
            case ".xz":
                return lzma.decompress(stored)
            case ".zst":
                import zstandard

                return zstandard.ZstdDecompressor().stream_reader(stored).read()
            case _:
                return stored
    except (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError) as error:
        raise FormatError(f"{name}: the compressed data is damaged: {error}") from None


def _read_dimacs(name: str, content: bytes) -> _Columns:
    import polars

    blanks = re.sub(rb"[ \t\r]+", b" ", content) if re.search(rb"\t|\r|  ", content) else content
    header = re.search(rb"(?m)^v ", blanks)
    rows = blanks[header.start() :] if header else b""
    schema = {"letter": polars.String, "id": polars.Int64, "x": polars.Float64, "y": polars.Float64}
    try:
        frame = polars.read_csv(
            io.BytesIO(rows), has_header=False, separator=" ", schema=schema, comment_prefix="c",
            truncate_ragged_lines=True,
        )  # fmt: skip
        wrong = (frame["letter"] != "v") | frame["y"].is_null()
    except polars.exceptions.PolarsError as error:
        raise FormatError(f"{name}: expected lines 'v id x y': {_first_line(error)}") from None
    if frame.is_empty() or wrong.any():
        row = f", found {' '.join(map(str, frame.row(int(wrong.arg_max() or 0))))!r}" if len(frame) else ""
        raise FormatError(f"{name}: expected lines 'v id x y'{row}")
    return _Columns(frame["id"].to_numpy() - 1, frame.select("x", "y").to_numpy())


def _read_npy(name: str, content: bytes) -> _Columns:
    try:
        array = np.load(io.BytesIO(content), allow_pickle=False)
        return _Columns(None, _rows_of_two(array))
    except (ValueError, EOFError, GraphError, GraphTypeError) as error:
        raise FormatError(f"{name}: {error}") from None


def _read_table(name: str, content: bytes) -> _Columns:
    import polars

    ending = _ending(name)
    try:
        if ending in (".parquet", ".pq"):
            check_pages(name, content)
            frame = polars.read_parquet(io.BytesIO(content))
        else:
            separator = "\t" if ending == ".tsv" else ","
            frame = polars.read_csv(io.BytesIO(content), separator=separator, comment_prefix="#")
        found = {what: _column(name, frame, what) for what in COLUMNS}
        x, y = (frame[found[axis]].cast(polars.Float64) for axis in "xy")
    except polars.exceptions.PolarsError as error:
        raise FormatError(f"{name}: {_first_line(error)}") from None
    vertices = None if found["id"] is None else frame[found["id"]].to_numpy()
    system = "xy" if found["x"].strip().lower() == "x" else "lonlat"
    return _Columns(vertices, np.stack([x.to_numpy(), y.to_numpy()], axis=1), system)


def _column(name: str, frame: polars.DataFrame, what: str) -> Any:
    """Find the column that holds ids, x or y; a table may have no ids."""
    found = next((c for c in frame.columns if c.strip().lower() in COLUMNS[what]), None)
    if found is None and what != "id":
        raise FormatError(
            f"{name}: expected the columns id, x and y (or lon and lat), found {', '.join(frame.columns)}"
        )
    return found


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _rows_of_two(values: Any) -> NDArray[np.float64]:
    array: NDArray[Any] = read_array("coordinates", values)
    if array.dtype.kind not in "iuf":
        raise GraphTypeError(f"coordinates must be numbers, these have dtype {array.dtype}")
    if array.ndim != 2 or array.shape[1] != 2:
        raise GraphError(f"coordinates must have two columns, x and y, not the shape {array.shape}")
    return array.astype(np.float64)


def _by_name(forest: Any, vertices: Any, given: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put coordinates in the order of the vertices; NaN for vertices that are left out."""
    numbers = forest._vertices("the vertices of coordinates", vertices).astype(np.int64)
    if np.unique(numbers).size < numbers.size:
        twice = int(np.flatnonzero(np.bincount(numbers) > 1)[0])
        raise GraphError(f"vertex {forest.graph.name_of(twice)} has coordinates twice")
    points = np.full((forest.n, 2), np.nan)
    points[numbers] = given
    return points


def _check_ends(forest: Any, points: NDArray[np.float64]) -> None:
    """Raise an error if an end of an edge has no place."""
    missing = np.logical_not(np.isfinite(points).all(axis=1))
    ends = np.concatenate([forest.u, forest.v])
    ends = ends[missing[ends]]
    if ends.size:
        vertex = int(ends.min())
        raise GraphError(
            f"{np.unique(ends).size:,} vertices that have edges have no finite coordinates, the first is "
            f"{forest.graph.name_of(vertex)!r}: {points[vertex].tolist()}"
        )


def _projected(points: NDArray[np.float64], system: str) -> Places:
    if system == "xy":
        return Places(points)
    points = points[:, ::-1] if system == "latlon" else points
    latitudes = points[np.isfinite(points[:, 1]), 1]
    if not latitudes.size:
        return Places(points)
    middle = (latitudes.min() + latitudes.max()) / 2
    if np.abs(latitudes).max() > DEGREES_OF_LATITUDE:
        middle *= 1e-6
    return Places(points, 1 / max(np.cos(np.radians(middle)), 0.1))
