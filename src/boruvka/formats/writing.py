"""Write graphs and forests to files."""

from __future__ import annotations

from typing import Any

from boruvka.errors import FormatError
from boruvka.formats.files import File, check_writable, file_name, writing
from boruvka.formats.format import EdgeTable, Format
from boruvka.formats.registry import format_to_write
from boruvka.runtime.argument_names import passing

__all__ = ["check_output", "write"]


def write(graph_or_forest: Any, path: File, *, format: str | None = None) -> None:
    """Write a graph or a forest to a file, whole or not at all.

    A forest is written as the graph of its edges; csv, tsv, parquet, npz and graph-tool also hold the
    edge indices. Weights are written exactly; only parquet and npz keep their dtype. An adjacency matrix
    holds only the lightest of parallel edges; METIS, GBBS and graph-tool order edges by their ends.

    Parameters
    ----------
    graph_or_forest : Graph, Forest or what `minimum_spanning_forest` accepts
        What to write.
    path : path-like or binary file
        The file; ``.gz``, ``.zst``, ``.bz2`` and ``.xz`` are compressed. A file object, such as
        ``sys.stdout.buffer``, gets the bytes uncompressed.
    format : str, optional
        The name of a format of `FORMATS`; by default the ending of the file decides. A file object needs it.

    Raises
    ------
    FormatError
        No format has the ending, or the format cannot hold the graph: METIS takes simple graphs
        with positive integer weights, an adjacency matrix no weight 0, PBBS only graphs whose last vertex
        has an edge.
    FileError
        The file cannot be written.
    OptionError
        There is no such format, or a file object has none.
    """
    name, chosen = file_name(path), _format(path, format)
    table = EdgeTable.of(graph_or_forest)
    if not chosen.codec.states_n and table.n > table.implied_n:
        raise FormatError(
            f"{name}: the format {chosen.name!r} does not state the number of vertices, so the last "
            f"{table.n - table.implied_n}, which have no edges, would be lost; "
            "choose another format"
        )
    try:
        with writing(path) as file:
            chosen.codec.write(table, file)
    except FormatError as error:
        raise FormatError(f"{name}: {error}") from None


def check_output(path: File, format: str | None = None) -> None:
    """Check before a long computation that `write` can write to a file.

    Parameters
    ----------
    path : path-like or binary file
        The file.
    format : str, optional
        As for `write`.

    Raises
    ------
    FormatError, FileError, OptionError
        As for `write`, except for errors that depend on the graph.
    """
    _format(path, format)
    check_writable(path)


def _format(path: File, format: str | None) -> Format:
    with passing(format="output_format"):
        return format_to_write(path, format)
