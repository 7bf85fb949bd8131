"""5M vertices and 30M edges in one run (IIIT Hyderabad, abstract).

The document solves a graph of 5 million vertices and 30 million edges in under 1 second on a quarter of a
Tesla S1070, weights 1 to 1K.

Here: the same size of random graph, its own algorithm (scan-split) and our default, with one thread and
with all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import at_threads, curves, curves_by_threads, level
from experiments.common.race import Contestant, described, race, rows_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SECOND = 1000.0
REPORTED = {
    "document": "Fast minimum spanning tree for large graphs on the GPU, IIIT Hyderabad, 2009",
    "machine": "a quarter of an NVIDIA Tesla S1070",
    "5M vertices, 30M edges, less than ms": SECOND,
}


def measure(setting: Setting) -> Findings:
    """Race on the one graph."""
    n, m = setting.pick((5_000_000, 30_000_000), (5_000, 30_000))
    name = f"random:n={n},m={m},weights=thousand,dtype=int32,seed=1"
    contestants = [Contestant(who, who, count) for who in ("scan-split", "auto") for count in setting.threads]
    graph = race(name, graph_of(name), contestants, setting)
    return Findings(
        REPORTED,
        {"graph": name, "threads": list(setting.threads), "contestants": described(contestants)},
        {"times": rows_of(graph)},
        (graph,),
    )


def draw(findings: Findings) -> Figure:
    """Draw the time by threads, and the second of the document as a line."""
    (graph,) = findings.graphs
    figure, axes = panels(height=4)
    curves(axes, curves_by_threads(graph), "threads", "milliseconds", log="y")
    level(axes, SECOND, "less than this in the document, on a GPU")
    at_threads(axes, findings.parameters["threads"])
    legend(figure, 3)
    return figure


EXPERIMENT = Experiment("iiit_five_million", __doc__, "document 3, abstract", measure, draw, threads=(1,))

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
