"""Solve the graph in a file on MPI ranks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boruvka.distributed.collective_errors import abort_on_error, run_locally
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.mpi import MPI
from boruvka.distributed.partitioned_input import read
from boruvka.distributed.solve import minimum_spanning_forest
from boruvka.distributed.streamed_input import stream
from boruvka.formats.edge_table import EdgeTable
from boruvka.graph.graph import Graph
from boruvka.runtime.round_log import RoundLog
from boruvka.stream.memory import names_several_files

__all__ = ["is_first_rank", "solve_file"]


def is_first_rank() -> bool:
    """Return whether this is rank 0 of all ranks."""
    return MPI.COMM_WORLD.Get_rank() == 0


def solve_file(
    file: Path,
    read_options: dict[str, Any],
    memory: str | None,
    solve_options: dict[str, Any],
    *,
    prepare: Callable[[], None],
    check: Callable[[Graph], None],
    finish: Callable[[ForestPart, EdgeTable | None], None],
    gather: bool,
) -> tuple[ForestPart, dict[str, float]]:
    """Read the graph in a file and solve it on all ranks.

    Parameters
    ----------
    file : Path
        The file, which all ranks can read.
    read_options : dict
        Keyword arguments of `boruvka.distributed.read`.
    memory : str, optional
        The memory of each rank: edges are streamed, as they are if ``file`` is several files.
    solve_options : dict
        Keyword arguments of `boruvka.distributed.minimum_spanning_forest`.
    prepare : callable
        Called first, on rank 0 only, for example to check that the forest can be written.
    check : callable
        Called with the edges of rank 0, on rank 0 only, before the solve.
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
        On all ranks, if one of them, ``prepare``, ``check`` or ``finish`` raises it.
    """
    round_log = RoundLog()
    communicator = Communicator(MPI.COMM_WORLD, round_log)
    round_log.begin("command", 0, 0)
    with abort_on_error(communicator):
        run_locally(communicator, lambda: prepare() if communicator.rank == 0 else None)
        begin = time.perf_counter()
        local_edges, index, m = _read(communicator, file, read_options, memory, solve_options)
        read_seconds = time.perf_counter() - begin
        run_locally(communicator, lambda: check(local_edges) if communicator.rank == 0 else None)
        part = minimum_spanning_forest(local_edges, index=index, **solve_options)
        part = part if m is None else replace(part, m=m)
        begin = time.perf_counter()
        forest = _gather(communicator, part, local_edges) if gather else None
    with abort_on_error(communicator, on_interrupt=False):  # an interrupt removes a file that is half written
        run_locally(communicator, lambda: finish(part, forest) if communicator.rank == 0 else None)
        seconds = np.array([read_seconds, part.seconds, time.perf_counter() - begin])
        slowest = communicator.all_reduce_max(seconds).tolist()
    return part, dict(zip(("read", "solve", "write"), slowest, strict=True))


def _read(
    communicator: Communicator,
    file: Path,
    read_options: dict[str, Any],
    memory: str | None,
    solve_options: dict[str, Any],
) -> tuple[Graph, Any, int | None]:
    """Return the edges of this rank; if they were streamed, also their indices and how many there are."""
    if memory is None and not run_locally(communicator, lambda: names_several_files(file)):
        return read(file, **read_options), None, None
    options = {name: solve_options[name] for name in ("maximum", "threads")}
    return stream(file, memory=memory, **options, **read_options)


def _gather(communicator: Communicator, part: ForestPart, graph: Graph) -> EdgeTable:
    """Collect the forest on rank 0, its edges in the order of the input; other ranks get no edges."""
    columns = communicator.gather((part.u, part.v, part.w, part.global_indices), 0)
    order = np.argsort(columns[-1])
    u, v, w, edges = (column[order] for column in columns)
    return EdgeTable(part.n, u, v, w, edges, graph.names, first_id=graph.first_id)
