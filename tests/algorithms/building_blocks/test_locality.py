"""Locality as a sample of edges shows it."""

import numpy as np
import pytest

from boruvka import Graph, generators
from boruvka.algorithms.building_blocks.locality import (
    edges_are_close,
    ends_are_close,
    light_edges_are_together,
)


def test_locality_is_seen():
    assert ends_are_close(generators.grid(600, 600, seed=1), 16)
    assert ends_are_close(generators.grid(600, 600, seed=1, shuffle=True), 16)
    assert not ends_are_close(generators.random(360_000, 720_000, seed=1), 16)
    assert edges_are_close(generators.grid(600, 600, seed=1), 16)
    assert not edges_are_close(generators.grid(600, 600, seed=1, shuffle=True), 16)
    for few in range(4):
        graph = Graph(300_000, [0] * few, [1] * few, [1] * few)
        assert ends_are_close(graph, 16)
        assert edges_are_close(graph, 16)


@pytest.mark.parametrize("dense", [True, False])
def test_light_edges_of_dense_regions_are_together(dense):
    """A list by vertex in which the first vertices have all light edges, or each vertex has some."""
    u = np.repeat(np.arange(500), 10)
    w = u if dense else np.tile(np.arange(10), 500)
    graph = Graph(500, u, (u + 1) % 500, w.astype(float))
    assert light_edges_are_together(graph, 0.1) == dense
