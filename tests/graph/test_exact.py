import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.errors import GraphError
from boruvka.graph.exact import converted, find_conversion_witnesses

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
