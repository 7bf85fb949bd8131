"""The requests that a contestant answers, in its own process or in this one."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.bench.memory import time_and_peak
from boruvka.bench.point_sets import PointSet
from boruvka.errors import BoruvkaError
from boruvka.forest.round_log import Round
from boruvka.graph.graph import Graph

__all__ = ["Converted", "Requests", "Timed", "Weighed", "save_graph", "serve"]


class Converted(NamedTuple):
    """The version of a contestant, and the cost of its conversion."""

    version: str
    seconds: float
    peak: int | None


class Weighed(NamedTuple):
    """The peak memory of a solve, and its approximate time."""

    peak: int | None
    seconds: float


class Timed(NamedTuple):
    """The seconds of one run (several where a program solves several times), its rounds and answer."""

    seconds: tuple[float, ...]
    rounds: tuple[Round, ...]
    outcome: Outcome


class Requests:
    """A contestant with a number of threads, and the graph that it solves.

    Parameters
    ----------
    contestant : Contestant
    threads : int
    graph : callable
        Returns the graph; called once, by `convert`.
    """

    def __init__(self, contestant: Contestant, threads: int, graph: Callable[[], Any]):
        self._contestant, self._threads, self._graph = contestant, threads, graph
        self._native: Any = None

    def convert(self) -> Converted:
        """Load the library, then make the native graph."""
        self._contestant.load(self._threads)
        version = self._contestant.version()
        graph = self._graph()
        self._native, seconds, peak = time_and_peak(lambda: self._contestant.prepare(graph))
        return Converted(version, seconds, peak)

    def check(self) -> Outcome:
        """Solve for the first time, which includes compilation."""
        outcome = self._contestant.outcome(self._native, self._contestant.solve(self._native))
        gc.collect()
        gc.freeze()  # else each later collection would traverse the compiler's objects for 0.1 s
        return outcome

    def weigh(self) -> Weighed:
        """Solve to measure memory."""
        answer, seconds, peak = time_and_peak(lambda: self._contestant.solve(self._native))
        timing = self._contestant.timing(answer, seconds)
        return Weighed(peak if timing.peak is None else timing.peak, seconds)

    def time(self, solves: int, warm_up: bool) -> Timed:
        """Time several solves in a row, with the garbage collector off.

        Parameters
        ----------
        solves : int
        warm_up : bool
            Solve once before, untimed: after the others' turns caches are cold, and memory may have been
            returned to the system.
        """
        if warm_up:
            self._contestant.solve(self._native)
        gc.collect()
        gc.disable()
        try:
            self._contestant.synchronize()
            begin = time.perf_counter()
            for _ in range(solves):
                answer = self._contestant.solve(self._native)
            seconds = (time.perf_counter() - begin) / solves
        finally:
            gc.enable()
        timing = self._contestant.timing(answer, seconds)
        return Timed(timing.seconds, timing.rounds, self._contestant.outcome(self._native, answer))

    def traffic(self) -> list[dict[str, float]]:
        """Count the bytes of each step."""
        return self._contestant.traffic(self._native)

    def reply(self, name: str, *arguments: Any) -> tuple[bool, Any]:
        """Answer a request by (True, result) or (False, error message)."""
        try:
            return True, getattr(self, name)(*arguments)
        except BoruvkaError as error:
            return False, str(error)
        except MemoryError:
            return False, "not enough memory"
        except Exception as error:
            return False, f"{type(error).__name__}: {error}".splitlines()[0]


def save_graph(graph: Graph | PointSet, folder: Path) -> None:
    """Write a graph, or points, for worker processes."""
    if isinstance(graph, PointSet):
        graph.save(folder)
        return
    for name in "uvw":
        np.save(folder / f"{name}.npy", getattr(graph, name))
    np.save(folder / "n.npy", np.uint64(graph.n))


def load_graph(folder: Path) -> Graph | PointSet:
    """Load a graph, or points, into the memory of this process."""
    if (points := PointSet.load(folder)) is not None:
        return points
    u, v, w = (np.load(folder / f"{name}.npy") for name in "uvw")
    return Graph(int(np.load(folder / "n.npy")), u, v, w)


def serve(connection: Connection, contestant: Contestant, threads: int, folder: Path, log: Path) -> None:
    """Answer requests ``(name, *arguments)`` until the other end is closed.

    The process leads its own process group, puts temporary files into ``folder`` and prints to ``log``.
    """
    if hasattr(os, "setsid"):
        os.setsid()
    tempfile.tempdir = str(folder)
    with contextlib.suppress(OSError), open(log, "ab") as file:
        for stream in sys.stdout, sys.stderr:
            stream.flush()
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    requests = Requests(contestant, threads, partial(load_graph, folder))
    with contextlib.suppress(EOFError):
        while True:
            connection.send(requests.reply(*connection.recv()))
