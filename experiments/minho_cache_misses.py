"""Misses of the last-level cache in each round (University of Minho, Figure 6b).

The document counts with PAPI, on the road network USA with 1 to 40 threads, the rate of misses of the L3
cache in each round. With one thread it falls from round 4 on and stays low from round 7 on, when two
graphs, that of the round and the next, fit the 25 MB of the cache; with more threads it stays high.

Here: the same of csr-contraction, misses against references of the last-level cache as Linux counts them.
Where the kernel does not let us (virtual machines have no such counters as a rule), the result says so,
and nothing is drawn.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from boruvka.algorithms.registry import ALGORITHMS
from boruvka.backends import get_backend
from boruvka.bench.figures import legend, panels
from boruvka.forest.round_log import Round, RoundLog
from boruvka.graph.graph import Graph
from boruvka.operators.sort_keys import sort_keys_of
from experiments.common.counters import CACHE_MISSES, CACHE_REFERENCES, Event, Unavailable, counting
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import curves
from experiments.common.roads import remarks_on, roads_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALGORITHM = "csr-contraction"
REPORTED = {
    "document": "A generic and highly efficient parallel variant of Borůvka's algorithm, Minho, 2015",
    "machine": "2 Intel E5-2670 v2 (10 cores each, 25 MB L3 each)",
    "graph": "USA",
    "threads": [1, 40],
    "one thread, the rate falls from round": 4,
    "one thread, the rate stays low after round": 7,
}


def measure(setting: Setting) -> Findings:
    """Count by round, or say why not."""
    names = ("USA",)
    rows: list[dict[str, Any]] = []
    remarks: tuple[str, ...] = ()
    try:
        for event in CACHE_REFERENCES, CACHE_MISSES:
            with counting(event):
                pass  # before a large graph is made
        roads = list(roads_of(names, setting))
        remarks = remarks_on(roads, names)
        for road in roads:
            for threads in setting.threads:
                setting.show(0, f"{road.title}: threads {threads}")
                counts = counts_by_round(road.graph, threads, (CACHE_REFERENCES, CACHE_MISSES))
                rows += [{"graph": road.title, "threads": threads, **row} for row in rates(counts)]
    except Unavailable as reason:
        remarks = (f"skipped: {reason}",)
    return Findings(REPORTED, {"algorithm": ALGORITHM}, {"misses": rows}, remarks=remarks)


def counts_by_round(graph: Graph, threads: int, events: tuple[Event, Event]) -> list[tuple[int, int]]:
    """Solve twice, and count two events in each round of the second time."""
    backend, order = get_backend("threads", threads), sort_keys_of(graph.w)
    ALGORITHMS[ALGORITHM].run(graph, order, backend, RoundLog())
    marks: list[tuple[int, int]] = []
    with counting(events[0]) as first, counting(events[1]) as second:

        def mark(round_: Round | None = None) -> None:
            marks.append((first.read(), second.read()))

        ALGORITHMS[ALGORITHM].run(graph, order, backend, RoundLog(mark))
        mark()
    return [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(marks)]


def rates(counts: list[tuple[int, int]]) -> list[dict[str, Any]]:
    """Tell references, misses and their rate by round."""
    return [
        {
            "round": number,
            "references": references,
            "misses": misses,
            "rate %": 100 * misses / references if references else None,
        }
        for number, (references, misses) in enumerate(counts, 1)
    ]


def draw(findings: Findings) -> Figure | None:
    """Draw the rate of misses by round, a curve for each number of threads."""
    rows = findings.tables["misses"]
    if not rows:
        return None
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        if row["rate %"] is not None:
            name = f"{row['graph'].partition(':')[0]}, threads {row['threads']}"
            lines.setdefault(name, []).append((row["round"], row["rate %"]))
    figure, axes = panels(height=4)
    curves(axes, lines, "round", "misses of the last-level cache, %")
    axes.locator_params(axis="x", integer=True)
    legend(figure, 4)
    return figure


EXPERIMENT = Experiment(
    "minho_cache_misses",
    __doc__,
    "document 1, Figure 6b",
    measure,
    draw,
    threads=(1, 2, 4, 8, 10, 20, 40),
    roads=True,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
