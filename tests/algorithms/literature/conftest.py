import pytest

from boruvka import generators
from tests import oracles


@pytest.fixture(scope="session")
def graph():
    return generators.random(300, 1_200, seed=5, dtype="float64")


@pytest.fixture(scope="session")
def edges(graph):
    return oracles.kruskal(graph.n, graph.u, graph.v, graph.w, False)
