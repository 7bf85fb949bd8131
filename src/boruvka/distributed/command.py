"""``boruvka solve --backend mpi``: all ranks read and solve, the first prints and writes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from boruvka import formats
from boruvka.distributed.collective_errors import abort_on_error, run_locally
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.mpi import MPI
from boruvka.distributed.partitioned_input import read
from boruvka.distributed.solve import minimum_spanning_forest
from boruvka.forest.report import format_rounds
from boruvka.forest.round_log import RoundLog
from boruvka.formats.files import check_writable, writing
from boruvka.formats.format import EdgeTable

__all__ = ["Answer", "is_first", "solve_file"]


class Answer:
    """What the first rank knows in the end.

    Attributes
    ----------
    part : ForestPart
    seconds : dict of str to float
        Of reading, solving and writing, of the rank that took longest.
    """

    def __init__(self, part: ForestPart, seconds: dict[str, float]):
        self.part, self.seconds = part, seconds

    @property
    def steps(self) -> dict[str, float]:
        """Seconds of each step, of all rounds together."""
        return _added(round_.seconds for round_ in self.part.rounds)

    @property
    def sent(self) -> dict[str, int]:
        """Bytes and messages of the rank that sent most, of all rounds together."""
        return _added(round_.sent for round_ in self.part.rounds)


def is_first() -> bool:
    """Say whether this is the rank that prints."""
    return MPI.COMM_WORLD.Get_rank() == 0


def solve_file(
    file: Path,
    output: Path | None,
    output_format: str | None,
    log: Path | None,
    how_to_read: dict[str, Any],
    **how_to_solve: Any,
) -> Answer | None:
    """Read, solve and write on all ranks; the first gets the answer."""
    round_log = RoundLog()
    world = Communicator(MPI.COMM_WORLD, round_log)
    round_log.begin("command", 0, 0)
    with abort_on_error(world):
        run_locally(world, lambda: _check_outputs(output, output_format, log) if world.rank == 0 else None)
        begin = time.perf_counter()
        graph = read(file, **how_to_read)
        reading = time.perf_counter() - begin
        part = minimum_spanning_forest(graph, **how_to_solve)
        begin = time.perf_counter()
        forest = None if output is None else _gathered(world, part)
    with abort_on_error(world, on_interrupt=False):  # nothing half-written stays behind
        run_locally(
            world, lambda: _write(part, forest, output, output_format, log) if world.rank == 0 else None
        )
        times = np.array([reading, part.seconds, time.perf_counter() - begin])
        longest = dict(zip(("read", "solve", "write"), world.all_reduce_max(times).tolist(), strict=True))
    return Answer(part, longest) if world.rank == 0 else None


def _gathered(world: Communicator, part: ForestPart) -> EdgeTable:
    """Collect the forest on the first rank."""
    columns = world.gather((part.u, part.v, part.w, part.index), 0)
    order = np.argsort(columns[-1])
    return EdgeTable(part.n, *(column[order] for column in columns))


def _write(
    part: ForestPart,
    forest: EdgeTable | None,
    output: Path | None,
    output_format: str | None,
    log: Path | None,
) -> None:
    if forest is not None and output is not None:
        formats.write(forest, output, format=output_format)
    if log is not None:
        with writing(log) as stream:
            stream.write(log_of(part).encode())


def log_of(part: ForestPart) -> str:
    """Tell rounds, the seconds of their steps, and what was sent, as lines for people."""
    return "\n".join(
        [
            f"{part.distribute}, {part.merge} on mpi, {part.ranks} ranks, {part.threads} threads each",
            f"{part.n} vertices, {part.m} edges",
            *format_rounds(part.rounds),
            f"{part.size} edges in {part.seconds:.6f} s",
            "",
        ]
    )


def _check_outputs(output: Path | None, output_format: str | None, log: Path | None) -> None:
    if output is not None:
        formats.check_output(output, output_format)
    if log is not None:
        check_writable(log)


def _added(parts: Any) -> dict[str, Any]:
    sums: dict[str, Any] = {}
    for part in parts:
        for name, value in part.items():
            sums[name] = sums.get(name, 0) + value
    return sums
