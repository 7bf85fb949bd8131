"""NumPy array (``.npy``): a row u, v, w for each edge, or a square matrix of weights, where 0 means no edge.

With unweighted=True a row is u, v. Arrays of Python objects are never loaded.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.edge_table import EdgeTable, Options, weight_1
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.graph.graph import Graph
from boruvka.interop.as_graph import as_part_of_graph


def read_array(source: InputFile) -> NDArray[Any]:
    """Read the array of a file, in the byte order of this machine."""
    if source.content[:2] == b"PK":
        raise source.error("expected a NumPy array, found a NumPy archive: its ending is .npz")
    with source.binary() as file:
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _read(source: InputFile, options: Options) -> Graph:
    array = read_array(source)
    if array.dtype.kind not in "iuf":
        raise source.error(f"expected an array of numbers, found {array.dtype}")
    rows, columns = array.shape if array.ndim == 2 else (0, 0)
    if options.unweighted:
        if columns not in (2, 3) or rows == columns:
            raise source.error(
                f"expected rows u, v of edges without weights, found an array of shape {array.shape}"
            )
        return Graph.from_edges(array[:, 0], array[:, 1], np.ones(rows, np.uint8))
    if columns == 2 != rows:
        raise source.error(f"rows u, v have no weights{weight_1()}")
    if array.shape == (3, 3):
        raise source.error(
            "a 3 x 3 array may be a matrix of weights or three edges u, v, w: with a = numpy.load(file), "
            "write Graph.from_dense(a) or Graph.from_edges(*a.T)"
        )
    return as_part_of_graph(array)


def _write(table: EdgeTable, file: BinaryIO) -> None:
    if table.m == 3:
        raise FormatError(
            "an array of three edges has the shape 3 x 3, which may also be a matrix; choose another format"
        )
    w = table.portable_weights()
    dtype = np.dtype(np.uint64 if w.dtype == np.uint64 else np.int64 if w.dtype.kind in "iu" else np.float64)
    if dtype.kind == "f" and table.n > 2**53:
        raise FormatError(
            "float64 does not hold all ids beside weights that are fractions; choose another format"
        )
    array = np.column_stack([x.astype(dtype) for x in (table.u, table.v, w)])
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    file.write(np.ascontiguousarray(array).data)  # where NumPy writes to a file itself, errors have no reason


NPY = Codec(_read, _write, frozenset({"unweighted"}), Holds(n=False))
