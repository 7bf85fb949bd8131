"""igraph."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.graph.graph import Graph
from boruvka.runtime.extras import require

__all__ = ["Igraph"]


class Igraph(Contestant):
    """``igraph.Graph.spanning_tree`` with the method that it picks."""

    name = module = package = "igraph"
    largest = 20_000_000
    accuracy = 1e-9

    def prepare(self, graph: Graph) -> Any:
        native = require("igraph", "bench").Graph(n=graph.n, edges=np.column_stack([graph.u, graph.v]))
        native.es["weight"] = graph.w.astype(np.float64).tolist()
        return native

    def solve(self, native: Any) -> Any:
        return native.spanning_tree(weights="weight", return_tree=False)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(np.array(native.es["weight"], np.float64)[list(answer)])
