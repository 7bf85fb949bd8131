"""Measure verification against the solve that it checks: ``python benchmarks/verification.py``.

Each graph is solved and its forest verified, in turn, several times; a forest with its first edge left out
must not pass. Results are written beside this file, with the machine.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from boruvka import Graph, generators, minimum_spanning_forest, verify
from boruvka.bench.machine import describe, versions
from boruvka.bench.point_sets import normal, uniform
from boruvka.bench.tables import Table, markdown

GRAPHS: dict[str, Callable[[], Graph]] = {
    "uniform 1M/9M": lambda: generators.random(1_000_000, 9_000_000, seed=1),
    "uniform 1M/1.56M": lambda: generators.random(1_000_000, 1_560_000, seed=1),
    "Kronecker 20": lambda: generators.kronecker(20, seed=1),
    "grid 2000x2000, shuffled": lambda: generators.grid(2000, 2000, drop=0.1, seed=1, shuffle=True),
    "points: 1M, 2-D, uniform": lambda: Graph.from_points(uniform(1_000_000, d=2)),
    "points: 1M, 3-D, normal": lambda: Graph.from_points(normal(1_000_000, d=3)),
    "points: 1M, 5-D, uniform": lambda: Graph.from_points(uniform(1_000_000, d=5)),
    "points: 100,000, 10-D, uniform": lambda: Graph.from_points(uniform(100_000, d=10)),
}


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".json"))
    arguments = parser.parse_args()
    seconds = {name: measure(make(), arguments.runs) for name, make in GRAPHS.items()}
    result = {"machine": describe(), "versions": versions(), "seconds": seconds}
    arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(markdown(table_of(seconds)))
    return 0


def measure(graph: Graph, runs: int) -> dict[str, list[float]]:
    """Time solve and verification in turn, after one run of each."""
    seconds: dict[str, list[float]] = {"solve": [], "verify": []}
    for k in range(runs + 1):
        solve, forest = timed(lambda: minimum_spanning_forest(graph))
        check, result = timed(lambda forest=forest: verify(graph, forest))
        assert result, result.message
        if k:
            seconds["solve"].append(solve)
            seconds["verify"].append(check)
    assert not verify(graph, forest.edges[1:])
    return seconds


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds that a function takes, and its result."""
    begin = time.perf_counter()
    result = run()
    return round(time.perf_counter() - begin, 4), result


def table_of(seconds: dict[str, dict[str, list[float]]]) -> Table:
    """Make a table of best times, and the ratio of best and of median times."""
    rows = []
    for name, times in seconds.items():
        best, median = (
            {what: f(samples) for what, samples in times.items()} for f in (min, statistics.median)
        )
        ratios = (f"{of['verify'] / of['solve']:.2f}" for of in (best, median))
        rows.append((name, f"{1000 * best['solve']:.0f}", f"{1000 * best['verify']:.0f}", *ratios))
    columns = "graph", "solve", "verify", "ratio of best", "ratio of medians"
    return Table("Verification, ms", columns, tuple(rows))


if __name__ == "__main__":
    sys.exit(main())
