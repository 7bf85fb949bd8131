"""Other libraries."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka import Graph
from boruvka.errors import MissingExtraError
from lab.harness.contestant import Contestant, Outcome


class SciPy(Contestant):
    """``scipy.sparse.csgraph.minimum_spanning_tree`` on a CSR array of float64.

    It would sum parallel edges and drop edges of weight zero. So it gets only the lightest of parallel edges,
    and the smallest positive number instead of zero.
    """

    name = package = "scipy"
    module = "scipy.sparse.csgraph"
    largest = 100_000_000
    accuracy = 1e-9

    def prepare(self, graph: Graph) -> Any:
        from scipy import sparse

        u, v, weights = lightest_parallel_edges(graph)
        w = weights.astype(np.float64)
        w[w == 0] = np.nextafter(0, 1)
        return sparse.coo_array((w, (u, v)), shape=(graph.n, graph.n)).tocsr()

    def solve(self, native: Any) -> Any:
        return self.library.minimum_spanning_tree(native)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(answer.data)


class Rustworkx(Contestant):
    """``rustworkx.minimum_spanning_edges``: Kruskal's algorithm with a parallel sort."""

    name = module = package = "rustworkx"
    largest = 20_000_000
    parallel = True
    accuracy = 1e-9

    def load(self, threads: int) -> None:
        os.environ["RAYON_NUM_THREADS"] = str(threads)
        super().load(threads)

    def prepare(self, graph: Graph) -> Any:
        native = self.library.PyGraph(multigraph=True)
        native.add_nodes_from(range(graph.n))
        weights = graph.w.astype(float).tolist()
        native.add_edges_from(list(zip(graph.u.tolist(), graph.v.tolist(), weights, strict=True)))
        return native

    def solve(self, native: Any) -> Any:
        return self.library.minimum_spanning_edges(native, weight_fn=float)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(np.array([w for _, _, w in answer], np.float64))


class NetworKit(Contestant):
    """``networkit.graph.KruskalMSF``."""

    name = module = package = "networkit"
    largest = 50_000_000
    parallel = True
    accuracy = 1e-9

    def load(self, threads: int) -> None:
        super().load(threads)
        self.library.setNumberOfThreads(threads)

    def prepare(self, graph: Graph) -> Any:
        coo = graph.w.astype(np.float64), (graph.u.astype(np.int64), graph.v.astype(np.int64))
        return self.library.GraphFromCoo(coo, n=graph.n, weighted=True, directed=False)

    def solve(self, native: Any) -> Any:
        return self.library.graph.KruskalMSF(native).run()

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome(answer.getForest().numberOfEdges(), answer.getTotalWeight())


class Igraph(Contestant):
    """``igraph.Graph.spanning_tree`` with its default method."""

    name = module = package = "igraph"
    largest = 20_000_000
    accuracy = 1e-9

    def prepare(self, graph: Graph) -> Any:
        native = self.library.Graph(n=graph.n, edges=np.column_stack([graph.u, graph.v]))
        native.es["weight"] = graph.w.astype(np.float64).tolist()
        return native

    def solve(self, native: Any) -> Any:
        return native.spanning_tree(weights="weight", return_tree=False)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(np.array(native.es["weight"], np.float64)[list(answer)])


class GraphTool(Contestant):
    """``graph_tool.topology.min_spanning_tree``: Kruskal's algorithm."""

    name = "graph-tool"
    module = package = "graph_tool"
    largest = 20_000_000
    accuracy = 1e-9

    def require(self) -> None:
        if not self.installed:
            raise MissingExtraError(
                "graph-tool is not installed, and PyPI does not have it: see https://graph-tool.skewed.de",
                name=self.module,
            )

    def load(self, threads: int) -> None:
        super().load(threads)
        import graph_tool.topology  # noqa: F401

    def version(self) -> str:
        return self.library.__version__

    def prepare(self, graph: Graph) -> Any:
        native = self.library.Graph(directed=False)
        native.add_vertex(graph.n)
        native.add_edge_list(np.column_stack([graph.u, graph.v]))
        return native, native.new_edge_property("double", vals=graph.w.astype(np.float64))

    def solve(self, native: Any) -> Any:
        graph, weights = native
        return self.library.topology.min_spanning_tree(graph, weights=weights)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(native[1].a[answer.a.astype(bool)])


class NetworkX(Contestant):
    """``networkx.minimum_spanning_edges`` on a MultiGraph: Kruskal's algorithm."""

    name = module = package = "networkx"
    largest = 200_000
    accuracy = 1e-9

    def prepare(self, graph: Graph) -> Any:
        native = self.library.MultiGraph()
        native.add_nodes_from(range(graph.n))
        native.add_weighted_edges_from(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
        return native

    def solve(self, native: Any) -> Any:
        return list(self.library.minimum_spanning_edges(native))

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome(len(answer), sum(data["weight"] for *_, data in answer))


LIBRARIES = {library.name: library for library in (SciPy, Rustworkx, NetworKit, Igraph, GraphTool, NetworkX)}
"""The libraries by name; they need not be installed."""


def lightest_parallel_edges(graph: Graph) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the lightest of parallel edges as (smaller end, larger end, weight), sorted, without loops."""
    kept = graph.u != graph.v
    u, v, w = (column[kept] for column in (graph.u, graph.v, graph.w))
    low, high = np.minimum(u, v), np.maximum(u, v)
    order = np.lexsort((w, high, low))
    low, high, w = low[order], high[order], w[order]
    first = np.ones(low.size, bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    return low[first], high[first], w[first]
