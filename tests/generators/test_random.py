"""Uniform random graphs."""

import numpy as np
from scipy import stats

from boruvka.generators import random


def test_all_pairs_are_equally_likely_and_none_is_a_loop():
    graph = random(12, 50_000, seed=1)
    cells = np.bincount(graph.u * 12 + graph.v, minlength=144).reshape(12, 12)
    assert not np.diag(cells).any()
    assert stats.chisquare(cells[~np.eye(12, dtype=bool)]).pvalue > 1e-4


def test_sizes():
    assert random(50).m == 450
    assert random(5, 0).m == 0
    graph = random(2**33, 1000)
    assert graph.u.dtype == np.uint64
    assert graph.u.max() > 2**32
