"""Random, R-MAT and SSCA#2 graphs by vertices and by degree (IIIT Hyderabad, Figure 13 a to f).

The document solves graphs of three families, by number of vertices and, with 1M vertices, by average degree
from 6 to 30, weights 1 to 1K. It compares Boost on a CPU, its earlier GPU version (Harish et al. 2009, in
the figure GPU1), and its own on a quarter of a Tesla S1070. It reports that its own is 30 to 50 times as
fast as the CPU, 2 to 3 times as fast as GPU1 on random and SSCA#2 graphs, and 8 to 10 times on R-MAT.

Here: kruskal for the CPU, on one thread; colour-contraction for GPU1; scan-split for its own; and our
default, on as many threads as there are processors. Degree is edges for each vertex, as in its 5M vertices
and 30M edges. SSCA#2 graphs get theirs by the size of cliques, so that it is not exact. All numbers of
vertices are powers of two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import GraphResult
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import curves
from experiments.common.race import Contestant, described, race, rows_of, too_large

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEGREES = (6, 12, 18, 24, 30)
REPORTED = {
    "document": "Fast minimum spanning tree for large graphs on the GPU, IIIT Hyderabad, 2009",
    "machine": "Intel Core 2 Quad Q6600, 2.4 GHz; a quarter of an NVIDIA Tesla S1070",
    "degrees": list(DEGREES),
    "against the CPU": [30, 50],
    "against GPU1, random and SSCA#2": [2, 3],
    "against GPU1, R-MAT": [8, 10],
}
THEIRS = "scan-split"
RIVALS = {"kruskal": "CPU", "colour-contraction": "GPU1", THEIRS: "theirs", "auto": "ours"}
"""Our algorithms, and in whose place they are."""
FAMILIES = ("random", "rmat", "ssca2")


def contestants_with(threads: int) -> list[Contestant]:
    """List who takes part; the sequential one has one thread."""
    return [Contestant(name, name, 1 if name == "kruskal" else threads) for name in RIVALS]


def specification(family: str, scale: int, degree: int) -> str:
    """Specify a graph of 2**scale vertices with about so many edges for each."""
    shape = {
        "random": f"n={2**scale},m={degree * 2**scale}",
        "rmat": f"scale={scale},m={degree * 2**scale}",
        "ssca2": f"scale={scale},max_clique={clique_for(degree)}",
    }[family]
    return f"{family}:{shape},weights=thousand,dtype=int32,seed=1"


def clique_for(degree: int) -> int:
    """Choose the largest clique so that SSCA#2 graphs have about so many edges for each vertex.

    A vertex has (c - 1) / 3 pairs in its clique, one pair with others, and two edges a pair on average.
    """
    return round(3 * (degree / 2 - 1)) + 1


def measure(setting: Setting) -> Findings:
    """Race on all graphs of the six panels."""
    contestants = contestants_with(setting.threads[-1])
    scales = setting.pick((18, 19, 20, 21, 22), (8, 9))
    middle, degrees = setting.pick(20, 8), setting.pick(DEGREES, (6, 12))
    graphs: dict[str, GraphResult] = {}
    panel_of: dict[str, list[str]] = {}
    left_out: list[str] = []
    for family in FAMILIES:
        by_vertices = [specification(family, scale, 6) for scale in scales]
        by_degree = [specification(family, middle, degree) for degree in degrees]
        panel_of |= {f"{family} by vertices": by_vertices, f"{family} by degree": by_degree}
        for name in dict.fromkeys((*by_vertices, *by_degree)):
            graph = graph_of(name)
            if reason := too_large(graph.m):
                left_out.append(f"{name} left out: {reason}")
            else:
                graphs[name] = race(name, graph, contestants, setting)
    return Findings(
        REPORTED,
        {"contestants": described(contestants), "in whose place": RIVALS, "panels": panel_of},
        {
            "times": [row for graph in graphs.values() for row in rows_of(graph)],
            f"times as long as {THEIRS}": ratios(list(graphs.values())),
        },
        tuple(graphs.values()),
        tuple(left_out),
    )


def ratios(graphs: list[GraphResult]) -> list[dict[str, Any]]:
    """Set everyone against the document's own on every graph."""
    rows = []
    for graph in graphs:
        seconds = {entry.contestant: entry.seconds for entry in graph.entries}
        theirs = seconds[THEIRS]
        row: dict[str, Any] = {"graph": graph.name, "edges for each vertex": graph.m / graph.n}
        for name, mine in seconds.items():
            row[name] = mine / theirs if mine and theirs else None
        rows.append(row)
    return rows


def draw(findings: Findings) -> Figure:
    """Draw six panels: by vertices to the left, by degree to the right, a family in each row."""
    graphs = {graph.name: graph for graph in findings.graphs}
    figure, grid = panels(height=9, rows=3, columns=2)
    for axes, (title, names) in zip(np.ravel(grid), findings.parameters["panels"].items(), strict=True):
        by_vertices = title.endswith("vertices")
        lines: dict[str, list[tuple[float, float]]] = {name: [] for name in RIVALS}
        for graph in (graphs[name] for name in names if name in graphs):
            for entry in graph.entries:
                if entry.seconds:
                    x = graph.n if by_vertices else graph.m / graph.n
                    lines[entry.contestant].append((x, 1e3 * entry.seconds))
        along = "vertices" if by_vertices else "edges for each vertex"
        curves(axes, lines, along, "milliseconds", title, log="xy" if by_vertices else "y")
    legend(figure, 4)
    return figure


EXPERIMENT = Experiment(
    "iiit_graph_families", __doc__, "document 3, Figure 13 a to f", measure, draw, threads=()
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
