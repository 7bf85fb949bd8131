"""Minimum spanning forests of large graphs, exact and fast."""

from boruvka.errors import (
    BoruvkaError,
    FileError,
    FormatError,
    GraphError,
    GraphTypeError,
    MissingExtraError,
    OptionError,
)
from boruvka.graph import Graph

__version__ = "0.1.0"

__all__ = [
    "BoruvkaError",
    "FileError",
    "FormatError",
    "Graph",
    "GraphError",
    "GraphTypeError",
    "MissingExtraError",
    "OptionError",
]
