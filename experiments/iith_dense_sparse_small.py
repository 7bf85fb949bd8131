"""Dense, sparse and small graphs against sequential (IIT Hyderabad, section 6.3).

The document discusses what threads gain over the sequential version: 2 to 4 times with 4 threads on dense
graphs, where there are about as many edges as pairs of vertices; 1.5 to 2 times on sparse ones, with about
as many edges as vertices; perhaps nothing on small ones, of fewer than 100 vertices. It names no machine.

Here: component-ranges, which is its algorithm, against sequential, and our default. They start from a list
of edges, and what that takes to make from a 2-D array stands beside. From the array itself, with which the
document starts, dense starts, our default for arrays. The largest sparse graph is too large for an array.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.bench.figures import legend, panels
from boruvka.bench.graphs import graph_of
from boruvka.bench.results import GraphResult
from boruvka.graph.graph import Graph
from experiments.common.experiment import Experiment, Findings, Setting
from experiments.common.figures import at_threads, curves, level
from experiments.common.race import Contestant, described, entry_of, race

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COUNTS = (1, 2, 4)
REPORTED = {
    "document": "Parallel implementation of Borůvka's algorithm, IIT Hyderabad, 2025",
    "dense, 4 threads, against sequential": [2, 4],
    "sparse, 4 threads, against sequential": [1.5, 2],
    "small, fewer than 100 vertices": "sequential might be faster",
}
BASELINE = "sequential"
FROM_ARRAY = "dense"
KINDS = ("dense", "sparse", "small")
AS_ARRAY = 20_000
"""Vertices: with more, an array would take more memory than the list of edges by far."""


@dataclass(frozen=True)
class Case:
    """A graph, and its array where it has one."""

    kind: str
    name: str
    graph: Graph
    array: NDArray[np.int32] | None


def cases(setting: Setting) -> list[tuple[str, str]]:
    """List kinds and graphs."""
    weights = "weights=thousand,dtype=int32,seed=1"
    dense = setting.pick((1_000, 2_000, 4_000), (200,))
    sparse = setting.pick(((4_000, 8_000), (1_000_000, 2_000_000)), ((300, 600),))
    small = setting.pick((10, 50, 99), (50,))
    return [
        *(("dense", f"complete:n={n},{weights}") for n in dense),
        *(("sparse", f"random:n={n},m={m},{weights}") for n, m in sparse),
        *(("small", f"complete:n={n},{weights}") for n in small),
    ]


def made(kind: str, name: str) -> Case:
    """Make a graph and its array; of parallel edges, which an array cannot hold, the lightest is kept."""
    graph = graph_of(name)
    if graph.n > AS_ARRAY:
        return Case(kind, name, graph, None)
    array = np.full((graph.n, graph.n), np.iinfo(np.int32).max, np.int32)
    np.minimum.at(array, (np.minimum(graph.u, graph.v), np.maximum(graph.u, graph.v)), graph.w)
    array = np.minimum(array, array.T)
    array[array == np.iinfo(np.int32).max] = 0
    return Case(kind, name, listed(array), array)


def listed(array: NDArray[np.int32]) -> Graph:
    """List the edges above the diagonal of an array."""
    u, v = np.nonzero(np.triu(array, 1))
    return Graph.from_edges(u, v, array[u, v], len(array))


def contestants_on(case: Case, counts: tuple[int, ...]) -> list[Contestant]:
    """List who takes part: dense only where there is an array."""
    found = [
        Contestant(BASELINE, BASELINE),
        *(Contestant("component-ranges", "component-ranges", count) for count in counts),
        *(Contestant("auto", "auto", count) for count in counts),
    ]
    if case.array is not None:
        found += [Contestant(FROM_ARRAY, FROM_ARRAY, count, solves=case.array) for count in counts]
    return found


def measure(setting: Setting) -> Findings:
    """Race on every graph, and time how its list of edges is made."""
    graphs: list[GraphResult] = []
    rows: list[dict[str, Any]] = []
    contestants: dict[str, Contestant] = {}
    for kind, name in cases(setting):
        case = made(kind, name)
        running = contestants_on(case, setting.threads)
        contestants |= {contestant.name: contestant for contestant in running}
        graphs.append(race(name, case.graph, running, setting))
        rows += against_sequential(kind, graphs[-1], _seconds_to_list(case))
    return Findings(
        REPORTED,
        {
            "threads": list(setting.threads),
            "kinds": {name: kind for kind, name in cases(setting)},
            "contestants": described(list(contestants.values())),
        },
        {"against sequential": rows},
        tuple(graphs),
    )


def _seconds_to_list(case: Case) -> float | None:
    """Time how edges are listed: the best of three."""
    if case.array is None:
        return None
    found = []
    for _ in range(3):
        begin = time.perf_counter()
        listed(case.array)
        found.append(time.perf_counter() - begin)
    return min(found)


def against_sequential(kind: str, graph: GraphResult, listing: float | None) -> list[dict[str, Any]]:
    """Set everyone against the sequential version."""
    baseline = entry_of(graph, BASELINE).seconds
    return [
        {
            "kind": kind,
            "graph": graph.name,
            "vertices": graph.n,
            "edges": graph.m,
            "contestant": entry.contestant,
            "threads": entry.threads,
            "ms": 1e3 * entry.seconds if entry.seconds else None,
            "speed-up": baseline / entry.seconds if baseline and entry.seconds else None,
            "ms to list edges": 1e3 * listing if listing and entry.contestant != FROM_ARRAY else None,
            "error": entry.error,
        }
        for entry in graph.entries
    ]


def draw(findings: Findings) -> Figure:
    """Draw the speed-up against sequential by threads, on the largest graph of each kind."""
    rows = findings.tables["against sequential"]
    figure, grid = panels(height=4, columns=len(KINDS))
    for axes, kind in zip(grid, KINDS, strict=True):
        graph = [row["graph"] for row in rows if row["kind"] == kind and row["contestant"] == FROM_ARRAY][-1]
        lines: dict[str, list[tuple[int, float]]] = {}
        for row in rows:
            if row["graph"] == graph and row["contestant"] != BASELINE:
                points = lines.setdefault(row["contestant"], [])
                points += [(row["threads"], row["speed-up"])] if row["speed-up"] else []
        title = f"{kind}: {graph.partition(',weights')[0]}"
        curves(axes, lines, "threads", "times as fast as sequential", title, log="y")
        level(axes, 1.0, BASELINE)
        at_threads(axes, findings.parameters["threads"])
    legend(figure, 5)
    return figure


EXPERIMENT = Experiment(
    "iith_dense_sparse_small", __doc__, "document 4, section 6.3", measure, draw, threads=COUNTS
)

if __name__ == "__main__":
    raise SystemExit(EXPERIMENT.main())
