"""Measure forests of streamed edges, on Linux: ``python benchmarks/stream.py``.

Each way runs in its own process, and the ways take turns. Graphs are Parquet files, made once. "Decode" reads
all row groups with pyarrow on as many threads, and does nothing with them. "In memory" reads the file and
solves the graph. With ``--large``, other graphs are measured instead, once each: 2**29 edges in eight files,
and batches of random edges that are made as they are read, up to 10**10; "make" only makes them. Times are
those of the work, without the start of the process; memory is its peak, including imports. All forests of
a graph are compared. Results are written beside this file, with the machine.
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
files = sorted(Path(path).glob("*.parquet")) or [path]
footers = [pq.ParquetFile(file, pre_buffer=False).metadata for file in files]
def read(of):
    k, i = of
    file = pq.ParquetFile(files[k], metadata=footers[k], pre_buffer=False)
    for batch in file.iter_batches(1 << 18, [i], use_threads=False):
        [column.to_numpy() for column in batch.columns]
with ThreadPoolExecutor(threads) as pool:
    list(pool.map(read, [(k, i) for k, footer in enumerate(footers) for i in range(footer.num_row_groups)]))
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
MAKE = """
import numpy as np
from boruvka import stream
n, left = 1 << 22, int(path)
def batches():
    global left
    words = np.random.SFC64(1)
    while left:
        size = min(left, 1 << 20)
        left -= size
        bits = words.random_raw(size)  # 22 for each end, 20 for the weight
        u, v, w = bits & (n - 1), bits >> 22 & (n - 1), bits >> 44
        yield u.astype(np.uint32), v.astype(np.uint32), w.astype(np.float32)
"""
WAYS_OF_BATCHES = {
    "make": TIMED.format(imports=MAKE, work="for batch in batches(): pass", forest="None"),
    "stream": TIMED.format(
        imports=MAKE,
        work="forest = stream.minimum_spanning_forest(batches(), n=n, memory=memory, threads=threads)",
        forest=FOREST,
    ),
}
LARGE = 2**26, 2**28, 2**30, 10**10
"""Numbers of edges that are generated as they are read."""
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
    parser.add_argument("--large", action="store_true", help="measure larger graphs; takes half an hour")
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments.large:
        return measure_large(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        plan = {f"Kronecker {arguments.scale}": (kronecker(folder, arguments.scale), arguments.memory, WAYS)}
        two = {way: WAYS[way] for way in ("in memory", "stream")}
        for order in ORDERS:
            path = reordered(folder, arguments.order_scale, order)
            plan[f"Kronecker {arguments.order_scale}, {order}"] = path, "300M", two
        results = {name: measure(*how, arguments.threads, arguments.runs) for name, how in plan.items()}
    report(arguments.output, arguments.threads, results)
    return 0


def measure_large(arguments: argparse.Namespace) -> int:
    """Measure 2**29 edges in files, then batches of ever more edges; write each result when it is known."""
    output, results = arguments.output.with_stem(f"{arguments.output.stem}-large"), {}
    with tempfile.TemporaryDirectory() as temporary:
        parts = kronecker_in_parts(arguments.folder or Path(temporary))
        ways = {way: WAYS[way] for way in ("decode", "stream", "verify")}
        results["Kronecker 22, 2^29 edges in 8 files"] = measure(
            parts, arguments.memory, ways, arguments.threads, 1, warm=False
        )
        report(output, arguments.threads, results)
    for edges in LARGE:
        name = f"{edges:,} random edges of 2^22 vertices"
        results[name] = measure(edges, "1G", WAYS_OF_BATCHES, arguments.threads, 1, warm=False)
        report(output, arguments.threads, results)
    return 0


def report(output: Path, threads: int, results: dict[str, Any]) -> None:
    """Write and print results."""
    record = {"machine": describe(), "versions": versions(), "threads": threads, "results": results}
    output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(markdown(table_of(results)), flush=True)


def kronecker_in_parts(folder: Path) -> Path:
    """Write 2**29 edges of Kronecker graphs of 2**22 vertices, an eighth to a file, unless they are there."""
    path = folder / "kronecker-22-parts"
    path.mkdir(exist_ok=True)
    for seed in range(8):
        if not (part := path / f"part-{seed}.parquet").exists():
            graph = generators.kronecker(22, 16, seed=seed)
            write(part, graph.u, graph.v, graph.w)
    return path


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


def measure(
    path: Path | int, memory: str, ways: dict[str, str], threads: int, runs: int, warm: bool = True
) -> dict[str, Any]:
    """Time ways in turn, after one run of each if ``warm``; check that all find the same forest."""
    found: dict[str, Any] = {way: {"seconds": [], "peak": []} for way in ways}
    forests = set()
    for k in range(1 - warm, runs + 1):
        for way, program in ways.items():
            line = [sys.executable, "-c", program, str(path), memory, str(threads)]
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
    """Make a table of best and median times, relative to a solve in memory, or else to the first way."""
    rows = []
    for name, ways in results.items():
        base = min(ways["in memory" if "in memory" in ways else next(iter(ways))]["seconds"])
        for way, one in ways.items():
            best, median = min(one["seconds"]), statistics.median(one["seconds"])
            rows.append(
                (name, way, f"{best:.2f}", f"{median:.2f}", f"{best / base:.2f}", str(max(one["peak"])))
            )
    header = ("graph", "way", "best, s", "median, s", "ratio", "peak, MB")
    return Table("Streamed edges", header, tuple(rows))


if __name__ == "__main__":
    sys.exit(main())
