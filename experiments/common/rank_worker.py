"""The job of one rank of MPI: ``python -m experiments.common.rank_worker JOB RESULT``, started on all.

Every strategy of `boruvka.distributed.STRATEGIES` is a contestant with one thread; all ranks run the race of
`boruvka.bench` side by side. They agree on when to stop, as a sample is the longest time on any rank. Both
files are JSON.
"""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI

from boruvka import __version__, distributed
from boruvka.bench.contestant_run import ContestantRun, Reference, take_turns
from boruvka.bench.contestants import Contestant, Outcome, Timing
from boruvka.bench.contestants.contestant import fingerprint
from boruvka.bench.graphs import arguments_of, graph_of
from boruvka.bench.memory import time_and_peak
from boruvka.bench.results import plain
from boruvka.bench.schemes import SCHEMES
from boruvka.bench.worker import Requests
from boruvka.bench.worker_process import Failure
from boruvka.distributed import ForestPart
from boruvka.errors import BoruvkaError
from boruvka.generators import kronecker
from boruvka.graph.graph import Graph
from experiments.common.rank_counts import EVERY, counts_of, edges_of_rank, name_of, steps
from experiments.common.rank_results import RanksEntry, parts_of

COMM = MPI.COMM_WORLD


class StrategyContestant(Contestant):
    """A strategy on all ranks; it is timed from a barrier until the last rank is done."""

    parallel = True
    repeated = False

    def __init__(self, distribute: str, merge: str, two_steps: bool = False):
        self.distribute, self.merge, self.two_steps = distribute, merge, two_steps
        self.name = name_of((distribute, merge, two_steps))
        self.parts: list[dict[str, float]] = []

    def version(self) -> str:
        return __version__

    def prepare(self, graph: Graph) -> Graph:
        return graph

    def synchronize(self) -> None:
        COMM.Barrier()

    def solve(self, native: Graph) -> ForestPart:
        with steps(self.two_steps):
            return distributed.minimum_spanning_forest(
                native, distribute=self.distribute, merge=self.merge, threads=1
            )

    def outcome(self, native: Graph, answer: ForestPart) -> Outcome:
        own = np.array([fingerprint(answer.index)], np.uint64)
        COMM.Allreduce(MPI.IN_PLACE, own, MPI.SUM)
        return Outcome(answer.size, answer.weight, int(own[0]))

    def timing(self, answer: ForestPart, seconds: float) -> Timing:
        self.parts.append(parts_of(answer.rounds))
        return Timing((largest(seconds),))


class RankWorker:
    """A contestant on this rank: errors that are the same on all ranks are results, others end the job."""

    def __init__(self, contestant: Contestant, graph: Graph):
        self._requests = Requests(contestant, 1, lambda: graph)

    def ask(self, name: str, *arguments: Any) -> Any:
        try:
            return getattr(self._requests, name)(*arguments)
        except BoruvkaError as error:
            raise Failure(str(error)) from None

    def stop(self) -> None:
        pass


def largest(number: float) -> float:
    """Return the largest number of any rank."""
    numbers = np.array([number], np.float64)
    COMM.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
    return float(numbers[0])


def local_edges(name: str) -> Graph:
    """Make the edges of this rank."""
    family, arguments = arguments_of(name)
    if family.function is kronecker:
        return distributed.kronecker(**arguments)
    return edges_of_rank(graph_of(name), COMM.rank, COMM.size)


def race(runs: Sequence[ContestantRun], graph: Graph, job: dict[str, Any]) -> list[dict[str, Any]]:
    """Race, and return the entries of all strategies."""
    scheme = dict(job["scheme"])
    take_turns(runs, SCHEMES[scheme.pop("name")](**scheme), lambda done, doing: None)
    entries = []
    for run in runs:
        entry = run.result()
        assert isinstance(entry, RanksEntry)
        assert isinstance(run.contestant, StrategyContestant)
        parts = run.contestant.parts[len(run.contestant.parts) - len(entry.samples) :]
        entries.append(asdict(replace(entry, rounds=(), parts=tuple(parts))))
    return entries


def count(runs: Sequence[ContestantRun], graph: Graph, job: dict[str, Any]) -> list[dict[str, Any]]:
    """Count rounds, messages and bytes, and measure the memory at its peak, for all strategies."""
    rows = []
    for run in runs:
        run.warm_up()

        def solve(contestant: Any = run.contestant) -> ForestPart:
            return contestant.solve(graph)

        tracemalloc.start()
        part = solve()
        arrays = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        held = time_and_peak(solve)[2]
        rows.append(
            {
                "strategy": run.entry.contestant,
                "default": getattr(run.entry, "default", False),
                **counts_of(part),
                "bytes of arrays": int(largest(arrays)),
                "bytes held": None if held is None else int(largest(held)),
            }
        )
    return rows


JOBS: dict[str, Callable[..., list[Any]]] = {"race": race, "count": count}


def main(job_path: str, result_path: str) -> None:
    """Run a job on this rank; the first one writes the result."""
    job = json.loads(Path(job_path).read_text())
    graph = local_edges(job["graph"])
    reference = Reference(**job["reference"])
    picked = distributed.minimum_spanning_forest(graph, threads=1)
    runs = []
    for distribute, merge, two_steps in EVERY:
        if two_steps and (job["job"] == "race" or COMM.size == 1):
            continue
        contestant = StrategyContestant(distribute, merge, two_steps)
        entry = RanksEntry(
            contestant.name,
            "",
            1,
            ranks=COMM.size,
            default=(distribute, merge, two_steps) == (picked.distribute, picked.merge, False),
            published=merge != "filter-boruvka",
        )
        runs.append(ContestantRun(contestant, RankWorker(contestant, graph), reference, entry))
    found = JOBS[job["job"]](runs, graph, job)
    if COMM.rank == 0:
        Path(result_path).write_text(json.dumps(plain(found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
