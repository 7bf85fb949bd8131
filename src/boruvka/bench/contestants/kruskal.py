"""The fifteen lines to beat: NumPy's sort and a union-find."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.compiler import kernel
from boruvka.bench.contestants.contestant import Contestant, Outcome
from boruvka.graph.graph import Graph

__all__ = ["ArgsortKruskal"]


class ArgsortKruskal(Contestant):
    """Kruskal's algorithm: ``np.argsort``, then a union-find that Numba compiles."""

    name = "argsort-kruskal"
    package = "numpy"

    def prepare(self, graph: Graph) -> Graph:
        return graph

    def solve(self, native: Graph) -> NDArray[np.int64]:
        edges = np.empty(min(native.m, native.n), np.int64)
        root = np.arange(native.n, dtype=native.u.dtype)
        return edges[: _join(np.argsort(native.w), native.u, native.v, root, edges)]

    def outcome(self, native: Graph, answer: Any) -> Outcome:
        return Outcome.of(native.w[answer])


@kernel
def _join(order, u, v, root, edges):
    """Take each edge that joins two trees; paths are halved."""
    found = np.uint64(0)
    for j in range(order.size):
        i = np.uint64(order[j])
        a, b = u[i], v[i]
        while a != root[a]:
            root[a] = root[root[a]]
            a = root[a]
        while b != root[b]:
            root[b] = root[root[b]]
            b = root[b]
        if a != b:
            root[a] = b
            edges[found] = i
            found += np.uint64(1)
    return found
