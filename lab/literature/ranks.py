"""Races and counts on ranks.

``mpiexec`` is started once for each graph and number of ranks; `lab.literature.rank_worker` is the other end.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from boruvka.errors import BoruvkaError, MissingExtraError
from boruvka.runtime.libraries import require
from boruvka.runtime.processors import processors
from lab.harness.command import show
from lab.harness.graphs import graph_of
from lab.harness.results import Rows
from lab.harness.schemes import SCHEMES, Scheme
from lab.harness.tables import ratio
from lab.harness.turns import Reference

ROOT = Path(__file__).parents[2]
YIELDING = {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1", "MPIR_CVAR_POSIX_POLL_FREQUENCY": "1"}
"""Settings of MPICH: ranks that share a processor yield while they wait."""


def kronecker(scale: int) -> str:
    """Specify a graph of Anzalone et al.: 2**scale vertices, and 16 times as many edges."""
    return f"kronecker:scale={scale},edge_factor=16,seed=1"


def race_on_ranks(name: str, counts: Sequence[int], scheme: Scheme) -> Rows:
    """Race all strategies on a graph, on each of some numbers of ranks; the speed-up is against the fewest.

    Raises
    ------
    MissingExtraError
        There is no MPI.
    BoruvkaError
        A job failed as a whole.
    """
    mpiexec()
    graph = graph_of(name)
    reference = Reference.of(graph)
    settings = {
        "name": next(key for key, kind in SCHEMES.items() if isinstance(scheme, kind)),
        **asdict(scheme),
    }
    first: dict[str, float | None] = {}
    rows = []
    for ranks in counts:
        show(f"{name}: {ranks} ranks")
        for row in on_ranks(ranks, {"job": "race", "graph": name, "scheme": settings}, reference):
            parts = row.pop("parts")
            fewest = first.setdefault(row["strategy"], row["ms"])
            row = {"graph": name, "edges": graph.m, **row, "oversubscribed": ranks > processors()}
            row["speed-up"] = ratio(fewest, row["ms"])
            rows.append(row | {f"{part}, ms": 1e3 * seconds for part, seconds in parts.items()})
    return rows


def count_on_ranks(name: str, counts: Sequence[int], strategies: Sequence[str] = ()) -> tuple[Rows, Rows]:
    """Count what strategies send on a graph, on each of some numbers of ranks; in all, and by round.

    The memory that they hold at the peak, beyond the rank's own edges, stands beside the former.

    Parameters
    ----------
    name : str
    counts : sequence of int
    strategies : sequence of str
        By default all.

    Raises
    ------
    MissingExtraError, BoruvkaError
        As for `race_on_ranks`, and if an answer is wrong.
    """
    mpiexec()
    graph, short = graph_of(name), name.partition(",")[0]
    reference = Reference.of(graph)
    totals: Rows = []
    rounds: Rows = []
    for ranks in counts:
        show(f"{name}: {ranks} ranks")
        job = {"job": "count", "graph": name, "strategies": list(strategies)}
        for row in on_ranks(ranks, job, reference):
            by_round, held = row.pop("by round"), row["bytes held"]
            row = {"graph": short, "ranks": ranks, **row}
            row["bytes sent, a vertex"] = row["bytes sent"] / graph.n
            end = sum(one["bytes sent"] for one in by_round if one["phase"] == "finish")
            row["in the end, a vertex"] = end / graph.n
            row["held, a vertex"] = ratio(held, graph.n)
            row["held, an own edge"] = ratio(held, graph.m / ranks)
            totals.append(row)
            named = {"graph": short, "ranks": ranks, "strategy": row["strategy"]}
            rounds += [{**named, **one} for one in by_round]
    return totals, rounds


def on_ranks(ranks: int, job: Mapping[str, Any], reference: Reference) -> Any:
    """Run a job of `lab.literature.rank_worker`, and return the result of the first rank.

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
        worker = [sys.executable, "-m", "lab.literature.rank_worker", str(job_path), str(result_path)]
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


def remarks_on_ranks(counts: Sequence[int]) -> tuple[str, ...]:
    """List the numbers of ranks that exceed the processors."""
    too_many = ", ".join(str(count) for count in counts if count > processors())
    if not too_many:
        return ()
    return (
        f"{too_many} ranks share {processors()} processors: their times show the cost of sharing, "
        "and nothing about more processors",
    )
