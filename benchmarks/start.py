"""Measure whole processes, from their start to their end: ``python benchmarks/start.py``.

Each command is run in turn, several times, after one run that fills caches. The time of a process that does
nothing but import NumPy, and load the arrays if the others do, is subtracted in the column "beyond NumPy".
Bytecode is cached as for installed packages, even if the environment forbids it; else every process would
compile its modules. Results are written beside this file, with the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from boruvka import generators, write
from boruvka.bench.machine import describe, versions
from boruvka.bench.tables import Table, markdown

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


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("start.json"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = f"{folder}/bytecode"
        seconds = measure(commands_in(folder), arguments.runs, environment)
    result = {"machine": describe(), "versions": versions(), "seconds": seconds}
    arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(markdown(table_of(seconds)))
    return 0


def prepare(folder: Path) -> None:
    """Write a graph of 100,000 vertices and 900,000 edges, and a road network of 3,400 vertices."""
    graph = generators.random(100_000, 900_000, seed=1)
    np.savez(folder / "graph.npz", u=graph.u, v=graph.v, w=graph.w)
    write(generators.grid(58, 58, seed=1, dtype="int64"), folder / "roads.gr.gz")
    subprocess.run(
        [sys.executable, "-m", "boruvka", "solve", folder / "roads.gr.gz", "-o", folder / "forest.csv"],
        check=True,
        capture_output=True,
    )


def commands_in(folder: str) -> dict[str, list[str]]:
    """List the command lines."""
    programs = {**FLOORS, **PROGRAMS}
    lines = {name: [sys.executable, "-c", code.format(folder=folder)] for name, code in programs.items()}
    for name, words in COMMANDS.items():
        lines[name] = [sys.executable, "-m", "boruvka", *(word.format(folder=folder) for word in words)]
    return lines


def measure(commands: dict[str, list[str]], runs: int, environment: dict[str, str]) -> dict[str, list[float]]:
    """Time each command, in turns."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for k in range(runs + 1):
        for name, command in commands.items():
            begin = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
            if k:
                seconds[name].append(round(time.perf_counter() - begin, 4))
    return seconds


def table_of(seconds: dict[str, list[float]]) -> Table:
    """Make a table of best and median times, and how much longer than NumPy alone the best took."""
    rows = []
    for name, times in seconds.items():
        floor = list(FLOORS)["forest" in name]
        beyond = "" if name in FLOORS else f"{1000 * (min(times) - min(seconds[floor])):.0f}"
        rows.append((name, f"{1000 * min(times):.0f}", f"{1000 * statistics.median(times):.0f}", beyond))
    return Table("Whole processes, ms", ("process", "best", "median", "beyond NumPy"), tuple(rows))


if __name__ == "__main__":
    sys.exit(main())
