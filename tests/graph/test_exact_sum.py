import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka.graph.exact_sum import exact_sum


@given(
    st.sampled_from(["i1", "u1", "i4", "u4", "i8", "u8"]).flatmap(lambda t: hnp.arrays(t, st.integers(0, 50)))
)
def test_integers_are_exact(w):
    assert exact_sum(w) == sum(w.tolist())
    assert type(exact_sum(w)) is int


@given(
    st.sampled_from(["f2", "f4", "f8"]).flatmap(
        lambda t: hnp.arrays(
            t, st.integers(0, 50), elements=hnp.from_dtype(np.dtype(t), allow_nan=False, allow_infinity=False)
        )
    )
)
def test_floats_are_rounded_once(w):
    exact = sum(map(Fraction, w.tolist()), Fraction(0))
    try:
        expected = float(exact)
    except OverflowError:
        expected = math.inf if exact > 0 else -math.inf
    assert exact_sum(w) == expected
    assert type(exact_sum(w)) is float


@pytest.mark.parametrize(
    ("w", "expected"),
    [
        (np.array([2**63 - 1] * 3), 3 * (2**63 - 1)),
        (np.array([-(2**63)] * 3), -3 * 2**63),
        (np.array([2**64 - 1] * 3, np.uint64), 3 * (2**64 - 1)),
        (np.array([1e308, 1e308, -1e308]), 1e308),
        (np.array([1e308, 1e308]), math.inf),
        (np.array([1e16, 1.0, -1e16]), 1.0),
        (np.array([math.inf, 1.0]), math.inf),
        (np.array([-math.inf, 1.0]), -math.inf),
        (np.array([1, 2**-60], np.longdouble), 1.0),
        (np.array([1, np.longdouble(2) ** -60, -1], np.longdouble), 2.0**-60),
        (np.array([2.0**-1022, 5e-324, 2.0**-1022]), 2.0**-1021 + 5e-324),
        (np.full(70_000, 0.1), float(70_000 * Fraction(0.1))),
    ],
)
def test_hard_sums(w, expected):
    assert exact_sum(w) == expected


LONG = np.longdouble


@pytest.mark.skipif(np.finfo(LONG).maxexp <= 1024, reason="long double has the range of double here")
@pytest.mark.parametrize(
    ("w", "expected"),
    [
        ([LONG("1e400"), 1], math.inf),
        ([LONG("-1e400"), 1], -math.inf),
        ([LONG("1e400"), LONG("-1e400"), LONG("0.1")], float(LONG("0.1"))),
        ([LONG(2) ** 1024, -(LONG(2) ** 1023)], 2.0**1023),
        ([LONG(2) ** -1075, LONG(2) ** -1075], 2.0**-1074),
        ([1, LONG(2) ** -53, LONG(2) ** -2000], 1 + 2.0**-52),
    ],
)
def test_long_doubles_beyond_the_range_of_double(w, expected):
    assert exact_sum(np.array(w, LONG)) == expected


def test_infinities_of_both_signs():
    assert math.isnan(exact_sum(np.array([math.inf, -math.inf])))
