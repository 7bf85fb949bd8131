import numpy as np
import pytest

from boruvka import as_graph
from boruvka.interop.rows import columns_of


@pytest.mark.parametrize(
    "rows",
    [
        [(0, 1, 2.5), (-(2**31), 2**31 - 1, float("inf"))],
        [(1, 2)],
        [(1, 2, 3)] * 3,
        [(0.5,), (1.5,)],
        [1.5, -0.0],
        [7],
    ],
)
def test_columns(rows):
    columns = columns_of(rows)
    wanted = list(zip(*rows, strict=True)) if isinstance(rows[0], tuple) else [rows]
    assert [column.tolist() for column in columns] == [list(column) for column in wanted]
    assert all(column.dtype == np.array(column.tolist()).dtype for column in columns)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [None],
        ["a"],
        [True],
        [1, 2.5],
        [1.5, None],
        [2**31],
        [1, True],
        [np.float64(1.5)],
        [1.5, np.float64(1.5)],
        [(1, 2), (1, 2, 3)],
        [(1, 2), [1, 2]],
        [[1, 2], [1, 2]],
        [(1, 2.5), (2.5, 1)],
        [(1, "a")],
        [(1, 2), (1, object())],
        [(1, (2,))],
    ],
)
def test_rows_that_are_not_alike(rows):
    assert columns_of(rows) is None


def test_weights_keep_their_type():
    assert as_graph([(0, 1, 2), (1, 2, 3)]).w.dtype == np.int64
    assert as_graph([(0, 1, 2.0), (1, 2, 3.0)]).w.dtype == np.float64
    assert as_graph([(0, 1, 2), (1, 2, 3.5)]).w.tolist() == [2.0, 3.5]
