"""What happens in the process of a contestant: it answers requests, one at a time."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.bench.memory import peak_of
from boruvka.errors import BoruvkaError
from boruvka.forest.round_log import Round
from boruvka.graph.graph import Graph

__all__ = ["Converted", "Timed", "Weighed", "save_graph", "serve"]


class Converted(NamedTuple):
    """The version of a contestant, and what its conversion took."""

    version: str
    seconds: float
    peak: int | None


class Weighed(NamedTuple):
    """The peak of memory of a solve, and its seconds, which are only good for a rough idea."""

    peak: int | None
    seconds: float


class Timed(NamedTuple):
    """The seconds of one run (several, where an external program solves several times)."""

    seconds: tuple[float, ...]
    rounds: tuple[Round, ...]
    outcome: Outcome


def save_graph(graph: Graph, folder: Path) -> None:
    """Leave a graph where workers find it."""
    for name in "uvw":
        np.save(folder / f"{name}.npy", getattr(graph, name))
    np.save(folder / "n.npy", np.uint64(graph.n))


def load_graph(folder: Path) -> Graph:
    """Load it into memory of our own."""
    u, v, w = (np.load(folder / f"{name}.npy") for name in "uvw")
    return Graph(int(np.load(folder / "n.npy")), u, v, w)


class Desk:
    """The requests that a contestant answers; the graph is loaded, and let go once it is converted."""

    def __init__(self, contestant: Contestant, threads: int, folder: Path):
        self._contestant, self._threads, self._folder = contestant, threads, folder
        self._native: Any = None

    def convert(self) -> Converted:
        """Load the library, then make the native graph."""
        self._contestant.load(self._threads)
        version = self._contestant.version()
        graph = load_graph(self._folder)
        seconds = 0.0

        def prepare() -> None:
            nonlocal seconds
            begin = time.perf_counter()
            self._native = self._contestant.prepare(graph)
            seconds = time.perf_counter() - begin

        _, peak = peak_of(prepare)
        return Converted(version, seconds, peak)

    def check(self) -> Outcome:
        """Solve for the first time, which compiles."""
        return self._contestant.outcome(self._native, self._contestant.solve(self._native))

    def weigh(self) -> Weighed:
        """Solve for the memory."""
        begin = time.perf_counter()
        answer, peak = peak_of(lambda: self._contestant.solve(self._native))
        seconds = time.perf_counter() - begin
        run = self._contestant.run(answer, seconds)
        return Weighed(peak if run.peak is None else run.peak, seconds)

    def time(self, solves: int) -> Timed:
        """Solve some times in a row, with the garbage collector off.

        Once before that, untimed: while others had their turns, memory went cold or back to the system.
        """
        gc.collect()
        gc.disable()
        try:
            if not self._contestant.warms_up:
                self._contestant.solve(self._native)
            begin = time.perf_counter()
            for _ in range(solves):
                answer = self._contestant.solve(self._native)
            seconds = (time.perf_counter() - begin) / solves
        finally:
            gc.enable()
        run = self._contestant.run(answer, seconds)
        return Timed(run.seconds, run.rounds, self._contestant.outcome(self._native, answer))

    def traffic(self) -> list[dict[str, float]]:
        """Count bytes of steps."""
        return self._contestant.traffic(self._native)


def serve(connection: Connection, contestant: Contestant, threads: int, folder: Path, log: Path) -> None:
    """Answer requests ``(name, *arguments)`` by (True, result) or (False, what went wrong)."""
    _settle(folder, log)
    desk = Desk(contestant, threads, folder)
    while True:
        try:
            name, *arguments = connection.recv()
        except EOFError:  # who asked is gone
            return
        try:
            reply = True, getattr(desk, name)(*arguments)
        except BoruvkaError as error:
            reply = False, str(error)
        except MemoryError:
            reply = False, "not enough memory"
        except Exception as error:
            reply = False, f"{type(error).__name__}: {error}"
        connection.send(reply)


def _settle(folder: Path, log: Path) -> None:
    """Be a group of processes of our own, write temporary files where they are removed, print to a log."""
    if hasattr(os, "setsid"):
        os.setsid()
    tempfile.tempdir = str(folder)
    with contextlib.suppress(OSError), open(log, "ab") as file:
        for stream in sys.stdout, sys.stderr:
            stream.flush()
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
