"""Every rank gets its own part of a graph: of a file, or of a family that is generated."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.collective_errors import ending_all, shared, together
from boruvka.distributed.communicator import World
from boruvka.distributed.mpi import MPI
from boruvka.errors import FormatError
from boruvka.forest.round_log import RoundLog
from boruvka.formats import read_part
from boruvka.formats.files import file_name
from boruvka.formats.format import Part, Piece
from boruvka.generators import kronecker_edges
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments

__all__ = ["kronecker", "read"]


def read(path: str | bytes | os.PathLike[Any], comm: Any = None, **how: Any) -> Graph:
    """Read this rank's part of the graph in a file that all ranks see.

    All ranks call it. The parts follow the order of the file, so that `minimum_spanning_forest` counts the
    edges as `boruvka.read` does. No rank reads the whole, unless the file is compressed or of a format that
    cannot be parted (`boruvka.formats.read_part`).

    Parameters
    ----------
    path : path-like
        The file.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default that of all ranks.
    **how
        As for `boruvka.read`.

    Returns
    -------
    Graph
        The edges of this rank, with the vertices of the whole graph.

    Raises
    ------
    FormatError, FileError, OptionError, GraphError
        As for `boruvka.read`, on all ranks if one finds something wrong.
    """
    world = World(MPI.COMM_WORLD if comm is None else comm, RoundLog())
    world.round_log.begin("read", 0, 0)
    name = file_name(path)
    with ending_all(world):
        piece = together(world, lambda: read_part(path, Part(world.rank, world.size), **how))
        m = world.sum_of(piece.w.size)
        if piece.m is not None and piece.m != m:
            raise shared(FormatError(f"{name}: announces {piece.m} edges, but the file holds {m}"))
        n = piece.n
        if n is None:
            n = int(world.maximum(np.array([_implied_vertices(piece)], np.int64))[0])
        w = _weights_of_file(world, name, piece.w)
        return together(world, lambda: Graph(n, piece.u, piece.v, w))


def _implied_vertices(piece: Piece) -> int:
    return max((int(ends.max()) + 1 for ends in (piece.u, piece.v) if ends.size), default=0)


def _weights_of_file(world: World, name: str, w: NDArray[Any]) -> NDArray[Any]:
    """Give the weights of all parts the type that the whole file has."""
    has = [bool(world.any(w.size > 0 and w.dtype == kind)) for kind in (np.int64, np.uint64, np.float64)]
    if sum(has) < 2:
        return w
    return together(world, lambda: _converted(name, w, np.dtype(np.float64 if has[2] else np.uint64)))


def _converted(name: str, w: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    converted = w.astype(dtype)
    if dtype.kind == "u" and w.dtype.kind == "i" and w.size and w.min() < 0:
        raise FormatError(f"{name}: no 64-bit integer holds negative numbers and others beyond 2**63 - 1")
    if dtype.kind == "f" and w.dtype.kind != "f":
        rounded = (np.abs(converted) >= 2.0**53) & ~_exact(w, converted)
        if rounded.any():
            raise FormatError(
                f"{name}: the integer {w[int(np.argmax(rounded))]} stands among fractions, but has no exact "
                "float64: write all weights as integers, or round it"
            )
    return converted


def _exact(w: NDArray[Any], converted: NDArray[Any]) -> NDArray[np.bool_]:
    """Say which integers are what they were rounded to; there are few of that size."""
    return np.array([int(a) == int(b) for a, b in zip(w.tolist(), converted.tolist(), strict=True)], bool)


def kronecker(scale: int = 16, edge_factor: int = 16, comm: Any = None, **options: Any) -> Graph:
    """Make this rank's part of a Kronecker graph, the same graph for every number of ranks.

    Parameters
    ----------
    scale, edge_factor : int
        As for `boruvka.generators.kronecker`.
    comm : mpi4py.MPI.Comm, optional
        The communicator; by default that of all ranks.
    **options
        ``seed``, ``weights`` and ``dtype``, as for `boruvka.generators.kronecker`.

    Returns
    -------
    Graph
        The edges of this rank, with the vertices of the whole graph.

    Raises
    ------
    OptionError
        As for `boruvka.generators.kronecker`; only the part must fit into memory.
    """
    world = World(MPI.COMM_WORLD if comm is None else comm, RoundLog())
    world.round_log.begin("generate", 0, 0)

    def make() -> Graph:
        m = arguments.integer("edge_factor", edge_factor, 1, 2**20) << arguments.integer(
            "scale", scale, 0, 40
        )
        part = Part(world.rank, world.size).slice(m)
        u, v, w = kronecker_edges(scale, edge_factor, start=part.start, stop=part.stop, **options)
        return Graph(2**scale, u, v, w)

    with ending_all(world):
        return together(world, make)
