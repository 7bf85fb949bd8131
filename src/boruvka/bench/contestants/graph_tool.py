"""graph-tool."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.errors import MissingExtraError
from boruvka.graph.graph import Graph
from boruvka.runtime.extras import require

__all__ = ["GraphTool"]


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
        require("graph_tool.topology", "bench")

    def version(self) -> str:
        return require("graph_tool", "bench").__version__

    def prepare(self, graph: Graph) -> Any:
        native = require("graph_tool", "bench").Graph(directed=False)
        native.add_vertex(graph.n)
        native.add_edge_list(np.column_stack([graph.u, graph.v]))
        return native, native.new_edge_property("double", vals=graph.w.astype(np.float64))

    def solve(self, native: Any) -> Any:
        graph, weights = native
        return require("graph_tool.topology", "bench").min_spanning_tree(graph, weights=weights)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(native[1].a[answer.a.astype(bool)])
