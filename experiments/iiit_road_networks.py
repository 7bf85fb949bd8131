"""Road networks of DIMACS challenge 9 (IIIT Hyderabad, Table 1).

The document solves ten road networks, weights brought into 1 to 1K, with Boost on a CPU, with its earlier GPU
version (Harish et al. 2009, in the table GPU1), and with its own on a quarter of a Tesla S1070.

Here: kruskal for the CPU, on one thread; colour-contraction for GPU1; scan-split for its own; and our
default, on as many threads as there are processors. Weights of networks are as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boruvka.bench.figures import legend, panels
from boruvka.bench.results import GraphResult
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import curves
from experiments.common.race import described, race, rows_of
from experiments.common.roads import remarks_on, roads_of
from experiments.iiit_graph_families import RIVALS, contestants_with

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE_1 = {
    "NY": (780, 76, 39),
    "BAY": (870, 85, 57),
    "COL": (1280, 116, 62),
    "FLA": (3840, 261, 101),
    "NW": (4290, 299, 124),
    "NE": (6050, 383, 126),
    "CAL": (7750, 435, 148),
    "LKS": (12300, 671, 204),
    "E": (16280, 1222, 253),
    "W": (32050, 1178, 412),
}
"""Milliseconds of the CPU, GPU1 and its own."""
REPORTED = {
    "document": "Fast minimum spanning tree for large graphs on the GPU, IIIT Hyderabad, 2009",
    "machine": "Intel Core 2 Quad Q6600, 2.4 GHz; a quarter of an NVIDIA Tesla S1070",
    "table 1, ms": {
        name: dict(zip(("CPU", "GPU1", "theirs"), row, strict=True)) for name, row in TABLE_1.items()
    },
    "against the CPU, nearly": 20,
    "against GPU1, nearly": 3,
}


def measure(setting: Setting) -> Findings:
    """Race on every network."""
    names = setting.pick(tuple(TABLE_1), ("NY", "LKS"))
    contestants = contestants_with(setting.threads[-1])
    graphs, roads = [], []
    for road in roads_of(names, setting, weights="thousand"):
        roads.append(road)
        graphs.append(race(road.title, road.graph, contestants, setting))
    return Findings(
        REPORTED,
        {"contestants": described(contestants), "in whose place": RIVALS},
        {
            "table 1": [row_of(graph) for graph in graphs],
            "times": [row for graph in graphs for row in rows_of(graph)],
        },
        tuple(graphs),
        remarks_on(roads, names),
    )


def row_of(graph: GraphResult) -> dict[str, Any]:
    """Put our milliseconds beside those of the document."""
    name = graph.name.partition(":")[0].removesuffix("-like")
    reported = TABLE_1.get(name, (None, None, None))
    row: dict[str, Any] = {"graph": graph.name, "vertices": graph.n, "edges": graph.m}
    row |= {f"{who}, reported ms": ms for who, ms in zip(("CPU", "GPU1", "theirs"), reported, strict=True)}
    return row | {f"{e.contestant} ms": 1e3 * e.seconds if e.seconds else None for e in graph.entries}


def draw(findings: Findings) -> Figure:
    """Draw the time by edges, the document's own as curves too."""
    rows = findings.tables["table 1"]
    columns = [column for column in rows[0] if column.endswith(" ms")]
    lines = {
        column.removesuffix(" ms"): [(row["edges"], row[column]) for row in rows if row[column]]
        for column in columns
    }
    figure, axes = panels(height=4.5)
    curves(axes, lines, "edges", "milliseconds", log="xy")
    legend(figure, 4)
    return figure


EXPERIMENT = Experiment(
    "iiit_road_networks", __doc__, "document 3, Table 1", measure, draw, threads=(), roads=True
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
