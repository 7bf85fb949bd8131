"""The list of file formats, and the choice among them by name, ending or content."""

from __future__ import annotations

import os

from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats.binary.graph_tool import GRAPH_TOOL
from boruvka.formats.binary.npz import NPZ
from boruvka.formats.binary.parquet import PARQUET
from boruvka.formats.files import Source, name_without_compression
from boruvka.formats.format import Format
from boruvka.formats.text.adjacency_matrix import ADJACENCY_MATRIX
from boruvka.formats.text.counted_edge_list import COUNTED
from boruvka.formats.text.delimited import CSV, EDGES, TSV
from boruvka.formats.text.dimacs import DIMACS
from boruvka.formats.text.gbbs import GBBS
from boruvka.formats.text.lines import Text
from boruvka.formats.text.matrix_market import MATRIX_MARKET
from boruvka.formats.text.metis import METIS
from boruvka.formats.text.pbbs import PBBS
from boruvka.formats.text.steinlib import STEINLIB

__all__ = ["FORMATS", "format_to_read", "format_to_write"]

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
"""Every format. Where two share an ending, files with that ending are written in the first."""


def format_to_read(source: Source, name: str | None) -> Format:
    """Choose the format of a file: by name if there is one, else by its ending, then by its content.

    Raises
    ------
    OptionError
        No format has the name.
    FormatError
        No format has the ending, or none of those that share it recognises the content.
    FileError
        The path is a directory, or the file cannot be read.
    """
    if name is not None:
        return _format_named(name)
    candidates = _formats_with_ending_of(source.path)
    if len(candidates) == 1:
        return candidates[0]
    for candidate in candidates:
        if candidate.recognises is not None and candidate.recognises(source):
            return candidate
    text = Text.of(source)
    raise text.unexpected(text.start, " or ".join(candidate.description for candidate in candidates))


def format_to_write(path: str, name: str | None) -> Format:
    """Choose the format of a file to write: by name if there is one, else by its ending.

    Raises
    ------
    OptionError
        No format has the name.
    FormatError
        No format has the ending.
    FileError
        The path is a directory.
    """
    return _format_named(name) if name is not None else _formats_with_ending_of(path)[0]


def _format_named(name: str) -> Format:
    for candidate in FORMATS:
        if candidate.name == str(name).lower():
            return candidate
    raise OptionError(f"there is no format {name!r}; there are {', '.join(f.name for f in FORMATS)}")


def _formats_with_ending_of(path: str) -> list[Format]:
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory, not a file")
    name = name_without_compression(path)
    candidates = [candidate for candidate in FORMATS if name.endswith(candidate.endings)]
    if not candidates:
        endings = ", ".join(ending for candidate in FORMATS for ending in candidate.endings)
        raise FormatError(f"{path}: no format has this ending; pass format=, or use one of {endings}")
    return candidates
