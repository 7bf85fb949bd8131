import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka.errors import GraphError
from boruvka.graph.exact import converted, exact_sum, find_conversion_witnesses

BITS = st.integers(0, 63)


@st.composite
def weights(draw):
    """Draw integers of all magnitudes, near powers of two and far from them."""
    dtype = draw(st.sampled_from([np.int64, np.uint64]))
    limits = np.iinfo(dtype)
    number = st.integers(limits.min, limits.max) | st.builds(
        lambda bits, offset, sign: min(max(sign * ((1 << bits) + offset), limits.min), limits.max),
        BITS,
        st.integers(-3, 3),
        st.sampled_from([1, -1]) if limits.min else st.just(1),
    )
    return np.array(draw(st.lists(number, max_size=8)), dtype)


@given(weights(), st.sampled_from([np.float64, np.uint64]))
def test_what_holds_the_hardest_holds_all(w, dtype):
    def fits(values):
        try:
            converted(values, np.dtype(dtype))
        except GraphError:
            return False
        return True

    exact = [int(float(x)) == x for x in w.tolist()] if dtype is np.float64 else [x >= 0 for x in w.tolist()]
    assert fits(w) == all(exact) == fits(find_conversion_witnesses(w))
    assert find_conversion_witnesses(w).dtype == w.dtype
    assert find_conversion_witnesses(w).size <= 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8, np.int32])
def test_other_types_are_never_hard(dtype):
    assert find_conversion_witnesses(np.ones(3, dtype)).size == 0


@pytest.mark.parametrize(
    ("values", "dtype"),
    [(np.int8, np.float16), (np.int16, np.float16), (np.int32, np.float32), (np.int64, np.float64)],
)
def test_the_smallest_integer_is_a_power_of_two(values, dtype):
    smallest = np.array([np.iinfo(values).min], values)
    assert converted(smallest, np.dtype(dtype)).tolist() == smallest.tolist()
    if values is not np.int8:  # float16 holds them all
        with pytest.raises(GraphError, match="has no exact"):
            converted(smallest + values(1), np.dtype(dtype))


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
