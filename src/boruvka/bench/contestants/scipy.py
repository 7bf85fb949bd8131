"""SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.bench.contestants.deduplicate import lightest
from boruvka.graph.graph import Graph

__all__ = ["SciPy"]


class SciPy(Contestant):
    """``scipy.sparse.csgraph.minimum_spanning_tree`` on a CSR array of float64.

    It would sum parallel edges and drop edges of weight zero: it is given the lightest of parallel
    edges, and the smallest number above zero for zero.
    """

    name = "scipy"
    module = package = "scipy"
    largest = 100_000_000
    accuracy = 1e-9

    def load(self, threads: int) -> None:
        import scipy.sparse.csgraph  # noqa: F401

    def prepare(self, graph: Graph) -> Any:
        from scipy import sparse

        u, v, weights = lightest(graph)
        w = weights.astype(np.float64)
        w[w == 0] = np.nextafter(0, 1)
        return sparse.coo_array((w, (u, v)), shape=(graph.n, graph.n)).tocsr()

    def solve(self, native: Any) -> Any:
        from scipy.sparse.csgraph import minimum_spanning_tree

        return minimum_spanning_tree(native)

    def outcome(self, native: Any, answer: Any) -> Outcome:
        return Outcome.of(answer.data)
