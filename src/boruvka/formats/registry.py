"""The list of file formats, and the choice among them by name, ending or content."""

from __future__ import annotations

import os
import re

from boruvka.errors import FileError, FormatError, OptionError, shown
from boruvka.formats.edge_table import Options
from boruvka.formats.files import File, InputFile, file_name, is_stream
from boruvka.formats.format import Format
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.matrix_layout import is_matrix
from boruvka.runtime.arguments import argument, did_you_mean, hint
from boruvka.runtime.libraries import require
from boruvka.runtime.output_files import name_without_compression


def _first(pattern: bytes, comments: bytes = b"#%") -> bytes:
    """Return a pattern of the first line of a text that is not a comment."""
    skipped, blank = rb"(?:[ \t\r]*(?:[%b][^\n]*)?\n)*" % comments, rb"[ \t\r]*(?:[%b]|\n)" % comments
    return rb"(?mi)(?:\xef\xbb\xbf)?%b(?!%b)[ \t]*(?:%b)" % (skipped, blank, pattern)


_HAS_TABS = rb"[^ \t\n]*\t[^ \n]*$|(?=.*\t).*([A-Za-z] [^ \t]|[^ \t] [A-Za-z])"
"""Tabs separate the fields of a line: there are no other blanks, or only in names."""
_NPZ = rb"(?s)PK\x03\x04.{26}[^/\0]{1,99}\.npy"
_XML = rb"(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<(?:\w+:)?%b\b"
OF_FOLDERS = "parquet"
"""The format of the files in a folder that are one graph together; streams read their row groups."""
TABLES = "edges", "csv", "tsv"
"""Formats whose endings other texts have, too."""
_OF_EDGES = ".el", ".wel", ".edges", ".edgelist"
"""Endings of edges alone."""
_LOOKED_AT = 4096
"""Bytes at the beginning of a file that show its format."""
_EXTRAS = {
    "libraries.networkx_files": ("networkx", ["networkx"]),
    "libraries.vector_maps": ("geo", ["geopandas", "pyogrio", "shapely", "pyproj"]),
}
"""The extra, and its libraries, that write the files of a module."""
_BEGINS = {
    "dimacs": _first(rb"p\s+sp\b", b"c"),
    "matrix-market": b"%%MatrixMarket",
    "edges": _first(rb"(?!%b)" % _HAS_TABS),
    "tsv": _first(_HAS_TABS),
    "steinlib": _first(rb"section\s+\w+\s*$|33d32945", b"#"),
    "dimacs-edge": _first(rb"p\s+(edges?|col)\s", b"c"),
    "tsplib": rb"(?i)\s*(name|type|comment|dimension|edge_weight_type)\s*:",
    "ucinet": rb"(?i)\s*dl\s+(n|nr|format)\s*=",
    "epanet": _first(rb"\[[A-Z]+\]\s*$", b";"),
    "parquet": b"PAR1",
    "npz": _NPZ,
    "npy": b"\x93NUMPY",
    "arrow": b"ARROW1",
    "graphml": _XML % b"graphml",
    "gexf": _XML % b"gexf",
    "gml": _first(rb"graph\s*\[|(creator|comment)\s+\"|(version|directed)\s+\d+\s*$", b"#"),
    "pajek": _first(rb"\*(network|vertices|partition|vector|permutation|cluster)\b", b"%"),
    "json": rb"(?s)\s*\{.{0,4000}\"(nodes|links|edges)\"\s*:",
    "geopackage": rb"SQLite format 3\0",
    "geojson": rb"(?s)\s*\{.{0,999}\"(FeatureCollection|Feature)\"",
    "osm": _XML % b"osm",
    "json-lines": rb"\s*\{[^\n]*\}[ \t\r]*(\n\s*\{|\n?\Z)",
}
"""A pattern of the first bytes of files of a format, whatever their ending, if they show it."""

