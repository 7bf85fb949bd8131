"""Write graphs and forests to files."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from typing import Any

from numpy.typing import NDArray

from boruvka.backends.memory_pool import release_memory
from boruvka.errors import FormatError
from boruvka.formats.edge_table import EdgeTable
from boruvka.formats.format import Format
from boruvka.formats.name_columns import check_name_types, portable_names
from boruvka.formats.registry import FORMATS, format_to_write
from boruvka.graph.columns import list_column
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.labels import are_crossings
from boruvka.runtime.arguments import is_command_running, taking
from boruvka.runtime.libraries import require
from boruvka.runtime.output_files import File, check_writable, file_name, writing
from boruvka.runtime.processors import check_addresses_of_polars, free_memory
from boruvka.runtime.progress import Listener, listening, report

ROOM = 1 << 30
"""Bytes of free memory that suffice to write any file."""
_INTEGER = re.compile("0|-?[1-9][0-9]{0,17}")
_FLOAT = re.compile(r"(?=(?:\D*\d){1,17}\D*\Z)-?(?:0|[1-9][0-9]*)(?:\.(?:0|[0-9]*[1-9]))?(?:e[+-][0-9]{2})?")
"""Texts of numbers of which no digit is lost; others, such as 007 and 1.50, may be codes."""


def write(
    graph_or_forest: Any,
    path: File,
    *,
    format: str | None = None,
    metadata: Any = None,
    progress: bool | Listener = False,
) -> None:
    """Write a graph, a forest or a tree to a file, whole or not at all.

    A forest or a tree is written as the graph of its edges; csv, tsv, parquet, arrow and npz also hold the
    edge indices. Weights are written exactly; only parquet, arrow and npz keep their dtype. METIS
    refuses parallel edges, and an adjacency matrix refuses parallel edges of different weights. METIS,
    GraphML, GEXF and GML order edges by their ends.

    Vertices of a graph that was read from a file have the ids of that file: they begin at ``graph.first_id``.
    NumPy files hold arrays, which count from 0; DIMACS, Matrix Market, METIS and SteinLib count from 1.

    Names of vertices are written by the formats that hold edge indices, edge lists, GraphML, GEXF and GML, if
    all are strings or all are integers of 64 bits; Arrow holds only strings. Coordinates, which name the ends
    of lines, become text. Tables, edge lists, Parquet and
    Arrow hold only the names of the ends of edges: a forest loses the names of its isolated vertices, and a
    graph with an isolated vertex is an error.

    GraphML, GEXF and GML hold columns of vertices: the metadata, and where a vertex may be several profiles,
    their number, ``size``, and their names, ``members``. Such a vertex has each different value of the
    metadata once; ``; `` stands between values, and between names. A column of texts that are written as
    numbers becomes one of numbers, unless digits would be lost, as of 007. ``_given`` is added to names of
    columns that have a meaning in files, such as id, name, x and y, or are there twice.

    Parameters
    ----------
    graph_or_forest : Graph, Forest, SteinerTree, Arborescence or what `minimum_spanning_forest` accepts
        The graph, or the forest or tree of a graph.
    path : path-like or binary file
        The file; ``.gz``, ``.zst``, ``.bz2`` and ``.xz`` are compressed. A file object, such as
        ``sys.stdout.buffer``, gets the bytes uncompressed.
    format : str, optional
        The name of a format of `FORMATS`; by default the ending of the file decides. A file object needs it.
    metadata : frame or mapping of names to columns, optional
        Columns of the vertices, or of the profiles where these were collapsed, matched as in
        `Forest.to_nodes`.
    progress : bool or callable
        True shows a progress bar, on a terminal or in a notebook, after half a second. A callable receives
        each `Progress` event in this thread; an exception that it raises stops the work.

    Raises
    ------
    FormatError
        No format has the ending, the format is only read, or it cannot hold the graph. METIS takes simple
        graphs with positive integer weights, an adjacency matrix no weight 0. npy and arrow take only graphs
        whose last vertex has an edge, and few formats hold names. GeoPackage and GeoJSON take graphs whose
        vertices have coordinates. Or it holds no columns, and there are metadata.
    FileError
        The file cannot be written.
    GraphError, GraphTypeError
        The first argument is neither a graph nor a forest or tree of one; or metadata do not match it.
    OptionError
        There is no such format, or a file object has none.
    MissingExtraError
        The library that writes the format is not installed; or there are metadata, and pandas is not.
    """
    name, chosen = file_name(path), _writable_format(path, format)
    assert chosen.codec.write is not None
    table = EdgeTable.of(graph_or_forest)
    if table.names is not None and table.graph is not None and are_crossings(table.graph).any():
        table = table._replace(names=portable_names(table.names))
    if not name.startswith("<"):  # a file object
        table = table._replace(title=os.path.basename(name).partition(".")[0] or table.title)
    more = {"metadata"} if metadata is not None else set[str]()
    if table.edges is not None and table.graph is not None and table.graph.annotations.keep:
        more.add("keep")
    _check_holds(name, chosen, table.names, more)
    profiles = None if table.graph is None else table.graph.profiles
    has_members = profiles is not None and profiles.names is not None
    if "vertices" in chosen.codec.holds.columns and (has_members or metadata is not None):
        table = table._replace(vertex_columns=_columns_of_vertices(table.graph, metadata))
    if not chosen.codec.holds.n and table.n > table.implied_n:
        raise FormatError(
            f"{name}: the format {chosen.name!r} does not state the number of vertices, so the last "
            f"{table.n - table.implied_n}, which have no edges, would be lost; "
            "choose another format"
        )
    try:
        if free_memory() < ROOM:
            release_memory()  # what is kept for the next solve
        with listening(progress), writing(path) as file:
            report("write", 0, table.m, "edges")
            chosen.codec.write(table, file)
            report("write", table.m, table.m, "edges")
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def check_output(
    path: File, format: str | None = None, names: NDArray[Any] | None = None, more: Collection[str] = ()
) -> None:
    """Check before a long computation that `write` can write to a file.

    Parameters
    ----------
    path : path-like or binary file
        The file.
    format : str, optional
        As for `write`.
    names : (n,) array, optional
        The names of vertices that are to be written.
    more : collection of str
        "metadata" if there are metadata, "keep" if there are columns of the input.

    Raises
    ------
    FormatError, FileError, OptionError
        As for `write`, except for errors that depend on the graph.
    MissingExtraError
        As for `write`.
    """
    _check_holds(file_name(path), _writable_format(path, format), names, more)
    check_writable(path)


def _writable_format(path: File, format: str | None) -> Format:
    """Choose the format of a file to write, and import the library that it needs."""
    with taking("format"):
        chosen = format_to_write(path, format)
    if chosen.codec.uses_polars:
        check_addresses_of_polars()
        require("polars", "tables")
    return chosen


def _columns_of_vertices(graph: Any, metadata: Any) -> list[tuple[str, list[Any]]]:
    """Return metadata as columns of vertices, after the profiles of each where several are one vertex."""
    from boruvka.trees.plotting.rows import Rows

    rows = Rows.of(EdgeSet(graph, []))
    columns = list[tuple[str, list[Any]]]()
    if rows.labels is not rows.tree:
        columns.append(("size", graph.profiles.sizes.tolist()))
        columns.append(("members", rows.joined(rows.names)))
    for name, values in () if metadata is None else rows.table("metadata", metadata).items():
        texts = (None if x is None else str(x) for x in rows.joined(list_column(values)))
        columns.append((str(name), _numbers_or_texts([*texts])))
    return columns


def _numbers_or_texts(texts: list[str | None]) -> list[Any]:
    """Return texts as integers or as floats, if all are written as these are."""
    for number, form in (int, _INTEGER), (float, _FLOAT):
        if all(x is None or form.fullmatch(x) for x in texts):
            return [None if x is None else number(x) for x in texts]
    return texts


def _check_holds(path: str, chosen: Format, names: NDArray[Any] | None, more: Collection[str]) -> None:
    """Raise a `FormatError` if a format cannot hold names, metadata or columns of edges."""
    holds = chosen.codec.holds
    command = "boruvka clusters FILE --at WEIGHT --metadata TABLE -o clusters.csv"
    way = command if is_command_running() else "forest.to_nodes(metadata)"
    for name, kind, advice in (
        ("metadata", "vertices", f"; {way} makes a table with them"),
        ("keep", "edges", ""),
    ):
        if name in more and kind not in holds.columns:
            others = ", ".join(f.name for f in FORMATS if kind in f.codec.holds.columns and f.codec.write)
            found = f"the format {chosen.name!r} holds no columns of {kind}"
            raise FormatError(f"{path}: {found}; choose one of {others}{advice}")
    if names is None or holds.lines:
        return
    if holds.names is None:
        held = (f for f in FORMATS if f.codec.holds.names and f.codec.write and not f.codec.holds.lines)
        others = ", ".join(f.name for f in held if f.name != "matrix")
        raise FormatError(
            f"{path}: the format {chosen.name!r} holds no names of vertices; choose one of {others}"
        )
    try:
        check_name_types(names)
        holds.names(names)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None
