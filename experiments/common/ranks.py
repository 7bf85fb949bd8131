"""Every way to find a forest on ranks, on one graph: ``mpiexec`` is started once for each number of ranks.

A job finds what it is to do in a file of JSON, and leaves what it found in another; see
`experiments.common.worker` for the other end. This process does not speak MPI itself.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

import boruvka
from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import Entry, GraphResult
from boruvka.errors import BoruvkaError, MissingExtraError
from boruvka.forest.forest import Forest
from boruvka.forest.round_log import Round
from boruvka.runtime.extras import require
from boruvka.runtime.processors import processors
from experiments.common.experiment import Row, Setting
from experiments.common.figures import at_threads, curves, level
from experiments.common.race import reference_of, result_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "ETH",
    "PARTS",
    "RanksEntry",
    "count_on_ranks",
    "entries_of",
    "figure_by_ranks",
    "kronecker",
    "mpiexec",
    "on_ranks",
    "parts_of",
    "race_on_ranks",
    "ranks_rows",
    "remarks_on_ranks",
]

ETH = {
    "document": "Efficient parallelization of Borůvka's minimum spanning tree algorithm, ETH Zürich",
    "machine": "RACKlette: 4 nodes of 2 AMD EPYC 7742 (64 cores each), 200 Gbit/s, mvapich2 2.3.4",
}
"""What results say of document 5 first."""
ROOT = Path(__file__).parents[2]
YIELDING = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_POSIX_POLL_FREQUENCY": "1"}
"""Settings of MPICH: ranks that share a processor give it up while they wait."""
GROUND = "#eeeeee"
PARTS = {
    "distribution": ("distribute",),
    "selection": ("select", "offer", "claim"),
    "merging": ("merge", "hook", "rename", "relabel", "list"),
    "contraction": ("contract", "group", "cut"),
    "reduction": ("reduce", "filter"),
    "communication": ("pack", "communicate"),
}
"""The parts of a run, and the steps of rounds that they are; a step that is none of these is in no part."""
PART_OF = {step: part for part, steps in PARTS.items() for step in steps}
DEALING = "distribute"
"""The phase in which edges go to where they are worked on; all of it, messages too, is distribution."""


@dataclass(frozen=True)
class RanksEntry(Entry):
    """One strategy on one graph with one number of ranks, each of one thread.

    Attributes
    ----------
    ranks : int
    oversubscribed : bool
        Whether there are more ranks than processors: such times say nothing about the strategy.
    default : bool
        Whether this is what "auto" picks.
    of_document : bool
        Whether document 5 has it.
    parts : tuple of dict of str to float
        For every run, the seconds of each part; of the rank that took longest for it in each round.
    """

    ranks: int = 1
    oversubscribed: bool = False
    default: bool = False
    of_document: bool = False
    parts: tuple[dict[str, float], ...] = field(default=(), repr=False)

    def mean_parts(self) -> dict[str, float]:
        """Take the mean of each part over the runs."""
        names = [name for name in PARTS if any(name in run for run in self.parts)]
        return {name: sum(run.get(name, 0.0) for run in self.parts) / len(self.parts) for name in names}


def kronecker(scale: int) -> str:
    """Specify a graph of document 5: of 2**scale vertices, with 16 times as many edges."""
    return f"kronecker:scale={scale},edge_factor=16,seed=1"


def race_on_ranks(name: str, counts: Sequence[int], setting: Setting) -> GraphResult:
    """Let all strategies solve a graph on each of some numbers of ranks.

    On ranks they take turns, after a run of each that is not timed and whose answer is held against the
    forest that one machine finds. A sample is the time from before the call to after it, of the rank for
    which it took longest.

    Parameters
    ----------
    name : str
        The specification of the graph.
    counts : sequence of int
        Numbers of ranks.
    setting : Setting

    Returns
    -------
    GraphResult
        With entries of `RanksEntry`.

    Raises
    ------
    MissingExtraError
        There is no MPI.
    BoruvkaError
        A job failed as a whole.
    """
    expected, result = _expected(name, setting)
    scheme = {"name": setting.scheme.name, **asdict(setting.scheme)}
    entries: list[Entry] = []
    for i, ranks in enumerate(counts):
        setting.show(i / len(counts), f"{name}: {ranks} ranks")
        found = on_ranks(ranks, {"job": "race", "graph": name, "scheme": scheme}, expected)
        entries += [_entry(strategy, ranks, setting) for strategy in found]
    return replace(result, entries=tuple(entries))


def count_on_ranks(name: str, counts: Sequence[int], setting: Setting) -> list[Row]:
    """Let all strategies solve a graph on each of some numbers of ranks, and count what they do.

    Returns
    -------
    list of rows
        Rounds; messages and bytes that a rank sends, in each round those of the one that sends most; and at
        the peak, beyond its own edges, the bytes of a rank's arrays, and the memory that it holds (None where
        the system does not say).

    Raises
    ------
    MissingExtraError, BoruvkaError
        As for `race_on_ranks`.
    """
    expected, graph = _expected(name, setting)
    rows = []
    for i, ranks in enumerate(counts):
        setting.show(i / len(counts), f"{name}: {ranks} ranks")
        for found in on_ranks(ranks, {"job": "count", "graph": name}, expected):
            held = found["held"]
            rows.append(
                {
                    "graph": name,
                    "ranks": ranks,
                    "strategy": _name(found),
                    "default": found["default"],
                    "rounds": found["rounds"],
                    "messages": found["messages"],
                    "bytes sent": found["bytes"],
                    "bytes sent, a vertex": found["bytes"] / graph.n,
                    "bytes of arrays": found["arrays"],
                    "bytes held": held,
                    "held, a vertex": None if held is None else held / graph.n,
                    "held, an own edge": None if held is None else held * ranks / graph.m,
                    "error": found["error"],
                }
            )
    return rows


def _expected(name: str, setting: Setting) -> tuple[Forest, GraphResult]:
    """Solve the graph on one machine; do not begin where there is no MPI."""
    mpiexec()
    graph = graph_of(name)
    forest = reference_of(name, graph, setting)
    return forest, result_of(name, graph, forest, ())


def _entry(found: Mapping[str, Any], ranks: int, setting: Setting) -> RanksEntry:
    samples, error = tuple(found["samples"]), found["error"]
    entry = RanksEntry(
        _name(found),
        boruvka.__version__,
        1,
        samples=samples,
        error=error,
        ranks=ranks,
        oversubscribed=ranks > processors(),
        default=found["default"],
        of_document=found["of_document"],
        parts=tuple(found["parts"]),
    )
    return entry if error else replace(entry, **asdict(setting.scheme.estimate(samples)))


def _name(found: Mapping[str, Any]) -> str:
    return f"{found['distribute']}, {found['merge']}"


def on_ranks(ranks: int, job: Mapping[str, Any], expected: Forest) -> Any:
    """Run a job of `experiments.common.worker` on ranks: what the first of them found.

    Raises
    ------
    MissingExtraError
        There is no MPI.
    BoruvkaError
        The job failed.
    """
    settings = YIELDING if ranks > processors() else {}
    with TemporaryDirectory() as folder:
        given, found, edges = (Path(folder) / file for file in ("given.json", "found.json", "edges.npy"))
        np.save(edges, expected.edges)
        given.write_text(json.dumps({**job, "edges": str(edges), "weight": expected.weight}))
        worker = [sys.executable, "-m", "experiments.common.worker", str(given), str(found)]
        done = subprocess.run(
            [mpiexec(), "-n", str(ranks), *worker],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **settings},
        )
        if done.returncode or not found.exists():
            said = done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}"
            raise BoruvkaError(f"the job of {ranks} ranks failed:\n{said}")
        return json.loads(found.read_text())


def mpiexec() -> str:
    """Find what starts ranks, first beside this Python.

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


