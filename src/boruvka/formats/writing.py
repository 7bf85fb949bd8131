"""Write graphs and forests to files."""

from __future__ import annotations

import os
from typing import Any

from boruvka.errors import FormatError
from boruvka.formats.files import check_writable, file_name, writing
from boruvka.formats.format import EdgeTable, Format
from boruvka.formats.registry import format_to_write

__all__ = ["check_output", "write"]


def write(graph_or_forest: Any, path: str | bytes | os.PathLike[Any], *, format: str | None = None) -> None:
    """Write a graph or a forest to a file, whole or not at all.

    A forest is written as the graph of its edges; csv, tsv, parquet, arrow, npz and graph-tool also
    hold the edge indices. Weights are written exactly; only parquet, arrow and npz keep their dtype. An
    adjacency matrix holds only the lightest of parallel edges; METIS, GBBS, graph-tool, GraphML, GEXF and GML
    order edges by their ends.

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
        No format has the ending, it is only read, or it cannot hold the graph: METIS takes simple graphs
        with positive integer weights, an adjacency matrix no weight 0, PBBS only graphs whose last vertex
        has an edge.
    FileError
        The file cannot be written.
    OptionError
        There is no such format.
    MissingExtraError
        The library that writes the format is not installed.
    """
    name = file_name(path)
    chosen = _writable_format(name, format)
    assert chosen.codec.write is not None
    table = EdgeTable.of(graph_or_forest)
    if not chosen.codec.states_n and table.n > table.implied_n:
        raise FormatError(
            f"{name}: the format {chosen.name!r} does not state the number of vertices, so the last "
            f"{table.n - table.implied_n}, which have no edges, would be lost; write only (u, v, w), or "
            "choose another format"
        )
    try:
        with writing(name) as file:
            chosen.codec.write(table, file)
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def check_output(path: str | bytes | os.PathLike[Any], format: str | None = None) -> None:
    """Check before a long computation that `write` can write to a file.

    Parameters
    ----------
    path : path-like
        The file.
    format : str, optional
        As for `write`.

    Raises
    ------
    FormatError, FileError, OptionError
        As for `write`, except for errors that depend on the graph.
    """
    _writable_format(file_name(path), format)
    check_writable(path)


def _writable_format(name: str, format: str | None) -> Format:
    """Choose the format of a file to write; an error if its files are only read."""
    chosen = format_to_write(name, format)
    if chosen.codec.write is None:
        raise FormatError(f"{name}: the format {chosen.name!r} is only read; choose another format")
    return chosen
