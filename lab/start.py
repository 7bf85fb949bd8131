"""Whole processes, from their start to their end."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import click
import numpy as np

from boruvka import generators, write
from lab.harness.command import check_output, finish, output_option, runs_option, show
from lab.harness.programs import in_turn, summary
from lab.harness.results import Record, Rows

LOAD = "import numpy as np\nu, v, w = np.load(r'{folder}/graph.npz').values()\n"
FLOORS = {"import numpy": "import numpy", "import numpy, load arrays": LOAD}
PROGRAMS = {
    "import boruvka": "import numpy, boruvka",
    "one forest": LOAD + "import boruvka\nboruvka.minimum_spanning_forest((u, v, w)).edges",
    "one forest of 1,000 edges": LOAD
    + "import boruvka\nboruvka.minimum_spanning_forest((u[:1000], v[:1000], w[:1000])).edges",
    "SciPy: one forest": LOAD
    + (
        "from scipy.sparse import coo_array\n"
        "from scipy.sparse.csgraph import minimum_spanning_tree\n"
        "n = int(max(u.max(), v.max())) + 1\n"
        "minimum_spanning_tree(coo_array((w, (u, v)), shape=(n, n)).tocsr())"
    ),
}
COMMANDS = {
    "boruvka --help": ["--help"],
    "boruvka solve roads.gr.gz": ["solve", "{folder}/roads.gr.gz", "--quiet"],
    "boruvka verify": ["verify", "{folder}/roads.gr.gz", "{folder}/forest.csv"],
}


def prepare(folder: Path, n: int) -> None:
    """Write a graph of nine edges a vertex, and a road network of 3,400 vertices with its forest."""
    graph = generators.random(n, 9 * n, seed=1)
    np.savez(folder / "graph.npz", u=graph.u, v=graph.v, w=graph.w)
    write(generators.grid(58, 58, seed=1, dtype="int64"), folder / "roads.gr.gz")
    words = ["-m", "boruvka", "solve", f"{folder}/roads.gr.gz", "-o", f"{folder}/forest.csv"]
    subprocess.run([sys.executable, *words], check=True, capture_output=True)


def measure(runs: int, n: int = 100_000) -> Rows:
    """Time each command; the floor is the time of NumPy alone, and the arrays if the command loads them."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), n)
        lines = {name: ["-c", code.format(folder=folder)] for name, code in {**FLOORS, **PROGRAMS}.items()}
        for name, words in COMMANDS.items():
            lines[name] = ["-m", "boruvka", *(word.format(folder=folder) for word in words)]
        found = in_turn(lines, runs, show, PYTHONPYCACHEPREFIX=f"{folder}/bytecode")
    rows = [{"process": name, **summary(ones)} for name, ones in found.items()]
    best = {row["process"]: row["best s"] for row in rows}
    for row in rows:
        floor = best[list(FLOORS)["forest" in row["process"]]]
        row["beyond NumPy s"] = None if row["process"] in FLOORS else row["best s"] - floor
    return rows


@click.command()
@runs_option
@output_option
def command(runs: int, output: Path | None) -> None:
    """Measure whole processes: import, one forest of 900,000 edges or of 1,000, SciPy, the command line."""
    check_output(output)
    finish(Record("start", {"processes": measure(runs)}), output)
