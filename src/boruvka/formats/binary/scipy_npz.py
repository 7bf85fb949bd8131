"""SciPy's sparse arrays (``.npz``), as `scipy.sparse.save_npz` writes them: CSR, CSC, COO, BSR or DIA.

Read as `Graph.from_scipy` does: every stored entry (i, j) is an edge, even a stored zero, except in BSR and
DIA, which pad with zeros. Both halves of a symmetric array are edges.
"""

from __future__ import annotations

import contextlib
import zipfile

import numpy as np

from boruvka.formats.files import Source
from boruvka.formats.format import Codec, Options
from boruvka.formats.libraries.shared import library_errors
from boruvka.graph.graph import Graph

__all__ = ["SCIPY_NPZ", "is_scipy_npz"]


def is_scipy_npz(source: Source) -> bool:
    """Return whether an archive has the members that SciPy writes."""
    with contextlib.suppress(zipfile.BadZipFile), source.binary() as file, zipfile.ZipFile(file) as archive:
        return {"format.npy", "shape.npy", "data.npy"} <= set(archive.namelist())
    return False


def _read(source: Source, options: Options) -> Graph:
    from scipy import sparse

    with source.binary() as file, library_errors(source, "SciPy's sparse array"):
        matrix = sparse.load_npz(file)
        if matrix.format in ("csr", "csc", "bsr"):
            matrix.check_format(full_check=True)  # SciPy's compiled loops do not check the indices
    if matrix.dtype == bool:
        matrix = matrix.astype(np.uint8)
    graph = Graph.from_scipy(matrix)
    if options.unweighted:
        return Graph(graph.n, graph.u, graph.v, np.ones(graph.m, np.uint8))
    return graph


SCIPY_NPZ = Codec(read=_read, options=frozenset({"unweighted"}), recognises=is_scipy_npz)
