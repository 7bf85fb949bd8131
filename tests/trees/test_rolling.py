"""Trees of rolling windows, against pandas for correlations and SciPy for trees."""

import contextlib
import datetime
import decimal
import itertools
import re
import warnings

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
@pytest.mark.parametrize(("window", "step"), [(20, 1), (15, 7), (60, 1), (60, 7)])
def test_trees_are_those_of_single_windows(window, step):
    from scipy.sparse import csgraph

    returns = stocks()
    batch = boruvka.rolling_forests(returns, window, step=step)
    ends = range(len(returns), window - 1, -step)[::-1]  # the newest row is in a window
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
    table = batch.to_pandas()
    assert table.columns.tolist() == ["date", "edge", "source", "target", "weight", "correlation"]
    for date, source, target, found in table[["date", "source", "target", "correlation"]].to_numpy():
        rows = returns.loc[:date].tail(window)
        assert found == pytest.approx(rows[source].corr(rows[target]), rel=0, abs=1e-14)


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("frequency", ["ME", "W-WED", "3D", "QE"])
@pytest.mark.parametrize("form", [None, "%d.%m.%Y", "%b %d, %Y"])
def test_windows_that_end_at_month_ends(frequency, form):
    """Against a loop over the periods of pandas; also where the last dates are listed."""
    from scipy.sparse import csgraph

    returns = stocks(days=150).drop(pandas.to_datetime(["2024-02-29", "2024-03-28", "2024-03-29"]))
    of_periods = returns.index.to_series().resample(frequency).last().dropna()
    ends = [date for date in of_periods if len(returns.loc[:date]) >= 40]
    given = returns if form is None else returns.set_axis(returns.index.strftime(form))
    found = boruvka.rolling_forests(given, 40, step=frequency)
    assert found.labels == (ends if form is None else [date.strftime(form) for date in ends])
    for date, forest in zip(ends, found, strict=True):
        distances = np.sqrt(2 * (1 - returns.loc[:date].tail(40).corr().to_numpy()))
        assert forest.weight == pytest.approx(csgraph.minimum_spanning_tree(distances).sum())
    if form is None:
        offset = pandas.tseries.frequencies.to_offset(frequency)
        texts = [f"{date:%d.%m.%Y}" for date in ends]
        for step in offset, ends, pandas.Index(ends[::-1]), np.array(ends, "datetime64[D]"), texts:
            batch = boruvka.rolling_forests(given, 40, step=step)
            assert (batch.labels, batch.w.tolist()) == (found.labels, found.w.tolist())
        numbers = returns.index.get_indexer(ends)
        batch = boruvka.rolling_forests(returns.to_numpy(), 40, step=numbers)
        assert (batch.labels, batch.w.tolist()) == (numbers.tolist(), found.w.tolist())


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            ["2024-03-01", "2024-03-02"],
            "^step: no whole window ends at '2024-03-02', but at rows '2024-01-26' to '2024-03-22'; the date "
            "before it is '2024-03-01'$",
        ),
        (
            ["2024-01-05"],
            "no whole window ends at '2024-01-05', but at rows '2024-01-26' to '2024-03-22'$",
        ),
        ("M", "step='M' is no frequency: months are ME"),
        ("monthly", "step='monthly' is no frequency: months are ME"),
        (2.5, "step must be an integer"),
    ],
)
def test_windows_that_end_nowhere(step, message):
    assert boruvka.rolling_forests(stocks(), 20, step=[]).labels == []
    with pytest.raises(OptionError, match=message):
        boruvka.rolling_forests(stocks(), 20, step=step)


@pytest.mark.parametrize("form", ["%d.%m.%Y", "%m/%d/%Y", "%b %d, %Y", "%Y-%m-%d"])
def test_one_date_alone(form):
    """A text as the table writes it, or a date of any type; and two of them in a text."""
    returns, day = stocks(), pandas.Timestamp("2024-02-15")
    texts = returns.set_axis(returns.index.strftime(form))
    expected = boruvka.rolling_forests(returns, 20, step=[day])
    for step in f"{day:{form}}", "2024-02-15", day, day.date(), day.to_datetime64():
        found = boruvka.rolling_forests(texts, 20, step=step)
        assert (found.labels, found.w.tolist()) == ([f"{day:{form}}"], expected.w.tolist())
    two = boruvka.rolling_forests(texts, 20, step=f"{day:{form}},{day + pandas.Timedelta(days=1):{form}}")
    assert two.labels == [f"{day + pandas.Timedelta(days=k):{form}}" for k in (0, 1)]


def test_frequencies_need_dates():
    days = [f"{day:02}/{month:02}/2024" for month in range(1, 6) for day in range(1, 13)]
    why = ", and the day or the month may be first in '01/01/2024'"
    for returns, more in (
        (stocks().to_numpy(), ": "),
        (stocks().set_axis(days), why),
        (stocks().set_axis(range(9, 69)), ": "),
    ):
        with pytest.raises(OptionError, match=f"step='ME' needs the date of each row{more}"):
            boruvka.rolling_forests(returns, 20, step="ME")
    with_points = [x.replace("/", ".") for x in days]
    found = boruvka.rolling_forests(stocks().set_axis(with_points), 20, step="ME").labels
    assert found == ["12.02.2024", "12.03.2024", "12.04.2024", "12.05.2024"]
    with pytest.raises(OptionError, match="step: no whole window ends at 60, but at rows 19 to 59"):
        boruvka.rolling_forests(stocks().to_numpy(), 20, step=[60])


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
    with pytest.raises(GraphError, match=r"no correlation of 'S3' in the window .* '2024-01-26'.*ffill"):
        boruvka.rolling_forests(returns, 20)
    with pytest.warns(GraphWarning, match="2 of 328 pairs of window and series are left out"):
        batch = boruvka.rolling_forests(returns, 20, missing="drop")
    assert batch.n_components.tolist() == [2, *[1] * 39, 2]
    assert "S3" not in batch[0].to_pandas()[["source", "target"]].to_numpy()
    others = boruvka.rolling_forests(returns.drop(columns="S3").iloc[:20], 20)
    assert batch[0].weight == pytest.approx(others[0].weight)


