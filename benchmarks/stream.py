"""Measure forests of edges that pass by, on Linux: ``python benchmarks/stream.py``.

Each way is a process of its own, and the ways take turns. Graphs are Parquet files, made once. "Decode" reads
all row groups with pyarrow on as many threads, and does nothing with them. "In memory" reads the file and
solves the graph. Times are those of the work, without the start of the process; memory is its peak, with what
is imported. All forests of a graph are compared. Results are written beside this file, with the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from boruvka import generators
from boruvka.bench.machine import describe, versions
from boruvka.bench.tables import Table, markdown

TIMED = r"""
import json, re, sys, time
from pathlib import Path
path, memory, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
{imports}
begin = time.perf_counter()
{work}
seconds = time.perf_counter() - begin
peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps(dict(seconds=seconds, peak=peak, forest={forest})))
"""
FOREST = "[len(forest), int(forest.edges.sum()), float(forest.weight)]"
WAYS = {
    "decode": TIMED.format(
        imports="import pyarrow.parquet as pq\nfrom concurrent.futures import ThreadPoolExecutor",
        work="""
footer = pq.ParquetFile(path, pre_buffer=False).metadata
def read(i):
    file = pq.ParquetFile(path, metadata=footer, pre_buffer=False)
    for batch in file.iter_batches(1 << 18, [i], use_threads=False):
        [column.to_numpy() for column in batch.columns]
with ThreadPoolExecutor(threads) as pool:
    list(pool.map(read, range(footer.num_row_groups)))
""",
        forest="None",
    ),
    "in memory": TIMED.format(
        imports="import boruvka",
        work="forest = boruvka.minimum_spanning_forest(boruvka.read(path), threads=threads)",
        forest=FOREST,
    ),
    "stream": TIMED.format(
        imports="from boruvka import stream",
        work="forest = stream.minimum_spanning_forest(path, memory=memory, threads=threads)",
        forest=FOREST,
    ),
    "verify": TIMED.format(
        imports="from boruvka import stream\n"
        "forest = stream.minimum_spanning_forest(path, memory=memory, threads=threads)",
        work="assert stream.verify(path, forest, threads=threads)",
        forest=FOREST,
    ),
}
ORDERS = ("generated", "ascending", "descending", "equal", "sawtooth", "many components")


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=22, help="Kronecker graph of 2**SCALE vertices")
    parser.add_argument("--memory", default="600M")
    parser.add_argument("--order-scale", type=int, default=20, help="the same for other orders of the edges")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where graphs are kept; by default they are removed")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("stream.json"))
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        plan = {
            f"Kronecker {arguments.scale}": (kronecker(folder, arguments.scale), arguments.memory, list(WAYS))
        }
        for order in ORDERS:
            path = reordered(folder, arguments.order_scale, order)
            plan[f"Kronecker {arguments.order_scale}, {order}"] = path, "300M", ["in memory", "stream"]
        results = {name: measure(*how, arguments.threads, arguments.runs) for name, how in plan.items()}
    record = {"machine": describe(), "versions": versions(), "threads": arguments.threads, "results": results}
    arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(markdown(table_of(results)))
    return 0


def kronecker(folder: Path, scale: int) -> Path:
    """Write a Kronecker graph with 16 edges a vertex, unless it is there."""
    path = folder / f"kronecker-{scale}.parquet"
    if not path.exists():
        graph = generators.kronecker(scale, 16, seed=1)
        write(path, graph.u, graph.v, graph.w)
    return path


def reordered(folder: Path, scale: int, order: str) -> Path:
    """Write a Kronecker graph with its edges in some order, or with other weights, unless it is there."""
    path = folder / f"kronecker-{scale}-{order.replace(' ', '-')}.parquet"
    if not path.exists():
        graph = generators.kronecker(scale, 16, seed=1)
        u, v, w, places = graph.u, graph.v, graph.w, np.arange(graph.m)
        if order in ("ascending", "descending"):
            places = np.argsort(w, kind="stable")[:: 1 if order == "ascending" else -1]
        elif order == "sawtooth":  # each tooth descends
            teeth = np.array_split(places, 64)
            places = np.concatenate([tooth[np.argsort(w[tooth])[::-1]] for tooth in teeth])
        elif order == "equal":
            w = np.ones_like(w)
        elif order == "many components":  # 64 components of about the same size
            v = (v & ~np.uint32(63)) | (u & np.uint32(63))
        write(path, u[places], v[places], w[places])
    return path


def write(path: Path, u: Any, v: Any, w: Any) -> None:
    """Write columns as other programs do: row groups of a million rows, compressed by Snappy."""
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"u": u, "v": v, "w": w}), path, use_dictionary=False)


def measure(path: Path, memory: str, ways: list[str], threads: int, runs: int) -> dict[str, Any]:
    """Time ways in turn, after one run of each; check that all find one forest."""
    found: dict[str, Any] = {way: {"seconds": [], "peak": []} for way in ways}
    forests = set()
    for k in range(runs + 1):
        for way in ways:
            line = [sys.executable, "-c", WAYS[way], str(path), memory, str(threads)]
            one = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
            if one["forest"] is not None:
                forests.add(tuple(one["forest"]))
            if k:
                found[way]["seconds"].append(round(one["seconds"], 3))
                found[way]["peak"].append(round(one["peak"]))
    if len(forests) != 1:
        raise SystemExit(f"{path}: the forests differ: {forests}")
    return found


def table_of(results: dict[str, Any]) -> Table:
    """Make a table of best and median times, relative to reading and solving in memory."""
    rows = []
    for name, ways in results.items():
        base = min(ways["in memory"]["seconds"])
        for way, one in ways.items():
            best, median = min(one["seconds"]), statistics.median(one["seconds"])
            rows.append(
                (name, way, f"{best:.2f}", f"{median:.2f}", f"{best / base:.2f}", str(max(one["peak"])))
            )
    header = ("graph", "way", "best, s", "median, s", "best / in memory", "peak, MB")
    return Table("Edges that pass by", header, tuple(rows))


if __name__ == "__main__":
    sys.exit(main())
