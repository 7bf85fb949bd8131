"""Solve the graph in a file on MPI ranks: each rank reads its part, the first one gets the whole forest."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boruvka.distributed.collective_errors import ending_all, together
from boruvka.distributed.communicator import World
from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.mpi import MPI
from boruvka.distributed.partitioned_input import read
from boruvka.distributed.solve import minimum_spanning_forest
from boruvka.forest.round_log import RoundLog
from boruvka.formats.format import Content

__all__ = ["SolvedFile", "is_first_rank", "solve_file"]


class SolvedFile(NamedTuple):
    """What the first rank returns.

    Attributes
    ----------
    part : ForestPart
        Its part of the forest.
    seconds : dict of str to float
        Seconds of reading, solving and writing, each of the slowest rank.
    """

    part: ForestPart
    seconds: dict[str, float]


def is_first_rank() -> bool:
    """Return whether this is rank 0 of all ranks."""
    return MPI.COMM_WORLD.Get_rank() == 0


def solve_file(
    file: Path,
    read_options: dict[str, Any],
    solve_options: dict[str, Any],
    *,
    prepare: Callable[[], None],
    finish: Callable[[ForestPart, Content | None], None],
    gather: bool,
) -> SolvedFile | None:
    """Read the graph in a file, solve it, and let the first rank write the forest.

    All ranks call it.

    Parameters
    ----------
    file : Path
        The file, which all ranks can read.
    read_options : dict
        Keyword arguments of `boruvka.distributed.read`.
    solve_options : dict
        Keyword arguments of `boruvka.distributed.minimum_spanning_forest`.
    prepare : callable
        Called on the first rank before anything else, to check that the forest can be written.
    finish : callable
        Called on the first rank in the end with its part and the whole forest, to write it.
    gather : bool
        Whether to collect the whole forest on the first rank; if not, ``finish`` gets None for it.

    Returns
    -------
    SolvedFile or None
        None on all ranks but the first.

    Raises
    ------
    BoruvkaError
        On all ranks, if one of them, ``prepare`` or ``finish`` raises it.
    """
    round_log = RoundLog()
    world = World(MPI.COMM_WORLD, round_log)
    round_log.begin("command", 0, 0)
    with ending_all(world):
        together(world, lambda: prepare() if world.rank == 0 else None)
        begin = time.perf_counter()
        local_edges = read(file, **read_options)
        read_seconds = time.perf_counter() - begin
        part = minimum_spanning_forest(local_edges, **solve_options)
        begin = time.perf_counter()
        forest = _gather(world, part) if gather else None
    with ending_all(world, at_once=False):  # an interrupt removes a file that is half written
        together(world, lambda: finish(part, forest) if world.rank == 0 else None)
        seconds = np.array([read_seconds, part.seconds, time.perf_counter() - begin])
        slowest = world.maximum(seconds).tolist()
    if world.rank != 0:
        return None
    return SolvedFile(part, dict(zip(("read", "solve", "write"), slowest, strict=True)))


def _gather(world: World, part: ForestPart) -> Content:
    """Collect the forest on the first rank, its edges in the order of the input; other ranks get none."""
    columns = world.gather((part.u, part.v, part.w, part.index), 0)
    order = np.argsort(columns[-1])
    return Content(part.n, *(column[order] for column in columns))