def test_what_is_no_window():
    returns = stocks()
    with pytest.raises(OptionError, match="window must be an integer from 3 to 60, got 61"):
        boruvka.rolling_forests(returns, 61)
    with pytest.raises(OptionError, match="window must be"):
        boruvka.rolling_forests(returns, 1)
    with pytest.raises(GraphTypeError, match="returns must be a table of numbers"):
        boruvka.rolling_forests(returns.assign(x="a"), 20)
    with pytest.raises(OptionError, match="min_periods is for gaps by pairwise or ffill: leave it out"):
        boruvka.rolling_forests(returns, 20, min_periods=5)
    with pytest.raises(OptionError, match="min_periods must be an integer from 2 to 20"):
        boruvka.rolling_forests(returns, 20, missing="pairwise", min_periods=21)
    with pytest.raises(OptionError, match="missing must be"):
        boruvka.rolling_forests(returns, 20, missing="ignore")
    with pytest.raises(OptionError, match="has no argument 'steps': did you mean step"):
        boruvka.rolling_forests(returns, 20, steps=5)


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
    gaps = frame.with_columns(S0=polars.when(polars.col("S0") != returns["S0"].iloc[5]).then("S0"))
    expected = boruvka.rolling_forests(gaps.to_pandas(), 20, missing="pairwise")
    for given in gaps, gaps.to_arrow():
        batch = boruvka.rolling_forests(given, 20, missing="pairwise")
        assert batch.w.tolist() == expected.w.tolist()


@pytest.mark.filterwarnings("ignore:returns look like levels")
def test_windows_keep_their_digits():
    """Levels that move far from the mean of all rows, one outlier, and windows that share few rows."""
    rng = np.random.default_rng(7)
    values = rng.normal(size=(120, 6)).cumsum(axis=0) + 1e4
    values[60:] += 1e6 * rng.normal(size=6)
    values[100, 2] = 1e9
    values[:, 4] = -3 * values[:, 3] + 5
    for window, step in (50, 1), (50, 3), (50, 70), (17, 2):
        batch = boruvka.rolling_forests(values, window, step=step)
        windows = np.lib.stride_tricks.sliding_window_view(values, window, axis=0)[::-step][::-1]
        windows = windows.astype(np.longdouble)
        assert len(batch) == len(windows)
        for forest, rows in zip(batch, windows, strict=True):
            standard = rows - rows.mean(axis=1, keepdims=True)
            standard /= np.sqrt((standard**2).sum(axis=1, keepdims=True))
            squares = 2 * (1 - standard @ standard.T)[forest.u, forest.v]
            assert forest.w**2 == pytest.approx(squares.astype(float), abs=1e-13)


@pytest.mark.parametrize("window", [20, 33])
def test_pairs_of_series_with_gaps(window):
    """Scattered gaps, a series that is listed late, and one that is constant for a while."""
    returns = stocks()
    rng = np.random.default_rng(8)
    returns = returns.mask(rng.random(returns.shape) < 0.1)
    returns.iloc[:30, 2] = np.nan
    returns.iloc[:40, 6] = 0.1
    with pytest.warns(GraphWarning, match=r"no correlation of 'S0' and 'S2' .*: fewer than 1[06] rows have"):
        batch = boruvka.rolling_forests(returns, window, step=5, missing="pairwise")
    for label, forest in zip(batch.labels, batch, strict=True):
        end = returns.index.get_loc(label) + 1
        rows = returns.iloc[end - window : end]
        expected = np.sqrt(2 * (1 - rows.corr(min_periods=window // 2).to_numpy()))
        np.fill_diagonal(expected, 0)
        assert np.nan_to_num(forest.graph.matrix) == pytest.approx(np.nan_to_num(expected), abs=1e-7)
        single = boruvka.Graph.from_dense(forest.graph.matrix, null_value=np.nan)
        assert forest.edges.tolist() == boruvka.minimum_spanning_forest(single).edges.tolist()
    whole = boruvka.rolling_forests(stocks(), window, missing="pairwise")
    assert whole.w.tolist() == boruvka.rolling_forests(stocks(), window).w.tolist()


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("name", ["Date", "timestamp"])
def test_a_column_of_integers_called_date_is_no_series(library, name):
    module = pytest.importorskip(library)
    returns = stocks()
    numbers = returns.index.strftime("%Y%m%d").astype(int).tolist()
    frame = module.DataFrame({name: numbers} | {x: returns[x].tolist() for x in returns})
    batch = boruvka.rolling_forests(frame, 20)
    assert (batch.labels, batch.label_name) == (numbers[19:], name)
    assert batch[20240126].graph.names.tolist() == returns.columns.tolist()
    assert batch.edges.tolist() == boruvka.rolling_forests(returns, 20).edges.tolist()
    stock = module.DataFrame({"TIME": returns["S0"].tolist(), "x": returns["S1"].tolist()})
    assert boruvka.rolling_forests(stock, 20)[0].graph.names.tolist() == ["TIME", "x"]
    if library == "pandas":  # an index of what is left of a numbering
        assert boruvka.rolling_forests(frame.iloc[3:], 20).labels == numbers[22:]


@pytest.mark.parametrize("name", ["Date", "Datum", "Fecha", "Dates", "Trade Date", None])
@pytest.mark.parametrize("form", ["excel", "%d%m%Y", "%Y%m%d", "%y%m%d"])
def test_numbers_as_dates_in_no_order(form, name):
    prices = 100 * (1 + 0.01 * stocks()).cumprod()
    expected = boruvka.rolling_forests(prices, 20, prices=True)
    days = (prices.index - pandas.Timestamp("1899-12-30")).days
    numbers = days if form == "excel" else prices.index.strftime(form).astype(int)
    mixed = prices.set_axis(numbers.rename(name)).sample(frac=1, random_state=1)
    for frame in [mixed] if name is None else [mixed, mixed.reset_index()]:
        with pytest.warns(GraphWarning, match="in no order, and rows are sorted"):
            found = boruvka.rolling_forests(frame, 20, prices=True)
        assert found.edges.tolist() == expected.edges.tolist()
        assert found.w == pytest.approx(expected.w)


def test_a_split_has_a_warning():
    prices = 100 * (1 + 0.01 * stocks()).cumprod()
    for factor in 0.25, 10:
        split = prices.copy()
        split.iloc[7:, 2] *= factor * (0.9 if factor < 1 else 1)
        with pytest.warns(
            GraphWarning, match=r"price of 'S2' of '2024-.* \(1 such changes\): adjust for splits"
        ):
            boruvka.rolling_forests(split, 20, prices=True)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            lambda x: x.assign(Currency="USD"),
            "'Currency' has the text 'USD' .* leaves the column out",
        ),
        (lambda x: x.rename(columns={"S0": None}), "missing value as its name: .*keep_default_na=False"),
        (
            lambda x: x.set_axis(["Ticker", *x.index[1:].strftime("%Y-%m-%d")]),
            r"read the names by pandas\.read_csv\(FILE, skiprows=0, header=\[0, 1\]",
        ),
    ],
)
def test_advice_for_files_of_prices(change, problem):
    with pytest.raises((GraphError, GraphTypeError), match=problem):
        boruvka.rolling_forests(change(1 + stocks()), 20, prices=True)


