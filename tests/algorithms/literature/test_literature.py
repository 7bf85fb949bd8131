"""What all published algorithms have in common."""

import itertools

import numpy as np
import pytest

from boruvka import Graph
from boruvka.algorithms.registry import edge_list_algorithms
from boruvka.backends.primitives import Backend
from tests import oracles
from tests.algorithms.solving import solve


@pytest.mark.parametrize(
    "algorithm",
    [
        "sequential",
        "edge-contraction",
        "csr-contraction",
        "colour-contraction",
        "component-ranges",
        "scan-split",
    ],
)
def test_components_at_least_halve(graph, algorithm):
    _, rounds = solve(graph, algorithm, Backend())
    components = [r.n_components for r in rounds]
    isolated = graph.n - np.unique(np.r_[graph.u, graph.v]).size
    assert components[0] == graph.n
    assert len(components) <= 12
    for before, after in itertools.pairwise(components):
        assert after <= (before + isolated) / 2 + isolated


def test_equal_weights_close_no_cycle():
    """A graph on which sources that break ties by vertex alone, or by luck, close cycles."""
    n = 64
    u, v = np.triu_indices(n, 1)
    graph = Graph(n, u, v, np.ones(u.size))
    expected = oracles.kruskal(n, graph.u, graph.v, graph.w, False)
    for name in edge_list_algorithms():
        assert solve(graph, name, Backend())[0] == expected
