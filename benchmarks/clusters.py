"""Measure forests on Dask and on Spark, on Linux with Java: ``python benchmarks/clusters.py``.

A Kronecker graph is one Parquet file, made once. "Threads" is the same code on the threads of one process.
Each engine runs in its own process; its start is timed separately. All forests are compared with that of a
solve in memory. "Moved" is the bytes of edges that workers sent to the driver, as a share of the bytes of all
edges as arrays. Results are written beside this file, with the machine.
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

from boruvka import generators
from boruvka.bench.machine import describe, versions
from boruvka.bench.tables import Table, markdown

TIMED = r"""
import json, os, sys, time
def main():
    path, runs = sys.argv[1], int(sys.argv[2])
    begin = time.perf_counter()
{start}
    started = time.perf_counter() - begin
    seconds = []
    for _ in range(runs + 1):
        begin = time.perf_counter()
{solve}
        seconds.append(time.perf_counter() - begin)
    share = None if found is None else found.received / (forest.graph.m * 12)
    sent = None if found is None else found.sent
    digest = [len(forest), int(forest.edges.sum()), float(forest.weight)]
    found = dict(start=started, seconds=seconds[1:], moved=share, sent=sent, forest=digest)
    print(json.dumps(found), flush=True)
if __name__ == "__main__":
    main()
"""
DASK = """
    from boruvka import dask
    from dask.distributed import Client, LocalCluster
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=None)
    client = Client(cluster)
"""
SPARK = """
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from boruvka import spark
    from pyspark.sql import SparkSession
    local = "127.0.0.1"
    builder = SparkSession.builder.master("local[2,4]").config("spark.driver.memory", "3g")
    builder = builder.config("spark.driver.bindAddress", local).config("spark.driver.host", local)
    builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    session = builder.getOrCreate()
    session.range(10).count()
"""
WAYS = {
    "in memory": TIMED.format(
        start="    import boruvka",
        solve="        found, forest = None, boruvka.minimum_spanning_forest(boruvka.read(path), threads=2)",
    ),
    "threads": TIMED.format(
        start="""
    from boruvka.engines.parquet import ParquetParts
    from boruvka.engines.solve import minimum_spanning_forest
    from boruvka.engines.threads import Threads
""",
        solve="""
        files = ParquetParts.of(path, (None, None, None))
        engine, how = Threads(files.parts, 2), dict(largest=files.largest, is_stable=True)
        found = minimum_spanning_forest(engine, files.columns, list, **how)
        forest = found.forest
""",
    ),
    "Dask, files": TIMED.format(
        start=DASK,
        solve="""
        found = dask.minimum_spanning_forest(path)
        forest = found.forest
""",
    ),
    "Dask, frame": TIMED.format(
        start=DASK
        + """
    from dask.dataframe import read_parquet
    frame = read_parquet(path, split_row_groups=True)
""",
        solve="""
        found = dask.minimum_spanning_forest(frame)
        forest = found.forest
""",
    ),
    "Spark, files": TIMED.format(
        start=SPARK,
        solve="""
        found = spark.minimum_spanning_forest(path)
        forest = found.forest
""",
    ),
    "Spark, frame": TIMED.format(
        start=SPARK + "    frame = session.read.parquet(path)",
        solve="""
        found = spark.minimum_spanning_forest(frame)
        forest = found.forest
""",
    ),
}


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=int, default=20, help="Kronecker graph of 2**SCALE vertices")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--ways", nargs="*", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--folder", type=Path, help="where the graph is kept; by default it is removed")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("clusters.json"))
    arguments = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    results = {}
    if arguments.output.exists():
        results = json.loads(arguments.output.read_text(encoding="utf-8"))["results"]
    with tempfile.TemporaryDirectory() as temporary:
        path = kronecker(arguments.folder or Path(temporary), arguments.scale)
        for way in arguments.ways:
            results[way] = measure(way, path, arguments.runs)
    forests = {tuple(one["forest"]) for one in results.values()}
    if len(forests) != 1:
        raise SystemExit(f"the forests differ: {forests}")
    record = {
        "machine": describe(),
        "versions": versions(),
        "scale": arguments.scale,
        "results": {way: results[way] for way in WAYS if way in results},
    }
    arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(markdown(table_of(record["results"])))
    return 0


def kronecker(folder: Path, scale: int) -> Path:
    """Write a Kronecker graph with 16 edges a vertex in row groups of a million, unless it is there."""
    import pyarrow
    import pyarrow.parquet

    path = folder / f"kronecker-{scale}.parquet"
    if not path.exists():
        graph = generators.kronecker(scale, 16, seed=1)
        table = pyarrow.table({"u": graph.u, "v": graph.v, "w": graph.w})
        pyarrow.parquet.write_table(table, path, use_dictionary=False)
    return path


def measure(way: str, path: Path, runs: int) -> dict[str, Any]:
    """Time one way, after one run that is not counted."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "way.py"
        script.write_text(WAYS[way], encoding="utf-8")
        line = [sys.executable, str(script), str(path), str(runs)]
        lines = subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return json.loads(lines[-1])


def table_of(results: dict[str, Any]) -> Table:
    """Make a table of start, best and median times, and of the bytes moved."""
    rows = []
    for way, one in results.items():
        moved = "" if one["moved"] is None else f"{one['moved']:.0%}"
        sent = "" if one["sent"] is None else f"{one['sent'] / 1e6:.1f}"
        times = (one["start"], min(one["seconds"]), statistics.median(one["seconds"]))
        rows.append((way, *(f"{x:.2f}" for x in times), moved, sent))
    header = ("way", "start, s", "best, s", "median, s", "moved", "sent to a worker, MB")
    return Table("Dask and Spark", header, tuple(rows))


if __name__ == "__main__":
    sys.exit(main())
