import numpy as np
import pytest

from boruvka.algorithms.literature.radix_sort import sort
from boruvka.backends.threads import Threads
from tests.conftest import small_tuning


@pytest.mark.parametrize("low_bits", [0, 5])
def test_radix_sort_is_stable(low_bits):
    random, backend = np.random.default_rng(3), Threads(3, small_tuning(0))
    for top in (1, 4, 2**11, 2**40, 2**64 - 1):
        key = random.integers(0, top, 500, np.uint64, endpoint=True)
        order = np.argsort(key >> np.uint64(low_bits), kind="stable")
        got = sort(backend, key, np.arange(key.size, dtype=np.uint64), low_bits)
        np.testing.assert_array_equal(got[1], order)
        np.testing.assert_array_equal(got[0], key[order])
    nothing = np.empty(0, np.uint64)
    assert sort(backend, nothing, nothing)[0].size == 0
