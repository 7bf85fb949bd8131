"""Contraction by scans and splits."""

from boruvka import generators
from boruvka.backends.primitives import Backend
from tests.algorithms.solving import solve


def test_parallel_edges_are_removed():
    graph = generators.kronecker(7, 16, seed=4, dtype="float64")
    last = solve(graph, "scan-split", Backend())[1][-1]
    assert last.edges <= last.n_components * (last.n_components - 1) // 2
