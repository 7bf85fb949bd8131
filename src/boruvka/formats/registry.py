"""The list of file formats, and the choice among them by name, ending or content."""

from __future__ import annotations

import os
from collections.abc import Iterable

from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats.files import File, Source, file_name, is_stream, name_without_compression
from boruvka.formats.format import Format
from boruvka.runtime.argument_names import argument, hint

__all__ = ["FORMATS", "format_to_read", "format_to_write"]

_REST = "remove the first line: the rest is of the format edges"
_OTHERS = {
    "edgelist": ((".edgelist",), "in Python: boruvka.as_graph(networkx.read_weighted_edgelist(path))"),
    "pajek": ((".net", ".pajek"), "in Python: boruvka.as_graph(networkx.read_pajek(path))"),
    "node-link": (
        (".json",),
        "in Python: boruvka.as_graph(networkx.node_link_graph(json.loads(pathlib.Path(path).read_text())))",
    ),
    "graph-tool": (
        (".gt",),
        "in Python: g = graph_tool.load_graph(path); "
        "boruvka.as_graph((*g.get_edges([g.ep.weight]).T, g.num_vertices()))",
    ),
    "scipy": ((), "in Python: boruvka.as_graph(scipy.sparse.load_npz(path))"),
    "counted": ((), _REST),
    "pbbs": ((), _REST),
    "gbbs": ((), "see docs/formats.md"),
}
"""Formats that other libraries read: their names, endings, and what to do."""
FORMATS: tuple[Format, ...] = (
    Format("dimacs", (".gr",), "DIMACS shortest path: p sp n m, then a u v w", "text.dimacs.DIMACS"),
    Format(
        "matrix-market",
        (".mtx", ".mm"),
        "Matrix Market: every stored entry is an edge",
        "text.matrix_market.MATRIX_MARKET",
    ),
    Format(
        "metis",
        (".graph", ".metis"),
        "METIS and Chaco: n m fmt, then a list of neighbours per vertex",
        "text.metis.METIS",
    ),
    Format(
        "edges",
        (".el", ".wel", ".edges", ".txt"),
        "Edge list: u v w per line, between blanks, commas or semicolons",
        "text.delimited.EDGES",
    ),
    Format("csv", (".csv",), "Table between commas (or semicolons): u,v,w", "text.delimited.CSV"),
    Format("tsv", (".tsv", ".tab"), "Table between tabs: u v w", "text.delimited.TSV"),
    Format(
        "steinlib",
        (".stp", ".gr"),
        "SteinLib and PACE: SECTION Graph, Nodes n, Edges m, then E u v w",
        "text.steinlib.STEINLIB",
    ),
    Format(
        "matrix",
        (".adj", ".adjacency"),
        "Adjacency matrix as text: n, then n rows of n numbers, 0 for no edge",
        "text.adjacency_matrix.ADJACENCY_MATRIX",
    ),
    Format("parquet", (".parquet", ".pq"), "Parquet: columns u, v, w", "binary.parquet.PARQUET"),
    Format("npz", (".npz",), "NumPy archive: arrays u, v, w, n", "binary.npz.NPZ"),
    Format("npy", (".npy",), "NumPy array: rows u v w, or a square matrix", "binary.npy.NPY"),
    Format(
        "arrow",
        (".arrow", ".feather", ".ipc"),
        "Arrow IPC, also called Feather: columns u, v, w",
        "binary.arrow.ARROW",
    ),
    Format(
        "graphml",
        (".graphml",),
        "GraphML, through NetworkX; the weight is an attribute of edges",
        "libraries.networkx_files.GRAPHML",
    ),
    Format(
        "gexf",
        (".gexf",),
        "GEXF of Gephi, through NetworkX; the weight is an attribute of edges",
        "libraries.networkx_files.GEXF",
    ),
    Format(
        "gml",
        (".gml",),
        "GML, through NetworkX; the weight is an attribute of edges",
        "libraries.networkx_files.GML",
    ),
    Format(
        "lines",
        (".gpkg", ".geojson", ".shp", ".shp.zip"),
        "GeoPackage, GeoJSON, Shapefile: a line is an edge between its ends (only read)",
        "libraries.lines.LINES",
    ),
    Format(
        "osm",
        (".osm.pbf", ".pbf", ".osm"),
        "OpenStreetMap: the segments of highways are edges (only read)",
        "libraries.osm.OSM",
    ),
)
"""Every format. Where two share an ending, files with that ending are written in the first."""


def format_to_read(source: Source, name: str | None) -> Format:
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
    if name is not None:
        return _format_named(name)
    if source.is_stream:
        raise _unknown_format(source.path, FORMATS)
    candidates = _formats_with_ending_of(source.path)
    if len(candidates) == 1:
        return candidates[0]
    for candidate in candidates:
        recognises = candidate.codec.recognises
        if recognises is not None and recognises(source):
            return candidate
    from boruvka.formats.text.lines import Text

    text = Text.of(source)
    raise text.unexpected(text.start, " or ".join(candidate.description for candidate in candidates))


def format_to_write(file: File, name: str | None) -> Format:
    """Choose the format of a file to write: by name if there is one, else by its ending.

    Raises
    ------
    OptionError
        No format has the name, or there is neither a name nor an ending.
    FormatError
        No format has the ending.
    FileError
        The path is a directory.
    """
    if name is not None:
        return _format_named(name)
    if is_stream(file):
        raise _unknown_format(file_name(file), [chosen for chosen in FORMATS if chosen.codec.write])
    return _formats_with_ending_of(file_name(file))[0]


def _unknown_format(name: str, formats: Iterable[Format]) -> OptionError:
    passed = argument("format", "csv")
    known = _names(formats)
    return OptionError(f"{name}: no ending tells the format: pass it, as {passed}; there are {known}")


def _names(formats: Iterable[Format]) -> str:
    return ", ".join(chosen.name for chosen in formats)


def _format_named(name: str) -> Format:
    for candidate in FORMATS:
        if candidate.name == str(name).lower():
            return candidate
    if str(name).lower() in _OTHERS:
        raise OptionError(f"the format {name!r} is not read or written here; {_OTHERS[name.lower()][1]}")
    of_ending = [candidate.name for candidate in FORMATS if f".{name}" in candidate.endings]
    ending = f", but .{name} is {' or '.join(of_ending)}" if of_ending else ""
    raise OptionError(f"there is no format {name!r}{ending}; there are {_names(FORMATS)}")


def _formats_with_ending_of(path: str) -> list[Format]:
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory, not a file")
    name = name_without_compression(path)
    candidates = [candidate for candidate in FORMATS if name.endswith(candidate.endings)]
    if not candidates:
        for of_other, instead in _OTHERS.values():
            if of_other and name.endswith(of_other):
                raise FormatError(f"{path}: no format has this ending; {instead}")
        endings = ", ".join(ending for candidate in FORMATS for ending in candidate.endings)
        passed = hint("pass the format, as {format}, or ", format="csv")
        raise FormatError(f"{path}: no format has this ending; {passed}use one of {endings}")
    return candidates
