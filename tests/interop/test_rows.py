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
@pytest.mark.parametrize("as_given", [list, iter])
@pytest.mark.parametrize("limits", [(1 << 10, 1 << 15), (1, 1), (2, 1), (1, 2)])
def test_columns(rows, as_given, limits, monkeypatch):
    for name, limit in zip(("AT_ONCE", "PIECE"), limits, strict=True):
        monkeypatch.setattr(f"boruvka.interop.rows.{name}", limit)
    columns = columns_of(as_given(rows))
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
def test_rows_that_are_not_alike(rows, monkeypatch):
    assert columns_of(rows) is None
    assert columns_of(iter(rows)) is None
    monkeypatch.setattr("boruvka.interop.rows.AT_ONCE", 1)
    monkeypatch.setattr("boruvka.interop.rows.PIECE", 1)
    assert columns_of(iter(rows)) is None


def test_many_rows():
    rows = [(i, i * i % 1000, i / 3) for i in range(100_000)]
    columns = columns_of(rows)
    assert [column.tolist() for column in columns] == [list(column) for column in zip(*rows, strict=True)]
    rows[70_000] = (1, 2.5, 3)
    assert columns_of(rows) is None


def test_weights_keep_their_type():
    assert as_graph([(0, 1, 2), (1, 2, 3)]).w.dtype == np.int64
    assert as_graph([(0, 1, 2.0), (1, 2, 3.0)]).w.dtype == np.float64
    assert as_graph([(0, 1, 2), (1, 2, 3.5)]).w.tolist() == [2.0, 3.5]
