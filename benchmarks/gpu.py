"""Check the CUDA backend against the threads of the host, then measure it: ``python benchmarks/gpu.py``.

Every algorithm for GPUs is compared with the threads, edge by edge, on generated graphs and, if it is found,
the road network of New York. Then it measures, for each large graph: the time with the graph on the device
and with copies from and to the host; the time of each step and of launching kernels; memory; and two lower
bounds, the bytes of the graph and those that the operators access, over the bandwidth of a device copy.

With ``--ecl-mst PROGRAM`` it also runs the CUDA program ECL-MST (github.com/burtscher/ECL-MST, version 1.0,
which checks its own answer on the host) on the same graphs with 32-bit weights, and takes the best of the
times that the program prints: those of its kernels, without copies.

Times are those of the scheme `boruvka.bench.schemes.KBest`, after a run that compiles, by the host's clock,
which waits for the device at both ends. Steps are timed in a separate run that waits after each step, so
their sum exceeds the time of a run. After ``--minutes`` nothing new is started, and the rest is listed as
left out. The results are written beside this file, to a file named after the device.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from boruvka import Graph
from boruvka import minimum_spanning_forest as solve
from boruvka.algorithms import registry
from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.backends import get_backend, why_not
from boruvka.backends.cuda import kernels
from boruvka.backends.cuda.arrays import IS_SIMULATED, as_numpy, xp
from boruvka.bench.graphs import graph_of
from boruvka.bench.machine import describe, versions
from boruvka.bench.memory_traffic import bytes_of_steps
from boruvka.bench.schemes import KBest
from boruvka.bench.tables import Table, markdown, milliseconds
from boruvka.forest.round_log import RoundLog
from boruvka.graph.device_graph import DeviceGraph

ALGORITHMS = (
    "filter-boruvka",
    "boruvka",
    "csr-contraction",
    "colour-contraction",
    "scan-split",
    "edge-contraction",
    "star-contraction",
)
"""Algorithms for a GPU; the others run there as well, most of them on one thread."""
REFERENCE = "threads"
"""The backend with which answers and times are compared."""
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
RUNS_OF_ECL_MST = 2
QUICK = {"random": "random:n=12,m=40,seed=1,dtype=float32"}
SCHEME = KBest(most=10, seconds=20)
SLOW = 5.0
"""A run of more seconds than this is not repeated."""


def main() -> int:
    """Check, measure, print and write."""
    arguments = parse_arguments()
    if problem := why_not("cuda"):
        print(f"nothing to measure: {problem}", file=sys.stderr)
        return 1
    clock = Clock(60 * arguments.minutes)
    to_check, to_measure = (QUICK.values(), QUICK) if arguments.quick else (TO_CHECK, TO_MEASURE)
    bandwidth = measure_bandwidth(1 << (10 if arguments.quick else 30))
    found: dict[str, Any] = {"device": device(), "host": describe(), "versions": versions()}
    found |= {"copy_gb_per_s": bandwidth / 1e9, "checked": check(to_check, arguments.data, clock)}
    if not IS_SIMULATED:
        found["first_seconds"] = dict(zip(("compiled", "kept"), seconds_of_first_solves(), strict=True))
    found["measured"] = {}
    for name, specification in to_measure.items():
        if clock.has_time(name) and (graph := find_graph(specification, arguments.data)) is not None:
            found["measured"][name] = row = measure(graph, clock, bandwidth)
            print(name, json.dumps(row), flush=True)
    for name, specification in to_measure.items() if arguments.ecl_mst else ():
        graph = find_graph(specification.replace("float32", "int32"), arguments.data)
        if graph is not None and clock.has_time(f"ECL-MST on {name}"):
            found["measured"][name]["ecl-mst"] = row = compare_with_ecl_mst(graph, arguments.ecl_mst)
            print(name, json.dumps(row), flush=True)
    found["left_out"] = clock.left_out
    print(*map(markdown, tables(found)), sep="\n")
    named = "-".join(found["device"]["name"].lower().split())
    output = arguments.output or Path(__file__).with_name(f"gpu-{named}.json")
    output.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if all(x["equal"] for x in (*found["checked"], *found["measured"].values())) else 1


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    data = os.environ.get("BORUVKA_DATA", "../shared/data")
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=7.5, help="when to stop starting anything new")
    parser.add_argument("--data", type=Path, default=data, help="the folder of real graphs")
    parser.add_argument("--output", type=Path, help="the JSON file of results")
    parser.add_argument("--ecl-mst", type=Path, metavar="PROGRAM", help="ECL-MST, to compare with")
    parser.add_argument("--quick", action="store_true", help="one tiny graph, to try the script")
    return parser.parse_args()


class Clock:
    """The time that is left, and the work that was left out."""

    def __init__(self, seconds: float):
        self._end = time.perf_counter() + seconds
        self.left_out: list[str] = []

    def has_time(self, what: str) -> bool:
        """Return whether something may begin; list it if not."""
        if time.perf_counter() < self._end:
            return True
        self.left_out.append(what)
        return False


def device() -> dict[str, Any]:
    """Describe the device and its software."""
    if IS_SIMULATED:
        return {"name": "Numba's simulator"}
    runtime = xp.cuda.runtime
    properties = runtime.getDeviceProperties(runtime.getDevice())
    return {
        "name": properties["name"].decode(),
        "bytes": properties["totalGlobalMem"],
        "driver": runtime.driverGetVersion(),
        "cupy": xp.__version__,
    }


def synchronize() -> None:
    """Wait for the device."""
    if not IS_SIMULATED:
        xp.cuda.runtime.deviceSynchronize()


def seconds_of(run: Callable[[], Any]) -> float:
    """Time a run."""
    synchronize()
    begin = time.perf_counter()
    run()
    synchronize()
    return time.perf_counter() - begin


def best_seconds(run: Callable[[], Any]) -> float:
    """Time runs until the scheme has enough, after one that compiles; a slow one is run only once."""
    first = seconds_of(run)
    if first > SLOW:
        return first
    samples: list[float] = []
    while not SCHEME.enough(samples):
        samples.append(seconds_of(run))
    return SCHEME.estimate(samples).seconds


def measure_bandwidth(size: int) -> float:
    """Measure the bytes a second that a copy on the device reads and writes."""
    source, target = xp.ones(size, np.uint8), xp.empty(size, np.uint8)

    def copy():
        target[:] = source

    return 2 * size / best_seconds(copy)


def find_graph(specification: str, data: Path) -> Graph | None:
    """Generate a graph, or read a file if it is found."""
    if specification != NEW_YORK:
        return graph_of(specification)
    path = next(data.rglob(NEW_YORK), None)
    return None if path is None else graph_of(str(path))


def check(specifications: Iterable[str], data: Path, clock: Clock) -> list[dict[str, Any]]:
    """Compare every algorithm with the reference."""
    rows = []
    for specification in specifications:
        graph = find_graph(specification, data)
        if graph is None:
            clock.left_out.append(f"{specification}: not found")
            continue
        expected = solve(graph, backend=REFERENCE).edges
        for name in ALGORITHMS:
            if clock.has_time(f"check of {name} on {specification}"):
                forest = solve(graph, algorithm=name, backend="cuda")
                row = {"graph": specification, "algorithm": name, "first_seconds": forest.seconds}
                rows.append({**row, "equal": bool(np.array_equal(forest.edges, expected))})
                print(json.dumps(rows[-1]), flush=True)
    return rows


def measure(graph: Graph, clock: Clock, bandwidth: float) -> dict[str, Any]:
    """Measure one graph; see the docstring of this module."""
    there = DeviceGraph(graph.u, graph.v, graph.w, graph.n)
    expected = solve(graph, backend=REFERENCE).edges
    answer = solve(there, on_device=True).to_host()
    graph_bytes = graph.u.nbytes + graph.v.nbytes + graph.w.nbytes
    named_bytes = sum(sum(steps.values()) for steps in bytes_of_steps(graph, answer.algorithm))
    others = [name for name in ALGORITHMS if name != answer.algorithm]
    return {
        "vertices": graph.n,
        "edges": graph.m,
        "algorithm": answer.algorithm,
        "equal": bool(np.array_equal(answer.edges, expected)),
        "rounds": len(answer.rounds),
        "seconds": {
            "on the device": best_seconds(lambda: solve(there, on_device=True)),
            "with copies": best_seconds(lambda: solve(graph, backend="cuda")),
            REFERENCE: best_seconds(lambda: solve(graph, backend=REFERENCE)),
            "graph read": graph_bytes / bandwidth,
            "bytes named": named_bytes / bandwidth,
        },
        **profile(there, answer.algorithm),
        "others": {
            name: best_seconds(lambda name=name: solve(there, algorithm=name, on_device=True))
            for name in others
            if clock.has_time(f"{name} on {graph.n} vertices, {graph.m} edges")
        },
    }


def compare_with_ecl_mst(graph: Graph, program: Path) -> dict[str, Any]:
    """Time ECL-MST and the default algorithm on one graph with 32-bit weights."""
    there = DeviceGraph(graph.u, graph.v, graph.w, graph.n)
    row = {"default": best_seconds(lambda: solve(there, on_device=True))}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.egr")
        write_ecl_graph(graph, path)
        environment = os.environ | {"CUDA_MODULE_LOADING": "EAGER"}
        samples = []
        for _ in range(RUNS_OF_ECL_MST):
            done = subprocess.run(
                [program, path], env=environment, capture_output=True, text=True, check=True
            )
            assert "all good" in done.stdout, done.stdout
            samples.append(float(re.findall(r"Dev.: +([0-9.]+) s", done.stdout)[0]))
    return row | {"ECL-MST": min(samples)}


def write_ecl_graph(graph: Graph, path: Path) -> None:
    """Write a graph as ECL-MST reads it: both arcs of each edge, sorted by their tail."""
    tail, head = xp.asarray(np.r_[graph.u, graph.v]), xp.asarray(np.r_[graph.v, graph.u])
    order = xp.argsort(tail)
    begins = xp.searchsorted(tail[order], xp.arange(graph.n + 1))
    weight = xp.asarray(np.r_[graph.w, graph.w])
    with path.open("wb") as file:
        np.array([graph.n, 2 * graph.m], np.int32).tofile(file)
        for column in (begins, head[order], weight[order]):
            as_numpy(column).astype(np.int32).tofile(file)


def seconds_of_first_solves() -> list[float]:
    """Time the first solve of two processes: one compiles the kernels, the other has them in the cache."""
    command = (
        "from boruvka import generators, minimum_spanning_forest as solve;"
        "graph = generators.random(20000, 100000);"
        "print(sum(solve(graph, algorithm=x, backend='cuda').seconds for x in ('boruvka', 'filter-boruvka')))"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"BORUVKA_CACHE_DIR": folder}
        run = [sys.executable, "-c", command]
        return [float(subprocess.check_output(run, env=environment)) for _ in range(2)]


class WaitingLog(RoundLog):
    """A log whose steps end when the device has finished them."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:  # type: ignore[override]
        """Add the time of a block, and of the kernels it launches, to a step."""
        with super().step(name):
            yield
            synchronize()


