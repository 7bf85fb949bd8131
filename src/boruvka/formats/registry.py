"""The list of file formats, and the choice among them by name, ending or content."""

from __future__ import annotations

import os
import re

from boruvka.errors import FileError, FormatError, OptionError, shown
from boruvka.formats.edge_file import EdgeFile
from boruvka.formats.edge_table import Options
from boruvka.formats.files import File, InputFile, file_name, is_stream, name_without_compression
from boruvka.formats.format import Format
from boruvka.runtime.arguments import argument, hint
from boruvka.runtime.libraries import require

__all__ = [
    "FORMATS",
    "check_format_options",
    "format_named",
    "format_of_folders",
    "format_to_read",
    "format_to_write",
    "open_file",
]

_DIMACS, _STEINLIB = (b"c", rb"p(\s|$)"), (b"#", rb"(?i)section|33d32945")
_HAS_TABS = rb"[^ \t]*\t[^ ]*$|(?=.*\t).*([A-Za-z] [^ \t]|[^ \t] [A-Za-z])"
"""Tabs separate the fields of a line: there are no other blanks, or only in names."""
_BLANKS, _TABS = (b"#%", rb"(?!%b)" % _HAS_TABS), (b"#%", _HAS_TABS)
_EXTRAS = {"networkx": ("networkx",), "geo": ("geopandas", "pyogrio", "shapely", "pyproj")}
"""The libraries of each extra that writes files."""

FORMATS: tuple[Format, ...] = (
    Format("dimacs", (".gr",), "text.dimacs.DIMACS", "DIMACS shortest path: p sp n m, then a u v w", _DIMACS),
    Format("matrix-market", (".mtx", ".mm"), "text.matrix_market.MATRIX_MARKET", "Matrix Market: each entry"),
    Format("metis", (".graph", ".metis"), "text.metis.METIS", "METIS and Chaco: lists of neighbours"),
    Format(
        "edges",
        (".el", ".wel", ".edges", ".edgelist", ".txt"),
        "text.delimited.EDGES",
        "Edge list: u v w per line",
        _BLANKS,
    ),
    Format("csv", (".csv",), "text.delimited.CSV", "Table between commas (or semicolons): u,v,w"),
    Format("tsv", (".tsv", ".tab", ".txt"), "text.delimited.TSV", "Table between tabs: u v w", _TABS),
    Format(
        "steinlib", (".stp", ".gr"), "text.steinlib.STEINLIB", "SteinLib and PACE: SECTION Graph", _STEINLIB
    ),
    Format("matrix", (".adj", ".adjacency"), "text.adjacency_matrix.ADJACENCY_MATRIX", "Adjacency matrix"),
    Format("parquet", (".parquet", ".pq"), "binary.parquet.PARQUET", "Parquet: columns u, v, w"),
    Format("npz", (".npz",), "binary.npz.NPZ", "NumPy archive: arrays u, v, w, n"),
    Format("npy", (".npy",), "binary.npy.NPY", "NumPy array: rows u v w, or a square matrix"),
    Format("arrow", (".arrow", ".feather", ".ipc"), "binary.arrow.ARROW", "Arrow IPC: columns u, v, w"),
    Format(
        "graphml",
        (".graphml",),
        "libraries.networkx_files.GRAPHML",
        "GraphML, through NetworkX",
        extra="networkx",
    ),
    Format(
        "gexf",
        (".gexf",),
        "libraries.networkx_files.GEXF",
        "GEXF of Gephi, through NetworkX",
        extra="networkx",
    ),
    Format("gml", (".gml",), "libraries.networkx_files.GML", "GML, through NetworkX", extra="networkx"),
    Format(
        "geopackage", (".gpkg",), "libraries.vector_maps.GEOPACKAGE", "Lines of a GeoPackage", extra="geo"
    ),
    Format("geojson", (".geojson",), "libraries.vector_maps.GEOJSON", "Lines of GeoJSON", extra="geo"),
    Format("shapefile", (".shp", ".shp.zip"), "libraries.vector_maps.SHAPEFILE", "Lines of a Shapefile"),
    Format("osm", (".osm.pbf", ".pbf", ".osm"), "libraries.osm.OSM", "OpenStreetMap: roads and paths"),
)
"""Every format. Where two share an ending, files with that ending are written in the first."""