def test_newest_first():
    returns = stocks()
    expected = boruvka.rolling_forests(returns, 20, step=7)
    with pytest.warns(GraphWarning, match=r"newest row is first, .*sort them by date before you fill gaps"):
        found = boruvka.rolling_forests(returns[::-1], 20, step=7)
    assert found.labels == expected.labels
    assert found.edges.tolist() == expected.edges.tolist()
    mixed = returns.iloc[[3, 1, 2, *range(5, 60)]]
    for prices in True, False:
        how = {"prices": prices}
        mixed = 100 * (1 + 0.01 * returns.sample(frac=1, random_state=1)) if prices else mixed
        sorted_rows = boruvka.rolling_forests(mixed.sort_index(), 20, **how)
        with pytest.warns(
            GraphWarning, match="dates are in no order, and rows are sorted by them" + "$" * prices
        ):
            found = boruvka.rolling_forests(mixed, 20, **how)
        assert (found.labels, found.edges.tolist()) == (sorted_rows.labels, sorted_rows.edges.tolist())
        with pytest.raises(GraphError, match="no order, and '2024-03-20' is the date of several rows"):
            boruvka.rolling_forests(pandas.concat([mixed, returns.tail(3)]), 20)
    with pytest.warns(
        GraphWarning, match=r"several rows: keep one of them, as frame\[~frame.index.duplicated\(\)\]"
    ):
        boruvka.rolling_forests(pandas.concat([returns, returns.tail(3)]).sort_index(), 20)


FORMATS = (
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%m/%d/%Y %I:%M %p",
    "%d-%b-%y",
    "%b %d, %Y",
    "%Y/%m/%d",
    "%Y-%m-%d",
    "%Y%m%d",
)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("kind", ["index", "column", "polars"])
def test_newest_first_with_dates_that_are_texts(form, kind):
    """Across a new year, where texts that begin with the day or the month are in another order."""
    returns = stocks().set_axis(pandas.date_range("2023-11-20", periods=60, freq="B", name="Date"))
    expected = boruvka.rolling_forests(returns, 20, step=7)
    texts = returns.set_axis(returns.index.strftime(form).rename("Date"))
    given = [texts, texts[::-1], texts.sample(frac=1, random_state=1)]
    if kind != "index":
        given = [frame.reset_index() for frame in given]
    if kind == "polars":
        given = [pytest.importorskip("polars").DataFrame(frame.to_dict("list")) for frame in given]
    with pytest.warns(GraphWarning, match="newest row is first"):
        newest_first = boruvka.rolling_forests(given[1], 20, step=7)
    with pytest.warns(GraphWarning, match="the dates are in no order, and rows are sorted by them"):
        shuffled = boruvka.rolling_forests(given[2], 20, step=7)
    for found in boruvka.rolling_forests(given[0], 20, step=7), newest_first, shuffled:
        assert found.labels == [date.strftime(form) for date in expected.labels]
        assert found.edges.tolist() == expected.edges.tolist()
        assert found.survival[1:].tolist() == expected.survival[1:].tolist()
        if "%I" not in form:
            assert found[expected.labels[2]].edges.tolist() == expected[2].edges.tolist()
            assert found[str(expected.labels[2].date())].edges.tolist() == expected[2].edges.tolist()


def test_texts_that_may_be_dates():
    """Days and months that both may be either; texts that are no dates keep their order."""
    returns = stocks(4)
    either = ["12/01/2024", "11/02/2024", "10/03/2024", "09/04/2024"]
    with pytest.warns(GraphWarning, match="last, as the day or the month may be first in '12/01/2024'"):
        assert boruvka.rolling_forests(returns.set_axis(either), 3).labels == either[2:]
    with pytest.raises(GraphError, match=r"no order, and the day or the month .* 2024-12-31"):
        boruvka.rolling_forests(returns.set_axis([either[k] for k in (1, 0, 3, 2)]), 3)
    with_points = [x.replace("/", ".") for x in either]
    assert boruvka.rolling_forests(returns.set_axis(with_points), 3).labels == with_points[2:]
    days = ["09.02.2024", "08.02.2024", "07.02.2024", "06.02.2024"]
    with pytest.warns(GraphWarning, match="newest row is first"):
        assert boruvka.rolling_forests(returns.set_axis(days), 3).labels == [days[1], days[0]]
    assert boruvka.rolling_forests(returns.set_axis(list("dcba")), 3).labels == ["b", "a"]


def test_dates_of_any_type_are_labels():
    returns = stocks()
    expected = boruvka.rolling_forests(returns, 20)
    assert expected.labels[0] == pandas.Timestamp("2024-01-26")
    keys = "2024-01-26", "2024-01-26 00:00:00", datetime.date(2024, 1, 26), np.datetime64("2024-01-26", "ns")
    dates = [str(date.date()) for date in returns.index]
    for batch in expected, boruvka.rolling_forests(returns.set_axis(dates), 20):
        for key in *keys, datetime.datetime(2024, 1, 26), pandas.Timestamp("2024-01-26"):
            assert batch[key].edges.tolist() == batch[0].edges.tolist()
        assert len(batch["2024-02"]) == 21  # no day
        for key in "26.01.2024", "01/26/2024", "Jan 26, 2024", 20240126:
            assert batch[key].edges.tolist() == batch[0].edges.tolist()
        for key, last in (
            ("2025", "03-22"),
            ("2024-01-27", "01-26"),
            (datetime.date(2023, 1, 1), ""),
            (99, ""),
        ):
            before = f"(; the date before it is '2024-{last}')" + "{0}" * (not last)
            with pytest.raises(
                OptionError, match=f"label '?[0-9-]+'?{before}; labels are '2024-01-26' to '2"
            ):
                batch[key]
    with pytest.raises(OptionError, match="rolling_forests has no argument 'stride'"):
        boruvka.rolling_forests(returns, 20, stride=2)