def profile(graph: DeviceGraph, algorithm: str) -> dict[str, Any]:
    """Run an algorithm once more: seconds of each step in all rounds, launches, and peak memory."""
    launches: list[float] = []
    launch, log, backend = kernels.launch, WaitingLog(), get_backend("cuda", 1)

    def timed_launch(*arguments: Any) -> None:
        begin = time.perf_counter()
        launch(*arguments)
        launches.append(time.perf_counter() - begin)

    edges = EdgeList.of(graph, False, backend)
    pool = None if IS_SIMULATED else xp.cuda.MemoryPool()
    kernels.launch = timed_launch
    try:
        with nullcontext() if pool is None else xp.cuda.using_allocator(pool.malloc):
            registry.ALGORITHMS[algorithm].run(edges, backend, log)
    finally:
        kernels.launch = launch
    seconds: dict[str, float] = {}
    for step, spent in (item for round_ in log.rounds for item in round_.seconds.items()):
        seconds[step] = seconds.get(step, 0.0) + spent
    return {
        "steps": seconds,
        "launches": {"count": len(launches), "host_seconds": sum(launches)},
        "peak_bytes": 0 if pool is None else pool.total_bytes(),
    }


def tables(found: dict[str, Any]) -> Iterator[Table]:
    """Make tables of the measurements."""
    times, algorithms, peers, header = [], [], [], ("graph",)
    for name, row in found["measured"].items():
        seconds, launches = row["seconds"], row["launches"]["count"]
        header = ("graph", *seconds, "rounds", "launches")
        times.append((name, *map(milliseconds, seconds.values()), str(row["rounds"]), str(launches)))
        if "ecl-mst" in row:
            peers.append((name, *map(milliseconds, row["ecl-mst"].values())))
        of_algorithm = {**row["others"], row["algorithm"]: seconds["on the device"]}
        algorithms.append((name, *(milliseconds(of_algorithm.get(x)) for x in ALGORITHMS)))
    title = f"{found['device']['name']}, a copy on it moves {found['copy_gb_per_s']:.0f} GB/s"
    remarks = tuple(f"left out: {what}" for what in found["left_out"])
    yield Table(f"{title}: milliseconds", header, tuple(times))
    yield Table("Milliseconds on the device", ("graph", *ALGORITHMS), tuple(algorithms), remarks)
    if peers:
        title = "Milliseconds on the device, weights of 32 bits"
        yield Table(title, ("graph", "default", "ECL-MST"), tuple(peers))


if __name__ == "__main__":
    sys.exit(main())
