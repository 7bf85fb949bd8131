"""Weights in two words, against Python's integers and fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka.graph.fixed_point import LOW_BITS, MASK, fixed_point, total

TYPES = ["i1", "i8", "u4", "u8", "f2", "f4", "f8"]


@pytest.mark.parametrize("dtype", TYPES)
@given(st.data())
def test_integers_in_proportion_to_weights(dtype, data):
    elements = {} if dtype[0] != "f" else {"allow_nan": False, "allow_infinity": False}
    w = data.draw(hnp.arrays(dtype, st.integers(1, 6), elements=elements or None))
    high, low = fixed_point(w, 2**40)
    assert all(0 <= x <= MASK for x in low.tolist())
    numbers = [(h << LOW_BITS) + x for h, x in zip(high.tolist(), low.tolist(), strict=True)]
    weights = [Fraction(x) for x in w.tolist()]
    assert all(
        a * y == b * x
        for a, x in zip(numbers, weights, strict=True)
        for b, y in zip(numbers, weights, strict=True)
    )
    assert [(x > 0) - (x < 0) for x in numbers] == [(x > 0) - (x < 0) for x in weights]
    assert total(high, low) == sum(numbers)


def test_common_floats_are_words_of_a_processor():
    rng = np.random.default_rng(0)
    for w in (
        rng.random(1000),
        rng.random(1000, np.float32),
        rng.normal(size=1000) * 1e6,
        np.array([0.0, -0.0]),
    ):
        assert fixed_point(w, 2**40)[0].dtype == np.int64
    assert fixed_point(np.array([1e300, 1e-300]), 2**40)[0].dtype == object
    assert fixed_point(np.array([1, np.longdouble(1) / 3]), 2**40)[0].dtype == object
