"""File formats: graphs and forests read from and written to files."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FileError, FormatError, GraphError, GraphTypeError, OptionError
from boruvka.formats.binary.graph_tool import GRAPH_TOOL
from boruvka.formats.binary.npz import NPZ
from boruvka.formats.binary.parquet import PARQUET
from boruvka.formats.edge_lookup import find_edges, stated_edges
from boruvka.formats.files import Source, check_writable, file_name, plain_name, writing
from boruvka.formats.format import Content, Format, Options, Part, Piece
from boruvka.formats.text.adjacency_matrix import ADJACENCY_MATRIX
from boruvka.formats.text.counted import COUNTED
from boruvka.formats.text.delimited import CSV, EDGES, TSV
from boruvka.formats.text.dimacs import DIMACS
from boruvka.formats.text.gbbs import GBBS
from boruvka.formats.text.matrix_market import MATRIX_MARKET
from boruvka.formats.text.metis import METIS
from boruvka.formats.text.pbbs import PBBS
from boruvka.formats.text.steinlib import STEINLIB
from boruvka.graph.graph import Graph

__all__ = ["FORMATS", "Format", "check_output", "read", "read_forest", "read_part", "write"]

FORMATS: tuple[Format, ...] = (
    DIMACS,
    MATRIX_MARKET,
    METIS,
    EDGES,
    COUNTED,
    CSV,
    TSV,
    STEINLIB,
    ADJACENCY_MATRIX,
    PARQUET,
    NPZ,
    GRAPH_TOOL,
    PBBS,
    GBBS,
)
"""Every format; where two share an ending, the first is written."""


def read(
    path: str | bytes | os.PathLike[Any],
    *,
    format: str | None = None,
    columns: tuple[str | int, ...] | None = None,
    header: bool | None = None,
    one_based: bool | None = None,
    n: int | None = None,
    unweighted: bool = False,
) -> Graph:
    """Read a graph from a file.

    Every line or entry that the file holds is an edge of the graph, in the order of the file; a file
    that lists both directions of an edge gives parallel edges (but METIS and GBBS, which must list both,
    give one). Integers are read exactly, as int64 or where they are larger as uint64; decimal fractions
    are rounded to the nearest float64.

    Parameters
    ----------
    path : path-like
        The file; ``.gz`` and ``.zst`` are decompressed.
    format : str, optional
        The name of a format of `FORMATS`; by default the ending of the file decides, and the content
        where two formats share an ending.
    columns : tuple of str or int, optional
        Which columns hold u, v and the weight: names of a header, or positions from 0. By default
        those with known names (u, v, w; source, target, weight; from, to, cost ...), or without a
        header the first three of three columns. For tables, edge lists and Parquet.
    header : bool, optional
        Whether the first line names the columns; by default it does if no field of it is a number.
        For tables and edge lists.
    one_based : bool, optional
        Whether ids begin at 1: by default no for tables, edge lists and Parquet, yes for counted edge
        lists. Other formats know.
    n : int, optional
        The number of vertices; by default what the file states, else one more than the largest id.
        For tables, edge lists and Parquet.
    unweighted : bool
        Read no weights: every edge has weight 1 (uint8). Without it, a file that has no weights is an
        error. For formats that may lack weights.

    Returns
    -------
    Graph

    Raises
    ------
    FormatError
        No format claims the ending, or the file is malformed; the message names file and line.
    FileError
        The file cannot be opened or read, or does not fit the memory.
    OptionError
        There is no such format, the format does not take an option, or there is no such column.
    """
    options = Options(columns, header, one_based, n, unweighted)
    source = Source(path)
    chosen = _format_to_read(source, format)
    chosen.check(options)
    return _reading(source, lambda: chosen.read(source, options))


def read_part(path: str | bytes | os.PathLike[Any], part: Part, **how: Any) -> Piece:
    """Read one part of the edges of a graph from a file, as a rank of many does.

    Lines of DIMACS, edge lists and tables are parted by bytes, and only these are read, unless the file is
    compressed; Parquet by rows, npz by entries. Of other formats the whole is read, and a part kept.

    Parameters
    ----------
    path : path-like
        The file.
    part : Part
        Which part.
    **how
        As for `read`.

    Returns
    -------
    Piece
        Weights of text are integers if all of the part are.

    Raises
    ------
    FormatError, FileError, OptionError
        As for `read`, as far as the part shows it.
    """
    format = how.pop("format", None)
    options = Options(**how)
    source = Source(path)
    chosen = _format_to_read(source, format)
    chosen.check(options)
    read_it = chosen.read_part or _part_of_whole(chosen)
    return _reading(source, lambda: read_it(source, options, part))


def _part_of_whole(chosen: Format) -> Any:
    def read_it(source: Source, options: Options, part: Part) -> Piece:
        graph = chosen.read(source, options)
        u, v, w = (column[part.slice(graph.m)].copy() for column in (graph.u, graph.v, graph.w))
        return Piece(u, v, w, graph.n)

    return read_it


def read_forest(
    path: str | bytes | os.PathLike[Any], graph: Graph, *, format: str | None = None
) -> NDArray[np.int64]:
    """Read a forest of a graph from a file that `write` made of it.

    Where the file states the indices of edges (csv, tsv, parquet, npz, graph-tool), these are returned,
    and the ends and weights beside them must be those of the graph. Elsewhere edges are found by their
    ends, in either order, and their exact weight; the k-th copy of an edge is the k-th of parallel edges.

    Parameters
    ----------
    path : path-like
        The file.
    graph : Graph
        The graph of which it is a forest.
    format : str, optional
        As for `read`.

    Returns
    -------
    (k,) int64 array
        Indices of edges of the graph, in the order of the file. Whether they are a forest, or below
        the number of edges, is for a verifier.

    Raises
    ------
    GraphError
        An edge of the file is not in the graph; the message names the row.
    FormatError, FileError, OptionError
        As for `read`.
    """
    source = Source(path)
    chosen = _format_to_read(source, format)
    read_content = chosen.read_forest or (lambda source: Content.of(chosen.read(source, Options())))
    content = _reading(source, lambda: read_content(source))
    try:
        return find_edges(content, graph) if content.edges is None else stated_edges(content, graph)
    except GraphError as error:
        raise GraphError(f"{source.path}: {error}") from None


def write(graph_or_forest: Any, path: str | bytes | os.PathLike[Any], *, format: str | None = None) -> None:
    """Write a graph or a forest to a file, whole or not at all.

    A forest is written as the graph of its edges; csv, tsv, parquet, npz and graph-tool
    also hold their indices. Weights are written exactly; only parquet and npz keep their type. An
    adjacency matrix holds only the lightest of parallel edges; METIS, GBBS and graph-tool order edges
    by their ends.

    Parameters
    ----------
    graph_or_forest : Graph, Forest or what `minimum_spanning_forest` accepts
        What to write.
    path : path-like
        The file; ``.gz`` and ``.zst`` are compressed.
    format : str, optional
        The name of a format of `FORMATS`; by default the ending of the file decides.

    Raises
    ------
    FormatError
        No format claims the ending, or the format cannot hold the graph: METIS is for simple graphs
        with positive whole weights, an adjacency matrix for weights other than 0, PBBS for graphs whose
        last vertex has an edge.
    FileError
        The file cannot be written.
    OptionError
        There is no such format.
    """
    name = file_name(path)
    chosen = _format_to_write(name, format)
    content = Content.of(graph_or_forest)
    if not chosen.states_n and content.n > content.implied_n:
        raise FormatError(
            f"{name}: the format {chosen.name!r} states no number of vertices, so that the last "
            f"{content.n - content.implied_n}, which have no edges, would be lost; give only (u, v, w), or "
            "choose another format"
        )
    try:
        with writing(name) as file:
            chosen.write(content, file)
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def check_output(path: str | bytes | os.PathLike[Any], format: str | None = None) -> None:
    """Find out before long work whether `write` will be able to write to a file.

    Parameters
    ----------
    path : path-like
        The file.
    format : str, optional
        As for `write`.

    Raises
    ------
    FormatError, FileError, OptionError
        As `write` does, except for what depends on the graph.
    """
    _format_to_write(file_name(path), format)
    check_writable(path)


def _format_to_write(path: str, name: str | None) -> Format:
    return _named(name) if name is not None else _claiming(path)[0]


def _named(name: str) -> Format:
    for candidate in FORMATS:
        if candidate.name == str(name).lower():
            return candidate
    raise OptionError(f"there is no format {name!r}; there are {', '.join(f.name for f in FORMATS)}")


def _claiming(path: str) -> list[Format]:
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory, not a file")
    name = plain_name(path)
    claiming = [candidate for candidate in FORMATS if name.endswith(candidate.endings)]
    if not claiming:
        endings = ", ".join(ending for candidate in FORMATS for ending in candidate.endings)
        raise FormatError(f"{path}: no format has this ending; give format=, or one of {endings}")
    return claiming


def _format_to_read(source: Source, name: str | None) -> Format:
    if name is not None:
        return _named(name)
    claiming = _claiming(source.path)
    if len(claiming) == 1:
        return claiming[0]
    for candidate in claiming:
        if candidate.recognises is not None and candidate.recognises(source):
            return candidate
    described = " or ".join(candidate.description for candidate in claiming)
    raise source.text.unexpected(source.text.start, described)


def _reading(source: Source, read: Any) -> Any:
    """Name the file in whatever goes wrong."""
    try:
        return read()
    except (GraphError, GraphTypeError) as error:
        raise source.error(str(error)) from None
    except MemoryError:
        raise FileError(f"{source.path}: there is not enough memory to read the file") from None
