import math

import numpy as np
import pytest

from boruvka.generators import kronecker, rmat
from boruvka.generators.rmat import GRAPH500
from tests.statistics import has_shares, rank_correlation

INITIATOR = dict(zip("abcd", GRAPH500, strict=True))
UNEVEN = {"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}


@pytest.mark.parametrize("level", range(9))
def test_quarters_have_their_shares(level):
    graph = rmat(9, 50_000, **UNEVEN, seed=1)
    quarter = (graph.u >> level & 1) * 2 + (graph.v >> level & 1)
    expected = 50_000 * np.array(list(UNEVEN.values()))
    assert has_shares(np.bincount(quarter, minlength=4), expected)


def test_levels_are_independent():
    graph = rmat(9, 50_000, **UNEVEN, seed=2)
    for ends, share in ((graph.u, 0.3), (graph.v, 0.4)):
        ones = np.bitwise_count(ends)
        few = np.minimum(np.bincount(ones, minlength=10), 50_000)
        expected = np.array([50_000 * math.comb(9, k) * share**k * (1 - share) ** (9 - k) for k in range(10)])
        tail = expected < 5
        few = np.append(few[~tail], few[tail].sum())
        expected = np.append(expected[~tail], expected[tail].sum())
        kept = expected > 0
        assert has_shares(few[kept], expected[kept])


def test_degrees_follow_the_initiator():
    graph = rmat(6, 100_000, **INITIATOR, seed=3)
    degrees = np.bincount(graph.u, minlength=64)
    ones = np.bitwise_count(np.arange(64))
    assert has_shares(degrees, 100_000 * 0.24**ones * 0.76 ** (6 - ones))


@pytest.mark.parametrize(("quarter", "u", "v"), [("a", 0, 0), ("b", 0, 31), ("c", 31, 0), ("d", 31, 31)])
def test_a_certain_quarter(quarter, u, v):
    graph = rmat(5, 10, **({"a": 0, "b": 0, "c": 0, "d": 0} | {quarter: 1}))
    assert set(graph.u) == {u}
    assert set(graph.v) == {v}


def test_no_edges():
    assert rmat(3, 0).m == 0


def test_kronecker_is_rmat_relabelled_and_shuffled():
    plain = rmat(8, 8 * 256, **INITIATOR, seed=5)
    graph = kronecker(8, 8, seed=5)
    assert (graph.n, graph.m) == (256, 2048)
    np.testing.assert_array_equal(
        np.sort(np.bincount(np.append(graph.u, graph.v), minlength=256)),
        np.sort(np.bincount(np.append(plain.u, plain.v), minlength=256)),
    )
    assert (graph.u == graph.v).sum() == (plain.u == plain.v).sum()
    assert np.argmax(np.bincount(plain.u)) == 0


def test_labels_of_kronecker_say_nothing_about_degrees():
    graph = kronecker(12, 16, seed=0)
    degrees = np.bincount(graph.u, minlength=4096)
    ones = np.bitwise_count(np.arange(4096))
    assert abs(rank_correlation(degrees, ones)) < 5 / 64


def test_edges_of_kronecker_are_in_no_order():
    graph = kronecker(12, 16, seed=0)
    assert abs(np.corrcoef(graph.u[1:].astype(float), graph.u[:-1])[0, 1]) < 5 / 256


def test_one_vertex():
    graph = kronecker(0, 3)
    assert (graph.n, graph.m) == (1, 3)
    assert not graph.u.any()
    assert not graph.v.any()


def test_the_initiator_is_that_of_graph500():
    assert GRAPH500 == (0.57, 0.19, 0.19, 0.05)
