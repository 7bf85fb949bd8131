"""Contraction by scans and splits."""

import numpy as np

from boruvka import generators
from boruvka.algorithms.literature.vineet_2009 import sort_by_splits
from boruvka.backends.primitives import Backend
from boruvka.backends.threads import Threads
from tests.algorithms.solving import solve
from tests.conftest import small_tuning


def test_parallel_edges_are_removed():
    graph = generators.kronecker(7, 16, seed=4, dtype="float64")
    last = solve(graph, "scan-split", Backend())[1][-1]
    assert last.edges <= last.n_components * (last.n_components - 1) // 2


def test_the_sort_by_splits_is_stable():
    random, backend = np.random.default_rng(3), Threads(3, small_tuning(0))
    for top in (1, 4, 2**11, 2**40, 2**64 - 1):
        key = random.integers(0, top, 500, np.uint64, endpoint=True)
        order = np.argsort(key, kind="stable")
        got = sort_by_splits(backend, key, np.arange(key.size, dtype=np.uint64))
        np.testing.assert_array_equal(got[1], order)
        np.testing.assert_array_equal(got[0], key[order])
    nothing = np.empty(0, np.uint64)
    assert sort_by_splits(backend, nothing, nothing)[0].size == 0
