"""Duplicate edges left in, or removed, in contraction of compressed sparse rows (University of Minho, IV-B5).

The document does not remove duplicate edges between two supervertices, "as the benefit of doing this does not
outweigh the incurred computational cost": its graphs are road networks. On others the contracted graph grows
dense, and every later round looks at nearly all edges through few rows.

Here: csr-contraction either way on a road network, and on a random and a Kronecker graph of 16 edges a
vertex, with the edges that each round looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import GraphResult
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import curves
from experiments.common.race import Contestant, described, race, rows_of
from experiments.common.roads import remarks_on, roads_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORTED = {
    "document": "A generic and highly efficient parallel variant of Borůvka's algorithm, Minho, 2015",
    "removal of duplicates": "its benefit does not outweigh its cost (road networks)",
}
LEFT, REMOVED = "duplicates left in", "duplicates removed"
NETWORK = "NE"


def measure(setting: Setting) -> Findings:
    """Race on three graphs."""
    threads = setting.threads[-1]
    contestants = [
        Contestant(LEFT, "csr-contraction", threads),
        Contestant(REMOVED, "csr-contraction", threads, {"remove_duplicates": True}),
    ]
    roads = list(roads_of((NETWORK,), setting))
    scale = setting.pick(18, 9)
    others = [
        f"random:n={2**scale},m={16 * 2**scale},seed=1",
        f"kronecker:scale={scale},edge_factor=16,seed=1",
    ]
    graphs = [race(road.title, road.graph, contestants, setting) for road in roads]
    graphs += [race(name, graph_of(name), contestants, setting) for name in others]
    return Findings(
        REPORTED,
        {"contestants": described(contestants)},
        {
            "times": [row for graph in graphs for row in rows_of(graph)],
            "edges looked at": [row for graph in graphs for row in _looked_at(graph)],
        },
        tuple(graphs),
        remarks_on(roads, (NETWORK,)),
    )


def _looked_at(graph: GraphResult) -> list[dict[str, Any]]:
    """List the edges that the rounds look at, and their sum in edges of the graph."""
    rows = []
    for entry in graph.entries:
        edges = [round_.edges for round_ in entry.rounds]
        rows.append(
            {
                "graph": graph.name,
                "contestant": entry.contestant,
                "rounds": len(edges),
                "all, in edges of the graph": sum(edges) / graph.m,
                "by round": " ".join(map(str, edges)),
            }
        )
    return rows


def draw(findings: Findings) -> Figure:
    """Draw the edges that each round looks at, a panel for each graph."""
    figure, grid = panels(height=3.2, columns=len(findings.graphs))
    for axes, graph in zip(grid, findings.graphs, strict=True):
        lines = {
            entry.contestant: [(k, round_.edges) for k, round_ in enumerate(entry.rounds, 1)]
            for entry in graph.entries
        }
        curves(axes, lines, "round", "edges", graph.name.partition(":")[0], log="y")
    legend(figure, 2)
    return figure


EXPERIMENT = Experiment(
    "minho_duplicates", __doc__, "document 1, section IV-B5", measure, draw, threads=(), roads=True
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
