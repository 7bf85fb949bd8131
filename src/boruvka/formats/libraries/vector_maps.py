"""Vector maps: GeoPackage (``.gpkg``), GeoJSON (``.geojson``) and Shapefile (``.shp``, ``.shp.zip``).

They are read by pyogrio. Each line is an edge between its first and its last point; so is each part of a
feature of several lines. Ends with equal coordinates are one vertex. Its name is its coordinates (x, y), and
vertices are numbered in the order of their names. Points, polygons and features without geometry are
not edges.

The weight is the length of the line in metres, along all its points, on the ellipsoid WGS 84.
``columns=(weight,)`` names a column to take instead; every part of a feature gets its value. ``layer`` is
needed if several layers have lines.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Options
from boruvka.graph.graph import Graph
from boruvka.runtime.arguments import argument, hint
from boruvka.runtime.extras import require

__all__ = ["VECTOR"]

_SHAPEFILE = b"\x00\x00\x27\x0a"
_SQLITE = b"SQLite format 3\0"
_LINE_STRING = 1
"""Shapely's number for the type."""


def _read(source: InputFile, options: Options) -> Graph:
    shapely = require("shapely", "geo")
    wkb, column, crs = _features(source, options)
    shapes, feature = shapely.get_parts(shapely.from_wkb(wkb), return_index=True)
    is_line = (shapely.get_type_id(shapes) == _LINE_STRING) & ~shapely.is_empty(shapes)
    shapes, feature = shapes[is_line], feature[is_line]
    points, line = shapely.get_coordinates(shapes, return_index=True)
    if not line.size:
        raise source.error("has no lines")
    if not np.isfinite(points).all():
        wrong = feature[line[np.argmin(np.isfinite(points).all(axis=1))]]
        raise source.error(f"feature {wrong} has a coordinate that is not finite")
    first, last = np.searchsorted(line, np.arange(len(shapes))), np.cumsum(np.bincount(line)) - 1
    ends = points[np.concatenate([first, last])] + 0.0  # no minus zero
    vertices, number = np.unique(np.ascontiguousarray(ends).view(np.complex128).ravel(), return_inverse=True)
    if options.unweighted:
        w: NDArray[Any] = np.ones(len(shapes), np.uint8)
    else:
        w = _lengths(source, points, line, crs) if column is None else column[feature]
    names = list(zip(vertices.real.tolist(), vertices.imag.tolist(), strict=True))
    graph = Graph.from_edges(number[: len(shapes)], number[len(shapes) :], w, len(names), names)
    is_geographic = crs is not None and require("pyproj", "geo").CRS(crs).is_geographic
    places = vertices.view(np.float64).reshape(-1, 2)
    return graph.with_coordinates(places, "lonlat" if is_geographic else "xy")


def _features(source: InputFile, options: Options) -> tuple[NDArray[Any], NDArray[Any] | None, str | None]:
    """Read the geometries, the column of weights if one is chosen, and the coordinate reference system."""
    pyogrio = require("pyogrio", "geo")
    with _dataset(source) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as those about skipped values
        layer = _layer(source, pyogrio.list_layers(path), options.layer)
        chosen = list(options.columns or ())
        present = list(pyogrio.read_info(path, layer=layer)["fields"]) if chosen else []
        if options.columns is not None and (len(chosen) != 1 or chosen[0] not in present):
            shown = ", ".join(present) or "none"
            raise OptionError(f"{argument('columns')} must name one column; there are {shown}")
        read, _, wkb, values = pyogrio.raw.read(path, layer=layer, columns=chosen, force_2d=True)
    if chosen and values[0].dtype.kind not in "iuf":
        raise source.error(f"expected numbers in column {chosen[0]!r}, found {values[0].dtype}")
    return wkb, values[0] if chosen else None, read["crs"]


@contextlib.contextmanager
def _dataset(source: InputFile) -> Iterator[str]:
    """Yield a path with which GDAL opens the file.

    GDAL chooses the format by the content, and some formats make it read other files or internet addresses.
    So the content is checked here.
    """
    start = bytes(source.content[:100])
    with contextlib.ExitStack() as stack:
        path = os.path.abspath(source.path)
        if not source.is_plain:
            path = os.path.join(stack.enter_context(tempfile.TemporaryDirectory()), "map")
            with open(path, "wb") as file:
                file.write(source.content)
        if start.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            yield f"GeoJSON:{path}"
        elif start.startswith(b"PK"):
            yield f"/vsizip/{{{path}}}/{_shapefile_in_zip(source)}"
        elif start.startswith(_SHAPEFILE) or (start.startswith(_SQLITE) and start[68:70] == b"GP"):
            yield path
        else:
            raise source.error("expected a GeoPackage, GeoJSON, a Shapefile, or a zip archive of a Shapefile")


def _shapefile_in_zip(source: InputFile) -> str:
    with source.binary() as file, zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(".shp")]
        found = [name for name in names if archive.open(name).read(len(_SHAPEFILE)) == _SHAPEFILE]
    if len(found) != 1:
        raise source.error(f"expected one Shapefile in the zip archive, found {', '.join(found) or 'none'}")
    return found[0]


def _layer(source: InputFile, layers: NDArray[Any], wanted: str | None) -> str:
    """Choose the layer to read: the one that is named, else the only one that holds lines."""
    shapes = {name: str(kind) for name, kind in layers if kind is not None}
    if wanted is not None:
        if wanted not in shapes:
            raise OptionError(f"there is no layer {wanted!r}; there are {', '.join(shapes) or 'none'}")
        return wanted
    found = [name for name, kind in shapes.items() if "LineString" in kind] or list(shapes)
    if not found:
        raise source.error("has no layer of lines")
    if len(found) > 1:
        passed = hint("; say which, as {layer}", layer=found[0])
        raise source.error(f"has more than one layer of lines: {', '.join(found)}{passed}")
    return found[0]


def _lengths(
    source: InputFile, points: NDArray[Any], line: NDArray[Any], crs: str | None
) -> NDArray[np.float64]:
    """Compute the lengths of lines in metres."""
    pyproj = require("pyproj", "geo")
    passed = hint(
        "; pass {columns} for a column, or {unweighted} for weight 1", columns=("name",), unweighted=True
    )
    if crs is None:
        raise source.error(f"does not say what its coordinates are, so lines have no length{passed}")
    try:
        to_degrees = pyproj.Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
        x, y = to_degrees.transform(*points.T, errcheck=True)
    except pyproj.exceptions.ProjError as error:
        raise source.error(f"has coordinates that are not on the earth: {error}{passed}") from None
    steps = pyproj.Geod(ellps="WGS84").inv(x[:-1], y[:-1], x[1:], y[1:])[2]
    inside = line[1:] == line[:-1]
    lengths = np.zeros(int(line[-1]) + 1)
    np.add.at(lengths, line[1:][inside], np.asarray(steps)[inside])
    return lengths


VECTOR = Codec(read=_read, options=frozenset({"columns", "layer", "unweighted"}), holds_names=True)
