"""Check the CUDA backend against threads of the host, then measure it: ``python benchmarks/gpu.py``.

Every algorithm for GPUs is compared with threads, edge by edge, on generated graphs and, where it is found,
the road network of New York. Then, for each large graph: seconds with the graph on the device, with copies
from and to the host, of each step, and what memory could do: the bytes that the operators name, and those
of the graph read once, over the bandwidth of a copy on the device. Results go to a file beside this one that
is named for the device. It stops to start anything new after ``--minutes``, and says what was left out.

Times are the best of several, on a clock of the host that waits for the device at both ends; the first run
compiles, and is not counted. A step is timed in a run of its own, in which the host waits after each step,
so that the steps together take longer than a run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import boruvka
from boruvka import Graph, minimum_spanning_forest
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import ALGORITHMS, algorithm_for
from boruvka.backends import get_backend, why_not
from boruvka.bench.graphs import graph_of
from boruvka.bench.machine import describe, versions
from boruvka.bench.memory_traffic import bytes_of_steps
from boruvka.forest.round_log import RoundLog
from boruvka.graph.device_graph import DeviceGraph

ON_GPU = (
    "filter-boruvka",
    "boruvka",
    "csr-contraction",
    "colour-contraction",
    "scan-split",
    "edge-contraction",
    "star-contraction",
)
"""Algorithms for a GPU; the others run there as well, most of them on one thread."""
NEW_YORK = "USA-road-d.NY.gr.gz"
TO_CHECK = (
    "random:n=100000,m=900000,seed=1,dtype=float32",
    "random:n=100000,m=900000,seed=2,dtype=float64",
    "random:n=50000,m=300000,seed=3,dtype=int8,weights=few",
    "random:n=50000,m=300000,seed=4,dtype=int64",
    "kronecker:scale=15,seed=1",
    "grid:rows=600,cols=600,drop=0.1,shuffle=true,seed=1",
    "star:n=100000,seed=1",
    "path:n=1000000,seed=1,weights=equal",
    NEW_YORK,
)
TO_MEASURE = {
    "R-MAT 22": "rmat:scale=22,m=32800000,a=0.57,b=0.19,c=0.19,d=0.05,permute=true,seed=1,dtype=float32",
    "Kronecker 22": "kronecker:scale=22,edge_factor=16,seed=1,dtype=float32",
    "uniform 5M/30M": "random:n=5000000,m=30000000,seed=1,dtype=float32",
    "road-like 24M/29M": "grid:rows=4894,cols=4894,drop=0.39,seed=1,dtype=float32",
    "USA-road-d.NY": NEW_YORK,
}
QUICK = {"random": "random:n=12,m=40,seed=1,dtype=float32"}
SLOW = 20.0
"""Seconds: an algorithm that takes longer is run once."""


def main() -> int:
    """Check, measure, print and write."""
    asked = arguments()
    if problem := why_not("cuda"):
        print(f"nothing to measure: {problem}", file=sys.stderr)
        return 1
    clock = Clock(60 * asked.minutes)
    found: dict[str, Any] = {"device": device(), "host": describe(), "versions": versions()}
    found["copy_gb_per_s"] = bandwidth(1 << (10 if asked.quick else 30)) / 1e9
    found["checked"] = check(QUICK.values() if asked.quick else TO_CHECK, asked.data, clock)
    found["measured"] = {}
    for name, specification in (QUICK if asked.quick else TO_MEASURE).items():
        if clock.has_time(name) and (graph := graph_named(specification, asked.data)) is not None:
            found["measured"][name] = row = measure(graph, clock, found["copy_gb_per_s"] * 1e9)
            print(name, json.dumps(row), flush=True)
    found["left_out"] = clock.left_out
    print(table(found))
    named = "-".join(found["device"]["name"].lower().split())
    output = asked.output or Path(__file__).with_name(f"gpu-{named}.json")
    output.write_text(json.dumps(found, indent=1) + "\n")
    wrong = [x for x in found["checked"] if not x["equal"]]
    return 1 if wrong else 0


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=7.5, help="start nothing new after so many")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("BORUVKA_DATA", "../shared/data")))
    parser.add_argument("--output", type=Path, help="the file of results, in JSON")
    parser.add_argument(
        "--quick", action="store_true", help="one tiny graph: to try the script, simulated too"
    )
    return parser.parse_args()


class Clock:
    """The time that is left."""

    def __init__(self, seconds: float):
        self._end = time.perf_counter() + seconds
        self.left_out: list[str] = []

    def has_time(self, what: str) -> bool:
        """Say whether something may begin; note it if not."""
        if time.perf_counter() < self._end:
            return True
        self.left_out.append(what)
        return False


class Waiting(RoundLog):
    """A round_log whose steps end when the device has done them."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:  # type: ignore[override]
        """Add the time of a block, and of what it started on the device."""
        with super().step(name):
            yield
            synchronize()


