"""rustworkx."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.graph.graph import Graph
from boruvka.runtime.extras import require

__all__ = ["Rustworkx"]


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
        native = require("rustworkx", "bench").PyGraph(multigraph=True)
        native.add_nodes_from(range(graph.n))
        native.add_edges_from(
            list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.astype(float).tolist(), strict=True))
        )
        return native

    def solve(self, native: Any) -> Any:
        return require("rustworkx", "bench").minimum_spanning_edges(native, weight_fn=float)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(np.array([w for _, _, w in answer], np.float64))
