"""Contraction with and without parallel edges."""

from boruvka import generators
from boruvka.backends.primitives import Backend
from tests import oracles
from tests.algorithms.solving import solve


def test_duplicates_can_be_removed():
    graph = generators.kronecker(7, 16, seed=4, dtype="float64")
    expected = oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)
    looked_at = {}
    for remove in (False, True):
        edges, rounds = solve(graph, "csr-contraction", Backend(), remove_duplicates=remove)
        assert edges == expected
        looked_at[remove] = [r.edges for r in rounds]
    assert looked_at[True][0] == looked_at[False][0] == graph.m
    assert looked_at[True][1] < looked_at[False][1]