def synchronize() -> None:
    """Wait for the device."""
    from boruvka.backends.cuda import backend as cuda

    if not cuda.IS_SIMULATED:
        cuda.xp.cuda.runtime.deviceSynchronize()


def device() -> dict[str, Any]:
    """Describe the device and what drives it."""
    from boruvka.backends.cuda import backend as cuda

    if cuda.IS_SIMULATED:
        return {"name": "Numba's simulator"}
    runtime = cuda.xp.cuda.runtime
    properties = runtime.getDeviceProperties(runtime.getDevice())
    return {
        "name": properties["name"].decode(),
        "bytes": properties["totalGlobalMem"],
        "driver": runtime.driverGetVersion(),
        "cupy": cuda.xp.__version__,
    }


def bandwidth(size: int) -> float:
    """Measure bytes a second of a copy on the device, read and written ones."""
    from boruvka.backends.cuda.backend import xp

    source, target = xp.ones(size, np.uint8), xp.empty(size, np.uint8)

    def copy():
        target[:] = source

    return 2 * size / best_of(copy, 10)


def best_of(run: Callable[[], Any], times: int) -> float:
    """Measure the shortest of several runs, after one that does not count."""
    best = float("inf")
    for turn in range(times + 1):
        synchronize()
        begin = time.perf_counter()
        run()
        synchronize()
        seconds = time.perf_counter() - begin
        if turn or seconds > SLOW:
            best = min(best, seconds)
        if seconds > SLOW:
            break
    return best


def graph_named(specification: str, data: Path) -> Graph | None:
    """Make a graph, or read it if it is found."""
    if specification != NEW_YORK:
        return graph_of(specification)
    paths = list(data.rglob(NEW_YORK))
    return boruvka.read(paths[0]) if paths else None


def check(specifications: Any, data: Path, clock: Clock) -> list[dict[str, Any]]:
    """Compare every algorithm with threads of the host."""
    rows = []
    for specification in specifications:
        graph = graph_named(specification, data)
        if graph is None:
            clock.left_out.append(f"{specification}: not found")
            continue
        expected = minimum_spanning_forest(graph, backend="threads").edges
        for name in ON_GPU:
            if clock.has_time(f"check of {name} on {specification}"):
                begin = time.perf_counter()
                edges = minimum_spanning_forest(graph, algorithm=name, backend="cuda").edges
                seconds = time.perf_counter() - begin
                row = {"graph": specification, "algorithm": name, "first_seconds": seconds}
                rows.append({**row, "equal": bool(np.array_equal(edges, expected))})
                print(json.dumps(rows[-1]), flush=True)
    return rows


