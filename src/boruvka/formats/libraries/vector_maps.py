"""Vector maps: GeoPackage (``.gpkg``), GeoJSON (``.geojson``) and Shapefile (``.shp``, ``.shp.zip``).

They are read by geopandas. Each line is an edge between its first and its last point; so is each part of a
feature of several lines. Ends with equal coordinates are one vertex. Its name is its coordinates (x, y), and
vertices are numbered in the order of their names. Points, polygons and features without geometry are
not edges, and a warning counts them. ``node=True`` splits lines where they meet, and ``attach=`` names a file
of places to join to them, or is a frame of them; see `boruvka.interop.geopandas.graph_from`.

The weight is the length of the line in metres, along all its points, on the ellipsoid WGS 84; in a file that
was written here, with columns edge and weight, it is this weight.
``columns=(weight,)`` names a column to take instead; the parts of a feature share its value by their lengths,
and so do the pieces of a part that is split. ``rate=`` names a column of weights per metre. ``layer``, or
``FILE:LAYER``, is needed if several layers have lines.

GeoPackage and GeoJSON are written as `Forest.to_geopandas` returns them: with the attributes of the lines
that were read, and the columns edge, weight and length. Lines in GeoJSON are in WGS 84, unless their
reference system is not known or local. A network of streets and links, by their column kind, is read with its
places as terminals, which have their names again. Other graphs whose vertices have coordinates become
straight lines.
"""

from __future__ import annotations

import io
import os
import re
import warnings
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.formats.edge_file import WholeFile
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.libraries.map_layers import holds, layer_frame
from boruvka.formats.name_columns import check_name_types
from boruvka.formats.points import read_coordinates
from boruvka.formats.tables import MAPS, open_table, table_format
from boruvka.graph.columns import is_number
from boruvka.graph.coordinates import DEGREES, Places, advice, assigned_system, is_geographic
from boruvka.graph.graph import Graph
from boruvka.graph.numbering import number_names
from boruvka.graph.text_numbers import numbers_in
from boruvka.interop.as_graph import OF_LINES, as_part_of_graph
from boruvka.interop.geopandas import (
    ROW,
    AttachedPlaces,
    graph_of_lines,
    graph_of_parts,
    line_frame,
    parts_of,
    reference_system,
    with_columns,
)
from boruvka.interop.lines import check_points, rows_without
from boruvka.runtime.arguments import argument, hint, is_command_running
from boruvka.runtime.libraries import gpd, pd, pyproj, reading_errors, shapely

if TYPE_CHECKING:
    import geopandas


def _read(source: InputFile, options: Options) -> Graph:
    frame, row = _lines(source, options.layer)
    columns: Any = (None,) if options.columns is None else options.columns
    if len(columns) != 1:
        raise OptionError(f"{argument('columns')} must name one column, the weights, got {shown(columns)}")
    attach = read_attached(options.attach, frame.crs, options.missing)
    where = options.node, attach, options.tolerance, options.link_rate
    if options.unweighted:
        if (options.rate, options.link_rate) != (None, None):
            rates = f"{argument('rate')} and {argument('link_rate')}"
            raise OptionError(f"leave out {rates}, or {argument('unweighted', True)}")
        return graph_of_lines(frame, None, *where, is_unweighted=True)
    has_weights = columns != (None,) or set(frame.columns) >= _WRITTEN
    if frame.crs is None and (not has_weights or options.rate is not None):
        how = assigned_system() if is_command_running() else "frame.set_crs(CODE) of geopandas gives it one"
        passed = hint(", or pass {columns} for weights, or {unweighted}", columns=("name",), unweighted=True)
        what = "has no reference system, which says what its coordinates are, so lines have no length"
        raise source.error(f"{what}: {how}{passed}")
    return graph_of_parts(frame, row, columns[0], options.rate, options.missing, options.default, where)


def read_attached(attach: Any, crs: Any, missing: str) -> Any:
    """Read a file of places to attach to lines: a map of points or else of polygons, or a table.

    ``FILE:LAYER`` is a layer of a map. A column names the places of a file, see `Places.column_of_names`, or
    else they are numbers from 0.
    Coordinates of a table are in the reference system of the lines, ``crs``, unless columns are called
    longitude and latitude. An object that is not a path is returned as it is; several paths give a list. The
    texts of a table become numbers in columns of numbers.
    Features without geometry are left out, with a warning, as are rows without coordinates if ``missing`` is
    "drop".
    """
    if isinstance(attach, tuple | list) and any(isinstance(each, str | os.PathLike) for each in attach):
        return [read_attached(each, crs, missing) for each in attach]
    if not isinstance(attach, str | os.PathLike):
        return attach
    source = InputFile(attach)
    try:
        with reading_errors(source.path, "places"):
            return AttachedPlaces.read(*_places(source, crs, missing == "drop"))
    except GraphError as error:
        raise source.error(str(error)) from None


