"""Input on ranks: every rank reads its part of a file, or generates its part of a graph."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.collective_errors import abort_on_error, collective_error, run_locally
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.mpi import MPI
from boruvka.errors import FormatError, GraphError
from boruvka.formats import read_chunk
from boruvka.formats.edge_file import FileChunk, NumberedEdges
from boruvka.formats.files import file_name
from boruvka.generators import kronecker_edges
from boruvka.graph.exact import converted
from boruvka.graph.graph import Graph
from boruvka.interop.notes import Notes
from boruvka.runtime import arguments
from boruvka.runtime.round_log import RoundLog

__all__ = ["kronecker", "read"]


def read(path: str | bytes | os.PathLike[Any], comm: Any = None, **how: Any) -> Graph:
    """Read this rank's part of the graph in a file that all ranks can open; all ranks must call it.

    The parts are in the order of the file, so that edges have the same indices as with `boruvka.read`. No
    rank reads the whole file, unless it is compressed, names its vertices, or is of a format that cannot be
    read in parts (see `boruvka.formats.read_chunk`).

    Parameters
    ----------
    path : path-like
        The file.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default ``MPI.COMM_WORLD``.
    **how
        As for `boruvka.read`.

    Returns
    -------
    Graph
        The edges of this rank; its vertices are those of the whole graph.

    Raises
    ------
    FormatError, FileError, OptionError, GraphError
        As for `boruvka.read`, on all ranks if one rank fails.
    """
    communicator = Communicator(MPI.COMM_WORLD if comm is None else comm, RoundLog())
    communicator.round_log.begin("read", 0, 0)
    name = file_name(path)
    with abort_on_error(communicator):
        edges = run_locally(
            communicator, lambda: read_chunk(path, FileChunk(communicator.rank, communicator.size), **how)
        )
        m = communicator.sum_of(edges.w.size)
        if edges.m is not None and edges.m != m:
            raise collective_error(FormatError(f"{name}: announces {edges.m} edges, but the file holds {m}"))
        notes = communicator.all_reduce_sum(np.array(edges.notes))
        if communicator.rank == 0:
            Notes(*notes.tolist()).warn(m, edges.costs)
        n = edges.n
        if n is None:
            n = communicator.max_of(_implied_vertices(edges))
        w = _weights_of_file(communicator, name, edges.w)
        graph = run_locally(
            communicator, lambda: Graph.from_edges(edges.u, edges.v, w, n=n, names=edges.names)
        )
        return graph.with_first_id(edges.first_id or 0)


def _implied_vertices(edges: NumberedEdges) -> int:
    return max((int(ends.max()) + 1 for ends in (edges.u, edges.v) if ends.size), default=0)


def _weights_of_file(communicator: Communicator, name: str, w: NDArray[Any]) -> NDArray[Any]:
    """Convert the weights of a part to the type that the weights of the whole file have."""
    kinds = np.int64, np.uint64, np.float64
    occurs = [communicator.any(w.size > 0 and w.dtype == kind) for kind in kinds]
    if sum(occurs) < 2:
        return w
    dtype = np.dtype(np.float64 if occurs[2] else np.uint64)
    return run_locally(communicator, lambda: _converted(name, w, dtype))


def _converted(name: str, w: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    try:
        return converted(w, dtype)
    except GraphError as error:
        raise FormatError(f"{name}: {error}") from None


def kronecker(scale: int = 16, edge_factor: int = 16, comm: Any = None, **options: Any) -> Graph:
    """Generate this rank's part of a Kronecker graph; the graph does not depend on the number of ranks.

    Parameters
    ----------
    scale, edge_factor : int
        As for `boruvka.generators.kronecker`.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default ``MPI.COMM_WORLD``.
    **options
        ``seed``, ``weights`` and ``dtype``, as for `boruvka.generators.kronecker`.

    Returns
    -------
    Graph
        The edges of this rank; its vertices are those of the whole graph.

    Raises
    ------
    OptionError
        As for `boruvka.generators.kronecker`; only this rank's part must fit into memory.
    """
    communicator = Communicator(MPI.COMM_WORLD if comm is None else comm, RoundLog())
    communicator.round_log.begin("generate", 0, 0)

    def generate() -> Graph:
        factor = arguments.integer("edge_factor", edge_factor, 1, 2**20)
        m = factor << arguments.integer("scale", scale, 0, 40)
        own = FileChunk(communicator.rank, communicator.size).edge_range(m)
        u, v, w = kronecker_edges(scale, edge_factor, start=own.start, stop=own.stop, **options)
        return Graph(2**scale, u, v, w)

    with abort_on_error(communicator):
        return run_locally(communicator, generate)