def measure(graph: Graph, clock: Clock, bytes_per_second: float) -> dict[str, Any]:
    """Measure what is said above of one graph."""
    expected = minimum_spanning_forest(graph, backend="threads").edges
    there = DeviceGraph(graph.u, graph.v, graph.w, graph.n)
    chosen = algorithm_for("auto", graph, has_caches=False).name
    answer = minimum_spanning_forest(there, on_device=True).to_host()
    named = sum(sum(steps.values()) for steps in bytes_of_steps(graph, chosen))
    given = graph.u.nbytes + graph.v.nbytes + graph.w.nbytes
    return {
        "vertices": graph.n,
        "edges": graph.m,
        "algorithm": chosen,
        "equal": bool(np.array_equal(answer.edges, expected)),
        "rounds": len(answer.rounds),
        "seconds_on_device": best_of(lambda: minimum_spanning_forest(there, on_device=True), 10),
        "seconds_with_copies": best_of(lambda: minimum_spanning_forest(graph, backend="cuda"), 5),
        "seconds_of_threads": best_of(lambda: minimum_spanning_forest(graph, backend="threads"), 2),
        "seconds_to_move_graph": given / bytes_per_second,
        "seconds_to_move_named_bytes": named / bytes_per_second,
        "steps": steps_of(there, chosen),
        "starts": starts_of(there, chosen),
        "peak_bytes": peak_of(there, chosen),
        "others": {
            name: best_of(lambda name=name: minimum_spanning_forest(there, algorithm=name, on_device=True), 2)
            for name in ON_GPU
            if name != chosen and clock.has_time(f"{name} on {graph.n} vertices, {graph.m} edges")
        },
    }


def run_on(graph: DeviceGraph, algorithm: str, round_log: RoundLog) -> None:
    """Run an algorithm on a graph that is on the device, with a round_log of one's own."""
    backend = get_backend("cuda", 1)
    ALGORITHMS[algorithm].run(EdgeList.of(graph, False, backend), backend, round_log)


def steps_of(graph: DeviceGraph, algorithm: str) -> dict[str, float]:
    """Measure the seconds of each step in all rounds, those of the second run."""
    for _ in range(2):
        round_log = Waiting()
        run_on(graph, algorithm, round_log)
    seconds: dict[str, float] = {}
    for round_ in round_log.rounds:
        for step, time_of_step in round_.seconds.items():
            seconds[step] = seconds.get(step, 0.0) + time_of_step
    return seconds


def starts_of(graph: DeviceGraph, algorithm: str) -> dict[str, Any]:
    """Count how often kernels of operators start, and how long the host takes to start them."""
    from boruvka.backends.cuda.backend import _Kernel

    count, seconds, start = 0, 0.0, _Kernel.start

    def counted(*given: Any) -> None:
        nonlocal count, seconds
        begin = time.perf_counter()
        start(*given)
        count, seconds = count + 1, seconds + time.perf_counter() - begin

    _Kernel.start = counted  # type: ignore[method-assign]
    try:
        run_on(graph, algorithm, RoundLog())
    finally:
        _Kernel.start = start  # type: ignore[method-assign]
    return {"count": count, "host_seconds": seconds}


def peak_of(graph: DeviceGraph, algorithm: str) -> int:
    """Measure how much memory an algorithm takes from the device beside the graph."""
    from boruvka.backends.cuda import backend as cuda

    if cuda.IS_SIMULATED:
        return 0
    pool = cuda.xp.get_default_memory_pool()
    pool.free_all_blocks()
    before = pool.total_bytes()
    run_on(graph, algorithm, RoundLog())
    synchronize()
    return pool.total_bytes() - before


def table(found: dict[str, Any]) -> str:
    """Show what was measured, in Markdown."""
    lines = [
        f"{found['device']['name']}, a copy on it moves {found['copy_gb_per_s']:.0f} GB/s",
        "",
        "Milliseconds; the last two of them are what memory alone would take.",
        "",
        "| graph | on the device | with copies | threads | graph read | bytes named | rounds | starts |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in found["measured"].items():
        keys = ["on_device", "with_copies", "of_threads", "to_move_graph", "to_move_named_bytes"]
        times = " | ".join(f"{1000 * row[f'seconds_{key}']:.2f}" for key in keys)
        lines.append(f"| {name} | {times} | {row['rounds']} | {row['starts']['count']} |")
    lines += ["", "| graph | " + " | ".join(ON_GPU) + " |", "|---" * (len(ON_GPU) + 1) + "|"]
    for name, row in found["measured"].items():
        seconds = {**row["others"], row["algorithm"]: row["seconds_on_device"]}
        cells = (f"{1000 * seconds[x]:.2f}" if x in seconds else "-" for x in ON_GPU)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, *(f"left out: {what}" for what in found["left_out"])])


if __name__ == "__main__":
    sys.exit(main())
