"""The CUDA backend: answers compared with threads of the host, and times."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from boruvka import Forest, Graph, minimum_spanning_forest, stream
from boruvka.backends import why_not
from boruvka.backends.cuda.arrays import as_numpy, xp
from boruvka.backends.cuda.compiler import IS_SIMULATED
from boruvka.errors import BackendError, BoruvkaError
from boruvka.graph.graph import DeviceGraph
from lab.contestants.ours import Ours
from lab.harness.command import FILE, check_output, finish, output_option, show
from lab.harness.contestant import Contestant, Outcome, Timing
from lab.harness.graphs import graph_of, title_of
from lab.harness.machine import describe
from lab.harness.results import GraphResult, Record, remarks_of, times_of
from lab.harness.schemes import KBest, Scheme
from lab.harness.turns import Plan, race

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
"""The backend of the host with which times are compared."""
CHECKED = (
    "random:n=100000,m=900000,seed=1,dtype=float32",
    "random:n=100000,m=900000,seed=2,dtype=float64",
    "random:n=50000,m=300000,seed=3,dtype=int8,weights=integers_8",
    "random:n=50000,m=300000,seed=4,dtype=int64",
    "kronecker:scale=15,seed=1",
    "grid:rows=600,cols=600,drop_probability=0.1,shuffle=true,seed=1",
    "star:n=100000,seed=1",
    "path:n=1000000,seed=1,weights=constant",
)
MEASURED = (
    "rmat:scale=22,m=32800000,a=0.57,b=0.19,c=0.19,d=0.05,permute=true,seed=1,dtype=float32",
    "kronecker:scale=22,edge_factor=16,seed=1,dtype=float32",
    "random:n=5000000,m=30000000,seed=1,dtype=float32",
    "grid:rows=4894,cols=4894,drop_probability=0.39,seed=1,dtype=float32",
)
ON_DEVICE, WITH_COPIES = "on the device", "with copies"
STREAM_BATCH = 1 << 22
"""Edges of a batch of a stream."""


class OnDevice(Ours):
    """An algorithm on the GPU, with the graph there."""

    def __init__(self, algorithm: str, name: str = ""):
        super().__init__(algorithm, name or algorithm, parallel=False)

    def prepare(self, graph: Graph) -> DeviceGraph:
        return DeviceGraph(graph.u, graph.v, graph.w, graph.n)

    def synchronize(self) -> None:
        if not IS_SIMULATED:
            xp.cuda.runtime.deviceSynchronize()

    def solve(self, native: Any) -> Any:
        return minimum_spanning_forest(native, algorithm=self.algorithm, on_device=True)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        forest = answer.to_host()
        return Outcome.of(forest.w, forest.edges)

    def timing(self, answer: Any, seconds: float) -> Timing:
        return Timing((seconds,))


class OnBackend(Ours):
    """The default algorithm on a backend, with the graph on the host."""

    def __init__(self, backend: str, name: str):
        super().__init__("auto", name, parallel=False)
        self.backend = backend

    def solve(self, native: Any) -> Any:
        return minimum_spanning_forest(native, backend=self.backend)


class Streamed(OnBackend):
    """A stream of the edges, from memory: what a backend does with batches that were read."""

    def solve(self, native: Any) -> Forest:
        batches = (
            tuple(column[begin : begin + STREAM_BATCH] for column in (native.u, native.v, native.w))
            for begin in range(0, native.m, STREAM_BATCH)
        )
        return stream.minimum_spanning_forest(batches, backend=self.backend)


class EclMst(Contestant):
    """The CUDA program ECL-MST (github.com/burtscher/ECL-MST), which checks its own answer on the host.

    It takes weights of 32 bits, reads both arcs of each edge, sorted by their tail, and reports its own time,
    without copies.
    """

    name = "ECL-MST"
    repeated = False

    def __init__(self, program: Path):
        self.program = program

    def refusal(self, graph: Graph) -> str:
        return "" if graph.w.dtype == np.int32 else f"takes weights of int32, not {graph.w.dtype}"

    def prepare(self, graph: Graph) -> Path:
        path = Path(tempfile.mkdtemp()) / "graph.egr"
        tail, head = xp.asarray(np.r_[graph.u, graph.v]), xp.asarray(np.r_[graph.v, graph.u])
        order = xp.argsort(tail)
        begins = xp.searchsorted(tail[order], xp.arange(graph.n + 1))
        weight = xp.asarray(np.r_[graph.w, graph.w])
        with path.open("wb") as file:
            np.array([graph.n, 2 * graph.m], np.int32).tofile(file)
            for column in (begins, head[order], weight[order]):
                as_numpy(column).astype(np.int32).tofile(file)
        return path

    def solve(self, native: Path) -> str:
        environment = os.environ | {"CUDA_MODULE_LOADING": "EAGER"}
        command = [str(self.program), str(native)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    def timing(self, answer: str, seconds: float) -> Timing:
        return Timing((float(re.findall(r"Dev.: +([0-9.]+) s", answer)[0]),))

    def outcome(self, native: Path, answer: str) -> None:
        if "all good" not in answer:
            raise BoruvkaError(f"wrong by its own check: {answer[-200:]}")


def device() -> dict[str, str]:
    """Describe the device, its software, and the bytes a second that a copy on it reads and writes."""
    if IS_SIMULATED:
        return {"device": "Numba's simulator"}
    runtime = xp.cuda.runtime
    properties = runtime.getDeviceProperties(runtime.getDevice())
    source, target = xp.ones(1 << 30, np.uint8), xp.empty(1 << 30, np.uint8)
    seconds = []
    for _ in range(10):
        runtime.deviceSynchronize()
        begin = time.perf_counter()
        target[:] = source
        runtime.deviceSynchronize()
        seconds.append(time.perf_counter() - begin)
    return {
        "device": properties["name"].decode(),
        "device memory": f"{properties['totalGlobalMem'] / 2**30:.0f} GiB",
        "copy on the device": f"{2 * 2**30 / min(seconds) / 1e9:.0f} GB/s",
        "cupy": xp.__version__,
    }


def measure(names: tuple[str, ...], contestants: list[Contestant], scheme: Scheme) -> Iterator[GraphResult]:
    """Race on graphs; every answer is compared with the answer of the host, which is verified."""
    plan = Plan(contestants, scheme=scheme, in_process=True)
    return (race(title_of(name), graph_of(name), plan, show) for name in names)


@click.command()
@click.argument("graphs", metavar="[GRAPH]...", nargs=-1)
@click.option("--check", is_flag=True, help="Only compare the answers of all algorithms, on small graphs.")
@click.option("--seconds", default=20.0, show_default=True, help="Of the runs of a contestant on a graph.")
@click.option("--ecl-mst", type=FILE, metavar="PROGRAM", help="ECL-MST, to compare with.")
@output_option
def command(
    graphs: tuple[str, ...], check: bool, seconds: float, ecl_mst: Path | None, output: Path | None
) -> int:
    """Check the CUDA backend against threads of the host, then measure it.

    Measured are all algorithms for GPUs with the graph on the device, the default with copies from and to the
    host, the threads of the host, and streams of the edges from memory on both. With --ecl-mst, weights are
    int32 and the program takes part.
    """
    check_output(output)
    if problem := why_not("cuda"):
        raise BackendError(f"nothing to measure: {problem}")
    algorithms: list[Contestant] = [OnDevice(name) for name in ALGORITHMS]
    once = KBest(runs=1, most=1)
    checked = list(measure(() if graphs else CHECKED, algorithms, once))
    measured: list[GraphResult] = []
    about = describe() | device()

    def record() -> Record:
        tables = {"checks": times_of(checked), **({} if check else {"times": times_of(measured)})}
        return Record("gpu", tables, {}, remarks_of(checked + measured), machine=about)

    if not check:
        contestants = [
            OnDevice("auto", ON_DEVICE),
            OnBackend("cuda", WITH_COPIES),
            OnBackend(REFERENCE, REFERENCE),
            Streamed("cuda", "stream, GPU"),
            Streamed(REFERENCE, "stream, threads"),
            *algorithms,
            *([EclMst(ecl_mst)] if ecl_mst else []),
        ]
        names = tuple(x.replace("float32", "int32") if ecl_mst else x for x in graphs or MEASURED)
        for result in measure(names, contestants, KBest(most=10, seconds=seconds)):
            measured.append(result)
            if output is not None:
                record().write(output)
    finish(record(), output)
    return int(any(entry.error for graph in checked + measured for entry in graph.entries))
