"""Every contestant that is installed gives the weight and the edges of the forest, whatever the graph."""

import numpy as np
import pytest
from hypothesis import given

from boruvka import Graph
from boruvka.algorithms.registry import edge_list_algorithms
from lab.contestants.libraries import LIBRARIES, lightest_parallel_edges
from lab.contestants.ours import Ours
from lab.harness.contestant import fingerprint

from ...interop.graphs import graphs
from ...oracles import kruskal

WEIGHTS = [np.int8, np.uint16, np.int32, np.int64, np.float32, np.float64]


def contestant(name):
    made = LIBRARIES[name]() if name in LIBRARIES else Ours(name)
    if not made.installed:
        pytest.skip(f"{name} is not installed")
    made.load(1)
    return made


def outcome(made, graph):
    native = made.prepare(graph)
    return made.outcome(native, made.solve(native))


@pytest.mark.parametrize(
    "name",
    [*LIBRARIES, "auto", *(pytest.param(name, marks=pytest.mark.long) for name in edge_list_algorithms())],
)
@given(graph=graphs(dtypes=WEIGHTS))
def test_contestants_find_the_forest(name, graph):
    made = contestant(name)
    edges = kruskal(graph.n, graph.u, graph.v, graph.w)
    found = outcome(made, graph)
    assert found.edges == len(edges)
    assert float(found.weight) == pytest.approx(float(graph.w[edges].sum(dtype=float)), abs=1e-9)
    assert made.version()


def test_lightest_of_parallel_edges():
    u, v, w = lightest_parallel_edges(Graph(3, [1, 0, 2, 0, 2], [0, 1, 2, 1, 0], [5, 3, 1, 4, 0]))
    assert (u.tolist(), v.tolist(), w.tolist()) == ([0, 0], [1, 2], [3, 0])


def test_fingerprints():
    edges = np.array([0, 3, 1000, 7])
    assert fingerprint(edges) == fingerprint(np.sort(edges).astype(np.uint32))
    halves = fingerprint(edges[:1]) + fingerprint(edges[1:])
    assert fingerprint(edges) == halves % 2**64
    assert len({fingerprint(edges), fingerprint(edges + 1), fingerprint(edges[1:]), 0}) == 4
    assert fingerprint(edges[:0]) == 0
