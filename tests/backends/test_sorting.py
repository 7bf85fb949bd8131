import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.backends import get_backend

ALL = 2**64 - 1


def assert_sorted(values, threads=1):
    values = np.array(values, np.uint64)
    before = values.copy()
    got = get_backend("threads", threads).argsort(values)
    assert got.dtype == np.uint64
    assert got.tolist() == np.argsort(values, kind="stable").tolist()
    assert (values == before).all()


@given(st.lists(st.integers(0, ALL) | st.integers(0, 9) | st.integers(ALL - 9, ALL)))
def test_positions_are_those_of_a_stable_sort(values):
    assert_sorted(values)


@given(st.lists(st.integers(0, 40), max_size=40), st.integers(0, 50))
def test_values_that_differ_in_low_bits_only(low, spread):
    assert_sorted([*(x << spread for x in low), 0, ALL])


@pytest.mark.parametrize("order", [1, -1])
def test_many_equal_high_bits(order):
    assert_sorted([0, ALL, *range(10_000)[::order]])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_many_values(threads):
    random = np.random.default_rng(1)
    assert_sorted(random.random(100_000).view(np.uint64), threads)
    assert_sorted(random.integers(0, 9, 100_000).astype(float).view(np.uint64), threads)
    assert_sorted((1 + 1e-12 * random.random(60_000)).view(np.uint64), threads)


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("size", [0, 1, 7, 60_000, 100_001])
def test_sort(size, threads):
    values = np.random.default_rng(2).integers(0, size + 1, size).astype(np.uint64)
    expected = np.sort(values)
    get_backend("threads", threads).sort(values)
    assert (values == expected).all()
