"""Forests of streamed edges, on Linux."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import numpy as np

from boruvka import generators
from lab.harness.command import FILE, check_output, finish, output_option, runs_option, show
from lab.harness.programs import MEASURED, in_turn, summary
from lab.harness.results import Record, Rows

BEGIN = MEASURED + "path, memory, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])\n"
STREAM = "from boruvka import stream\n"
SOLVE = "forest = stream.minimum_spanning_forest(path, memory=memory, threads=threads)\n"
CLOCK, DONE = "begin = time.perf_counter()\n", "measured(begin, forest)\n"
WAYS = {
    "decode": BEGIN
    + """
import pyarrow.parquet as pq
from concurrent.futures import ThreadPoolExecutor
begin = time.perf_counter()
files = sorted(Path(path).glob("*.parquet")) or [path]
footers = [pq.ParquetFile(file, pre_buffer=False).metadata for file in files]
def read(of):
    k, i = of
    file = pq.ParquetFile(files[k], metadata=footers[k], pre_buffer=False)
    for batch in file.iter_batches(1 << 18, [i], use_threads=False):
        [column.to_numpy() for column in batch.columns]
with ThreadPoolExecutor(threads) as pool:
    list(pool.map(read, [(k, i) for k, footer in enumerate(footers) for i in range(footer.num_row_groups)]))
measured(begin)
""",
    "in memory": BEGIN
    + "import boruvka\n"
    + CLOCK
    + "forest = boruvka.minimum_spanning_forest(boruvka.read(path), threads=threads)\n"
    + DONE,
    "stream": BEGIN + STREAM + CLOCK + SOLVE + DONE,
    "verify": BEGIN + STREAM + SOLVE + CLOCK + "assert stream.verify(path, forest, threads=threads)\n" + DONE,
}
"""Programs by name; "decode" reads all row groups with pyarrow and does nothing with them."""
MAKE = (
    BEGIN
    + """
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
)
WAYS_OF_BATCHES = {
    "make": MAKE + CLOCK + "for batch in batches(): pass\nmeasured(begin)\n",
    "stream": MAKE + CLOCK + SOLVE.replace("(path,", "(batches(), n=n,") + DONE,
}
"""The same where batches of random edges are made as they are read; "make" only makes them."""
LARGE = 2**26, 2**28, 2**30, 10**10
"""Numbers of edges that are generated as they are read."""
ORDERS = ("generated", "ascending", "descending", "equal", "sawtooth", "many components")


def kronecker(path: Path, scale: int, seed: int = 1, order: str = "generated") -> Path:
    """Write a Kronecker graph with 16 edges a vertex, unless it is there, as other programs do.

    Row groups have a million rows, compressed by Snappy. Its edges may be in another order, or have other
    weights or ends.
    """
    import pyarrow
    import pyarrow.parquet

    if path.exists():
        return path
    graph = generators.kronecker(scale, 16, seed=seed)
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
    table = pyarrow.table({"u": u[places], "v": v[places], "w": w[places]})
    pyarrow.parquet.write_table(table, path, use_dictionary=False)
    return path


def measure(
    name: str, ways: Mapping[str, str], path: Any, memory: str, threads: int, runs: int, warm: bool = True
) -> Rows:
    """Time ways in turn; ratios are to a solve in memory, or else to the first way."""
    programs = {way: ["-c", text, str(path), memory, str(threads)] for way, text in ways.items()}
    found = in_turn(programs, runs, lambda doing: show(f"{name}: {doing}"), warm)
    rows = [{"graph": name, "way": way, **summary(ones)} for way, ones in found.items()]
    base = next((row for row in rows if row["way"] == "in memory"), rows[0])
    return [{**row, "ratio": row["best s"] / base["best s"]} for row in rows]


@click.command()
@click.option("--scale", default=22, show_default=True, help="Kronecker graph of 2**SCALE vertices.")
@click.option("--order-scale", default=20, show_default=True, help="The same for other orders of edges.")
@click.option("--memory", default="600M", show_default=True)
@click.option("--threads", default=2, show_default=True)
@click.option("--folder", type=FILE, help="Where graphs are kept; by default they are removed.")
@click.option("--large", is_flag=True, help="Measure larger graphs instead, once each; takes half an hour.")
@runs_option
@output_option
def command(
    scale: int,
    order_scale: int,
    memory: str,
    threads: int,
    folder: Path | None,
    large: bool,
    runs: int,
    output: Path | None,
) -> None:
    """Measure forests of streamed Parquet files, in processes that take turns.

    Times are of the work, without the start of the process; memory is its peak, including imports.
    With --large: 2**29 edges in eight files, and batches of random edges, up to 10**10.
    """
    check_output(output)
    rows: Rows = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = folder or Path(temporary)
        if large:
            parts = folder / "parts"
            parts.mkdir(exist_ok=True)
            for seed in range(8):
                kronecker(parts / f"part-{seed}.parquet", 22, seed)
            ways = {way: WAYS[way] for way in ("decode", "stream", "verify")}
            rows += measure("Kronecker 22, 2^29 edges in 8 files", ways, parts, memory, threads, 1, False)
            for edges in LARGE:
                name = f"{edges:,} random edges of 2^22 vertices"
                rows += measure(name, WAYS_OF_BATCHES, edges, "1G", threads, 1, False)
        else:
            path = kronecker(folder / f"kronecker-{scale}.parquet", scale)
            rows += measure(f"Kronecker {scale}", WAYS, path, memory, threads, runs)
            two = {way: WAYS[way] for way in ("in memory", "stream")}
            for order in ORDERS:
                path = kronecker(folder / f"{order_scale}-{order}.parquet", order_scale, order=order)
                rows += measure(f"Kronecker {order_scale}, {order}", two, path, "300M", threads, runs)
    finish(Record("stream", {"ways": rows}, {"threads": threads, "memory": memory}), output)
