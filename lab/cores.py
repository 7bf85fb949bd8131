"""One solve on more and more cores: measured, or computed on one core as a bound."""

from __future__ import annotations

import ctypes
import heapq
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

import click
import numpy as np

from boruvka import Forest, minimum_spanning_forest, stream, write
from boruvka.backends.threads import Threads
from boruvka.errors import BoruvkaError
from boruvka.kernels import team as teams
from boruvka.kernels import team_loops as loops
from boruvka.kernels.team import Team
from boruvka.runtime.processors import processors
from lab.contestants.external import External, read_programs
from lab.contestants.ours import Ours
from lab.contestants.points import OurTree, Task
from lab.harness.command import FILE, check_output, counts, finish, output_option, show
from lab.harness.graphs import graph_of, title_of
from lab.harness.results import Record, Rows, Tables, times_of
from lab.harness.schemes import KBest
from lab.harness.tables import ratio
from lab.harness.turns import Plan, Reference, race
from lab.points import FAMILIES as POINT_FAMILIES
from lab.points import points_of
from lab.verification import Verification

COMPUTED = (
    "random:n=1000000,m=9000000,seed=1",
    "random:n=5000000,m=30000000,seed=1",
    "kronecker:scale=20,seed=1",
    "kronecker:scale=22,seed=1",
)
MEASURED = (
    "random:n=1000000,m=9000000,seed=1",
    "random:n=20000000,m=200000000,seed=1",
    "rmat:scale=20,m=15700000,a=0.57,b=0.19,c=0.19,d=0.05,permute=true,seed=1",
    "kronecker:scale=22,seed=1",
    "kronecker:scale=24,seed=1",
    "grid:rows=8000,cols=8000,seed=1",
    "uniform:n=10000000,d=2,seed=1",
)
COUNTS = 1, 2, 4, 8, 16, 32, 64
STREAMED_UP_TO = 100_000_000
"""Maximum number of edges that are written to a file and streamed."""
LIMITS_SHOWN = 12
"""Steps that are listed, of those that take most of the time on most threads."""
now = time.thread_time_ns


class Piece(NamedTuple):
    """Nanoseconds of a solve up to the end of a launch: serial work, then the parts of the launch."""

    step: str
    serial: int
    parts: list[int]


class OneByOne(Team):
    """A team of which one thread runs the parts of a launch one after another, in place of all threads.

    It is not the calling thread: with many threads that runs few of the parts, and keeps what it works on
    in its caches. Times are nanoseconds of processor time. A part is run as by thread ``part % threads``, so
    that arrays of each thread are filled as often as they would be.
    """

    def __init__(self, threads: int):
        self.pieces: list[Piece] = []
        self._ended = now()
        self._every_thread = ThreadPoolExecutor(1)
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
        serial = now() - self._ended
        times = self._every_thread.submit(self._run_parts, parts).result()
        super()._finish(buffer, most, 1)
        self.pieces.append(Piece(_step(), serial, times))
        self._ended = now()

    def _run_parts(self, parts: int) -> list[int]:
        """Run all parts; return how long each took."""
        words, times = (ctypes.c_uint64 * 5)(0, int(loops.HELP_ONCE), self._mailbox, 0, 1), []
        call = ctypes.addressof(words)
        for part in range(parts):
            words[3] = part % self.threads
            begin = now()
            self._code(call, call + 8)
            times.append(now() - begin)
        return times


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
    backend._team_module = SimpleNamespace(**vars(teams) | {"team_of": lambda _: team})
    found: list[list[Piece]] = []
    with (
        patch("boruvka.backends.get_backend", lambda *_: backend),
        patch("boruvka.algorithms.run.get_backend", lambda *_: backend),
    ):
        for _ in range(runs + 1):  # the first one maps new memory
            team.begin()
            forest = minimum_spanning_forest(graph, backend="threads", threads=threads)
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
    expected = minimum_spanning_forest(graph, backend="threads", threads=1).edges
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


def nothing(i, a, b, c, d, e):
    """Do nothing with an element."""


