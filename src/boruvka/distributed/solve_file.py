"""Solve the graph in a file on MPI ranks: each rank reads its part, the first one gets the whole forest."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from boruvka.distributed.collective_errors import ending_all, together
from boruvka.distributed.communicator import World
from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.mpi import MPI
from boruvka.distributed.partitioned_input import read
from boruvka.distributed.solve import minimum_spanning_forest
from boruvka.forest.round_log import RoundLog
from boruvka.formats.format import Content

__all__ = ["is_first_rank", "solve_file"]


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
) -> tuple[ForestPart, dict[str, float]]:
    """Read the graph in a file and solve it on all ranks.

    Parameters
    ----------
    file : Path
        The file, which all ranks can read.
    read_options : dict
        Keyword arguments of `boruvka.distributed.read`.
    solve_options : dict
        Keyword arguments of `boruvka.distributed.minimum_spanning_forest`.
    prepare : callable
        Called first, on rank 0 only, for example to check that the forest can be written.
    finish : callable
        Called last, on rank 0 only, with its part and the whole forest, for example to write it.
    gather : bool
        Whether to collect the whole forest on rank 0; if not, ``finish`` gets None for it.

    Returns
    -------
    part : ForestPart
        The part of this rank.
    seconds : dict of str to float
        Seconds of "read", "solve" and "write" (`finish`), each of the slowest rank.

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
    return part, dict(zip(("read", "solve", "write"), slowest, strict=True))


def _gather(world: World, part: ForestPart) -> Content:
    """Collect the forest on rank 0, its edges in the order of the input; other ranks get no edges."""
    columns = world.gather((part.u, part.v, part.w, part.index), 0)
    order = np.argsort(columns[-1])
    return Content(part.n, *(column[order] for column in columns))