@pytest.mark.parametrize("min_periods", [2, 9, 20])
def test_least_number_of_common_rows(min_periods):
    """Against pandas; the warning names the series that is listed late."""
    returns = stocks()
    returns = returns.mask(np.random.default_rng(3).random(returns.shape) < 0.05)
    returns.iloc[:45, 4] = np.nan
    with pytest.warns(
        GraphWarning, match=r"fewer than \d+ rows have values of both.*most often of 'S4' \d+, 'S"
    ):
        batch = boruvka.rolling_forests(returns, 20, missing="pairwise", min_periods=min_periods)
    for label, forest in zip(batch.labels, batch, strict=True):
        end = returns.index.get_loc(label) + 1
        known = returns.iloc[end - 20 : end].corr(min_periods=min_periods).notna().to_numpy()
        assert (forest.graph.m // 2) == np.count_nonzero(np.triu(known, 1))
    summary = batch.summary()
    assert summary["edges"].tolist() == [len(forest) for forest in batch]
    means = [forest.w.mean() for forest in batch if len(forest)]
    assert summary["mean_weight"].dropna().tolist() == pytest.approx(means)


def test_prices_are_not_returns():
    rng = np.random.default_rng(5)
    prices = pandas.DataFrame(100 * np.exp((0.01 * rng.normal(size=(250, 6))).cumsum(axis=0)))
    prices.iloc[3, 2] = np.nan
    with pytest.warns(GraphWarning, match=r"returns look like prices.*: pass prices=True, or yields.diff"):
        boruvka.rolling_forests(prices.ffill(), 100)
    with pytest.warns(GraphWarning, match="returns look like prices"):
        boruvka.rolling_forests(prices, 100, missing="pairwise")
    negative = prices.mask(np.random.default_rng(1).random(prices.shape) < 0.05)
    negative.iloc[50, 3] = -37
    with pytest.warns(GraphWarning, match=r"returns look like prices.*: pass prices=True, or yields.diff"):
        boruvka.rolling_forests(negative, 100, missing="pairwise")
    changes = prices.ffill().pct_change().iloc[1:]
    for returns in changes, changes + 1, changes.abs() + 1e-9, np.log(prices.ffill()).diff().iloc[1:]:
        boruvka.rolling_forests(returns, 100)  # no warning


@pytest.mark.parametrize("rows", [60, 250, 2000])
def test_yields_are_not_their_changes(rows):
    """Levels that fall below zero are random walks; signals that return to their mean are none."""
    noise = np.random.default_rng(6).normal(size=(rows, 9))
    walks = noise.cumsum(axis=0)
    walks[:, 0] += 1e3  # is always positive
    with pytest.warns(GraphWarning, match=r"returns look like levels.*: pass yields.diff\(\).iloc\[1:\]$"):
        boruvka.rolling_forests(walks, 50, step=10)
    boruvka.rolling_forests(np.diff(walks, axis=0), 50, step=10)  # no warning
    if rows == 2000:
        signal = np.zeros_like(noise)
        for i in range(1, rows):
            signal[i] = 0.95 * signal[i - 1] + noise[i]
        boruvka.rolling_forests(signal, 50, step=10)  # no warning


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("dates", ["Date", None])
def test_a_text_in_a_column(library, dates):
    """The error names the column and its text; the column is not one of dates."""
    module = pytest.importorskip(library)
    returns = stocks()
    columns = {name: returns[name].tolist() for name in returns}
    columns["S3"] = [*map(str, columns["S3"][:7]), "shut", *map(str, columns["S3"][8:])]
    if dates:
        columns = {dates: returns.index.strftime("%Y-%m-%d").tolist()} | columns
    row = f"'{returns.index[7]:%Y-%m-%d}'" if dates else 7
    with pytest.raises(GraphTypeError, match=f"the column 'S3' has the text 'shut' in the row {row}: read"):
        boruvka.rolling_forests(module.DataFrame(columns), 20)


def test_rows_without_a_date():
    """Among dates of every type; the row is named, and rows of texts in two forms have no order."""
    returns = stocks()
    texts, numbers = (returns.index.strftime(form) for form in ("%d.%m.%Y", "%Y%m%d"))
    wrong = (texts, "Total"), (texts, "n/a"), (returns.index, pandas.NaT), (numbers.astype(int), 20240132)
    for index, label in wrong:
        labels = [*index[:7], label, *index[8:]]
        for frame in (
            returns.set_axis(labels)[::-1],
            returns.assign(day=labels)[::-1].reset_index(drop=True),
        ):
            with pytest.raises(GraphError, match=f"row 52, from 0, has '?{label}'? in place of a date"):
                boruvka.rolling_forests(frame, 20)
    with pytest.raises(GraphError, match="have several forms"):
        boruvka.rolling_forests(returns.set_axis([*texts[:7], "20240110", *texts[8:]])[::-1], 20)


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("kind", ["%Y%m%d", "Excel"])
def test_columns_of_numbers_that_are_dates(library, kind):
    module = pytest.importorskip(library)
    returns = stocks()
    expected = boruvka.rolling_forests(returns, 20)
    numbers = returns.index.strftime("%Y%m%d").astype(int)
    if kind == "Excel":
        numbers = (returns.index - pandas.Timestamp("1899-12-30")).days.astype(float)
    columns = {"caldt": numbers[::-1].tolist()} | {x: returns[x].tolist()[::-1] for x in returns}
    with pytest.warns(GraphWarning, match="newest row is first"):
        found = boruvka.rolling_forests(module.DataFrame(columns), 20)
    assert found.edges.tolist() == expected.edges.tolist()
    assert (found.labels, found.label_name) == (numbers[19:].tolist(), "caldt")
    with pytest.raises(GraphError, match="'caldt', 'valuta' hold dates: leave out all but one"):
        boruvka.rolling_forests(module.DataFrame(columns | {"valuta": columns["caldt"]}), 20)
    monthly = boruvka.rolling_forests(returns.set_axis(numbers), 20, step="ME").labels
    assert monthly == [numbers[returns.index.get_loc(x)] for x in ("2024-01-31", "2024-02-29", "2024-03-22")]
    if kind != "Excel":
        assert found["2024-02-29"].edges.tolist() == expected["2024-02-29"].edges.tolist()
        assert found[20240229:].labels == found["2024-02-29":].labels == numbers[43:].tolist()


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("names", [["Jahr"], ["MM", "YYYY"], ["Day", "Month", "Year"], ["Dy", "Mo", "Yr"]])
def test_columns_of_years_months_and_days(library, names):
    """The names are of several languages; years may have two digits, and shares may be called MO and DD."""
    returns = stocks().rename(columns={"S0": "MO", "S1": "DD"})
    returns.index = pandas.date_range(
        "1950-01-01", periods=len(returns), freq=[..., "YE", "ME", "D"][len(names)]
    )
    parts = ["year", "month", "day"][: len(names)][::-1]
    frame = returns.assign(**{name: getattr(returns.index, x) for name, x in zip(names, parts, strict=True)})
    if names[-1] == "Yr":
        returns.index += pandas.DateOffset(years=50)
        frame = frame.set_axis(returns.index).assign(Yr=returns.index.year % 100)
    rows = {name: frame[name].tolist()[::-1] for name in frame}
    table = pytest.importorskip(library).DataFrame(rows)
    expected = boruvka.rolling_forests(returns, 20)
    with pytest.warns(GraphWarning, match="newest row is first"):
        found = boruvka.rolling_forests(table, 20)
    assert found.edges.tolist() == expected.edges.tolist()
    assert found.labels == [str(date)[: 1 + 3 * len(names)] for date in expected.labels]
    given = rf"drop=\({str(names[::-1])[1:-1]},?\)"
    table = frame if library == "pandas" else table.with_columns(date=returns.index.to_numpy())
    with pytest.raises(GraphError, match=f"repeat or lack parts of dates: pass {given}"):
        boruvka.rolling_forests(table, 20)
    assert boruvka.rolling_forests(frame, 20, drop=names).w.tolist() == expected.w.tolist()
    if len(names) > 1:
        with pytest.raises(GraphError, match="repeat or lack parts of dates: pass drop"):
            boruvka.rolling_forests(pandas.DataFrame(rows).drop(columns=names[-1]), 20)
    rows[names[0]][3] = None
    with pytest.raises(GraphError, match="in place of a date"):
        boruvka.rolling_forests(pandas.DataFrame(rows), 20)


def test_prices_that_have_no_changes():
    """Negative prices are returns or levels; a price of 0 is a gap, also for changes of pandas."""
    prices = 100 * (1 + 0.01 * stocks()).cumprod()
    with pytest.raises(GraphError, match=r"^\d\d% of the prices of 'S0' are negative: pass returns without"):
        boruvka.rolling_forests(stocks(), 20, prices=True)
    gaps = prices.mask(np.random.default_rng(1).random(prices.shape) < 0.03)
    expected = boruvka.rolling_forests(gaps, 59, prices=True, missing="pairwise")
    with pytest.warns(
        GraphWarning, match=r"^prices of 0 or below are taken as missing: \d+, such as 0 of 'S"
    ):
        found = boruvka.rolling_forests(gaps.fillna(0), 59, prices=True, missing="pairwise")
    assert found.w.tolist() == expected.w.tolist()
    with pytest.warns(GraphWarning, match="values are infinite.* with the change of -1 before"):
        found = boruvka.rolling_forests(gaps.fillna(0).pct_change().iloc[1:], 59, missing="pairwise")
    assert found.w == pytest.approx(expected.w)


@pytest.mark.parametrize("rows", [slice(-1, None), slice(30, 31), slice(20, 25), slice(-9, None)])
def test_negative_prices(rows):
    """As if they were missing, with a warning; changes that pandas computes of them have one, too."""
    prices = 100 * (1 + 0.01 * stocks()).cumprod()
    gaps = prices.copy()
    prices.iloc[rows, 2] *= -1
    gaps.iloc[rows, 2] = np.nan
    price, date = prices["S2"].iloc[rows].iloc[0], prices.index[rows][0]
    first = rf"such as {price:g} of 'S2' of '{date:%Y-%m-%d}'"
    for missing in "pairwise", "ffill":
        with pytest.warns(GraphWarning, match=f"^prices of 0 or below are taken as missing: .*{first}"):
            found = boruvka.rolling_forests(prices, 59, prices=True, missing=missing, min_periods=20)
        expected = boruvka.rolling_forests(gaps, 59, prices=True, missing=missing, min_periods=20)
        assert found.w.tolist() == expected.w.tolist()
    with pytest.warns(GraphWarning, match=first), pytest.raises(GraphError, match="no correlation of 'S2'"):
        boruvka.rolling_forests(prices, 59, prices=True)
    with pytest.warns(GraphWarning, match=rf"^the return of 'S2' of '{date:%Y-%m-%d}' is -.*, below -1 as"):
        boruvka.rolling_forests(prices.pct_change().iloc[1:], 59)


@pytest.mark.parametrize("missing", ["error", "pairwise"])
def test_rows_without_values_are_left_out(missing):
    prices = 100 * (1 + 0.01 * stocks()).cumprod()
    expected = boruvka.rolling_forests(prices, 20, prices=True)
    daily = prices.reindex(pandas.date_range(prices.index[0], prices.index[-1]))
    with pytest.warns(GraphWarning, match="^22 rows without a value are left out, such as '2024-01-06'"):
        found = boruvka.rolling_forests(daily, 20, prices=True, missing=missing)
    assert (found.labels, found.edges.tolist()) == (expected.labels, expected.edges.tolist())


def test_types_of_numbers():
    """Nullable types, Decimal and texts are the numbers that they hold."""
    returns = stocks().round(6)
    expected = boruvka.rolling_forests(returns, 20).w.tolist()
    for frame in (
        returns.convert_dtypes(),
        returns.map(lambda x: decimal.Decimal(repr(x))),
        returns.map("{:.6f}".format),
        returns.map("{:.6f}".format).reset_index(),
    ):
        assert boruvka.rolling_forests(frame, 20).w == pytest.approx(expected)
    frame = returns.map(lambda x: f"{x:.6f}".replace(".", ","))
    with pytest.warns(GraphWarning, match="numbers have a decimal comma"):
        assert boruvka.rolling_forests(frame, 20).w == pytest.approx(expected)
    decimals = returns.abs() + 1
    expected = boruvka.rolling_forests(decimals.round(3), 20).w.tolist()
    commas = decimals.map(lambda x: f"{x:.3f}".replace(".", ","))  # may be thousands
    for units in (
        commas,
        commas + " EUR",
        "€ " + commas,
        commas + pandas.Series(" USD", ["S0"]).reindex(commas.columns, fill_value=""),
    ):
        with pytest.warns(GraphWarning, match=r"\d,\d{3}.* is read as \d\.\d{3}, .* scale of a series"):
            assert boruvka.rolling_forests(units, 20).w == pytest.approx(expected)

    for wrong, problem in (
        (
            returns.astype(object).replace(returns.iloc[0, 0], "1.5%"),
            r"'1\.5%' in .*'2024-01-01': write all",
        ),
        (
            frame.replace(frame.iloc[3, 2], "0.5"),
            "'S2' has the text '0.5' in the row .* write all",
        ),
    ):
        with pytest.raises(GraphTypeError, match=problem):
            boruvka.rolling_forests(wrong, 20)


@pytest.mark.parametrize("unit", ["", "%", " %"])
@pytest.mark.parametrize("form", ["-", "\u2212", "()"])
@pytest.mark.parametrize("mark", [".", ","])
def test_percentages_and_signs(unit, form, mark):
    """Against the numbers: a percentage is the hundredth, and a number in brackets negative."""
    numbers = stocks().round(3) / (100 if unit else 1)

    def text(x):
        plain = f"{abs(x):.3f}".replace(".", mark) + unit
        return plain if x >= 0 else f"({plain})" if form == "()" else form + plain

    has_warning = unit or form == "()" or mark == ","
    with pytest.warns(GraphWarning, match="is read as") if has_warning else contextlib.nullcontext():
        found = boruvka.rolling_forests(stocks().round(3).map(text), 20)
    assert found.w == pytest.approx(boruvka.rolling_forests(numbers, 20).w)


SLICES = [
    slice("2024-02", "2024-03"),
    slice("2024-02-10", None, 3),
    slice(None, datetime.date(2024, 2, 9)),
    slice(np.datetime64("2024-02-09"), pandas.Timestamp("2024-03-01")),
    slice("13.02.2024", "28.02.2024"),
    "2024-02",
    "Feb 2024",
    "2024",
]


@pytest.mark.parametrize("kind", [pandas.Timestamp.date, "{:%d.%m.%Y}".format, "{:%Y%m%d}".format])
@pytest.mark.parametrize("part", SLICES, ids=str)
def test_periods_are_batches(part, kind):
    """They are the rows of a series of pandas; texts with the day first are not read as months."""
    returns = stocks()
    expected = boruvka.rolling_forests(returns, 20)
    batch = boruvka.rolling_forests(returns.set_axis(list(map(kind, returns.index))), 20)
    numbers = pandas.Series(range(len(expected)), expected.labels)
    wanted = part
    if isinstance(part, slice) and (isinstance(part.stop, datetime.date) or "." in str(part.start)):
        ends = (x and pandas.to_datetime(x, dayfirst=True) for x in (part.start, part.stop))
        wanted = slice(*ends)
    numbers = numbers.loc[wanted].tolist()
    for found in expected[part], batch[part]:
        assert found.edges.tolist() == [edge for k in numbers for edge in expected[k].edges.tolist()]
    assert batch[part].labels == [batch.labels[k] for k in numbers]


def test_periods_that_are_not_there():
    batch = boruvka.rolling_forests(stocks(), 20)
    assert batch[pandas.Period("2024-02")].labels == batch["2024-02"].labels
    with pytest.raises(AttributeError, match=r"has no attribute 'linkage'; write batch\[0\] for one forest"):
        batch["2024-02"].linkage()
    months = boruvka.minimum_spanning_forests(
        {x: rows.corr() for x, rows in stocks().groupby(stocks().index.to_period("M"))}, correlations=True
    )
    assert months["2024-01":"2024-02"].labels == months.labels[:2]
    with pytest.raises(OptionError, match="the day or the month may be first in '01/02/2024'"):
        batch["01/02/2024":]
    assert batch["01.02.2024":].labels == batch["2024-02-01":].labels
    with pytest.raises(OptionError, match="is not found among the dates"):
        batch["x":]
    with pytest.raises(OptionError, match="a slice is of numbers, or of dates: labels"):
        boruvka.minimum_spanning_forests({"a": stocks().corr()}, correlations=True)["a":]


@pytest.mark.needs("matplotlib")
@pytest.mark.parametrize("form", [None, "%Y-%m-%d", "%d.%m.%Y", "%Y%m%d"])
@pytest.mark.parametrize(("days", "drawn"), [(119, 3), (130, 4)])
def test_a_month_that_is_not_over_is_not_drawn(days, drawn, form):
    """So that the share of edges that survive a few days does not look like the share of a month."""
    returns = stocks(days=days)
    returns.index = returns.index if form is None else returns.index.strftime(form)
    batch = boruvka.rolling_forests(returns, 45, step="ME")
    weights, survival = batch.plot().figure.axes
    assert weights.lines[0].get_xdata()[0] == datetime.datetime(2024, 3, 29)
    assert (len(batch), [len(ax.lines[0].get_ydata()) for ax in (weights, survival)]) == (4, [drawn, drawn])
    assert ("without the last window" in weights.get_title()) == (drawn < 4)


def test_gaps_between_prices_are_filled():
    """As by pandas, but the last price of a series is not repeated."""
    prices = 100 * (1 + 0.01 * stocks()).cumprod()
    gaps = prices.mask(np.random.default_rng(1).random(prices.shape) < 0.1)
    gaps.iloc[0], gaps.iloc[-1] = prices.iloc[0], prices.iloc[-1]
    found = boruvka.rolling_forests(gaps, 20, prices=True, missing="ffill")
    changes = gaps.ffill().pct_change().iloc[1:]
    assert found.w == pytest.approx(boruvka.rolling_forests(changes, 20).w)
    with pytest.warns(GraphWarning, match="^prices of 0 or below are taken as missing"):
        zeros = boruvka.rolling_forests(gaps.fillna(0), 20, prices=True, missing="ffill")
    assert zeros.w.tolist() == found.w.tolist()
    gaps.iloc[:5, 0], gaps.iloc[-5:, 1] = None, None
    changes = gaps.ffill(limit_area="inside").pct_change(fill_method=None).iloc[1:]
    with pytest.warns(GraphWarning, match="no correlation of 'S0'"):
        found = boruvka.rolling_forests(gaps, 20, prices=True, missing="ffill")
    with pytest.warns(GraphWarning, match="no correlation of 'S0'"):
        assert found.w == pytest.approx(boruvka.rolling_forests(changes, 20, missing="drop").w)
    with pytest.raises(OptionError, match="missing='ffill' fills gaps of prices"):
        boruvka.rolling_forests(stocks(), 20, missing="ffill")
    with pytest.raises(
        GraphTypeError, match=r"pandas\.read_csv\('prices\.csv', sep=None, engine='python', index"
    ):
        boruvka.rolling_forests("prices.csv", 20)


@pytest.mark.needs("scipy")
def test_a_series_that_is_listed_late_has_edges_with_least_rows():
    from scipy.sparse import csgraph

    prices = 100 * (1 + 0.01 * stocks()).cumprod()
    prices.iloc[:15, 0], prices.iloc[30, 1] = None, None
    found = boruvka.rolling_forests(prices, 40, step=100, prices=True, missing="ffill", min_periods=10)[0]
    expected = prices.ffill().pct_change(fill_method=None)[-40:].corr(min_periods=10).to_numpy()
    tree = csgraph.minimum_spanning_tree(np.sqrt(2 * (1 - expected)))
    assert found.weight == pytest.approx(tree.sum())
    assert len(found) == prices.shape[1] - 1


@pytest.mark.parametrize(
    ("change", "rule", "message"),
    [
        (lambda returns: 1 + 0.01 * returns, GraphWarning, "prices are near 1 and have no trend"),
        (lambda returns: (1 + 0.01 * returns).cumprod().assign(S1=1.2), GraphError, r"'S1' does not vary in"),
    ],
)
def test_what_are_no_prices(change, rule, message):
    wrong = change(stocks())
    with pytest.warns(rule, match=message) if rule is GraphWarning else pytest.raises(rule, match=message):
        boruvka.rolling_forests(wrong, 20, prices=True)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_long_tables_and_tables_of_one_column(library):
    returns = stocks().rename_axis("Date").rename_axis("Name", axis=1)
    returns = returns.rename(columns={"S0": "005930"})  # a share of Seoul
    long = returns.stack().rename("dy").reset_index()
    joined = pandas.DataFrame({"Date;A;B": ["2024-01-01;0,1;3", "2024-01-02;0,2;4"]})
    if library == "polars":
        polars = pytest.importorskip("polars")
        long, joined = polars.from_pandas(long), polars.from_pandas(joined)
    for table, advice in (long, r"pass returns\.pivot\(index='Date'"), (joined, "';' is between fields"):
        with pytest.raises(GraphTypeError, match=advice):
            boruvka.rolling_forests(table, 2)


@pytest.mark.parametrize(
    "tickers", [None, [*"ABCDEFG", "NA"], [*range(7203, 7211)], [f"{k:06}" for k in range(5930, 5938)]]
)
def test_dates_in_columns(tickers):
    """Also where tickers are numbers, or one is read as missing."""
    returns = stocks() if tickers is None else stocks().set_axis(tickers, axis=1)
    expected = boruvka.rolling_forests(stocks(), 20)
    for columns in returns.index, returns.index.strftime("%d/%m/%Y"):
        table = returns.set_axis(columns).T.rename_axis("Code")
        for frame in table, table.rename(index={"NA": np.nan}), table.reset_index():
            with pytest.raises(
                GraphError, match=r"the columns are dates, .* of a file pandas\.read"
            ) as caught:
                boruvka.rolling_forests(frame, 3, prices=True)
        (advice,) = re.findall(r"rows series: pass (returns.*\.T),", str(caught.value))
        changed = eval(advice, {"returns": table.reset_index()})
        assert boruvka.rolling_forests(changed, 20).w.tolist() == expected.w.tolist()
    maturities = stocks().set_axis([f"{2030 + k}-06-15" for k in range(8)], axis=1)
    assert len(boruvka.rolling_forests(maturities, 20)) == len(expected)


@pytest.mark.parametrize("numbers", [range(60), range(1, 61), range(60, 0, -1), [*map(str, range(60))]])
def test_row_numbers_are_no_series(numbers):
    returns = stocks()
    frame = returns.reset_index()
    frame.insert(0, "Unnamed: 0", list(numbers))
    with pytest.warns(GraphWarning, match="the column 'Unnamed: 0' numbers the rows, and is left out"):
        found = boruvka.rolling_forests(frame, 20)
    assert found.w.tolist() == boruvka.rolling_forests(returns, 20).w.tolist()
    assert found[0].graph.names.tolist() == returns.columns.tolist()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_are_left_out(library):
    returns = stocks()
    frame = pytest.importorskip(library).DataFrame(returns.reset_index().to_dict("list"))
    expected = boruvka.rolling_forests(returns[["S1", "S2", "S4", "S5", "S6", "S7"]], 20)
    found = boruvka.rolling_forests(frame, 20, drop=("S0", "S3"))
    assert (found.w.tolist(), found[0].graph.names.tolist()) == (
        expected.w.tolist(),
        expected[0].graph.names.tolist(),
    )
    with pytest.raises(OptionError, match="drop: there is no column 'S': did you mean S0"):
        boruvka.rolling_forests(frame, 20, drop="S")


def test_columns_that_are_no_series():
    returns = stocks()
    with pytest.raises(GraphError, match=r"returns has 2 columns 'S0': write returns.loc.*duplicated"):
        boruvka.rolling_forests(returns.set_axis(["S0", "S0", *returns.columns[2:]], axis=1), 20)
    levels = pandas.concat({"Close": returns, "Volume": returns.abs()}, axis=1)
    with pytest.raises(
        GraphTypeError, match=r"columns of several levels: pass one, such as returns\['Close'\]"
    ):
        boruvka.rolling_forests(levels, 20)
    assert (
        boruvka.rolling_forests(levels["Close"], 20).w.tolist()
        == boruvka.rolling_forests(returns, 20).w.tolist()
    )
    for matrix in returns.corr(), returns.corr().to_numpy(), returns.cov():
        with pytest.raises(
            GraphError, match=r"returns is a symmetric matrix: solve it with Graph.from_distances"
        ):
            boruvka.rolling_forests(matrix, 3)
    returns.iloc[2, 1] = np.inf
    with pytest.warns(GraphWarning, match=r"1 values are infinite.* taken as missing"):
        boruvka.rolling_forests(returns, 20, missing="pairwise")


@pytest.mark.needs("scipy")
@pytest.mark.filterwarnings("ignore:no correlation of 'S0'")
@pytest.mark.parametrize("missing", ["error", "drop", "pairwise"])
def test_rank_correlations(missing):
    """Against ranks in pandas, whose correlations are those of SciPy; values may be equal, or infinite."""
    from scipy.sparse import csgraph
    from scipy.stats import spearmanr

    returns = stocks().round(1) ** 5
    if missing != "error":
        returns.iloc[3:7, 0] = returns.iloc[5:13, 4] = np.nan
        returns.iloc[50, 2] = np.inf if missing == "drop" else np.nan
    batch = boruvka.rolling_forests(returns, 20, step=10, missing=missing, method="spearman")
    for label, forest in zip(batch.labels, batch, strict=True):
        rows = returns.loc[:label].tail(20).replace(np.inf, np.nan)
        correlation = rows.rank().corr()
        if missing == "drop":
            correlation = correlation.where(rows.notna().all()).T.where(rows.notna().all())
        if missing == "pairwise":  # ranks among the rows of both
            both = (rows[list(pair)].dropna() for pair in itertools.product(rows, repeat=2))
            found = [spearmanr(x.iloc[:, 0], x.iloc[:, 1]).statistic for x in both]
            correlation = pandas.DataFrame(np.reshape(found, (8, 8)))
        distances = np.sqrt(2 * (1 - correlation.to_numpy()))
        weights = csgraph.minimum_spanning_tree(np.nan_to_num(distances))
        assert forest.weight == pytest.approx(weights.sum())
        assert {*map(tuple, np.sort([forest.u, forest.v], 0).T)} == {
            tuple(sorted(x)) for x in zip(*weights.nonzero(), strict=True)
        }
    with pytest.raises(OptionError, match="method must be one of pearson, spearman"):
        boruvka.rolling_forests(returns, 20, method="kendall")


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("B", 2.0, "^'B' has the changes of 'S3', and an edge of weight 0: pass drop=.*'B'"),
        ("S3.1", 1.0, "^'S3.1' has the changes of 'S3'"),
        ("S3.1", None, "^'S3.1' has the name that pandas gives to a second column 'S3': pass drop"),
        ("T.1", None, None),
    ],
)
@pytest.mark.parametrize("are_prices", [True, False])
def test_series_that_are_there_twice(column, values, message, are_prices):
    """As a price in two units, or a column that was renamed; nearly equal ones are two."""
    returns = stocks() / 100
    other = returns["S3"] + np.linspace(0, 1e-4, 60) * (values is None)
    returns = returns.assign(**{column: other})
    frame = (1 + returns).cumprod() * [*[1] * 8, values or 1] if are_prices else returns
    for missing in "error", "pairwise":
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            boruvka.rolling_forests(frame, 20, prices=are_prices, missing=missing)
        assert len(told) == (message is not None)
        assert message is None or re.search(message, str(told[0].message))


