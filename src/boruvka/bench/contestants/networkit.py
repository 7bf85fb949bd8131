"""NetworKit."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.graph.graph import Graph
from boruvka.runtime.extras import require

__all__ = ["NetworKit"]


class NetworKit(Contestant):
    """``networkit.graph.KruskalMSF``."""

    name = module = package = "networkit"
    largest = 50_000_000
    parallel = True
    accuracy = 1e-9

    def load(self, threads: int) -> None:
        super().load(threads)
        require("networkit", "bench").setNumberOfThreads(threads)

    def prepare(self, graph: Graph) -> Any:
        coo = graph.w.astype(np.float64), (graph.u.astype(np.int64), graph.v.astype(np.int64))
        return require("networkit", "bench").GraphFromCoo(coo, n=graph.n, weighted=True, directed=False)

    def solve(self, native: Any) -> Any:
        return require("networkit", "bench").graph.KruskalMSF(native).run()

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome(answer.getForest().numberOfEdges(), answer.getTotalWeight())