def format_to_read(source: InputFile, name: str | None) -> Format:
    """Choose the format of a file: by name if there is one, else by its ending, then by its content.

    Raises
    ------
    OptionError
        No format has the name, or there is neither a name nor an ending.
    FormatError
        No format has the ending, or none of those that share it recognises the content.
    FileError
        The path is a directory, or the file cannot be read.
    """
    candidates = _candidates(source.path, name, FORMATS, has_ending=not source.is_stream)
    if len(candidates) == 1:
        return candidates[0]
    for candidate in candidates:
        if _recognises(candidate, source):
            return candidate
    from boruvka.formats.text.lines import Text

    text = Text.of(source)
    raise text.unexpected(text.start, " or ".join(candidate.description for candidate in candidates))


def _recognises(candidate: Format, source: InputFile) -> bool:
    """Return whether the first line of a file looks like a format."""
    from boruvka.formats.text.lines import Text

    comments, pattern = candidate.first_line or (b"", b"")
    return re.match(pattern, Text.of(source).first_data_line(comments)[1]) is not None


def open_file(source: InputFile, options: Options) -> EdgeFile:
    """Open a file of edges in the format that the options name, or that its ending and content show.

    Raises
    ------
    OptionError, FormatError, FileError
        As for `format_to_read`, or the format does not take one of the options.
    """
    chosen = format_to_read(source, options.format)
    check_format_options(chosen, options)
    return chosen.codec.open(source, options)


def check_format_options(chosen: Format, options: Options) -> None:
    """Raise an `OptionError` for an option that a format does not take."""
    allowed = chosen.codec.options
    for name in sorted(options.names_set() - allowed - {"format"}):
        if name in ("missing", "default"):
            others = ", ".join(each.name for each in FORMATS if name in each.codec.options)
            given = argument(name, getattr(options, name))
            raise OptionError(f"the format {chosen.name!r} does not take {given}; {others} do")
        listed = sorted(allowed - {"missing", "default"})
        takes = f"it takes {', '.join(map(argument, listed))}" if listed else "it takes none"
        raise OptionError(f"the format {chosen.name!r} does not take {argument(name)}; {takes}")


def format_to_write(file: File, name: str | None) -> Format:
    """Choose the format of a file to write: by name if there is one, else by its ending.

    Raises
    ------
    OptionError
        No format has the name, or there is neither a name nor an ending.
    FormatError
        No format has the ending, or the format is only read.
    FileError
        The path is a directory.
    MissingExtraError
        A library that writes the format is not installed.
    """
    path, has_ending = file_name(file), not is_stream(file)
    writable = tuple(each for each in FORMATS if each.codec.write) if not has_ending else FORMATS
    chosen = _candidates(path, name, writable, has_ending=has_ending)[0]
    if chosen.codec.write is None:
        raise FormatError(f"{path}: the format {chosen.name!r} is only read; choose another format")
    for library in _EXTRAS.get(chosen.extra, ()):
        require(library, chosen.extra)
    return chosen


def _candidates(path: str, name: str | None, known: tuple[Format, ...], *, has_ending: bool) -> list[Format]:
    """List the format of a name, else those with the ending of a file."""
    if name is not None:
        return [format_named(name)]
    passed = argument("format", "csv")
    if not has_ending:
        raise OptionError(
            f"{path}: no ending shows the format: pass it, as {passed}; there are {_names(known)}"
        )
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory, not a file")
    ending = name_without_compression(path)
    if found := [each for each in FORMATS if ending.endswith(each.endings)]:
        return found
    endings = ", ".join(ending for each in FORMATS for ending in each.endings)
    passed = hint("pass the format, as {format}, or ", format="csv")
    raise FormatError(f"{path}: no format has this ending; {passed}use one of {endings}; {_OTHERS}")


def format_named(name: str) -> Format:
    """Return the format of a name; an `OptionError` if there is none."""
    if not isinstance(name, str):
        raise OptionError(f"there is no format {shown(name)}; there are {_names(FORMATS)}; {_OTHERS}")
    for each in FORMATS:
        if each.name == name.lower():
            return each
    of_ending = [each.name for each in FORMATS if f".{name}" in each.endings]
    ending = f", but .{name} is {' or '.join(of_ending)}" if of_ending else ""
    raise OptionError(f"there is no format {shown(name)}{ending}; there are {_names(FORMATS)}; {_OTHERS}")


def format_of_folders() -> Format:
    """Return the format of the files in a folder that are one graph together."""
    return next(each for each in FORMATS if each.codec.holds.row_groups)


def _names(formats: tuple[Format, ...]) -> str:
    return ", ".join(each.name for each in formats)


_OTHERS = "docs/formats.md shows how to read files of other libraries"
