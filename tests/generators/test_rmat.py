import numpy as np
import pytest
from scipy import stats

from boruvka.generators import rmat
from boruvka.generators.kronecker import INITIATOR

UNEVEN = {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}


@pytest.mark.parametrize("level", range(9))
def test_quarters_have_their_shares(level):
    graph = rmat(9, 50_000, **UNEVEN, seed=1)
    quarter = (graph.u >> level & 1) * 2 + (graph.v >> level & 1)
    expected = 50_000 * np.array(list(UNEVEN.values()))
    assert stats.chisquare(np.bincount(quarter, minlength=4), expected).pvalue > 1e-4


def test_levels_are_independent():
    graph = rmat(9, 50_000, **UNEVEN, seed=2)
    for ends, share in ((graph.u, 0.3), (graph.v, 0.4)):
        ones = np.bitwise_count(ends)
        few = np.minimum(np.bincount(ones, minlength=10), 50_000)
        expected = stats.binom.pmf(np.arange(10), 9, share) * 50_000
        tail = expected < 5
        few = np.append(few[~tail], few[tail].sum())
        expected = np.append(expected[~tail], expected[tail].sum())
        kept = expected > 0
        assert stats.chisquare(few[kept], expected[kept]).pvalue > 1e-4


def test_degrees_follow_the_initiator():
    graph = rmat(6, 100_000, **INITIATOR, seed=3)
    degrees = np.bincount(graph.u, minlength=64)
    ones = np.bitwise_count(np.arange(64))
    assert stats.chisquare(degrees, 100_000 * 0.24**ones * 0.76 ** (6 - ones)).pvalue > 1e-4


@pytest.mark.parametrize(("quarter", "u", "v"), [("a", 0, 0), ("b", 0, 31), ("c", 31, 0), ("d", 31, 31)])
def test_a_certain_quarter(quarter, u, v):
    graph = rmat(5, 10, **({"a": 0, "b": 0, "c": 0, "d": 0} | {quarter: 1}))
    assert set(graph.u) == {u}
    assert set(graph.v) == {v}


def test_no_edges():
    assert rmat(3, 0).m == 0
