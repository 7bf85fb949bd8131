"""The job of one rank of MPI: ``python -m lab.literature.rank_worker JOB RESULT``, started on all.

Every strategy of `boruvka.distributed.STRATEGIES` is a contestant with one thread; all ranks run the race
side by side. They agree on when to stop, as a sample is the longest time on any rank. Both files are JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI

from boruvka import Graph, distributed
from boruvka.distributed import ForestPart
from boruvka.errors import BoruvkaError
from lab.harness.contestant import Contestant, Outcome, Timing, fingerprint
from lab.harness.graphs import arguments_of, graph_of
from lab.harness.results import Entry, Rows
from lab.harness.schemes import SCHEMES
from lab.harness.turns import Reference, Run, take_turns
from lab.harness.worker import Failure, LocalWorker
from lab.literature.strategies import EVERY, PARTS, Way, counts_of, described, parts_of, rounds_of, steps

COMM = MPI.COMM_WORLD


class StrategyContestant(Contestant):
    """A strategy on all ranks; it is timed from a barrier until the last rank is done."""

    repeated = False

    def __init__(self, way: Way, n: int):
        self.way, self.description = way, described(way, n, COMM.size)
        self.name = self.description["strategy"]
        self.parts: list[dict[str, float]] = []

    def synchronize(self) -> None:
        COMM.Barrier()

    def solve(self, native: Graph) -> ForestPart:
        distribute, merge, two_steps = self.way
        with steps(two_steps):
            return distributed.minimum_spanning_forest(
                native, partition_by=distribute, method=merge, threads=1
            )

    def outcome(self, native: Graph, answer: ForestPart) -> Outcome:
        own = np.array([fingerprint(answer.global_indices)], np.uint64)
        COMM.Allreduce(MPI.IN_PLACE, own, MPI.SUM)
        return Outcome(answer.forest_size, answer.weight, int(own[0]))

    def timing(self, answer: ForestPart, seconds: float) -> Timing:
        self.parts.append(parts_of(answer.rounds))
        return Timing((largest(seconds),))


class RankWorker(LocalWorker):
    """A contestant on this rank: errors that are the same on all ranks are results, others end the job."""

    def ask(self, name: str, *arguments: Any) -> Any:
        try:
            return getattr(self, name)(*arguments)
        except BoruvkaError as error:
            raise Failure(str(error)) from None


def largest(number: float) -> float:
    """Return the largest number of any rank."""
    numbers = np.array([number], np.float64)
    COMM.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
    return float(numbers[0])


def local_edges(name: str) -> Graph:
    """Make the edges of this rank."""
    if name.startswith("kronecker:"):
        return distributed.kronecker(**arguments_of(name))
    graph = graph_of(name)
    begin, end = graph.m * COMM.rank // COMM.size, graph.m * (COMM.rank + 1) // COMM.size
    return Graph(graph.n, *(column[begin:end].copy() for column in (graph.u, graph.v, graph.w)))


def race(runs: Sequence[tuple[StrategyContestant, Run]], graph: Graph, job: dict[str, Any]) -> Rows:
    """Race, and return the times of all strategies, with the mean of each part."""
    scheme = dict(job["scheme"])
    take_turns([run for _, run in runs], SCHEMES[scheme.pop("name")](**scheme), lambda doing: None)
    rows = []
    for contestant, run in runs:
        samples = len(run.entry.samples)
        timed = contestant.parts[-samples:] if samples else []
        means = {part: sum(one[part] for one in timed) / max(1, samples) for part in PARTS}
        summary = {name: x for name, x in run.entry.row().items() if name not in ("contestant", "threads")}
        row = {**contestant.description, "published": contestant.way[1] != "filter-boruvka"}
        rows.append({**row, "ranks": COMM.size, **summary, "error": run.entry.error, "parts": means})
    return rows


def count(runs: Sequence[tuple[StrategyContestant, Run]], graph: Graph, job: dict[str, Any]) -> Rows:
    """Count rounds, messages and bytes, and measure the memory at its peak, for the strategies of a job."""
    rows = []
    for contestant, run in runs:
        if contestant.name in (job["strategies"] or [contestant.name]):
            run.warm_up()
            part, peak = contestant.solve(graph), run.entry.peak
            row = {**contestant.description, **counts_of(part), "by round": rounds_of(part)}
            rows.append({**row, "bytes held": None if peak is None else int(largest(peak))})
    return rows


JOBS = {"race": race, "count": count}


def main(job_path: str, result_path: str) -> None:
    """Run a job on this rank; the first one writes the result."""
    job = json.loads(Path(job_path).read_text())
    graph = local_edges(job["graph"])
    runs = []
    for way in EVERY:
        if way[-1] and (job["job"] == "race" or COMM.size == 1):
            continue
        contestant = StrategyContestant(way, graph.n)
        worker = RankWorker(contestant, 1, lambda: graph)
        reference = Reference(**job["reference"])
        runs.append((contestant, Run(worker, reference, Entry(contestant.name, 1), 0.0, repeated=False)))
    found = JOBS[job["job"]](runs, graph, job)
    if COMM.rank == 0:
        Path(result_path).write_text(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
