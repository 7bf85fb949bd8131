"""The adjacency-matrix report (IIT Hyderabad, 2025): threads on an adjacency matrix.

Parallel Implementation of Borůvka's Algorithm.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka import Forest, Graph
from lab.contestants.libraries import lightest_parallel_edges
from lab.contestants.ours import Ours
from lab.harness.contestant import Outcome
from lab.harness.figures import Figure
from lab.harness.graphs import graph_of
from lab.harness.results import GraphResult, Tables, times_of
from lab.harness.tables import ratio
from lab.literature.experiment import Race, Setting

BASELINE = "sequential"
FROM_ARRAY = "dense"
AS_ARRAY = 20_000
"""Graphs with more vertices are not made as arrays, which would take far more memory than a list of edges."""


class FromArray(Ours):
    """An algorithm that starts from a 2-D array; edges are in the order of `edges_of`."""

    def refusal(self, graph: Graph) -> str:
        return f"an array of more than {AS_ARRAY:,} vertices is too large" if graph.n > AS_ARRAY else ""

    def prepare(self, graph: Graph) -> Any:
        return array_of(graph)

    def outcome(self, native: Any, answer: Forest) -> Outcome:
        edges = edges_of(native)
        n = np.int64(len(native))
        low, high = np.minimum(answer.u, answer.v), np.maximum(answer.u, answer.v)
        keys = edges.u.astype(np.int64) * n + edges.v
        return Outcome.of(answer.w, np.searchsorted(keys, low.astype(np.int64) * n + high))


def array_of(graph: Graph) -> NDArray[Any]:
    """Make a symmetric array of the weights; no edge is zero."""
    array = np.zeros((graph.n, graph.n), graph.w.dtype)
    array[graph.u, graph.v] = array[graph.v, graph.u] = graph.w
    return array


def edges_of(array: NDArray[Any]) -> Graph:
    """List the edges above the diagonal of an array."""
    u, v = np.nonzero(np.triu(array, 1))
    return Graph.from_edges(u, v, array[u, v], n=len(array))


class DenseSparseSmall(Race):
    """Dense, sparse and small graphs against sequential (adjacency-matrix report, section 6.3).

    The report discusses the gain from threads over the sequential version: 2 to 4 times with 4 threads
    on dense graphs, which have about as many edges as pairs of vertices; 1.5 to 2 times on sparse ones,
    with about as many edges as vertices; perhaps nothing on small ones, of fewer than 100 vertices. It
    names no machine.

    Here: component-ranges, which is its algorithm, against sequential, and our default. They start from
    a list of edges; the time to list them from a 2-D array stands beside. dense, our default for
    arrays, starts from the array itself, as in the report. The largest sparse graph is too large for an
    array.
    """

    name = "iith_dense_sparse_small"
    source = "adjacency-matrix report (IIT Hyderabad, 2025), section 6.3"
    figures = (Figure("times", "threads", "speed-up", per="graph", levels={BASELINE: 1.0}),)
    threads = (1, 2, 4)
    contestants = (
        Ours(BASELINE, BASELINE, parallel=False),
        Ours("component-ranges", "component-ranges"),
        Ours("auto", "auto"),
        FromArray(FROM_ARRAY, FROM_ARRAY),
    )

    def kinds(self, setting: Setting) -> dict[str, str]:
        """List the graphs and their kinds."""
        weights = "weights=integers_1000,dtype=int32,seed=1"
        dense, small = setting.pick(((1_000, 2_000, 4_000), (10, 50, 99)), ((200,), (50,)))
        sparse = setting.pick(((4_000, 8_000), (1_000_000, 2_000_000)), ((300, 600),))
        return {
            **{f"complete:n={n},{weights}": "dense" for n in dense},
            **{f"random:n={n},m={m},{weights}": "sparse" for n, m in sparse},
            **{f"complete:n={n},{weights}": "small" for n in small},
        }

    def specifications(self, setting: Setting) -> Sequence[str]:
        return list(self.kinds(setting))

    def made(self, specification: str) -> Graph:
        """Make a graph; of parallel edges, which an array cannot hold, the lightest is kept."""
        graph = graph_of(specification)
        if graph.n > AS_ARRAY:
            return graph
        u, v, w = lightest_parallel_edges(graph)
        return Graph(graph.n, u, v, w)

    def parameters(self, setting: Setting) -> dict[str, Any]:
        listing = {name: self._ms_to_list(name) for name in self.specifications(setting)}
        return {"kinds": self.kinds(setting), "ms to list edges": listing}

    def _ms_to_list(self, specification: str) -> float | None:
        """Time the listing of the edges of an array: the best of three."""
        graph = self.made(specification)
        if graph.n > AS_ARRAY:
            return None
        array, seconds = array_of(graph), []
        for _ in range(3):
            begin = time.perf_counter()
            edges_of(array)
            seconds.append(time.perf_counter() - begin)
        return 1e3 * min(seconds)

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        rows = times_of(graphs)
        sequential = {row["graph"]: row["ms"] for row in rows if row["contestant"] == BASELINE}
        for row in rows:
            row["kind"] = parameters["kinds"][row["graph"]]
            row["speed-up"] = ratio(sequential[row["graph"]], row["ms"])
            row["ms to list edges"] = parameters["ms to list edges"][row["graph"]]
        return {"times": rows}


EXPERIMENTS = (DenseSparseSmall(),)
