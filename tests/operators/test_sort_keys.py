import functools
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.operators.sort_keys import NONE, edge_key, sort_keys_of, unused_low_bits
from tests.strategies import graphs


def keys(w, maximum=False, index_bits=None):
    order = sort_keys_of(w, maximum, index_bits)
    return order, [
        (int(edge_key(i, order.bits, order.packing)), i if order.keys_lack_index else 0)
        for i in range(w.size)
    ]


@given(graph=graphs(), maximum=st.booleans(), index_bits=st.sampled_from([None, 20, 32, 40]))
def test_keys_sort_as_weights_and_indices_do(graph, maximum, index_bits):
    w = graph.w
    order, packed = keys(w, maximum, index_bits)
    weights = w.tolist() if w.dtype.itemsize <= 8 else list(w)
    expected = sorted(range(w.size), key=lambda i: (-weights[i] if maximum else weights[i], i))
    assert sorted(range(w.size), key=lambda i: packed[i]) == expected
    if not order.keys_lack_index:
        assert [key & int(order.index_mask) for key, _ in packed] == list(range(w.size))
        assert all(key < int(NONE) for key, _ in packed)


@pytest.mark.parametrize(
    ("w", "keys_lack_index"),
    [
        (np.array([1.5, 2.5], np.float32), False),
        (np.array([-(2**31), 2**31 - 1], np.int32), False),
        (np.array([2**60, 2**60 + 1], np.int64), False),
        (np.array([0, 2**63], np.uint64), False),
        (np.array([0, 2**64 - 1], np.uint64), True),
        (np.array([-(2**63), 2**63 - 1], np.int64), True),
        (np.arange(-50.0, 50.0), False),
        (np.array([0.1, 0.7, -3e300]), True),
        (np.zeros(1000), False),
        (np.array([-0.0, 0.0]), False),
    ],
)
def test_keys_lack_the_index_only_where_they_must(w, keys_lack_index):
    assert sort_keys_of(w).keys_lack_index is keys_lack_index


@pytest.mark.parametrize("key_bits", [44, 45])
def test_keys_fill_64_bits_exactly(key_bits):
    """One bit more, and keys would overflow: the heaviest edge would come before the lightest."""
    w = np.array([2**key_bits - 1, 0, 2**key_bits - 1, 2**key_bits - 2])
    order, packed = keys(w, index_bits=20)
    assert order.keys_lack_index is (key_bits > 44)
    assert sorted(range(w.size), key=lambda i: packed[i]) == [1, 3, 0, 2]


@given(st.lists(st.integers(0, 2**40), min_size=1), st.integers(0, 23), st.sampled_from([1, 1 << 16]))
def test_unused_low_bits_are_zero_in_every_weight(values, shift, copies):
    values = [*values, 1 << 40]
    bits = np.repeat(np.array(values, np.uint64) << np.uint64(shift), copies)
    together = functools.reduce(operator.or_, values)
    assert unused_low_bits(bits) == shift + (together & -together).bit_length() - 1


@pytest.mark.parametrize("zero", [0.0, np.float32(0), 0])
def test_zeros_use_no_bit(zero):
    bits = np.array([zero] * 3).view(f"u{np.array(zero).itemsize}")
    assert unused_low_bits(bits) == 8 * bits.itemsize


def test_no_weights():
    assert not sort_keys_of(np.empty(0)).keys_lack_index