def _places(source: InputFile, crs: Any, drops: bool) -> tuple[Any, Any, NDArray[np.intp]]:
    """Read a file of places as a frame, whose index has their names or rows; return ``crs`` and rows, too."""
    names: Any = None
    if table_format(source, None) in MAPS:
        frame = layer_frame(source, None, "Point", "Polygon")
    else:
        places = read_coordinates(source.path, one_based=None, in_degrees=is_geographic(crs), drops=drops)
        table = source.attempt(lambda: open_table(source))
        frame = gpd.GeoDataFrame(
            {
                name: np.array(_numbers_or_texts(name, list(x)), object)
                for name, x in zip(table.names, table.columns, strict=True)
                if len(x) == len(places.points)
            },
            geometry=shapely.points(places.points),
            crs=DEGREES if places.system == "lonlat" else crs,
        )
        names = None if places.vertices is None else pd.Index(places.vertices, name=places.column)
    names = Places.column_of_names(frame.drop(columns="geometry")) if names is None else names
    rows = frame.index.rename(ROW)
    frame = frame.set_axis(rows if names is None else pd.Index(names.tolist(), name=names.name))
    has_none = np.isnan(shapely.bounds(np.asarray(frame.geometry.array))).any(axis=1)
    rows = np.flatnonzero(~has_none)
    if has_none.any():
        lost = frame.index[has_none].tolist()
        warn(f"{source.path}: {len(lost):,} of {len(frame):,} places have no point, left out: {shown(lost)}")
    return frame.iloc[rows] if has_none.any() else frame, crs, rows


def attached(graph: Graph, options: Options) -> Graph:
    """Return a graph whose edges are lines, split and with places as the options say."""
    given = {name: getattr(options, name) for name in {*OF_LINES} & options.names_set()}
    if not given:
        return graph
    attach = read_attached(options.attach, reference_system(graph), options.missing)
    return as_part_of_graph(graph, **given | {"attach": attach})


def _numbers_or_texts(name: str, column: list[Any]) -> list[Any]:
    """Return a column with numbers in place of texts, unless a text is another, or a code such as 007."""
    with suppress(GraphError):
        numbers = numbers_in(name, column)
        is_code = any(isinstance(text, str) and re.match(r"\s*-?0\d", text) for text in column)
        if not is_code and all(number is None or is_number(number) for number in numbers):
            return numbers
    return column


def _lines(source: InputFile, layer: str | None) -> tuple[geopandas.GeoDataFrame, NDArray[np.intp]]:
    """Read the lines of a layer: each part of a feature is a row; also return the feature of each."""
    found = layer_frame(source, layer, "LineString")
    frame, feature = parts_of(found)
    if not len(frame):
        how = advice("use boruvka.formats.points.read_points", hint("write {is_points}", is_points=True))
        others = f", but points{how}" if holds(found, "Point") else ""
        raise source.error(f"has no lines{others}")
    if text := rows_without("line", found):
        warn(f"{source.path}: rows are left out, as {text}")
    return frame.reset_index(drop=True), feature


class _MapFile(WholeFile):
    """An open file."""

    def forest(self) -> EdgeTable:
        """Read lines with the columns edge and weight, as they are written."""
        frame = _lines(self._source, None)[0]
        if not set(frame.columns) >= _WRITTEN:
            return EdgeTable.of(graph_of_lines(frame))
        stated = {"w": frame["weight"].to_numpy(), "edges": frame["edge"].to_numpy(np.int64)}
        points = shapely.get_num_coordinates(np.asarray(frame.geometry.array))
        if [*frame.columns[:2]] != ["source", "target"] or (points > 2).any():
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
    if driver == "GeoJSON" and frame.crs is not None:  # web maps take it to be in WGS 84 (RFC 7946)
        with suppress(pyproj.exceptions.ProjError):  # a local system
            frame = frame.to_crs(DEGREES)
        check_points(np.asarray(frame.geometry.array))
    frame = with_columns(frame, edge=edges, weight=table.portable_weights(), **(table.edge_columns or {}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the lack of a coordinate reference system
        content = io.BytesIO()  # pyogrio writes to no other file objects
        frame.to_file(content, driver=driver, layer=table.title, engine="pyogrio", **layer_options)
    file.write(content.getbuffer())


_WRITTEN = {"edge", "weight"}
"""Columns that are added to the columns of the lines."""
_OPTIONS = frozenset({*OF_LINES, "columns", "default", "layer", "missing", "unweighted"})
_HOLDS = Holds(names=check_name_types, lines=True, columns=["edges"])
SHAPEFILE = Codec(_read, options=_OPTIONS, holds=_HOLDS)
GEOPACKAGE = Codec(partial(_MapFile, _read), partial(_write, driver="GPKG"), _OPTIONS, _HOLDS)
GEOJSON = GEOPACKAGE._replace(write=partial(_write, driver="GeoJSON", COORDINATE_PRECISION=17))
