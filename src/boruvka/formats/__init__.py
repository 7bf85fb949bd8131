"""Graph and forest files: read, written, and converted from one format to another.

`format.py` explains how to add a format; `registry.py` lists the formats. Text formats are in ``text/``,
binary ones in ``binary/``, formats that a library reads in ``libraries/``, one module each. `points.py` reads
points.
"""

from boruvka.formats.edge_file import EdgeBatch, FileChunk
from boruvka.formats.edge_table import EdgeTable
from boruvka.formats.format import Format
from boruvka.formats.reading import read, read_chunk, read_forest, read_forest_edges
from boruvka.formats.registry import FORMATS
from boruvka.formats.writing import check_output, write

__all__ = [
    "FORMATS",
    "EdgeBatch",
    "EdgeTable",
    "FileChunk",
    "Format",
    "check_output",
    "read",
    "read_chunk",
    "read_forest",
    "read_forest_edges",
    "write",
]