def launches(counts: Iterable[int]) -> Rows:
    """Time an empty launch over 100,000 elements of five arrays, also after half a millisecond without."""
    arrays, rows = [np.zeros(100_000, np.uint64) for _ in range(5)], []
    for threads in counts:
        backend, row = Threads(threads), dict[str, Any](threads=threads)
        for name, repeats, pause in (("", 3000, 0.0), ("asleep ", 500, 0.0005)):
            times = []
            for _ in range(repeats):
                if pause:
                    time.sleep(pause)
                begin = time.perf_counter()
                backend.for_each(nothing, 100_000, *arrays)
                times.append(1e6 * (time.perf_counter() - begin))
            row |= {f"{name or 'awake '}us": min(times), f"{name or ''}median us": statistics.median(times)}
        rows.append(row)
    return rows


class Streamed(Ours):
    """A stream of the edges of a Parquet file, as `boruvka.write` makes it in a folder."""

    def __init__(self, folder: str) -> None:
        super().__init__(name="stream")
        self._path = Path(folder) / "graph.parquet"

    def refusal(self, graph: Any) -> str:
        return "" if graph.m <= STREAMED_UP_TO else "the file would be large"

    def prepare(self, graph: Any) -> Any:
        if not self._path.exists():
            write(graph, self._path)
        return self._path

    def solve(self, native: Any) -> Forest:
        return stream.minimum_spanning_forest(native, threads=self.threads)


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Let this thread, and the threads and programs that it starts, use so many processors only."""
    every = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, every[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, every)


def measure(name: str, threads: Iterable[int], external: Path | None, limit: float) -> Rows:
    """Time solves of a graph or of points, and the verification of its forest, on more and more cores."""
    is_points = name.partition(":")[0] in POINT_FAMILIES
    graph: Any = points_of(name, Task()) if is_points else graph_of(name)
    programs = [] if is_points or external is None else list(read_programs(external).items())
    reference = graph.reference() if is_points else Reference.of(graph)
    rows: Rows = []
    # programs keep the graph in the folder for temporary files: this one is for this graph
    with tempfile.TemporaryDirectory() as folder, patch("tempfile.tempdir", folder):
        ours = [OurTree()] if is_points else [Ours(), Verification(), Streamed(folder)]
        contestants = [*ours, *(External(title, program) for title, program in programs)]
        for count in threads:
            plan = Plan(contestants, (count,), KBest(3, 5, seconds=limit), in_process=True)
            with on_cores(count):
                rows += times_of([race(title_of(name), graph, plan, show, reference)])
    for row in rows:
        mine = [other for other in rows if other["contestant"] == row["contestant"]]
        two = next((other["ms"] for other in mine if other["threads"] == 2), mine[0]["ms"])
        ours_now = next(other["ms"] for other in rows if other["threads"] == row["threads"])
        row |= {"times two threads": ratio(two, row["ms"]), "times ours": ratio(row["ms"], ours_now)}
    return rows


@click.command()
@click.argument("graphs", metavar="[GRAPH]...", nargs=-1)
@click.option("--computed", is_flag=True, help="Compute a bound on one core.")
@click.option("--threads", callback=counts, help="Numbers of threads, with commas.")
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True, help="Solves for the bound.")
@click.option("--external", type=FILE, help="A TOML file that describes programs to run as contestants.")
@click.option("--seconds", default=3.0, show_default=True, help="No run begins after so many on a graph.")
@output_option
def command(
    graphs: tuple[str, ...],
    computed: bool,
    threads: tuple[int, ...],
    runs: int,
    external: Path | None,
    seconds: float,
    output: Path | None,
) -> None:
    """Measure how solves scale on the cores of this machine, or compute how they would on more.

    A GRAPH is a file, a family of graphs or a family of points, with arguments. The process is restricted to
    as many processors as there are threads; "numactl -i all" before the command spreads memory over all
    nodes. With --computed, the parts of each launch run one after another on one core; the bound is the
    longest thread of each launch, and all that is serial.
    """
    check_output(output)
    tables: Tables = {"computed": [], "limits": []}
    if not computed:
        tables = {"launches": launches(COUNTS), "times": []}
    available = [count for count in COUNTS if count <= processors()]
    for name in graphs or (COMPUTED if computed else MEASURED):
        if computed:
            rows, limits = compute(name, threads or COUNTS, runs)
            tables["computed"] += rows
            tables["limits"] += limits
        else:
            tables["times"] += measure(name, threads or available, external, seconds)
        if output is not None:
            Record("cores", tables).write(output)
    finish(Record("cores", tables), output)