FORMATS: tuple[Format, ...] = (
    Format("dimacs", (".gr",), "text.dimacs", "DIMACS shortest path: p sp n m, then a u v w"),
    Format("matrix-market", (".mtx", ".mm"), "text.matrix_market", "Matrix Market: each entry"),
    Format("metis", (".graph", ".metis"), "text.metis", "METIS and Chaco: lists of neighbours"),
    Format(
        "edges", (".el", ".wel", ".edges", ".edgelist", ".txt"), "text.delimited", "Edge list: u v w per line"
    ),
    Format("csv", (".csv",), "text.delimited", "Table between commas (or semicolons): source,target,weight"),
    Format("tsv", (".tsv", ".tab", ".txt"), "text.delimited", "Table between tabs: u v w"),
    Format("steinlib", (".stp", ".gr"), "text.steinlib", "SteinLib and PACE: SECTION Graph"),
    Format("matrix", (".adj", ".adjacency"), "text.matrix", "Matrix of distances, or of a network"),
    Format("dimacs-edge", (".col", ".clq"), "text.dimacs", "DIMACS graph: p edge n m"),
    Format("tsplib", (".tsp", ".atsp"), "text.tsplib", "TSPLIB: every pair of nodes"),
    Format("ucinet", (".dl",), "text.ucinet", "UCINET: DL, a matrix or lists of edges"),
    Format("epanet", (".inp",), "text.epanet", "EPANET: pipes and their lengths"),
    Format("parquet", (".parquet", ".pq"), "binary.parquet", "Parquet: columns source, target, weight"),
    Format("npz", (".npz",), "binary.npz", "NumPy archive: arrays u, v, w, n"),
    Format("npy", (".npy",), "binary.npy", "NumPy array: rows u v w, or a square matrix"),
    Format("arrow", (".arrow", ".feather", ".ipc"), "binary.arrow", "Arrow IPC, as Parquet"),
    Format("graphml", (".graphml",), "libraries.networkx_files", "GraphML of yEd, Gephi, igraph, NetworkX"),
    Format("gexf", (".gexf",), "libraries.networkx_files", "GEXF of Gephi"),
    Format("gml", (".gml",), "libraries.networkx_files", "GML of igraph, NetworkX, Cytoscape"),
    Format("pajek", (".net", ".paj"), "text.pajek", "Pajek: *Vertices, *Arcs, *Edges"),
    Format("json", (".json",), "text.json_graph", "JSON of D3 and NetworkX: nodes and links"),
    Format("geopackage", (".gpkg",), "libraries.vector_maps", "Lines of a GeoPackage"),
    Format("geojson", (".geojson", ".json"), "libraries.vector_maps", "Lines of GeoJSON"),
    Format("shapefile", (".shp", ".shp.zip"), "libraries.vector_maps", "Lines of a Shapefile"),
    Format("returns", (), "libraries.series", "Series in columns, as returns: distances of correlations"),
    Format("prices", (), "libraries.series", "Series in columns: the same, of the changes of prices"),
    Format(
        "json-lines", (".jsonl", ".ndjson", ".json"), "text.json_lines", "JSON lines: source, target, weight"
    ),
    Format("osm", (".osm.pbf", ".pbf", ".osm"), "libraries.osm", "OpenStreetMap: roads and paths"),
)
"""Every format. Where two share an ending, files with that ending are written in the first."""


def format_to_read(
    source: InputFile, name: str | None, options: Options | None = None, *, is_of_points: bool = False
) -> Format:
    """Choose the format of a file: by name if there is one, else by its ending and its content.

    Parameters
    ----------
    source : InputFile
    name : str, optional
        The name of a format.
    options : Options, optional
        The options of reading. With them the content decides where there is no ending, or one of tables,
        which other files often have, too.
    is_of_points : bool
        Whether the caller reads a table of points, and no edges.

    Raises
    ------
    OptionError
        No format has the name, the content of a file object shows none, or it may be edges or a matrix.
    FormatError
        No format has the ending, or none recognises the content.
    FileError
        The file cannot be read.
    """
    if source.path.lower().endswith(_WORKBOOKS):
        raise FileError(f"{source.path}: a workbook: save it as CSV, or pass pandas.read_excel(...)")
    if name is not None:
        return format_named(name)
    by_ending = _by_ending(source)
    if may_be_table(source) and (is_of_points or options is not None):
        return _of_content(source, by_ending, None if is_of_points else options)
    if not by_ending:
        raise _no_ending(source.path, FORMATS, is_stream=source.is_stream)
    return _recognised(by_ending, source)


def _of_content(source: InputFile, by_ending: list[Format], options: Options | None) -> Format:
    """Choose the format of a file whose content says more than its ending."""
    head = source.background_content[:_LOOKED_AT]
    if head.startswith(b"SIMPLE  ="):
        way = "pass astropy.table.Table.read(...) to Graph.from_points, or save its to_pandas() as CSV"
        raise FormatError(f"{source.path}: a FITS file: {way}")
    tables = [each for each in FORMATS if each.name in TABLES]
    others = (each for each in FORMATS if each.name in _BEGINS and each not in tables)
    if found := [each for each in others if re.match(_BEGINS[each.name], head)]:
        return found[0]
    if options is not None and head.removeprefix(b"\xef\xbb\xbf").startswith(b">"):
        raise FormatError(f"{source.path}: sequences are not edges")
    if not by_ending and b"\0" in head and not head.startswith(b"PK\x03\x04"):
        raise _no_ending(source.path, FORMATS, is_stream=source.is_stream)
    matrix = format_named("matrix")
    says_edges = name_without_compression(source.path).endswith(_OF_EDGES) or b"# boruvka " in head
    may_be_matrix = options is not None and options.names_set() <= matrix.codec.options
    if may_be_matrix and not says_edges and is_matrix(Text.of(source), source.path):
        return matrix
    return _recognised(by_ending or tables, source)