def parts_of(rounds: Iterable[Round]) -> dict[str, float]:
    """Add up the seconds of each part over rounds."""
    parts: dict[str, float] = {}
    for round_ in rounds:
        for step, seconds in round_.seconds.items():
            part = PART_OF.get(DEALING if round_.phase == DEALING else step)
            if part is not None:
                parts[part] = parts.get(part, 0.0) + seconds
    return parts


def ranks_rows(graph: GraphResult) -> list[Row]:
    """List the times on a graph as rows of a table; the speed-up is against the fewest ranks."""
    alone: dict[str, float | None] = {}
    rows = []
    for entry in entries_of(graph):
        first = alone.setdefault(entry.contestant, entry.seconds)
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
                "speed-up": first / entry.seconds if first and entry.seconds else None,
                "error": entry.error,
            }
        )
    return rows


def entries_of(graph: GraphResult) -> list[RanksEntry]:
    """List who ran on ranks."""
    return [entry for entry in graph.entries if isinstance(entry, RanksEntry)]


def remarks_on_ranks(counts: Sequence[int]) -> tuple[str, ...]:
    """Say which ranks had to share a processor."""
    too_many = ", ".join(str(count) for count in counts if count > processors())
    if not too_many:
        return ()
    return (
        f"{too_many} ranks share {processors()} processors: their times show what it costs to share, "
        "and nothing about more processors",
    )


def figure_by_ranks(graphs: Sequence[GraphResult], levels: Mapping[str, float] | None = None) -> Figure:
    """Draw the time of every strategy by ranks, and times of one machine as levels.

    Where ranks share processors the ground is grey.
    """
    entries = [entry for graph in graphs for entry in entries_of(graph)]
    lines: dict[str, list[tuple[int, float]]] = {entry.contestant: [] for entry in entries}
    for entry in entries:
        if entry.seconds:
            lines[entry.contestant].append((entry.ranks, 1e3 * entry.seconds))
    figure, axes = panels(height=5)
    title = graphs[0].name if len(graphs) == 1 else f"{graphs[0].name} to {graphs[-1].name}"
    curves(axes, lines, "ranks", "milliseconds", title, log="y")
    for (name, seconds), dashes in zip((levels or {}).items(), ("--", ":", "-."), strict=False):
        level(axes, 1e3 * seconds, name, dashes)
    counts = sorted({entry.ranks for entry in entries})
    at_threads(axes, counts)
    fitting = max((entry.ranks for entry in entries if not entry.oversubscribed), default=counts[0])
    if fitting < counts[-1]:
        axes.axvspan(fitting * 2**0.5, counts[-1] * 2**0.1, color=GROUND, zorder=0, label="shared processors")
    legend(figure, 3)
    return figure
