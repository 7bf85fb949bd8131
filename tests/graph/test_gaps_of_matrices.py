"""Matrices with gaps: pairs without a weight are no edges, or have the default, in any form of the matrix."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, GraphError, GraphTypeError, GraphWarning, OptionError

pl = pytest.importorskip("polars")

FORMS = {
    "array": lambda rows: np.array([[np.nan if x is None else x for x in row] for row in rows]),
    "single precision": lambda rows: FORMS["array"](rows).astype(np.float32),
    "objects": lambda rows: np.array(rows, object),
    "lists": lambda rows: [[np.nan if x is None else x for x in row] for row in rows],
    "frame of pandas": pd.DataFrame,
    "nullable": lambda rows: pd.DataFrame(rows).astype("Float64"),
    "frame of polars": lambda rows: pl.DataFrame(rows, orient="row", strict=False),
    "texts of pandas": lambda rows: pd.DataFrame(texts(rows)),
    "texts of polars": lambda rows: pl.DataFrame(texts(rows), orient="row"),
    "array of texts": lambda rows: np.array(texts(rows)),
}
NONE = ["", "-", "?", ".", "NA", "nan", "NULL", r"\N", "#N/A"]


def texts(rows):
    """Write a matrix as texts, gaps in all ways."""
    return [
        [NONE[(i + j) % 9] if x is None else str(x) for j, x in enumerate(row)] for i, row in enumerate(rows)
    ]


def edges(graph):
    return [*zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)]


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(st.sampled_from([None, 0.0, 1.0, 2.5]), min_size=n * n, max_size=n * n)
    ),
    st.sampled_from(sorted(FORMS)),
    st.sampled_from([{"missing": "drop"}, {"default": 7}, {"missing": "drop", "default": 0.5}]),
    st.sampled_from(["from_distances", "condensed", 0, None, np.inf, np.nan]),
)
def test_gaps(weights, form, how, kind):
    n = int(len(weights) ** 0.5)
    rows = [[weights[i * n + j] for j in range(n)] for i in range(n)]
    for i in range(n):
        rows[i][i] = 0.0
        for j in range(i):
            if isinstance(kind, str):
                rows[i][j] = rows[j][i]
    default = how.get("default")
    expected = []
    for i in range(n):
        for j in range(n):
            weight = default if rows[i][j] is None else rows[i][j]
            if i != j and weight is not None and not (kind == 0 and weight == 0):
                expected.append((i, j, weight))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        if kind == "condensed":
            found = Graph.from_distances([rows[i][j] for i in range(n) for j in range(i + 1, n)], **how)
            expected = [edge for edge in expected if edge[0] < edge[1]]
        elif kind == "from_distances":
            found = Graph.from_distances(FORMS[form](rows), **how)
        else:
            found = Graph.from_dense(FORMS[form](rows), null_value=kind, **how)
    assert found.n == n
    assert edges(found) == expected


def test_gaps_are_announced():
    matrix = np.array([[0, 1, np.nan], [1, 0, 2], [np.nan, 2, np.nan]])
    with pytest.warns(GraphWarning, match="2 entries of the matrix are NaN, and no edges"):
        Graph.from_distances(matrix, missing="drop")
    with pytest.raises(GraphError, match=r'missing="drop" to Graph.from_distances'):
        Graph.from_distances(matrix)


def test_what_is_no_number_is_an_error():
    for text in "a", "1,5":
        with pytest.raises(GraphTypeError, match="no number"):
            Graph.from_distances(pd.DataFrame([["0", text], [text, "0"]]), missing="drop")
    with pytest.raises(GraphError, match="no exact float32"):
        Graph.from_dense(np.full((2, 2), np.nan, np.float32), default=0.1)
    with pytest.raises(OptionError, match="missing"):
        Graph.from_distances([1.0], missing="ignore")


def test_texts_that_are_no_numbers_as_in_tables():
    for text in "1_0", "٣", "0x10":
        with pytest.raises(GraphTypeError, match=f"no number: '{text}'"):
            Graph.from_distances([["0", text], [text, "0"]], missing="drop")
    with pytest.raises(GraphError, match="1e999 is beyond the range of float64"):
        Graph.from_distances([["0", "1e999"], ["1e999", "0"]], missing="drop")


@pytest.mark.parametrize("large", [2**53 + 1, str(2**53 + 1), 2**64 + 1, str(2**64 + 1)])
@pytest.mark.parametrize("other", ["NA", 0.5, "0.5"])
def test_integers_are_exact_or_refused(large, other):
    with pytest.raises(GraphError, match=r"float64"):
        Graph.from_distances([large, other, 3], missing="drop")
    exact = Graph.from_distances([str(2**53 + 1), "2", "3"], missing="drop")
    assert exact.w.tolist() == [2**53 + 1, 2, 3]


def test_a_default_that_is_no_edge():
    matrix = [[0, 1, np.nan], [1, 0, 2], [np.nan, 2, 0]]
    with pytest.raises(OptionError, match="default=0 is no edge, as null_value=0 says: pass null_value=None"):
        Graph.from_dense(matrix, default=0)
    assert Graph.from_dense(matrix, default=0, null_value=None).w.tolist() == [1, 0, 1, 2, 0, 2]


@pytest.mark.parametrize("gap", [None, "-", "∞", ""])
def test_gaps_that_are_not_allowed(gap):
    rows = [[0, 2, gap, 1], [2, 0, 3, gap], [gap, 3, 0, 4], [1, gap, 4, 0]]
    with pytest.raises(GraphTypeError, match=r"entry \(0, 2\) of the matrix .*; pass missing='drop' if it"):
        Graph.from_dense(rows)
    with pytest.warns(GraphWarning, match="4 entries of the matrix are NaN"):
        assert Graph.from_dense(rows, missing="drop").m == 8