def _recognised(candidates: list[Format], source: InputFile) -> Format:
    """Return the candidate that recognises the beginning of a file, else the first one."""
    if len(candidates) == 1:
        return candidates[0]
    head = Text.of(source).content[:_LOOKED_AT]
    return next((each for each in candidates if re.match(_BEGINS.get(each.name, b""), head)), candidates[0])


def choose_format(source: InputFile, options: Options) -> Format:
    """Return the format that the options name, or that the ending and the content of a file show.

    Raises
    ------
    OptionError, FormatError, FileError
        As for `format_to_read`, or the format does not take one of the options.
    """
    chosen = format_to_read(source, options.format, options)
    check_format_options(chosen, options)
    return chosen


def may_be_table(source: InputFile) -> bool:
    """Return whether the ending of a file is one of tables, or says nothing."""
    by_ending = _by_ending(source)
    return not by_ending or by_ending[0].name in TABLES


def _by_ending(source: InputFile) -> list[Format]:
    """List the formats with the ending of a file; a file object has none, a folder is of Parquet."""
    if not source.is_stream and os.path.isdir(source.path):
        return [format_named(OF_FOLDERS)]
    return [] if source.is_stream else _of_ending(source.path)


def check_format_options(chosen: Format, options: Options) -> None:
    """Raise an `OptionError` for an option that a format does not take."""
    allowed = chosen.codec.options
    for name in sorted(options.names_set() - allowed - {"format"}):
        refused = argument(name, False) if getattr(options, name) is False else argument(name)
        takes = ", ".join(map(argument, sorted(allowed))) or "none"
        others = ", ".join(each.name for each in FORMATS if name in each.codec.options)
        problem = f"the format {chosen.name!r} does not take {refused}; it takes {takes}"
        raise OptionError(f"{problem}; {argument(name)} is for {others}")


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
    if has_ending and os.path.isdir(path):
        raise FileError(f"{path}: is a directory, not a file")
    if name is not None:
        chosen = format_named(name)
    elif not has_ending or not (known := _of_ending(path)):
        writable = tuple(each for each in FORMATS if each.codec.write)
        raise _no_ending(path, writable, is_stream=not has_ending)
    else:
        chosen = known[0]
    if chosen.codec.write is None:
        other = ", such as .gpkg" if chosen.name == "shapefile" else ""
        raise FormatError(f"{path}: the format {chosen.name!r} is only read; choose another format{other}")
    extra, libraries = _EXTRAS.get(chosen.module, ("", []))
    for library in libraries:
        require(library, extra)
    return chosen


_WORKBOOKS = (".xlsx", ".xls", ".xlsm", ".ods")
_PICTURES = (".png", ".svg", ".pdf", ".html")


def _of_ending(path: str) -> list[Format]:
    """List the formats with the ending of a path."""
    ending = name_without_compression(path)
    return [each for each in FORMATS if ending.endswith(each.endings)]


def _no_ending(path: str, known: tuple[Format, ...], *, is_stream: bool) -> FormatError | OptionError:
    """Make the error about a file whose format is not known."""
    if is_stream:
        passed = argument("format", "csv")
        return OptionError(
            f"{path}: no ending shows the format: pass it, as {passed}; there are {_names(known)}"
        )
    if path.lower().endswith(_PICTURES):
        way, others = argument("plot", path), "boruvka plot, boruvka plot --network, or result.plot()"
        way = way if way.startswith("--") else others  # few commands have this option
        return FormatError(f"{path}: write the result as csv or gpkg, and draw it: {way}")
    if path.lower().endswith(_WORKBOOKS):
        return FormatError(f"{path}: a workbook: write csv, or in Python forest.to_pandas().to_excel(path)")
    passed = hint("pass it, as {format}; ", format="csv")
    passed += "the text of a tree is forest.to_newick(); " * path.lower().endswith((".nwk", ".newick"))
    others = f"; {_OTHERS}" * (known is FORMATS)
    return FormatError(f"{path}: the ending shows no format; {passed}there are {_names(known)}{others}")


def format_named(name: str) -> Format:
    """Return the format of a name; an `OptionError` if there is none."""
    if not isinstance(name, str):
        raise OptionError(f"there is no format {shown(name)}; there are {_names(FORMATS)}; {_OTHERS}")
    for each in FORMATS:
        if each.name == name.lower():
            return each
    of_ending = [each.name for each in FORMATS if f".{name}" in each.endings]
    alike = did_you_mean(name, [each.name for each in FORMATS])
    ending = f", but .{name} is {' or '.join(of_ending)}" if of_ending else alike
    raise OptionError(f"there is no format {shown(name)}{ending}; there are {_names(FORMATS)}; {_OTHERS}")


def _names(formats: tuple[Format, ...]) -> str:
    return ", ".join(each.name for each in formats)


_OTHERS = "docs/formats.md shows how to read files of other libraries, such as DuckDB"
