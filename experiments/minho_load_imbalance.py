"""Load imbalance of each round, in edges per thread (University of Minho, Figure 6a).

The document deals vertices to 2 to 40 threads, on the road network USA, and reports the average percentage
of imbalance in edges per thread for the search of the lightest edges in each of 11 rounds. It grows with
the number of threads; from 5 % on the document takes it to matter.

Here nothing is timed, so that it needs no such number of cores: the search of csr-contraction is watched,
and for each round the arcs are counted that each of p equal ranges of vertices has. The imbalance is the
mean over threads of how far their arcs are from the mean, in percent of it; the largest excess, for which
all others wait, stands beside it. Beside scheduling by vertices stands what csr-contraction does here:
ranges of whole vertices with as equal numbers of arcs as possible. The document's guided scheduling, which
deals out ever smaller ranges, is not imitated. Beside USA stand NY, of which a file is more often at hand,
and an R-MAT graph, which shows what skewed degrees do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.literature import csr_contraction
from boruvka.backends import Backend, get_backend
from boruvka.backends.protocol import Operator
from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.forest.round_log import RoundLog
from boruvka.graph.graph import Graph
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import curves, level
from experiments.common.roads import remarks_on, roads_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

THREADS = range(2, 41)
DRAWN = (2, 4, 8, 20, 40)
MATTERS = 5.0
REPORTED = {
    "document": "A generic and highly efficient parallel variant of Borůvka's algorithm, Minho, 2015",
    "graph": "USA",
    "threads": [2, 40],
    "rounds": 11,
    "first rounds that take more than 80 % of the time": 7,
    "imbalance that matters, %": MATTERS,
    "scheduling": "by vertices, guided",
}


class Watched:
    """A backend that keeps where the arcs of vertices begin whenever lightest edges are looked for."""

    def __init__(self, backend: Backend):
        self._backend = backend
        self.begins: list[NDArray[np.uint64]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def for_each_row(self, operator: Operator, begins: NDArray[Any], *arrays: Any) -> None:
        """Look, and run."""
        if operator is csr_contraction.find_minimum:
            self.begins.append(begins.copy())
        self._backend.for_each_row(operator, begins, *arrays)


def measure(setting: Setting) -> Findings:
    """Watch the contraction of road networks and of a skewed graph."""
    names = ("NY", "USA")
    roads = list(roads_of(names, setting))
    scale = setting.pick(20, 10)
    skewed = f"rmat:scale={scale},weights=thousand,dtype=int32,seed=1"
    rows = []
    for title, graph in [*((road.title, road.graph) for road in roads), (skewed, graph_of(skewed))]:
        setting.show(0, f"{title}: contracting")
        for number, begins in enumerate(begins_of_rounds(graph), 1):
            rows += [{"graph": title, "round": number, **row} for row in rows_of(begins)]
    return Findings(
        REPORTED,
        {"threads": [THREADS[0], THREADS[-1]], "algorithm": "csr-contraction"},
        {"imbalance": rows},
        remarks=(*remarks_on(roads, names), "counted, not timed: the number of cores does not matter"),
    )


def begins_of_rounds(graph: Graph) -> list[NDArray[np.uint64]]:
    """Contract a graph, and tell for each round where the arcs of its vertices begin."""
    watched = Watched(get_backend("threads", 1))
    csr_contraction.solve(EdgeList.of(graph, False, watched), watched, RoundLog())
    return watched.begins


def rows_of(begins: NDArray[np.uint64]) -> list[dict[str, Any]]:
    """Tell the imbalance for all numbers of threads, with both ways of scheduling."""
    rows = []
    for count in THREADS:
        by_vertex, by_edge = shares_by_vertex(begins, count), shares_by_edge(begins, count)
        rows.append(
            {
                "vertices": begins.size - 1,
                "arcs": int(begins[-1]),
                "threads": count,
                "by vertex, mean %": imbalance(by_vertex),
                "by vertex, largest %": excess(by_vertex),
                "by edge, mean %": imbalance(by_edge),
                "by edge, largest %": excess(by_edge),
            }
        )
    return rows


def shares_by_vertex(begins: NDArray[np.uint64], threads: int) -> NDArray[np.int64]:
    """Count the arcs of each thread where all have as many vertices."""
    n = begins.size - 1
    bounds = [n * part // threads for part in range(threads + 1)]
    ends = begins[bounds].astype(np.int64)
    return ends[1:] - ends[:-1]


def shares_by_edge(begins: NDArray[np.uint64], threads: int) -> NDArray[np.int64]:
    """Count the arcs of each thread where all have as many, but for whole vertices."""
    ends = begins.astype(np.int64)
    wanted = ends[-1] * np.arange(threads + 1) // threads
    after = np.searchsorted(ends, wanted).clip(0, ends.size - 1)
    before = (after - 1).clip(0)
    nearest = np.where(ends[after] - wanted <= wanted - ends[before], after, before)
    return ends[nearest[1:]] - ends[nearest[:-1]]


def imbalance(shares: NDArray[np.int64]) -> float:
    """How far shares are from their mean, on average, in percent of it."""
    return float(100 * np.abs(shares / shares.mean() - 1).mean())


def excess(shares: NDArray[np.int64]) -> float:
    """How far the largest share is above the mean, in percent of it."""
    return float(100 * (shares.max() / shares.mean() - 1))


def draw(findings: Findings) -> Figure:
    """Draw the mean imbalance by round, above by vertex, below by edge."""
    rows = findings.tables["imbalance"]
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    figure, grid = panels(height=6, rows=2, columns=len(graphs))
    for line, way in zip(np.reshape(grid, (2, -1)), ("by vertex", "by edge"), strict=True):
        for axes, graph in zip(line, graphs, strict=True):
            lines = {
                f"{count} threads": [
                    (row["round"], row[f"{way}, mean %"])
                    for row in rows
                    if (row["graph"], row["threads"]) == (graph, count) and row[f"{way}, mean %"] > 0
                ]
                for count in DRAWN
            }
            curves(axes, lines, "round", "imbalance, %", f"{graph.partition(':')[0]}, {way}", log="y")
            axes.locator_params(axis="x", integer=True)
            level(axes, MATTERS, f"{MATTERS:g} %")
    legend(figure, 6)
    return figure


EXPERIMENT = Experiment("minho_load_imbalance", __doc__, "document 1, Figure 6a", measure, draw, roads=True)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
