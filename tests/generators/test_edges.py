"""The kinds and types of weights."""

import numpy as np
import pytest

from boruvka import OptionError
from boruvka.generators.edges import KINDS, TYPES, make_weights, weight_type
from tests.statistics import is_uniform


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kind", KINDS)
def test_values_of_a_kind(kind, dtype):
    if kind == "integers_1000" and dtype in ("int8", "uint8"):
        pytest.skip("1000 does not fit")
    w = make_weights(kind, dtype, 100, seed=1)
    assert w.dtype == dtype
    assert w.size == 100
    if kind == "distinct":
        np.testing.assert_array_equal(np.sort(w), np.arange(100))
        assert (w != np.arange(100)).any()
    elif kind == "integers_8":
        assert set(w.tolist()) == set(range(1, 9))
    elif kind == "integers_1000":
        assert ((w >= 1) & (w <= 1000) & (w == np.floor(w))).all()
        assert np.unique(w).size > 80
    elif kind == "constant":
        assert (w == 1).all()
    elif w.dtype.kind == "f":
        assert ((w >= 0) & (w < 1)).all()
        assert np.unique(w).size == 100
    else:
        largest = np.iinfo(dtype).max
        assert (w >= 0).all()
        assert (w < largest).all()
        assert w.max() > largest * 0.9
        assert w.min() < largest * 0.1


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint64"])
def test_uniform_weights_are_uniform(dtype):
    w = make_weights("uniform", dtype, 1 << 16, seed=5) / (np.iinfo(dtype).max if dtype == "uint64" else 1)
    assert is_uniform(w)


def test_float32_is_float64_rounded_down():
    narrow, wide = (make_weights("uniform", dtype, 1000, seed=2) for dtype in ("float32", "float64"))
    np.testing.assert_array_equal(narrow, np.floor(wide * 2**24) / 2**24)


@pytest.mark.parametrize("kind", KINDS)
def test_a_slice_agrees_with_the_whole(kind):
    whole = make_weights(kind, "float32", 1000, seed=3)
    np.testing.assert_array_equal(
        make_weights(kind, "float32", 1000, seed=3, start=17, stop=400), whole[17:400]
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "constant"])
def test_seeds_differ(kind):
    assert (make_weights(kind, "float32", 100, seed=3) != make_weights(kind, "float32", 100, seed=4)).any()


def test_types_of_numpy_are_taken():
    assert make_weights("integers_8", np.int32, 3, seed=0).dtype == np.int32
    assert make_weights("integers_8", np.dtype(">i4"), 3, seed=0).dtype == np.int32


@pytest.mark.parametrize(
    ("kind", "dtype", "m", "message"),
    [
        (
            "heavy",
            "float32",
            1,
            "weights must be one of uniform, distinct, integers_8, integers_1000, constant",
        ),
        ("uniform", "float16", 1, "dtype must be one of float32, float64"),
        ("uniform", "complex64", 1, "dtype must be one of"),
        ("uniform", "number", 1, "dtype must be one of"),
        ("integers_1000", "int8", 1, "1 to 1000, which dtype='int8' cannot hold"),
        ("distinct", "int8", 129, "holds only 128 of them"),
        ("distinct", "float32", 2**24 + 1, "holds only 16777216 of them"),
    ],
)
def test_options_that_are_refused(kind, dtype, m, message):
    with pytest.raises(OptionError, match=message):
        make_weights(kind, dtype, m, seed=0)


def test_the_largest_distinct_weights_are_exact():
    assert np.unique(make_weights("distinct", "int8", 128, seed=0)).size == 128
    last = make_weights("distinct", "float32", 2**24, seed=0, start=2**24 - 1000)
    assert np.unique(last).size == 1000
    assert weight_type("distinct", "float32") == np.float32
