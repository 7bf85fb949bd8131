"""Columns of strings as numbers."""

import math

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.formats.text.lines.string_columns import matrix_of

NONE = ["", "-", "?", ".", "NA", "NaN", "nan", "NULL", "None", r"\N", "#N/A", "n/a", "<NA>"]
FIELDS = st.one_of(
    st.integers(-(2**53), 2**53).map(str),
    st.floats(allow_nan=False).map(repr),
    st.sampled_from(NONE),
    st.sampled_from(["a", "1,5", "--", "N"]),
)


def columns_of_polars(columns):
    return [polars.Series(column, dtype=polars.String) for column in columns]


@given(st.integers(0, 4).flatmap(lambda n: st.lists(st.lists(FIELDS, min_size=n, max_size=n), max_size=4)))
def test_a_matrix_has_nan_where_a_field_means_none(columns):
    positions = [
        (i, j) for j, column in enumerate(columns) for i, text in enumerate(column) if is_wrong(text)
    ]
    expected = np.array([[number(text) for text in column] for column in columns], float).T
    for given_as in columns, columns_of_polars(columns):
        matrix, wrong = matrix_of(given_as)
        assert wrong == min(positions, default=None)
        np.testing.assert_array_equal(matrix.ravel(), expected.ravel())
        assert matrix.dtype == np.float64


@pytest.mark.parametrize("convert", [list, columns_of_polars])
def test_an_integer_that_would_be_rounded_is_named(convert):
    assert matrix_of(convert([["1", "2"], ["3", str(2**53 + 1)]]))[1] == (1, 1)


def is_wrong(text):
    return text not in NONE and math.isnan(number(text))


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan
