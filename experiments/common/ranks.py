"""Races, memory and counts on ranks.

For races and memory, ``mpiexec`` is started once for each graph and number of ranks;
`experiments.common.rank_worker` is the other end. Messages are counted in this process, on threads.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from boruvka.bench.contestant_run import Reference
from boruvka.bench.decode import decoded
from boruvka.bench.graphs import graph_of
from boruvka.bench.run import Plan, Race
from boruvka.errors import BoruvkaError, MissingExtraError
from boruvka.runtime.extras import require
from boruvka.runtime.processors import processors
from experiments.common.experiment import Experiment, Setting
from experiments.common.panels import Panel
from experiments.common.rank_results import RanksEntry, RanksResult
from experiments.common.tables import Rows, lines_of

__all__ = [
    "ExperimentOnRanks", "count_on_ranks", "kronecker", "memory_on_ranks", "mpiexec", "on_ranks",
    "race_on_ranks", "remarks_on_ranks", "time_by_ranks", "times_on_ranks",
]  # fmt: skip

ROOT = Path(__file__).parents[2]
YIELDING = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_POSIX_POLL_FREQUENCY": "1"}
"""Settings of MPICH: ranks that share a processor yield while they wait."""


class ExperimentOnRanks(Experiment):
    """An experiment on ranks of MPI."""

    graph_type = RanksResult


def kronecker(scale: int) -> str:
    """Specify a graph of Anzalone et al.: 2**scale vertices, and 16 times as many edges."""
    return f"kronecker:scale={scale},edge_factor=16,seed=1"


def race_on_ranks(name: str, counts: Sequence[int], setting: Setting) -> RanksResult:
    """Race all strategies on a graph, on each of some numbers of ranks.

    Parameters
    ----------
    name : str
        The specification of the graph.
    counts : sequence of int
        Numbers of ranks.
    setting : Setting

    Raises
    ------
    MissingExtraError
        There is no MPI.
    BoruvkaError
        A job failed as a whole.
    """
    reference, result = _expected(name, setting)
    scheme = {"name": setting.scheme.name, **asdict(setting.scheme)}
    entries: list[RanksEntry] = []
    for i, ranks in enumerate(counts):
        setting.show(i / len(counts), f"{name}: {ranks} ranks")
        found = on_ranks(ranks, {"job": "race", "graph": name, "scheme": scheme}, reference)
        for entry in decoded(tuple[RanksEntry, ...], found, "entries"):
            entries.append(replace(entry, oversubscribed=ranks > processors()))
    return replace(result, entries=tuple(entries))


def count_on_ranks(
    name: str,
    counts: Sequence[int],
    setting: Setting,
    counted: Callable[[str], bool] = lambda strategy: True,
) -> tuple[Rows, Rows]:
    """Count what strategies send on a graph, on each of some numbers of ranks; in all, and by round.

    The ranks are threads of this process, see `experiments.common.thread_ranks`.

    Parameters
    ----------
    name, counts, setting
        As for `race_on_ranks`.
    counted : callable
        ``counted(strategy)`` says whether to count a strategy.

    Raises
    ------
    MissingExtraError
        There is no MPI.
    BoruvkaError
        An answer is wrong.
    """
    require("mpi4py", "mpi")
    from experiments.common.rank_counts import EVERY, count, name_of

    setting.show(0, f"{name}: finding and verifying the forest")
    graph = graph_of(name)
    reference = Reference.of(name, graph)
    totals: Rows = []
    by_round: Rows = []
    for i, ranks in enumerate(counts):
        for way in EVERY:
            if not counted(name_of(way)) or (way[-1] and ranks == 1):
                continue
            setting.show(i / len(counts), f"{name}: {ranks} ranks, {name_of(way)}")
            total, rounds = count(graph, reference, ranks, way)
            for rows, found in ((totals, [total]), (by_round, rounds)):
                rows += [
                    {
                        "graph": name,
                        "ranks": ranks,
                        **row,
                        "bytes sent, a vertex": row["bytes sent"] / graph.n,
                    }
                    for row in found
                ]
    return totals, by_round


def memory_on_ranks(name: str, counts: Sequence[int], setting: Setting) -> Rows:
    """Measure the memory of all strategies on a graph, on each of some numbers of ranks.

    Raises
    ------
    MissingExtraError, BoruvkaError
        As for `race_on_ranks`, and if an answer is wrong.
    """
    reference, graph = _expected(name, setting)
    rows = []
    for i, ranks in enumerate(counts):
        setting.show(i / len(counts), f"{name}: {ranks} ranks")
        for row in on_ranks(ranks, {"job": "count", "graph": name}, reference):
            held = row["bytes held"]
            rows.append(
                {
                    "graph": name,
                    "ranks": ranks,
                    "strategy": row["strategy"],
                    "default": row["default"],
                    "bytes of arrays": row["bytes of arrays"],
                    "bytes held": held,
                    "held, a vertex": None if held is None else held / graph.n,
                    "held, an own edge": None if held is None else held * ranks / graph.m,
                }
            )
    return rows


def _expected(name: str, setting: Setting) -> tuple[Reference, RanksResult]:
    """Solve the graph on one machine, unless there is no MPI."""
    mpiexec()
    setting.show(0, f"{name}: finding and verifying the forest")
    race = Race(name, graph_of(name), Plan((), (), setting.scheme))
    return race.reference, RanksResult(**vars(race.result()))


def on_ranks(ranks: int, job: Mapping[str, Any], reference: Reference) -> Any:
    """Run a job of `experiments.common.rank_worker`, and return the result of the first rank.

    Raises
    ------
    MissingExtraError
        There is no MPI.
    BoruvkaError
        The job failed.
    """
    settings = YIELDING if ranks > processors() else {}
    with TemporaryDirectory() as folder:
        job_path, result_path = Path(folder) / "job.json", Path(folder) / "result.json"
        job_path.write_text(json.dumps({**job, "reference": asdict(reference)}))
        worker = [sys.executable, "-m", "experiments.common.rank_worker", str(job_path), str(result_path)]
        done = subprocess.run(
            [mpiexec(), "-n", str(ranks), *worker],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **settings},
        )
        if done.returncode or not result_path.exists():
            output = done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}"
            raise BoruvkaError(f"the job of {ranks} ranks failed:\n{output}")
        return json.loads(result_path.read_text())


def mpiexec() -> str:
    """Return the path of the program that starts ranks; one beside this Python goes first.

    Raises
    ------
    MissingExtraError
        It or mpi4py is not installed.
    """
    require("mpi4py", "mpi")
    found = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")
    if found is None:
        raise MissingExtraError(
            'mpiexec is not installed; install it with: pip install "boruvka[mpi]"', name="mpi4py"
        )
    return found


def times_on_ranks(graph: RanksResult) -> Rows:
    """List the times on a graph; the speed-up is against the fewest ranks."""
    first: dict[str, float | None] = {}
    rows = []
    for entry in graph.on_ranks:
        fewest = first.setdefault(entry.contestant, entry.seconds)
        rows.append(
            {
                "graph": graph.name,
                "strategy": entry.contestant,
                "default": entry.default,
                "ranks": entry.ranks,
                "oversubscribed": entry.oversubscribed,
                "runs": len(entry.samples),
                "ms": 1e3 * entry.seconds if entry.seconds else None,
                "median ms": 1e3 * statistics.median(entry.samples) if entry.seconds else None,
                "spread %": None if entry.spread is None else 100 * entry.spread,
                "converged": entry.converged,
                "speed-up": fewest / entry.seconds if fewest and entry.seconds else None,
                "error": entry.error,
            }
        )
    return rows


def remarks_on_ranks(counts: Sequence[int]) -> tuple[str, ...]:
    """List the numbers of ranks that exceed the processors."""
    too_many = ", ".join(str(count) for count in counts if count > processors())
    if not too_many:
        return ()
    return (
        f"{too_many} ranks share {processors()} processors: their times show the cost of sharing, "
        "and nothing about more processors",
    )


def time_by_ranks(rows: Rows, levels: Mapping[str, float] | None = None) -> list[Panel]:
    """Draw the time of every strategy by ranks, and times on one machine as horizontal lines."""
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    counts = sorted({row["ranks"] for row in rows})
    fitting = max((row["ranks"] for row in rows if not row["oversubscribed"]), default=counts[0])
    return [
        Panel(
            "ranks",
            "milliseconds",
            graphs[0] if len(graphs) == 1 else f"{graphs[0]} to {graphs[-1]}",
            lines_of(rows, "strategy", "ranks", "ms"),
            log="y",
            levels=levels or {},
            ticks=counts,
            shared_from=fitting * 2**0.5 if fitting < counts[-1] else None,
        )
    ]
