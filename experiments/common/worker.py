"""What an experiment runs on the ranks of MPI: ``python -m experiments.common.worker GIVEN FOUND``, on all.

All strategies come from `boruvka.distributed.STRATEGIES`; each rank has one thread. Nothing is pickled: both
files are JSON, and ranks tell each other numbers.
"""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

from boruvka import distributed
from boruvka.bench.graphs import arguments_of, graph_of
from boruvka.bench.memory import peak_of
from boruvka.bench.schemes import SCHEMES, Scheme
from boruvka.distributed import ForestPart
from boruvka.errors import BoruvkaError
from boruvka.generators import kronecker
from boruvka.graph.graph import Graph
from experiments.common.race import WRONG, nothing_collected
from experiments.common.ranks import parts_of

COMM = MPI.COMM_WORLD
OF_DOCUMENT = "ETH Zürich"
"""So ends the source of a strategy that document 5 has."""


@dataclass
class Lane:
    """A strategy on its way through one graph.

    Attributes
    ----------
    distribute, merge : str
        As `boruvka.distributed.minimum_spanning_forest` takes them.
    default, of_document : bool
        Whether it is what "auto" picks, and whether document 5 has it.
    samples : list of float
        The seconds of every run.
    parts : list of dict of str to float
        Those of its parts.
    error : str
        What went wrong.
    """

    distribute: str
    merge: str
    default: bool
    of_document: bool
    samples: list[float] = field(default_factory=list)
    parts: list[dict[str, float]] = field(default_factory=list)
    error: str = ""

    def solve(self, share: Graph) -> ForestPart:
        """Find the forest."""
        return distributed.minimum_spanning_forest(
            share, distribute=self.distribute, merge=self.merge, threads=1
        )

    def check(self, share: Graph, edges: NDArray[np.int64], weight: float) -> None:
        """Solve for the first time, which compiles, and hold the answer against that of one machine."""
        try:
            part = self.solve(share)
        except BoruvkaError as error:  # the same on all ranks
            self.error = str(error)
            return
        right = part.size == edges.size and part.weight == weight and np.isin(part.index, edges).all()
        if largest(not right):
            self.error = WRONG

    def run(self, share: Graph) -> None:
        """Make a run."""
        COMM.Barrier()
        begin = time.perf_counter()
        part = self.solve(share)
        self.samples.append(largest(time.perf_counter() - begin))
        self.parts.append(parts_of(part.rounds))


def largest(number: float) -> float:
    """Find the largest number of any rank."""
    numbers = np.array([number], np.float64)
    COMM.Allreduce(MPI.IN_PLACE, numbers, MPI.MAX)
    return float(numbers[0])


def lanes_of(share: Graph) -> list[Lane]:
    """List all strategies, and find out which of them is the default."""
    picked = distributed.minimum_spanning_forest(share, threads=1)
    return [
        Lane(*key, key == (picked.distribute, picked.merge), strategy.source.endswith(OF_DOCUMENT))
        for key, strategy in distributed.STRATEGIES.items()
    ]


def share_of(name: str) -> Graph:
    """Make this rank's slice of the edges of a graph."""
    family, arguments = arguments_of(name)
    if family.function is kronecker:
        return distributed.kronecker(**arguments)
    graph = graph_of(name)
    begin, end = (graph.m * rank // COMM.size for rank in (COMM.rank, COMM.rank + 1))
    return Graph(graph.n, *(column[begin:end].copy() for column in (graph.u, graph.v, graph.w)))


def race(lanes: list[Lane], share: Graph, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Let strategies take turns until all have made enough runs; the order moves on with every turn."""
    scheme = scheme_of(**given["scheme"])
    turn, running = 0, [lane for lane in lanes if not lane.error]
    with nothing_collected():
        while running:
            first = turn % len(running)
            for lane in running[first:] + running[:first]:
                lane.run(share)
            running = [lane for lane in running if not scheme.enough(lane.samples)]  # alike on all ranks
            turn += 1
    return [vars(lane) for lane in lanes]


def scheme_of(name: str, **numbers: Any) -> Scheme:
    """Make the scheme that was given."""
    return SCHEMES[name](**numbers)


def count(lanes: list[Lane], share: Graph, given: dict[str, Any]) -> list[dict[str, Any]]:
    """Count rounds, what was sent, and the memory at the peak."""
    return [{**vars(lane), **counts_of(lane, share)} for lane in lanes]


def counts_of(lane: Lane, share: Graph) -> dict[str, Any]:
    """Count for one strategy; NumPy tells of its arrays, the system of memory that was touched."""
    if lane.error:
        return dict.fromkeys(("rounds", "messages", "bytes", "arrays", "held"), 0)
    tracemalloc.start()
    part = lane.solve(share)
    arrays = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    held = peak_of(lambda: lane.solve(share))[1]
    return {
        "rounds": sum(round_.phase == "round" for round_ in part.rounds),
        "messages": sum(round_.sent["messages"] for round_ in part.rounds),
        "bytes": sum(round_.sent["bytes"] for round_ in part.rounds),
        "arrays": int(largest(arrays)),
        "held": None if held is None else int(largest(held)),
    }


JOBS: dict[str, Callable[..., Any]] = {"race": race, "count": count}


def main(given_path: str, found_path: str) -> None:
    """Run a job on this rank, and let the first write what was found."""
    given = json.loads(Path(given_path).read_text())
    edges = np.load(given["edges"])
    share = share_of(given["graph"])
    lanes = lanes_of(share)
    for lane in lanes:
        lane.check(share, edges, given["weight"])
    found = JOBS[given["job"]](lanes, share, given)
    if COMM.rank == 0:
        Path(found_path).write_text(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
