"""Vector maps: GeoPackage (``.gpkg``), GeoJSON (``.geojson``) and Shapefile (``.shp``, ``.shp.zip``).

They are read by geopandas. Each line is an edge between its first and its last point; so is each part of a
feature of several lines. Ends with equal coordinates are one vertex. Its name is its coordinates (x, y), and
vertices are numbered in the order of their names. Points, polygons and features without geometry are
not edges. ``node=True`` splits lines where they meet, and ``attach=`` names a file of places to join to them,
or is a frame of them; see `boruvka.interop.geopandas.graph_from`. `read_places` reads points.

The weight is the length of the line in metres, along all its points, on the ellipsoid WGS 84.
``columns=(weight,)`` names a column to take instead; the parts of a feature share its value by their lengths,
and so do the pieces of a part that is split. ``layer`` is needed if several layers have lines.

GeoPackage and GeoJSON are written as `Forest.to_geopandas` returns them: with the attributes of the lines
that were read, and the columns edge and weight. A network of streets and links, by their column kind, is read
with its places as terminals, which have their names again. Other graphs whose vertices have coordinates
become straight lines.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, GraphTypeError, OptionError, shown
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.name_columns import check_name_types
from boruvka.graph.coordinates import DEGREES, Places, is_map
from boruvka.graph.graph import Graph
from boruvka.graph.numbering import number_names
from boruvka.interop.geopandas import graph_of_lines, graph_of_parts, line_frame, parts_of, with_columns
from boruvka.runtime.arguments import argument, hint, is_command_running
from boruvka.runtime.libraries import reading_errors, require

if TYPE_CHECKING:
    import geopandas

__all__ = ["GEOJSON", "GEOPACKAGE", "SHAPEFILE", "read_attached", "read_places"]

_SHAPEFILE = b"\x00\x00\x27\x0a"
_GEOJSON = "GeoJSON:"
"""The text before a path that makes GDAL read the file as GeoJSON."""
_FEATURES = re.compile(rb'"features"\s*:\s*\[')
_SQLITE = b"SQLite format 3\0"


def _read(source: InputFile, options: Options) -> Graph:
    frame, row = _lines(source, options.layer)
    columns: Any = (None,) if options.columns is None else options.columns
    if len(columns) != 1:
        raise OptionError(f"{argument('columns')} must name one column, the weights, got {shown(columns)}")
    how = options.node, read_attached(options.attach), options.tolerance
    if options.unweighted:
        return graph_of_lines(frame, None, *how, is_unweighted=True)
    if columns == (None,) and frame.crs is None:
        passed = hint(
            "; pass {columns} for a column, or {unweighted} for weight 1", columns=("name",), unweighted=True
        )
        raise source.error(f"does not say what its coordinates are, so lines have no length{passed}")
    return graph_of_parts(frame, row, columns[0], *how)


def read_places(source: InputFile, layer: str | None = None) -> Places:
    """Read the points of a layer; other geometries are left out."""
    frame = _layer_frame(source, layer, "Point")
    is_point = frame.geom_type.isin(["Point", "MultiPoint"])
    if not is_point.any():
        passed = argument("is_points", True) if is_command_running() else "boruvka.read reads lines"
        lines = f", but lines: leave out {passed}" if is_command_running() else f", but lines, and {passed}"
        raise source.error(f"has no points{lines if _holds(frame, 'LineString') else ''}")
    return Places.read(frame[is_point | frame.geometry.isna()])


def read_attached(attach: Any) -> Any:
    """Read places to attach to lines: a frame as it is, or a file of points, else of polygons.

    A column of names names the places of a file, as in `Places.names`, or else they are numbers from 0.
    """
    if attach is None or is_map(attach):
        return attach
    source = InputFile(attach)
    with reading_errors(source.path, "places"):
        frame = _layer_frame(source, None, "Point", "Polygon")
    names = Places(frame, np.empty((0, 2)), "").names()
    return frame if names is None else frame.set_axis(names)


def _lines(source: InputFile, layer: str | None) -> tuple[geopandas.GeoDataFrame, NDArray[np.intp]]:
    """Read the lines of a layer: each part of a feature is a row; also return the feature of each."""
    found = _layer_frame(source, layer, "LineString")
    frame, feature = parts_of(found)
    if not len(frame):
        passed = "; boruvka.formats.points.read_points reads them"
        passed = hint("; write {is_points}", is_points=True) if is_command_running() else passed
        raise source.error(f"has no lines{f', but points{passed}' if _holds(found, 'Point') else ''}")
    return frame.reset_index(drop=True), feature


def _holds(frame: geopandas.GeoDataFrame, kind: str) -> bool:
    return bool(frame.geom_type.str.endswith(kind).any())


def _layer_frame(source: InputFile, layer: str | None, *kinds: str) -> geopandas.GeoDataFrame:
    """Read a layer: the one that is named, else the only one with a kind of geometry; without heights.

    The first kind that a layer has counts.
    """
    for library in "geopandas", "shapely", "pyproj":
        require(library, "geo")
    pyogrio = require("pyogrio", "geo")
    with _dataset(source) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as those about skipped values
        layer = _layer(source, pyogrio.list_layers(path), layer, kinds)
        frame = pyogrio.read_dataframe(path, layer=layer, force_2d=True)
        if path.startswith(_GEOJSON):
            _check_system(source, frame.crs)
    return frame


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
            yield f"{_GEOJSON}{path}"
        elif start.startswith(b"PK"):
            yield f"/vsizip/{{{path}}}/{_shapefile_in_zip(source)}"
        elif start.startswith(_SHAPEFILE) or (start.startswith(_SQLITE) and start[68:70] == b"GP"):
            yield path
        else:
            raise source.error("expected a GeoPackage, GeoJSON, a Shapefile, or a zip archive of a Shapefile")


def _check_system(source: InputFile, found: Any) -> None:
    """Raise an error if GeoJSON names a coordinate reference system that GDAL does not know.

    GDAL then takes coordinates for degrees, as where the file names none.
    """
    pyproj = require("pyproj", "geo")
    stated = _stated_system(bytes(source.content))
    if stated is None or found != DEGREES:
        return
    try:
        name = stated["properties"]["name"] if stated["type"] == "name" else stated["properties"]["code"]
        system = pyproj.CRS.from_user_input(name)
    except (TypeError, KeyError, pyproj.exceptions.CRSError):
        system = None
    if system is None or not system.is_geographic or system.datum != pyproj.CRS(DEGREES).datum:
        raise source.error(
            f"the coordinate reference system {shown(stated)} is not known; correct the member 'crs', or "
            "remove it if coordinates are degrees"
        )


def _stated_system(content: bytes) -> Any:
    """Return the member "crs" of GeoJSON, before or after its features."""
    features = _FEATURES.search(content)
    parts = [content]
    if features is not None:
        after = content[content.rfind(b"]") + 1 :].lstrip().removeprefix(b",")
        parts = [content[: features.start()].rstrip().removesuffix(b",") + b"}", b"{" + after]
    for part in parts:
        with contextlib.suppress(ValueError, RecursionError):
            if (stated := json.loads(part.removeprefix(b"\xef\xbb\xbf")).get("crs")) is not None:
                return stated
    return None


def _shapefile_in_zip(source: InputFile) -> str:
    with source.binary() as file, zipfile.ZipFile(file) as archive:
        names = [name for name in archive.namelist() if name.lower().endswith(".shp")]
        found = [name for name in names if archive.open(name).read(len(_SHAPEFILE)) == _SHAPEFILE]
    if len(found) != 1:
        raise source.error(f"expected one Shapefile in the zip archive, found {', '.join(found) or 'none'}")
    return found[0]


def _layer(source: InputFile, layers: NDArray[Any], wanted: str | None, kinds: tuple[str, ...]) -> str:
    """Choose the layer to read: the one that is named, else the only one that holds lines, or points."""
    shapes = {name: str(kind) for name, kind in layers if kind is not None}
    if wanted is not None:
        if wanted not in shapes:
            raise OptionError(f"there is no layer {wanted!r}; there are {', '.join(shapes) or 'none'}")
        return wanted
    of_kinds = ([name for name, stated in shapes.items() if kind in stated] for kind in (*kinds, "Unknown"))
    found = next(filter(None, of_kinds), list(shapes)[:1])
    noun = "points" if "Point" in kinds else "lines"
    if not found:
        raise source.error(f"has no layer of {noun}")
    if len(found) > 1:
        passed = hint("; say which, as {layer}", layer=found[0])
        raise source.error(f"has more than one layer of {noun}: {', '.join(found)}{passed}")
    return found[0]


class _MapFile(WholeFile):
    """An open file."""

    def forest(self) -> EdgeTable:
        """Read lines with the columns edge and weight, as they are written."""
        frame = _lines(self._source, None)[0]
        if not {"edge", "weight"} <= set(frame.columns):
            return EdgeTable.of(graph_of_lines(frame))
        stated = {"w": frame["weight"].to_numpy(), "edges": frame["edge"].to_numpy(np.int64)}
        if [*frame.columns[:-1]] not in (_STRAIGHT, _OF_OPENSTREETMAP):
            graph = graph_of_lines(frame, stated["w"])  # without lengths: coordinates may not be degrees
            return EdgeTable.of(graph)._replace(**stated)
        u, v, names = number_names(frame["source"], frame["target"])
        return EdgeTable(names.size, u, v, names=names, **stated)


def _write(table: EdgeTable, file: BinaryIO, *, driver: str, **layer_options: Any) -> None:
    edges = np.arange(table.m) if table.edges is None else table.edges
    try:
        frame = line_frame(table.graph, edges, table.u, table.v, table.graph.id_of)
    except GraphTypeError as error:
        raise FormatError(str(error)) from None
    frame = with_columns(frame, edge=edges, weight=table.portable_weights())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the lack of a coordinate reference system
        content = io.BytesIO()  # pyogrio writes to no other file objects
        frame.to_file(content, driver=driver, engine="pyogrio", **layer_options)
    file.write(content.getbuffer())


_STRAIGHT = ["source", "target", "edge", "weight"]
"""The columns of straight lines, as they are written."""
_OF_OPENSTREETMAP = ["source", "target", "osmid", "highway", "name", "edge", "weight"]
_OPTIONS = frozenset({"attach", "columns", "layer", "node", "tolerance", "unweighted"})
_HOLDS = Holds(names=check_name_types, lines=True)
SHAPEFILE = Codec(partial(WholeFile, _read), options=_OPTIONS, holds=_HOLDS)
GEOPACKAGE = Codec(partial(_MapFile, _read), partial(_write, driver="GPKG"), _OPTIONS, _HOLDS)
GEOJSON = GEOPACKAGE._replace(write=partial(_write, driver="GeoJSON", COORDINATE_PRECISION=17))
