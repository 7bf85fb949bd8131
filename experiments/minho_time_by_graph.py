"""Time by road network and implementation (University of Minho, Figure 4).

The document solves the 13 road networks of its Table II with its own variant on a CPU, with 1 thread and
10, and on a GPU, and with the rivals Cong2005, Galois, Harish2009 and Nasre2013. It reports that its CPU
implementation is 1.35 to 12.71 times as fast as the others, and that on a GPU 1.34 to 26.43 times.

Here: the same contraction (csr-contraction), the rivals' way of colouring without a new graph
(colour-contraction), and our default, each with one thread and with all. Its GPU versions, Cong2005 and
Galois are not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boruvka.bench.figures import legend, panels
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import Curves, curves
from experiments.common.race import Contestant, described, race, rows_of
from experiments.common.roads import NETWORKS, remarks_on, roads_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORTED = {
    "document": "A generic and highly efficient parallel variant of Borůvka's algorithm, Minho, 2015",
    "machine": "2 Intel E5-2670 v2 (10 cores each, 25 MB L3 each), NVIDIA K20m",
    "scheme": "k-best: 5 runs, the best 3 within 5 %, the best of them",
    "CPU against the fastest and the slowest rival": [1.35, 12.71],
    "GPU against the fastest and the slowest rival": [1.34, 26.43],
    "edges counted from both ends": {n.name: {"vertices": n.n, "edges": n.arcs} for n in NETWORKS.values()},
}
ALGORITHMS = ("csr-contraction", "colour-contraction", "auto")


def measure(setting: Setting) -> Findings:
    """Race on every network."""
    names = setting.pick(tuple(NETWORKS), ("NY", "FLA", "E"))
    contestants = [Contestant(name, name, count) for name in ALGORITHMS for count in setting.threads]
    graphs, roads = [], []
    for road in roads_of(names, setting):
        roads.append(road)
        graphs.append(race(road.title, road.graph, contestants, setting))
    return Findings(
        REPORTED,
        {"networks": [road.name for road in roads], "contestants": described(contestants)},
        {"times": [row for graph in graphs for row in rows_of(graph)]},
        tuple(graphs),
        remarks_on(roads, names),
    )


def draw(findings: Findings) -> Figure:
    """Draw the time by network, a curve for each contestant with each number of threads."""
    lines: dict[str, list[tuple[str, float]]] = {}
    for graph in findings.graphs:
        for entry in graph.entries:
            if entry.seconds:
                points = lines.setdefault(f"{entry.contestant}, threads {entry.threads}", [])
                points.append((graph.name.partition(":")[0], 1e3 * entry.seconds))
    figure, axes = panels(height=4.5)
    curves(axes, _in_order(lines), "road network", "milliseconds", log="y")
    legend(figure, 3)
    return figure


def _in_order(lines: Curves) -> Curves:
    """Begin with who has most points, so that the networks on the axis are in their order."""
    return dict(sorted(lines.items(), key=lambda line: -len(line[1])))


EXPERIMENT = Experiment(
    "minho_time_by_graph", __doc__, "document 1, Figure 4", measure, draw, threads=(1,), roads=True
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
