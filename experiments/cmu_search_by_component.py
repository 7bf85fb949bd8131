"""Searching by component is quadratic (Carnegie Mellon, text above Figure 1).

The document lets each component look for its vertices among all, and tests this on 5,000 vertices and
94,300 edges: slower than sequential with edge contraction, faster with star contraction but too slow; on
1,000,000 vertices and 9,000,000 edges star contraction did not end within 2 minutes.

Here: the same graph, and others with as many edges a vertex, each twice as large as the one before. The
growth is how many times as long the last one takes; linear work would give 2. On the large graph of the
document the search refuses to run; what it says is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import boruvka
from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import GraphResult
from boruvka.errors import OptionError
from experiments.cmu_thread_sweep import graph_name
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import curves
from experiments.common.race import Contestant, described, race, rows_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EDGES_A_VERTEX = 94_300 / 5_000
REPORTED = {
    "document": "Parallelizing Borůvka's algorithm, Carnegie Mellon, final writeup",
    "5,000 vertices, 94,300 edges, edge contraction": "slower than sequential",
    "5,000 vertices, 94,300 edges, star contraction": "faster than edge contraction",
    "1,000,000 vertices, 9,000,000 edges, star contraction": "more than 120 s",
}
ALGORITHMS = (
    "sequential",
    "edge-contraction",
    "component-edge-contraction",
    "component-star-contraction",
)


def measure(setting: Setting) -> Findings:
    """Race on graphs that double, then ask for the large one."""
    sizes = setting.pick((1_250, 2_500, 5_000, 10_000, 20_000), (250, 500, 1_000))
    contestants = [
        Contestant(name, name, count)
        for name in ALGORITHMS
        for count in (setting.threads if name != "sequential" else (1,))
    ]
    graphs = []
    for n in sizes:
        name = f"random:n={n},m={round(EDGES_A_VERTEX * n)},weights=distinct,dtype=int32,seed=1"
        graphs.append(race(name, graph_of(name), contestants, setting))
    large = setting.pick(graph_name(setting), "random:n=20001,m=30000,weights=distinct,dtype=int32,seed=1")
    return Findings(
        REPORTED,
        {"vertices": list(sizes), "contestants": described(contestants), "large graph": large},
        {
            "times": [row for graph in graphs for row in rows_of(graph)],
            "growth": growth(graphs),
            "refusals": _refusals(large),
        },
        tuple(graphs),
    )


def growth(graphs: list[GraphResult]) -> list[dict[str, Any]]:
    """Tell how many times as long everyone takes on the last graph as on the one before, half as large."""
    rows = []
    for before, after in zip(graphs[-2].entries, graphs[-1].entries, strict=True):
        rows.append(
            {
                "contestant": after.contestant,
                "threads": after.threads,
                "growth": after.seconds / before.seconds if after.seconds and before.seconds else None,
            }
        )
    return rows


def _refusals(name: str) -> list[dict[str, str]]:
    """Ask both searches by component for a large graph."""
    graph, rows = graph_of(name), []
    for algorithm in ALGORITHMS[2:]:
        try:
            boruvka.minimum_spanning_forest(graph, algorithm=algorithm)
        except OptionError as error:
            rows.append({"contestant": algorithm, "graph": name, "says": str(error)})
    return rows


def draw(findings: Findings) -> Figure:
    """Draw the time by vertices."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for graph in findings.graphs:
        for entry in graph.entries:
            if entry.seconds:
                points = lines.setdefault(f"{entry.contestant}, threads {entry.threads}", [])
                points.append((graph.n, 1e3 * entry.seconds))
    figure, axes = panels(height=4.5)
    curves(axes, lines, "vertices", "milliseconds", log="xy")
    legend(figure, 2)
    return figure


EXPERIMENT = Experiment(
    "cmu_search_by_component",
    __doc__,
    "document 2, approach: minimum edges by component",
    measure,
    draw,
    threads=(1,),
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
