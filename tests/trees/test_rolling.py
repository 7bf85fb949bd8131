"""Trees of rolling windows, against pandas for correlations and SciPy for trees."""

import itertools

import numpy as np
import pandas
import pytest

import boruvka
from boruvka import GraphError, GraphTypeError, GraphWarning, OptionError


def stocks(days=60, count=8):
    rng = np.random.default_rng(4)
    values = rng.normal(size=(days, count)) + rng.normal(size=(days, 1))
    dates = pandas.date_range("2024-01-01", periods=days, freq="B", name="date")
    return pandas.DataFrame(values, dates, [f"S{i}" for i in range(count)])


@pytest.mark.needs("scipy")
@pytest.mark.parametrize(("window", "step"), [(20, 1), (15, 7), (60, 1)])
def test_trees_are_those_of_single_windows(window, step):
    from scipy.sparse import csgraph

    returns = stocks()
    batch = boruvka.rolling_forests(returns, window, step=step)
    ends = range(window, len(returns) + 1, step)
    assert batch.labels == [returns.index[end - 1] for end in ends]
    edges = []
    for end in ends:
        distances = np.sqrt(2 * (1 - returns.iloc[end - window : end].corr().to_numpy()))
        tree = csgraph.minimum_spanning_tree(distances)
        label = returns.index[end - 1]
        assert batch[label].weight == pytest.approx(tree.sum())
        names = batch[label].to_pandas()[["source", "target"]].to_numpy().tolist()
        edges.append({frozenset(returns.columns[list(pair)]) for pair in zip(*tree.nonzero(), strict=True)})
        assert set(map(frozenset, names)) == edges[-1]
    survival = [len(a & b) / 7 for a, b in itertools.pairwise(edges)]
    assert batch.survival[1:].tolist() == survival
    summary = batch.summary()
    assert summary.index.tolist() == batch.labels
    assert summary.index.name == batch.label_name == "date"
    assert batch.to_pandas().columns.tolist() == ["date", "edge", "source", "target", "weight"]


def test_arrays_are_named_by_the_caller():
    returns = stocks()
    batch = boruvka.rolling_forests(returns.to_numpy(), 30, names=returns.columns)
    assert batch.labels[:2] == [29, 30]
    assert batch.label_name == "window"
    assert batch.edges.tolist() == boruvka.rolling_forests(returns, 30).edges.tolist()
    assert batch[0].graph.names.tolist() == returns.columns.tolist()


@pytest.mark.parametrize("value", [np.nan, np.inf, None])
def test_series_without_correlations(value):
    returns = stocks()
    returns.iloc[0, 3] = value
    returns.iloc[40:, 5] = 0.1  # constant
    with pytest.raises(GraphError, match=r"'S3' has no correlations in the window that ends at .*2024-01-26"):
        boruvka.rolling_forests(returns, 20)
    with pytest.warns(GraphWarning, match="2 series are left out of a window"):
        batch = boruvka.rolling_forests(returns, 20, missing="drop")
    assert batch.n_components.tolist() == [2, *[1] * 39, 2]
    assert "S3" not in batch[0].to_pandas()[["source", "target"]].to_numpy()
    others = boruvka.rolling_forests(returns.drop(columns="S3").iloc[:20], 20)
    assert batch[0].weight == pytest.approx(others[0].weight)


def test_what_is_no_window():
    returns = stocks()
    with pytest.raises(OptionError, match="window must be at most the number of rows, 60, got 61"):
        boruvka.rolling_forests(returns, 61)
    with pytest.raises(OptionError, match="window must be"):
        boruvka.rolling_forests(returns, 1)
    with pytest.raises(GraphTypeError, match="returns must be a table of numbers"):
        boruvka.rolling_forests(returns.assign(x="a"), 20)
    with pytest.raises(OptionError, match="missing must be"):
        boruvka.rolling_forests(returns, 20, missing="ignore")


@pytest.mark.needs("polars")
def test_frames_of_polars_have_dates_in_a_column():
    polars = pytest.importorskip("polars")
    returns = stocks()
    expected = boruvka.rolling_forests(returns, 20)
    dates = [date.to_pydatetime() for date in expected.labels]
    frame = polars.DataFrame(returns.reset_index().to_dict("list"))
    for given in frame, frame.lazy(), returns.reset_index():
        batch = boruvka.rolling_forests(given, 20)
        assert batch.edges.tolist() == expected.edges.tolist()
        assert (batch.labels, batch.label_name) == (dates, "date")
    table = batch.to_polars()
    assert table.columns == expected.to_pandas().columns.tolist()
    assert table.drop("date").rows() == list(
        expected.to_pandas().drop(columns="date").itertuples(index=False, name=None)
    )
    assert table["date"].to_list() == expected.to_pandas()["date"].dt.to_pydatetime().tolist()
    plain = boruvka.rolling_forests(frame.drop("date"), 20)
    assert plain.labels[:2] == [19, 20]
    assert plain[0].graph.names.tolist() == returns.columns.tolist()
    with pytest.raises(GraphTypeError, match="returns"):
        boruvka.rolling_forests(frame.with_columns(x=polars.lit("a")), 20)


def test_windows_keep_their_digits():
    """Levels that move far from the mean of all rows, one outlier, and windows that share few rows."""
    rng = np.random.default_rng(7)
    values = rng.normal(size=(120, 6)).cumsum(axis=0) + 1e4
    values[60:] += 1e6 * rng.normal(size=6)
    values[100, 2] = 1e9
    values[:, 4] = -3 * values[:, 3] + 5
    for window, step in (50, 1), (50, 3), (50, 70), (17, 2):
        batch = boruvka.rolling_forests(values, window, step=step)
        windows = np.lib.stride_tricks.sliding_window_view(values, window, axis=0)[::step].astype(
            np.longdouble
        )
        assert len(batch) == len(windows)
        for forest, rows in zip(batch, windows, strict=True):
            standard = rows - rows.mean(axis=1, keepdims=True)
            standard /= np.sqrt((standard**2).sum(axis=1, keepdims=True))
            squares = 2 * (1 - standard @ standard.T)[forest.u, forest.v]
            assert forest.w**2 == pytest.approx(squares.astype(float), abs=1e-13)
