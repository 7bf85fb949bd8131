"""Scaling by threads: time, speed-up, efficiency (University of Minho, Figure 5 and Table III).

The document solves the road networks NE, PT and USA with 1 to 40 threads on 20 cores with hyper-threading.
Its Table III reports the speed-up against its own CPU version on one thread, and the efficiency, which is
the speed-up for each thread; best is 10.26 times on USA with 40 threads, and 9.79 with 20.

Here: the same contraction (csr-contraction), colouring (colour-contraction) and our default. The speed-up
is against the same algorithm on one thread; that against csr-contraction on one thread stands beside it.
NY is run too, of which a file is more often at hand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.bench.figures import legend, panels
from boruvka.bench.results import GraphResult
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import at_threads, curves, curves_by_threads
from experiments.common.race import Contestant, described, entry_of, race
from experiments.common.roads import remarks_on, roads_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NETWORKS = ("NE", "PT", "USA")
RUN = ("NY", *NETWORKS)
TABLE_III = {
    2: (1.47, 74, 1.73, 86, 1.80, 90),
    4: (2.67, 67, 3.18, 79, 3.47, 87),
    6: (3.56, 59, 4.42, 74, 4.67, 78),
    8: (4.28, 54, 5.51, 69, 6.06, 76),
    10: (4.88, 49, 6.40, 64, 7.01, 70),
    20: (5.56, 28, 8.75, 44, 9.79, 49),
    40: (2.13, 5, 6.56, 16, 10.26, 26),
}
"""By threads: speed-up and efficiency in percent for NE, PT and USA."""
REPORTED = {
    "document": "A generic and highly efficient parallel variant of Borůvka's algorithm, Minho, 2015",
    "machine": "2 Intel E5-2670 v2 (10 cores each, 25 MB L3 each), NVIDIA K20m",
    "table III": [
        {"graph": name, "threads": count, "speed-up": row[2 * i], "efficiency %": row[2 * i + 1]}
        for count, row in TABLE_III.items()
        for i, name in enumerate(NETWORKS)
    ],
    "speed-up of the GPU": {"NE": 7.32, "PT": 16.21, "USA": 15.85},
}
BASELINE = "csr-contraction"
ALGORITHMS = (BASELINE, "colour-contraction", "auto")


def measure(setting: Setting) -> Findings:
    """Race with all numbers of threads, and with one, which all are set against."""
    counts = sorted({1, *setting.threads})
    contestants = [Contestant(name, name, count) for name in ALGORITHMS for count in counts]
    graphs, roads = [], []
    for road in roads_of(RUN, setting):
        roads.append(road)
        graphs.append(race(road.title, road.graph, contestants, setting))
    return Findings(
        REPORTED,
        {"threads": counts, "contestants": described(contestants)},
        {"speed-up and efficiency": [row for graph in graphs for row in speedups(graph)]},
        tuple(graphs),
        remarks_on(roads, RUN),
    )


def speedups(graph: GraphResult) -> list[dict[str, Any]]:
    """List speed-up and efficiency of everyone who came to an end."""
    baseline = entry_of(graph, BASELINE, 1).seconds
    rows = []
    for entry in graph.entries:
        alone = entry_of(graph, entry.contestant, 1).seconds
        speedup = alone / entry.seconds if alone and entry.seconds else None
        rows.append(
            {
                "graph": graph.name,
                "contestant": entry.contestant,
                "threads": entry.threads,
                "ms": 1e3 * entry.seconds if entry.seconds else None,
                "speed-up": speedup,
                "efficiency %": 100 * speedup / entry.threads if speedup else None,
                f"against {BASELINE}, 1 thread": (
                    baseline / entry.seconds if baseline and entry.seconds else None
                ),
                "error": entry.error,
            }
        )
    return rows


def draw(findings: Findings) -> Figure:
    """Draw the time by threads for each network, two side by side."""
    rows = math.ceil(len(findings.graphs) / 2)
    figure, grid = panels(height=1 + 2.5 * rows, rows=rows, columns=2)
    for axes in np.ravel(grid)[len(findings.graphs) :]:
        axes.axis("off")
    for graph, axes in zip(findings.graphs, np.ravel(grid), strict=False):
        name = graph.name.partition(":")[0]
        curves(axes, curves_by_threads(graph), "threads", "milliseconds", name, log="y")
        at_threads(axes, findings.parameters["threads"])
    legend(figure, 3)
    return figure


EXPERIMENT = Experiment(
    "minho_scaling",
    __doc__,
    "document 1, Figure 5 and Table III",
    measure,
    draw,
    threads=(1, *TABLE_III),
    roads=True,
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
