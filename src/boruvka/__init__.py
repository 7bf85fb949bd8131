"""Minimum spanning forests of large graphs, exact and fast."""

from boruvka import generators
from boruvka.errors import (
    BackendError,
    BackendWarning,
    BoruvkaError,
    FileError,
    FormatError,
    GraphError,
    GraphTypeError,
    MissingExtraError,
    OptionError,
)
from boruvka.forest.forest import Forest
from boruvka.forest.verify import Verification, verify
from boruvka.formats import read, write
from boruvka.graph.graph import Graph
from boruvka.solve import minimum_spanning_forest

__version__ = "0.1.0"

__all__ = [
    "BackendError",
    "BackendWarning",
    "BoruvkaError",
    "FileError",
    "Forest",
    "FormatError",
    "Graph",
    "GraphError",
    "GraphTypeError",
    "MissingExtraError",
    "OptionError",
    "Verification",
    "generators",
    "minimum_spanning_forest",
    "read",
    "verify",
    "write",
]
