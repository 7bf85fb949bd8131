"""Forests on Dask and on Spark, on Linux with Java."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from lab.harness.command import FILE, check_output, finish, output_option, runs_option, show
from lab.harness.programs import MEASURED, in_turn, summary
from lab.harness.results import Record, Rows
from lab.stream import kronecker

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
THREADS = f"""
    sys.path.insert(0, {str(Path(__file__).parents[1])!r})  # the script is elsewhere
    from boruvka.stream.remote.frame_forest import ParquetParts
    from boruvka.stream.remote.driver import minimum_spanning_forest
    from lab.threads_engine import Threads
    def solve(path):
        files = ParquetParts.of(path, (None, None, None))
        return minimum_spanning_forest(Threads(files.parts, 2), files.columns, **files.known(None, None))
"""
DASK_FRAME = """
    from dask.dataframe import read_parquet
    frame = read_parquet(path, split_row_groups=True)
"""
SPARK_FRAME = """
    frame = session.read.parquet(path)
"""
WAYS = {
    "in memory": ("    import boruvka", "boruvka.minimum_spanning_forest(boruvka.read(path), threads=2)"),
    "threads": (THREADS, "solve(path)"),
    "Dask, files": (DASK, "dask.minimum_spanning_forest(path)"),
    "Dask, frame": (DASK + DASK_FRAME, "dask.minimum_spanning_forest(frame)"),
    "Spark, files": (SPARK, "spark.minimum_spanning_forest(path)"),
    "Spark, frame": (SPARK + SPARK_FRAME, "spark.minimum_spanning_forest(frame)"),
}
"""The start of each way, and the call that is timed. "threads" is the same code on threads of a process."""


def program(start: str, solve: str) -> str:
    """Return a program that starts an engine once, and solves several times, the first time uncounted."""
    return f"""{MEASURED}
import os
def main():
    path, runs = sys.argv[1], int(sys.argv[2])
    begin = time.perf_counter()
{start}
    started = time.perf_counter() - begin
    for k in range(runs + 1):
        begin = time.perf_counter()
        found = {solve}
        forest = getattr(found, "forest", found)
        moved = found.received / (forest.graph.m * 12) if hasattr(found, "received") else None
        if k:
            measured(begin, forest, start=started, moved=moved, sent=getattr(found, "sent", None))
if __name__ == "__main__":
    main()
"""


def measure(path: Path, runs: int, ways: list[str]) -> Rows:
    """Time each way: its start, and its solves."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        scripts = {}
        for i, way in enumerate(ways):  # workers import a file
            script = Path(folder) / f"way{i}.py"
            script.write_text(program(*WAYS[way]), encoding="utf-8")
            scripts[way] = [str(script), str(path), str(runs)]
        for way, ones in in_turn(scripts, 1, show, warm=False).items():
            shares = {"moved %": (ones[-1]["moved"], 100), "sent to a worker MB": (ones[-1]["sent"], 1e-6)}
            found = {name: None if x is None else x * factor for name, (x, factor) in shares.items()}
            rows.append({"way": way, "start s": ones[0]["start"], **summary(ones), **found})
    return rows


@click.command()
@click.option("--scale", default=20, show_default=True, help="Kronecker graph of 2**SCALE vertices.")
@click.option("--way", "ways", multiple=True, type=click.Choice(list(WAYS)), help="May be repeated.")
@click.option("--folder", type=FILE, help="Where the graph is kept; by default it is removed.")
@runs_option
@output_option
def command(scale: int, ways: tuple[str, ...], folder: Path | None, runs: int, output: Path | None) -> None:
    """Measure forests on Dask and Spark, and by the same code on threads, each in its own process.

    A Kronecker graph is one Parquet file. All forests are compared. "moved" is the bytes of edges that
    workers sent to the driver, as a share of the bytes of all edges as arrays.
    """
    check_output(output)
    with tempfile.TemporaryDirectory() as temporary:
        path = kronecker((folder or Path(temporary)) / f"kronecker-{scale}.parquet", scale)
        rows = measure(path, runs, list(ways or WAYS))
    finish(Record("clusters", {"ways": rows}, {"scale": scale}), output)
