"""Every kernel that ranks call, with the tuning of real graphs: see `tests.kernels.test_every_kernel`."""

import numpy as np
import pytest

from boruvka import Graph, generators, minimum_spanning_forest
from boruvka.distributed import STRATEGIES
from boruvka.kernels import library

pytestmark = [] if library.installed() else pytest.mark.long

DEFAULTS = [("edges", "filter-boruvka"), ("vertices", "filter-boruvka")]
FAR = 1 << 41
"""Indices so far apart that they do not fit a key."""


def check(on_ranks, graph, step, strategies, ids=np.uint32, **tuning):
    """Compare the forests of two ranks with that of one machine."""
    expected = minimum_spanning_forest(graph).edges
    returned = on_ranks(2, "solve_compiled", (graph, step, strategies, ids, tuning))
    assert len(returned[0]) == 3 * len(strategies)
    for parts in zip(*returned, strict=True):
        np.testing.assert_array_equal(np.sort(np.concatenate(parts)), expected)


@pytest.mark.parametrize(
    ("ids", "strategies"),
    [(np.uint32, DEFAULTS), (np.uint64, DEFAULTS[1:])],
    ids=["n below 2**32", "n above"],
)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "int8"])
def test_defaults(on_ranks, dtype, ids, strategies):
    for m in 300_000, 1_000_000:  # enough for rounds, and for a filter
        random = generators.random(100_000, m, dtype=dtype)
        counted = Graph(random.n, random.u, random.v, np.arange(m).astype(dtype))
        check(on_ranks, random, FAR, strategies, ids)
        check(on_ranks, counted, 1, strategies, ids)


@pytest.mark.parametrize("step", [1, FAR])
@pytest.mark.parametrize("ids", [np.uint32, np.uint64])
def test_as_on_many_ranks(on_ranks, ids, step):
    """No rank has a bit for every vertex."""
    check(on_ranks, generators.random(100_000, 1_000_000), step, DEFAULTS[1:], ids, vertices_at_edge=0)


@pytest.mark.parametrize("step", [1, FAR])
def test_strategies(on_ranks, step):
    random = generators.random(20_000, 100_000)
    counted = Graph(random.n, random.u, random.v, np.arange(random.m))
    check(on_ranks, counted, step, list(STRATEGIES))
