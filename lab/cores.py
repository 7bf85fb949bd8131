"""One solve on more and more cores: measured, or computed on one core as a bound."""

from __future__ import annotations

import ctypes
import heapq
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import click
import numpy as np

from boruvka import minimum_spanning_forest
from boruvka.backends.threads import Threads
from boruvka.errors import BoruvkaError
from boruvka.kernels import team as teams
from boruvka.kernels import team_loops as loops
from boruvka.kernels.team import Team
from lab.harness.command import check_output, counts, finish, output_option, show
from lab.harness.graphs import graph_of, title_of
from lab.harness.results import Record, Rows, Tables
from lab.harness.tables import ratio

GRAPHS = (
    "random:n=1000000,m=9000000,seed=1",
    "random:n=5000000,m=30000000,seed=1",
    "kronecker:scale=20,seed=1",
    "kronecker:scale=22,seed=1",
)
COUNTS = 1, 2, 4, 8, 16, 32, 64
LIMITS_SHOWN = 12
"""Steps that are listed, of those that take most of the time on most threads."""
now = time.thread_time_ns


class Piece(NamedTuple):
    """What a solve does up to the end of a launch: serial work, and then the parts of the launch."""

    step: str
    serial: int
    parts: list[int]


class OneByOne(Team):
    """A team whose calling thread runs the parts of a launch one after another, in place of all threads.

    Times are nanoseconds of processor time. A part is run as by thread ``part % threads``, so that arrays of
    each thread are filled as often as they would be.
    """

    def __init__(self, threads: int):
        self.pieces: list[Piece] = []
        self._ended = now()
        super().__init__(threads, spins=0, futex=0)

    def _start(self) -> None:
        """Start no helper."""

    def begin(self) -> None:
        """Begin to record a solve."""
        self.pieces, self._ended = [], now()

    def end(self) -> list[Piece]:
        """Return the pieces of the solve."""
        return [*self.pieces, Piece("after all launches", now() - self._ended, [])]

    def _finish(self, buffer: Any, most: int, parts: int) -> None:
        serial, times = now() - self._ended, []
        words = (ctypes.c_uint64 * 5)(0, int(loops.HELP_ONCE), self._mailbox, 0, 1)
        call = ctypes.addressof(words)
        for part in range(parts):
            words[3] = part % self.threads
            begin = now()
            self._code(call, call + 8)
            times.append(max(now() - begin - OVERHEAD, 0))
        super()._finish(buffer, most, 1)
        self.pieces.append(Piece(_step(), serial, times))
        self._ended = now()


OVERHEAD = 0
"""Nanoseconds that timing takes besides the part."""


def _step() -> str:
    """Name the function of an algorithm that launches."""
    frame = sys._getframe(1)
    while frame.f_back is not None and "/backends/" in frame.f_code.co_filename.replace("\\", "/"):
        frame = frame.f_back
    while frame.f_back is not None and "/boruvka/algorithms/" not in frame.f_code.co_filename:
        frame = frame.f_back
    return frame.f_code.co_name


def longest(parts: list[int], threads: int) -> float:
    """Give each part to the thread that is free first; return when the last one ends."""
    free = [0] * threads
    for part in parts:
        heapq.heapreplace(free, free[0] + part)
    return max(free)


def pieces_of(graph: Any, threads: int, runs: int, expected: Any) -> list[Piece]:
    """Record solves of a graph; return the smallest time of each piece and part."""
    team, backend = OneByOne(threads), Threads(threads)
    backend._team_module = SimpleNamespace(team_of=lambda _: team, alone=teams.alone, Launch=teams.Launch)
    found: list[list[Piece]] = []
    with (
        patch("boruvka.backends.get_backend", lambda *_: backend),
        patch("boruvka.solve.get_backend", lambda *_: backend),
    ):
        for _ in range(runs + 1):  # the first one maps new memory
            team.begin()
            forest = minimum_spanning_forest(graph, threads=threads)
            found.append(team.end())
            if not np.array_equal(forest.edges, expected):
                raise BoruvkaError(f"wrong edges with {threads} threads")
    shape = [len(piece.parts) for piece in found[-1]]
    alike = [pieces for pieces in found[1:] if [len(piece.parts) for piece in pieces] == shape]
    return [
        Piece(
            pieces[0].step,
            min(piece.serial for piece in pieces),
            np.min([piece.parts for piece in pieces], axis=0).tolist(),
        )
        for pieces in zip(*alike, strict=True)
    ]


def compute(name: str, counts: tuple[int, ...], runs: int) -> tuple[Rows, Rows]:
    """Compute how a solve would scale: the longest thread of each launch, and all that is serial.

    Waking helpers, the bandwidth of memory, contended atomics and remote caches are not in it.

    Returns
    -------
    Rows
        A row for each number of threads.
    Rows
        The steps that take most of the time on the most threads.
    """
    graph = graph_of(name)
    expected = minimum_spanning_forest(graph, threads=1).edges
    rows: Rows = []
    for threads in counts:
        show(f"{title_of(name)}, {threads} threads")
        pieces = pieces_of(graph, threads, runs, expected)
        launches = [longest(piece.parts, threads) for piece in pieces]
        serial = sum(piece.serial for piece in pieces)
        total = (serial + sum(launches)) / 1e6
        row = {"graph": title_of(name), "threads": threads, "ms": total, "serial ms": serial / 1e6}
        row |= {"launches": sum(map(bool, launches)), "work ms": sum(sum(p.parts) for p in pieces) / 1e6}
        rows.append(row | {"speed-up": ratio(rows[0]["ms"] if rows else total, total)})
    steps: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for piece, span in zip(pieces, launches, strict=True):
        steps[piece.step][0] += piece.serial / 1e6
        steps[piece.step][1] += span / 1e6
    limits = sorted(steps.items(), key=lambda step: -sum(step[1]))[:LIMITS_SHOWN]
    return rows, [
        {"graph": title_of(name), "step": step, "serial ms before its launches": before, "launches ms": span}
        for step, (before, span) in limits
    ]


@click.command()
@click.argument("graphs", metavar="[GRAPH]...", nargs=-1)
@click.option("--computed", is_flag=True, help="Compute a bound on one core.")
@click.option("--threads", callback=counts, help="Numbers of threads, with commas.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True)
@output_option
def command(
    graphs: tuple[str, ...], computed: bool, threads: tuple[int, ...], runs: int, output: Path | None
) -> None:
    """Measure how solves scale on the cores of this machine, or compute how they would on more.

    With --computed, the parts of each launch run one after another on one core. The bound is the longest
    thread of each launch, and all that is serial.
    """
    check_output(output)
    tables: Tables = {"computed": [], "limits": []}
    for name in graphs or GRAPHS:
        rows, limits = compute(name, threads or COUNTS, runs)
        tables["computed"] += rows
        tables["limits"] += limits
    finish(Record("cores", tables), output)
