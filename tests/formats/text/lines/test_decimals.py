"""Numbers in text are read exactly, or rounded to the nearest double as Python does."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.formats import read


def weights_of(path, texts):
    path.write_text("".join(f"0 1 {text}\n" for text in texts))
    return read(path, format="edges").w


def assert_read_as_python_does(path, texts):
    w = weights_of(path, [*texts, "0.5"])
    assert w.dtype == np.float64
    expected = [float(text) for text in texts]
    assert w[:-1].view(np.uint64).tolist() == np.array(expected).view(np.uint64).tolist()


decimals = st.from_regex(
    r"[+-]?([0-9]{1,25}\.[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,2})?", fullmatch=True
)


@given(texts=st.lists(decimals, min_size=1, max_size=25))
def test_decimals(tmp_path, texts):
    assert_read_as_python_does(tmp_path / "a", texts)


@given(values=st.lists(st.floats(allow_nan=False), min_size=1, max_size=50))
def test_the_shortest_text_of_a_double_gives_it_back(tmp_path, values):
    assert_read_as_python_does(tmp_path / "a", [repr(x) for x in values])


@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50))
def test_seventeen_digits_give_a_double_back(tmp_path, values):
    assert_read_as_python_does(tmp_path / "a", [f"{x:.16e}" for x in values])


def test_doubles_of_every_size_and_ties_between_them(tmp_path):
    generator = random.Random(5)
    texts = []
    for _ in range(20_000):
        digits = generator.getrandbits(generator.randint(1, 63))
        texts.append(f"{digits}e{generator.randint(-345, 290)}")
    for exponent in range(-4, 24):
        for _ in range(100):
            odd = (1 << 53) + 2 * generator.getrandbits(52) + 1
            texts.append(f"{odd}.0e{exponent}")
    for power in range(54, 64):
        texts += [f"{(1 << power) + (1 << (power - 53)) + delta}.0" for delta in (-1, 0, 1)]
    assert_read_as_python_does(tmp_path / "a", texts)


@pytest.mark.parametrize(
    "text",
    [
        *("5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "-0.0", "0e999"),
        *("2.2250738585072011e-308", "2.2250738585072014e-308"),
        *("1.7976931348623157e308", "1.7976931348623158e+308"),
        *("0." + "0" * 38 + "1", "123456789012345678901234567890.5", "1" * 300 + ".0"),
        *("inf", "-inf", "+Infinity", "INF", "1.", ".5", "+1.5", "1E5", "00012.50"),
        *("9007199254740992", "-9007199254740992", str(2**60), "0" * 30 + "7.5"),
    ],
)
def test_remarkable_decimals(tmp_path, text):
    assert_read_as_python_does(tmp_path / "a", [text])


@given(values=st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=50))
def test_signed_integers(tmp_path, values):
    w = weights_of(tmp_path / "a", values)
    assert w.dtype == np.int64
    assert w.tolist() == values


@given(values=st.lists(st.integers(0, 2**64 - 1), max_size=50))
def test_unsigned_integers(tmp_path, values):
    values = [*values, 2**64 - 1]
    w = weights_of(tmp_path / "a", values)
    assert w.dtype == np.uint64
    assert w.tolist() == values


@given(value=st.integers(2**64, 10**25))
def test_beyond_64_bits(tmp_path, value):
    for text in str(value), str(-value), str(-(2**63) - value):
        with pytest.raises(ValueError, match="does not fit 64 bits"):
            weights_of(tmp_path / "a", [text])


def test_integers_in_other_spellings(tmp_path):
    assert weights_of(tmp_path / "a", ["+5", "-0", "0007", "0" * 40 + "9", "-00"]).tolist() == [5, 0, 7, 9, 0]


def test_integers_become_floats_late_in_a_file(tmp_path, small_chunks):
    texts = ["7"] * 100 + ["0.5"] + ["8"] * 100
    w = weights_of(tmp_path / "a", texts)
    assert w.dtype == np.float64
    assert w.tolist() == [float(text) for text in texts]
    texts = ["7"] * 100 + [str(2**63)] + ["8"] * 100
    assert weights_of(tmp_path / "a", texts).tolist() == [int(text) for text in texts]
    texts = [*texts, "0.5"]
    assert weights_of(tmp_path / "a", texts).tolist() == [float(text) for text in texts]


def test_no_double_is_lost_to_the_mark_of_hard_ones(tmp_path):
    w = weights_of(tmp_path / "a", ["1e400"[:4], "-inf", "0.1"])
    assert w.tolist() == [1e40, -math.inf, 0.1]