@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("are_prices", [True, False])
def test_few_rows(count, are_prices):
    """Two correlations are 1 or -1."""
    rows = count and count + are_prices
    with pytest.raises(
        GraphError, match=f"expected a row for each date, {3 + are_prices} or more, found {rows} of"
    ):
        boruvka.rolling_forests(stocks().abs()[:rows], 3, prices=are_prices)
    with pytest.raises(OptionError, match="window must be an integer from 3 to"):
        boruvka.rolling_forests(stocks(), 2)


@pytest.mark.parametrize("kind", ["s", "ms", "us", "ns", "%d%m%Y"])
@pytest.mark.parametrize("as_index", [True, False])
def test_numbers_that_count_times(kind, as_index):
    """In a column of any name, and in any order."""
    returns = stocks()
    expected = boruvka.rolling_forests(returns, 20, step="ME")
    index = returns.index
    numbers = index.strftime(kind).astype(int) if "%" in kind else index.as_unit(kind).astype(np.int64)
    frame = returns.set_axis(numbers.rename("open_time")).sample(frac=1, random_state=1)
    frame = frame if as_index else frame.reset_index()
    with pytest.warns(GraphWarning, match="dates are in no order, and rows are sorted"):
        found = boruvka.rolling_forests(frame, 20, step="ME")
    assert (found.label_name, found.edges.tolist()) == ("open_time", expected.edges.tolist())
    assert found[-1].edges.tolist() == found["2024-03-22"].edges.tolist()
    turnover = returns.assign(volume=np.arange(60) ** 2 * 7 + 1_700_000_001)  # rises, but not by minutes
    assert "volume" in boruvka.rolling_forests(turnover.reset_index(drop=True), 20)[0].graph.names


def test_rows_of_a_larger_frame():
    """The index numbers the rows of the whole frame; dates are texts in a column of any name."""
    returns = stocks()
    expected = boruvka.rolling_forests(returns[20:], 20)
    frame = returns.assign(Price=returns.index.strftime("%Y-%m-%d")).reset_index(drop=True)
    found = boruvka.rolling_forests(frame[20:], 20)
    assert (found.label_name, found.w.tolist()) == ("Price", expected.w.tolist())
