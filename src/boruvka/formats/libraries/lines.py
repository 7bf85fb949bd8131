"""GeoPackage (``.gpkg``), GeoJSON (``.geojson``), Shapefile (``.shp``, ``.shp.zip``): lines, through pyogrio.

Each line is an edge between its first and its last point; so is each part of a feature of several lines.
Ends with equal coordinates are one vertex. Its name is its coordinates (x, y), and vertices are numbered in
the order of their names. Points, polygons and features without geometry are not edges.

The weight is the length of the line in metres, along all its points: on the ellipsoid if coordinates are
degrees (or Web Mercator, whose units are not true metres), else in the plane. ``columns=(weight,)`` names a
column to take instead; every part of a feature gets its value. ``layer`` is needed if several layers have
lines.
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
from boruvka.formats.files import Source
from boruvka.formats.format import Codec, Options
from boruvka.graph.graph import Graph
from boruvka.runtime.argument_names import argument, hint
from boruvka.runtime.extras import require

__all__ = ["LINES"]

_SHAPEFILE = b"\x00\x00\x27\x0a"
_SQLITE = b"SQLite format 3\0"
_LINE_STRING = 1
"""Shapely's number for the type."""


def _read(source: Source, options: Options) -> Graph:
    shapely, pyproj = require("shapely", "geo"), require("pyproj", "geo")
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
    last = np.cumsum(np.bincount(line)) - 1
    first = np.concatenate([[0], last[:-1] + 1])
    ends = points[np.concatenate([first, last])] + 0.0  # no minus zero
    vertices, number = np.unique(np.ascontiguousarray(ends).view(np.complex128).ravel(), return_inverse=True)
    if options.unweighted:
        w: NDArray[Any] = np.ones(len(shapes), np.uint8)
    elif column is not None:
        w = column[feature]
    else:
        w = _lengths(source, points, line, pyproj, crs)
    names = list(zip(vertices.real.tolist(), vertices.imag.tolist(), strict=True))
    return Graph.from_edges(number[: len(shapes)], number[len(shapes) :], w, len(names), names)


def _features(source: Source, options: Options) -> tuple[NDArray[Any], NDArray[Any] | None, str | None]:
    """Read the geometries, the column of weights if one is chosen, and the coordinate reference system."""
    pyogrio = require("pyogrio", "geo")
    with _dataset(source) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as those about skipped values
        layer = _layer(source, pyogrio.list_layers(path), options.layer)
        chosen: list[Any] = []
        if options.columns is not None:
            present = list(pyogrio.read_info(path, layer=layer)["fields"])
            chosen = list(options.columns)
            if len(chosen) != 1 or chosen[0] not in present:
                shown = ", ".join(present) or "none"
                raise OptionError(f"{argument('columns')} must name one column; there are {shown}")
        read, _, wkb, values = pyogrio.raw.read(path, layer=layer, columns=chosen, force_2d=True)
    if chosen and values[0].dtype.kind not in "iuf":
        raise source.error(f"expected numbers in column {chosen[0]!r}, found {values[0].dtype}")
    return wkb, values[0] if chosen else None, read["crs"]


@contextlib.contextmanager
def _dataset(source: Source) -> Iterator[str]:
    """Yield a path with which GDAL opens the file.

    GDAL chooses the format by the content, and some formats make it read other files or internet addresses.
    So the content is checked here.
    """
    begin = bytes(source.content[:100])
    with contextlib.ExitStack() as stack:
        path = os.path.abspath(source.path)
        if not source.is_plain:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = os.path.join(folder, "lines")
            with open(path, "wb") as file:
                file.write(source.content)
        if begin.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
            yield f"GeoJSON:{path}"
        elif begin.startswith(b"PK"):
            yield f"/vsizip/{{{path}}}/{_shapefile_in_zip(source)}"
        elif begin.startswith(_SHAPEFILE) or (begin.startswith(_SQLITE) and begin[68:70] == b"GP"):
            yield path
        else:
            raise source.error("expected a GeoPackage, GeoJSON, a Shapefile, or a zip archive of a Shapefile")


def _shapefile_in_zip(source: Source) -> str:
    with source.binary() as file, zipfile.ZipFile(file) as archive:
        found = []
        for name in archive.namelist():
            if name.lower().endswith(".shp"):
                with archive.open(name) as member:
                    found += [name] if member.read(len(_SHAPEFILE)) == _SHAPEFILE else []
    if len(found) != 1:
        raise source.error(f"expected one Shapefile in the zip archive, found {', '.join(found) or 'none'}")
    return found[0]


def _layer(source: Source, layers: NDArray[Any], wanted: str | None) -> str:
    """Choose the layer to read: the one that is named, else the only one that holds lines."""
    shapes = {name: str(kind) for name, kind in layers if kind is not None}
    if wanted is not None:
        if wanted not in shapes:
            raise OptionError(f"there is no layer {wanted!r}; there are {', '.join(shapes) or 'none'}")
        return wanted
    found = [name for name, kind in shapes.items() if "LineString" in kind] or list(shapes)
    if len(found) == 1:
        return found[0]
    if not found:
        raise source.error("has no layer of lines")
    passed = hint("; say which, as {layer}", layer=found[0])
    raise source.error(f"has more than one layer of lines: {', '.join(found)}{passed}")


def _lengths(
    source: Source, points: NDArray[Any], line: NDArray[Any], pyproj: Any, crs: str | None
) -> NDArray[np.float64]:
    """Compute the lengths of lines in metres."""
    passed = hint(
        "; pass {columns} for a column, or {unweighted} for weight 1", columns=("name",), unweighted=True
    )
    if crs is None:
        raise source.error(f"does not say what its coordinates are, so lines have no length{passed}")
    system = pyproj.CRS.from_user_input(crs)
    system = system.sub_crs_list[0] if system.is_compound else system
    x, y = points.T
    if system.is_projected and "Pseudo Mercator" in system.coordinate_operation.method_name:
        geographic = system.geodetic_crs
        x, y = pyproj.Transformer.from_crs(system, geographic, always_xy=True).transform(x, y)
        system = geographic
    unit = system.axis_info[0].unit_conversion_factor if system.axis_info else 0.0
    if system.is_geographic:
        degree = 1.0 if system.axis_info[0].unit_name == "degree" else np.degrees(unit)
        x, y = x * degree, y * degree
        steps = system.get_geod().inv(x[:-1], y[:-1], x[1:], y[1:])[2]
    elif system.is_projected:
        steps = np.hypot(np.diff(x), np.diff(y)) * unit
    else:
        raise source.error(f"has coordinates of {system.name!r}, which are no places on the earth{passed}")
    inside = line[1:] == line[:-1]
    lengths = np.zeros(int(line[-1]) + 1)
    np.add.at(lengths, line[1:][inside], np.asarray(steps)[inside])
    return lengths


LINES = Codec(read=_read, options=frozenset({"columns", "layer", "unweighted"}), holds_names=True)
