"""Matrices tile by tile; all types, layouts and points are in the tests of their graphs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve


def edges_of(a):
    """List the entries off the diagonal that are not zero, row by row."""
    u, v = np.nonzero(a - np.diag(np.diag(a)))
    return u, v, a[u, v]


@pytest.mark.parametrize("symmetric", [True, False])
@given(n=st.integers(1, 14), tile=st.integers(1, 6), pairs=st.integers(1, 50), seed=st.integers(0, 99))
def test_tiles_and_batches_of_any_size(symmetric, n, tile, pairs, seed):
    a = np.random.default_rng(seed).integers(0, 5, (n, n)).astype(float)
    a = np.minimum(a, a.T) if symmetric else a
    backend = Backend(tuning=Tuning(tile=tile, pairs_of_tiles=pairs))
    edges, _ = solve(Graph.from_dense(a), "dense", backend)
    assert edges == oracles.kruskal(n, *edges_of(a))


def test_tiles_are_merged_in_batches():
    a = np.random.default_rng(1).integers(0, 50, (320, 320)).astype(float)
    backend = Threads(2, Tuning(tile=16, pairs_of_tiles=1))
    edges, rounds = solve(Graph.from_dense(a), "dense", backend)
    assert [r.phase for r in rounds].count("tiles") > 5
    u, v, w = edges_of(a)
    assert edges == oracles.kruskal(320, u, v, w, False)
