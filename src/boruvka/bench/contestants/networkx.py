"""NetworkX."""

from __future__ import annotations

from typing import Any

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.graph.graph import Graph
from boruvka.runtime.extras import require

__all__ = ["NetworkX"]


class NetworkX(Contestant):
    """``networkx.minimum_spanning_edges`` on a MultiGraph: Kruskal's algorithm."""

    name = module = package = "networkx"
    largest = 200_000
    accuracy = 1e-9

    def prepare(self, graph: Graph) -> Any:
        native = require("networkx", "bench").MultiGraph()
        native.add_nodes_from(range(graph.n))
        native.add_weighted_edges_from(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
        return native

    def solve(self, native: Any) -> Any:
        return list(require("networkx", "bench").minimum_spanning_edges(native))

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome(len(answer), sum(data["weight"] for *_, data in answer))
