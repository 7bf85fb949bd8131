"""Blocks of consecutive vertices: their rounds, and what is left for rounds between them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, generators
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve
from tests.strategies import graphs


@given(graph=graphs(max_vertices=40, max_edges=90), bits=st.integers(0, 6), maximum=st.booleans())
def test_blocks_of_any_size(graph, bits, maximum):
    edges, _ = solve(graph, "block-boruvka", Backend(tuning=Tuning(block_bits=bits)), maximum)
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)


@pytest.mark.parametrize(("bits", "blocks"), [(3, 8), (10, 1)])
def test_rounds_between_blocks_read_few_edges(bits, blocks):
    graph = generators.path(64, seed=1)
    edges, rounds = solve(graph, "block-boruvka", Backend(tuning=Tuning(block_bits=bits)))
    assert edges == list(range(63))
    assert (rounds[0].phase, rounds[0].edges) == ("block", 63)
    assert sum(r.phase != "block" for r in rounds) == (blocks > 1)
    assert all(r.edges < 20 for r in rounds[1:])


@pytest.mark.parametrize("weights", ["equal", "lighter between"])
def test_no_component_hooks_past_an_edge_that_leaves_its_block(weights):
    """Edges between blocks of two vertices are as light as edges inside blocks, or lighter."""
    u = np.arange(31)
    w = np.ones(31) if weights == "equal" else 1.0 + (u % 2 == 0)
    order = np.random.default_rng(3).permutation(31)
    graph = Graph(32, u[order], u[order] + 1, w)
    back = np.argsort(order)
    graph = Graph(32, [*graph.u, 0], [*graph.v, 31], [*w[back][order], 1.0])
    edges, _ = solve(graph, "block-boruvka", Backend(tuning=Tuning(block_bits=1)))
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w)
