"""Layers of vector maps, opened by GDAL: their points, and what `vector_maps` reads lines from."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import warnings
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from boruvka.errors import OptionError, shown, warn
from boruvka.formats.files import InputFile
from boruvka.graph.coordinates import DEGREES, Places, advice
from boruvka.interop.lines import rows_without
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import pyproj, require

if TYPE_CHECKING:
    import geopandas

_SHAPEFILE = b"\x00\x00\x27\x0a"
_GEOJSON = "GeoJSON:"
"""The text before a path that makes GDAL read the file as GeoJSON."""
_FEATURES = re.compile(rb'"features"\s*:\s*\[')
_SQLITE = b"SQLite format 3\0"


def read_places(source: InputFile, layer: str | None = None) -> Places:
    """Read the points of a layer; other geometries are left out."""
    frame = layer_frame(source, layer, "Point")
    if not holds(frame, "Point"):
        how = advice("boruvka.read reads them", f"leave out {argument('is_points', True)}")
        raise source.error("has no points" + f", but lines{how}" * holds(frame, "LineString"))
    places = Places.read(frame[frame.geom_type.isin(["Point", "MultiPoint"]) | frame.geometry.isna()])
    if text := rows_without("point", frame):
        warn(f"{source.path}: rows are left out, as {text}")
    return places


def holds(frame: geopandas.GeoDataFrame, kind: str) -> bool:
    """Return whether a frame has geometries of a kind, single or multiple."""
    return bool(frame.geom_type.str.endswith(kind).any())


def layer_frame(source: InputFile, layer: str | None, *kinds: str) -> geopandas.GeoDataFrame:
    """Read a layer: the one that is named, else the only one with a kind of geometry; without heights."""
    for library in "geopandas", "shapely", "pyproj":
        require(library, "geo")
    pyogrio = require("pyogrio", "geo")
    with _dataset(source) as path, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as those about skipped values
        layer = _layer(source, pyogrio.list_layers(path), layer or source.layer, kinds)
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
            maps = "a GeoPackage, GeoJSON, a Shapefile, or a zip archive of a Shapefile"
            raise source.error(f"expected {maps}; docs/formats.md shows how to read other tables of SQLite")


def _check_system(source: InputFile, found: Any) -> None:
    """Raise an error if GeoJSON names a coordinate reference system that GDAL does not know.

    GDAL then takes coordinates for degrees, as where the file names none.
    """
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
    """Choose the layer to read: the one that is named, else the only one that may hold lines, or points."""
    shapes = {name: str(kind) for name, kind in layers if kind is not None}
    if wanted is not None:
        if wanted not in shapes:
            known = ", ".join(shapes) or "none"
            raise OptionError(f"{source.path}: there is no layer {wanted!r}; there are {known}")
        return wanted
    may_hold = [name for name, x in shapes.items() if any(kind in x for kind in (*kinds, "Unknown"))]
    found = may_hold or list(shapes)[:1]
    noun = "points or polygons" if "Polygon" in kinds else "points" if "Point" in kinds else "lines"
    if not found:
        raise source.error(f"has no layer of {noun}")
    if len(found) > 1:
        which = f"say which, as {source.path}:{found[0]}"
        raise source.error(f"has more than one layer of {noun}: {', '.join(found)}; {which}")
    return found[0]
