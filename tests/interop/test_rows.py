import numpy as np
import pytest

from boruvka.interop.rows import columns_of

LIMITS = [(1 << 10, 1 << 15), (1, 1), (2, 1), (1, 2)]


@pytest.fixture(params=LIMITS)
def _limits(request, monkeypatch):
    for name, limit in zip(("AT_ONCE", "RANGE"), request.param, strict=True):
        monkeypatch.setattr(f"boruvka.interop.rows.{name}", limit)


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
@pytest.mark.usefixtures("_limits")
def test_columns(rows):
    wanted = list(zip(*rows, strict=True)) if isinstance(rows[0], tuple) else [rows]
    for columns in columns_of(rows), columns_of(iter(rows)):
        assert [column.tolist() for column in columns] == [list(column) for column in wanted]
        assert all(column.dtype == np.array(column.tolist()).dtype for column in columns)


UNLIKE = [
    *([], [None], ["a"], [True], [1, 2.5], [1.5, None], [2**31], [1, True], [np.float64(1.5)]),
    *([1.5, np.float64(1.5)], [(1, 2), (1, 2, 3)], [(1, 2), [1, 2]], [[1, 2], [1, 2]]),
    *([(1, 2.5), (2.5, 1)], [(1, "a")], [(1, 2), (1, object())], [(1, (2,))]),
]


@pytest.mark.parametrize("rows", UNLIKE, ids=range(len(UNLIKE)))
@pytest.mark.usefixtures("_limits")
def test_rows_that_are_not_alike(rows):
    assert columns_of(rows) is None
    assert columns_of(iter(rows)) is None


def test_many_rows():
    rows = [(i, i * i % 1000, i / 3) for i in range(100_000)]
    columns = columns_of(rows)
    assert [column.tolist() for column in columns] == [list(column) for column in zip(*rows, strict=True)]
    rows[70_000] = (1, 2.5, 3)
    assert columns_of(rows) is None
