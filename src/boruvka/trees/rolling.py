"""The minimum spanning forests of correlations of time series in a rolling window."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, first_true, shown, warn
from boruvka.graph.columns import is_number, listed, read_numbers, refuse_path
from boruvka.graph.labels import READ_AS_MISSING, in_memory, is_pandas, is_table
from boruvka.graph.matrix import check_sense, mantegna_distances
from boruvka.graph.no_values import is_missing
from boruvka.graph.text_dates import (
    check_dates_are_rows,
    dates_in,
    ends_of_periods,
    label_text,
    order_of_dates,
    preceding,
    readings,
    rows_of_dates,
    without_dates,
)
from boruvka.graph.text_numbers import numbers_in, other_texts, without_units
from boruvka.runtime.arguments import argument, did_you_mean, flag, integer, is_command_running, one_of
from boruvka.runtime.libraries import pd
from boruvka.trees.forest_batch import ForestBatch, batch_of_matrices, check_solve_options
from boruvka.trees.minimum_spanning import ForestOptions

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
LEAST_SHARED = 8
"""Windows whose products are summed together differ in at most one of this number of their rows."""
LEAST_ROWS_OF_PRICES, LEAST_LIKE_PRICES = 20, 0.8
"""Number of rows, and correlation of a row with the row before, from which series look like prices."""
TYPICAL_RETURN = 0.05
"""Size that most values of a series do not reach if it holds returns, 0.01 for 1 %."""
UNIT_ROOT = 14.1
"""Maximum of the rows, times 1 less this correlation, of a random walk: the 5 % value of Dickey, Fuller."""
SPLIT = 4
"""Factor between two prices in a row, up or down, from which a warning asks for a split."""
SERIES_SHOWN = 3
"""Number of series that a warning names."""
EQUAL = 1e-6
"""Maximum distance of two series that are taken for the same one."""
ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""Deviation of a value of a constant series from the mean, relative to the mean, at most."""
MOST_NEGATIVE = 0.2
"""Share of the prices of a series that are negative, at most."""
ALL_ROWS: Any = object()
"""The window of all rows."""


def rolling_forests(
    returns: Any,
    window: int,
    *,
    step: Any = 1,
    names: Iterable[Hashable] | None = None,
    missing: str = "error",
    min_periods: int | None = None,
    method: str = "pearson",
    prices: bool = False,
    drop: Iterable[Hashable] = (),
    **options: Unpack[ForestOptions],
) -> ForestBatch:
    """Find the minimum spanning tree of the correlations of time series in each position of a rolling window.

    The weight of two series is the distance of R. N. Mantegna (1999), ``sqrt(2 * (1 - correlation))``: from 0
    to 2, and 1.41 for series without correlation.

    Parameters
    ----------
    returns : (t, n) array_like, or frame of pandas or polars
        A row for each date, a column for each series, such as the returns of stocks. The columns of a frame
        are the names of vertices. The dates are its column called date, dates, trade date, datum, fecha,
        datetime, time or timestamp, unless that holds floats that are not dates of Excel, or its column of
        numbers such as 20241231; else its index, or its only column that holds no numbers. Rows whose dates,
        also texts such as 31.12.2024, 12/31/2024 or 31-Dec-24, numbers such as 31122024, dates of Excel, and
        full minutes since 1970 in seconds, ms, us or ns, are not in ascending order are sorted, with a
        warning. Rows without any value, and a column that numbers the rows, are left out, with a warning.
    window : int
        Number of rows of a window.
    step : int, str, offset of pandas, date, or iterable of dates
        Number of rows from one window to the next. The last window ends at the last row: a step that does not
        divide the other rows leaves the first ones out. Or a frequency of pandas, such as "ME" for months:
        windows end at the last row of each month that has enough rows before it, also of the last month,
        which may not be over. Or the dates of the last rows of windows, or one date; without dates, their
        numbers.
    names : iterable of n names, optional
        The names of the series; by default the columns of a frame.
    missing : str
        The rule for a series that has a missing value in a window, or the same value in all rows, which has
        no correlation: "error"; "drop", where it has no edge in this window; "pairwise", where each
        correlation is of the rows in which both series have values, as in
        ``frame.corr(min_periods=min_periods)`` of pandas, and pairs with fewer such rows have no edge; or
        "ffill", for prices, where a gap between two prices has the first one, and other gaps are dropped.
    min_periods : int, optional
        Minimum number of these rows, for ``missing="pairwise"``; by default ``window // 2``. With "ffill", a
        series that is listed late has edges, too: correlations are "pairwise" after the gaps are filled.
    method : str
        The correlation: "pearson", or "spearman", the correlation of the ranks of the values in the window,
        which few large values do not decide. It is ``frame.corr(method)`` of pandas, which must be installed.
    prices : bool
        The values are prices, whose relative changes from row to row, ``prices.pct_change().iloc[1:]``, are
        the returns. A price of 0 or below is a missing value.
    drop : iterable of names, optional
        Columns of the frame that are left out, such as an index of the market.
    **options
        Further arguments of `minimum_spanning_forest`.

    Returns
    -------
    ForestBatch
        Its labels are the last dates of the windows. The matrices of all windows stay in memory, in 8 bytes
        for each entry. With gaps, "pairwise" sums four products for each window, and windows share none.

    Raises
    ------
    GraphError, GraphTypeError
        The values are not a table of numbers, have fewer than three rows, or are, say, a matrix of
        correlations; two series have one name, or a series has no correlation. Most rows have a date, but
        not all; columns are dates; or dates are in no order and there twice, or are numbers of no known form
        in no order. Or many prices are negative.
    OptionError
        A window has fewer than three rows or more than there are, or there is no such argument. A date of
        ``step`` is not the date of a row, or has too few rows before it; or no dates are there for a
        frequency, or pandas does not know it.

    Warns
    -----
    GraphWarning
        Series are left out of windows, pairs have no edge, values are infinite, prices are 0 or less, returns
        are below -1, two series have the same changes, a column is called "A.1", as pandas calls a second
        column "A", a price is at least 4 times the one before, or at most a quarter of it, as after a split,
        or dates descend, are in no order or there twice. Or the values look like prices or other levels, not
        like changes: they are near the values of the row before, and, in series with negative values, as near
        as in a random walk.

    Examples
    --------
    >>> import boruvka
    >>> trees = boruvka.rolling_forests([[1, 2, 9], [2, 3, 5], [3, 5, 6], [4, 1, 2]], 3, names="ABC")
    >>> trees.weight.round(2), trees.survival
    (array([1.97, 2.01]), array([nan,  1.]))
    """
    one_of("missing", missing, ("error", "drop", "pairwise", "ffill"))
    one_of("method", method, ("pearson", "spearman"))
    check_solve_options(rolling_forests, options)
    check_sense(True, options.get("maximum", False))
    refuse_path("returns", returns, "pandas.read_csv({}, sep=None, engine='python', index_col=0)")
    returns = in_memory(returns, keeps_name=True)
    if left_out := [drop] if isinstance(drop, str) else listed("drop", drop):
        columns = list(returns.columns) if is_table(returns) else []
        for x in (x for x in left_out if x not in columns):
            raise OptionError(f"{argument('drop')}: there is no column {shown(x)}{did_you_mean(x, columns)}")
        returns = returns[[x for x in columns if x not in left_out]]
    table, what = returns, "prices" if flag("prices", prices) else "returns"
    returns, dates, label_name = without_dates(returns)
    check_dates_are_rows(dates, table)
    values = read_numbers(what, returns)
    if values.ndim == 2 and values.dtype.kind in "OU":
        values = np.array(without_units(what, values.T.tolist()), object).reshape(values.T.shape).T
        items = [math.nan if x is None else x for x in numbers_in(what, values.ravel().tolist())]
        if all(map(is_number, items)):
            values = np.array(items, np.float64).reshape(values.shape)
    if values.ndim != 2 or values.dtype.kind not in "iufb":
        given = f"{values.dtype} of shape {values.shape}"
        given += _text_in(returns, values, dates, label_name) if is_table(returns) else ""
        raise GraphTypeError(f"{what} must be a table of numbers, not {given}")
    values = values.astype(np.float64)  # a copy, as a value may become missing
    if is_table(returns) and names is None:
        names, steps = list(returns.columns), np.diff(values, axis=0)
        is_series = ~((steps == 1).all(axis=0) | (steps == -1).all(axis=0)) | (len(steps) < 4)
        for k in np.flatnonzero(~is_series)[::-1].tolist():
            warn(f"the column {shown(names.pop(k))} numbers the rows, and is left out")
        values = values[:, is_series]
    names = None if names is None else list(names)
    if names is not None and any(map(is_missing, names)):
        raise GraphError(f"a series has a missing value as its name: {READ_AS_MISSING}")
    shown_names = [*range(values.shape[1])] if names is None else names
    if len(values) == values.shape[1] > 2 and np.allclose(values, values.T, 1e-9, 1e-12, True):
        way = "--correlations" if is_command_running() else "Graph.from_distances(matrix, correlations=True)"
        raise GraphError(f"{what} is a symmetric matrix: solve it with {way}, if it holds correlations")
    if dates is not None and (order := order_of_dates(dates, prices, window is ALL_ROWS)) is not None:
        values, dates = values[order], [dates[i] for i in order]
    dates = list(range(len(values))) if dates is None else dates
    if empty := np.count_nonzero(is_empty := np.isnan(values).all(axis=1)):
        warn(f"{empty:,} rows without a value are left out, such as {label_text(dates[is_empty.argmax()])}")
        values, dates = values[~is_empty], [dates[i] for i in np.flatnonzero(~is_empty)]
    if len(values) - prices < 3:
        raise GraphError(f"expected a row for each date, {3 + prices} or more, found {len(values)} of {what}")
    if prices:
        values, dates = _changes(values, shown_names, dates, missing == "ffill"), dates[1:]
        missing = missing if missing != "ffill" else "drop" if min_periods is None else "pairwise"
    elif missing == "ffill":
        raise OptionError(f"{argument('missing', 'ffill')} fills gaps of prices, and these are returns")
    window = integer("window", len(values) if window is ALL_ROWS else window, 3, len(values))
    _warn_of_values(values, shown_names, dates, missing)
    if min_periods is not None and missing != "pairwise":
        raise OptionError(f"{argument('min_periods')} is for gaps by pairwise or ffill: leave it out")
    least = max(window // 2, 2) if min_periods is None else integer("min_periods", min_periods, 2, window)
    last = np.array(_last_rows(step, window, dates), np.int64)
    labels, starts = [dates[i] for i in last], last - window + 1
    has_pairs = missing == "pairwise" and not np.isfinite(values).all()
    distances = _distances(values, starts, window, least if has_pairs else None, method)
    windows = [values[start : start + window] for start in starts]
    null_value = np.nan if _tell_gaps(distances, labels, shown_names, missing, least, windows) else None
    _warn_of_doubles(distances, shown_names)
    batch = batch_of_matrices(distances, names, null_value, correlations=True, are_distances=True, **options)
    return batch.labelled(labels, str(label_name or "window"))


def _last_rows(step: Any, window: int, dates: list[Any]) -> list[int]:
    """Return the last row of each window, ascending."""
    texts = dates_in(step) if isinstance(step, str) else []
    if (texts and readings(texts)) or isinstance(step, np.datetime64) or hasattr(step, "isoformat"):
        step = texts or [step]
    if isinstance(step, str) or hasattr(step, "rule_code"):
        return [row for row in ends_of_periods(dates, step) if row >= window - 1]
    if not isinstance(step, Iterable):
        return list(range((len(dates) - window) % integer("step", step, 1) + window - 1, len(dates), step))
    found = set[int]()
    for end, row in rows_of_dates(dates, listed("step", step)):
        if row is None or row < window - 1:
            given, first, last = map(label_text, (end, dates[window - 1], dates[-1]))
            problem = f"no whole window ends at {given}, but at rows {first} to {last}"
            raise OptionError(f"{argument('step')}: {problem}{preceding(dates[window - 1 :], end)}")
        found.add(row)
    return sorted(found)


def _tell_gaps(
    distances: Floats, labels: list[Any], names: list[Any], missing: str, least: int, windows: list[Floats]
) -> bool:
    """Return whether some distances are missing; raise an error or warn, as the rule says."""
    n, why = distances.shape[1], "a value is missing or infinite, or all are equal"
    if missing == "pairwise":
        lacks = np.isnan(distances) & ~np.tri(n, dtype=bool)
        why = f"fewer than {least} rows have values of both, or all values are equal"
        counted = f"{len(distances) * n * (n - 1) // 2:,} pairs of series in windows have no edge"
    else:
        lacks = np.isnan(np.diagonal(distances, axis1=1, axis2=2))
        counted = f"{lacks.size:,} pairs of window and series are left out"
    if not lacks.any():
        return False
    i, *series = np.argwhere(lacks)[0].tolist()
    of = " and ".join(shown(names[k]) for k in series)
    where = f" in the window that ends at {label_text(labels[i])}" if len(labels) > 1 else ""
    if missing == "error" and np.isfinite(windows[i][:, series]).all():
        raise GraphError(f"{of} does not vary{where}: pass {argument('drop', (names[series[0]],))}")
    problem = f"no correlation of {of}{where}: {why}"
    if missing == "error":
        raise GraphError(
            f"{problem}; pass {argument('missing', 'pairwise')} to use the rows that two series have in "
            f"common, {argument('missing', 'drop')} to leave a series out of such windows, or for prices "
            f"{argument('missing', 'ffill')} to take the price before a gap"
        )
    most = Counter(np.concatenate(np.nonzero(lacks)[1:]).tolist()).most_common(SERIES_SHOWN)
    often = ", ".join(f"{shown(names[k])} {count:,}" for k, count in most)
    warn(f"{problem}; {np.count_nonzero(lacks):,} of {counted}, most often of {often}")
    return True


def _warn_of_doubles(distances: Floats, names: list[Any]) -> None:
    """Warn of series that are there twice, and of names that pandas gives to a second column of a name."""
    are_equal = (distances < EQUAL).any(axis=0) & ~(distances >= EQUAL).any(axis=0)
    twice = np.argwhere(np.triu(are_equal, 1)).tolist()
    found = {names[j]: f"the changes of {shown(names[i])}, and an edge of weight 0" for i, j in twice}
    for x in [x for x in names if isinstance(x, str) and x not in found]:
        if (name := re.sub(r"\.\d+$", "", x)) != x and name in names:
            found[x] = f"the name that pandas gives to a second column {shown(name)}"
    for name, what in [*found.items()][:1]:
        rest = f" ({len(found):,} such series)" * (len(found) > 1)
        warn(f"{shown(name)} has {what}{rest}: pass {argument('drop', (name,))} if it is there twice")


def _text_in(returns: Any, values: Any, dates: list[Any] | None, date: str | None) -> str:
    """Return which columns of a frame have texts, also numbers in another form than most; what to write."""
    columns = dict(zip(returns.columns, values.T.tolist(), strict=True))
    others = other_texts(values.ravel().tolist())
    words = {
        k: [i for i, x in enumerate(c) if isinstance(x, str) and x in others] for k, c in columns.items()
    }
    keys = [x for x, found in words.items() if 2 * len(found) > len(columns[x])]
    if dates is not None and len({*dates}) < len(dates) and len(keys) == 1 < len(columns):
        value, on = next(x for x in columns if x not in keys), "columns" if is_pandas(returns) else "on"
        how = f"index={shown(date)}, {on}={shown(keys[0])}, values={shown(value)}"
        way = "write a new file by frame.pivot" if is_command_running() else "pass returns.pivot"
        return f"; a row is for one date and one series: {way}({how})"
    texts = {x: columns[x][found[0]] for x, found in words.items() if found}
    keyword = "sep" if is_pandas(returns) else "separator"
    for name, text in texts.items():
        if separator := next((x for x in ";\t|" if x in str(name) and x in text), ""):
            return f"; {separator!r} is between fields: read the file with {keyword}={separator!r}"
        drop = f"{argument('drop', tuple(texts))} leaves the column{'s' * (len(texts) > 1)} out"
        way = f"read it as none by na_values={text!r} of pandas.read_csv, null_values of polars"
        if name in keys:  # dates, or the same word in all rows
            way = f"{drop}, returns.set_index({shown(name)}) takes dates"
        if is_command_running():
            way = f"write NA if it means none; {drop}"
        if re.search(r"\d", text):
            way = "write all numbers in one way, such as 1234.5, and a series in one unit"
        where = words[name][0] if dates is None else label_text(dates[words[name][0]])
        count = f" ({len(texts):,} such columns)" * (len(texts) > 1)
        return f"; the column {shown(name)} has the text {shown(text)} in the row {where}{count}: {way}"
    return ""


def _changes(prices: Floats, names: list[Any], dates: list[Any], fills_gaps: bool) -> Any:
    """Return the relative change of each price to the next; NaN from and to a gap, or a price of 0 or below.

    Or gaps between two prices are filled with the first of them.
    """
    instead = argument("format", "returns") if is_command_running() else "returns without prices=True"
    share = (prices < 0).mean(axis=0)
    if (k := first_true(share > MOST_NEGATIVE)) is not None:
        ways = f"pass {instead} if they are returns; of levels, differences, in pandas levels.diff().iloc[1:]"
        raise GraphError(f"{share[k]:.0%} of the prices of {shown(names[k])} are negative: {ways}")
    wrong = np.argwhere(prices <= 0)
    for row, k in wrong[:1].tolist():
        first = f"{prices[row, k]:g} of {shown(names[k])} of {label_text(dates[row])}"
        warn(f"prices of 0 or below are taken as missing: {len(wrong):,}, such as {first}")
    prices = np.where(prices <= 0, np.nan, prices)
    known = np.ma.masked_invalid(prices)
    rough = ((known[1:] - known[:-1]) ** 2).mean(axis=0) / known.var(axis=0) / 2  # 1 without a trend
    is_near_1 = len(prices) >= LEAST_ROWS_OF_PRICES and abs(np.ma.median(known) - 1) < 0.1
    if is_near_1 and np.ma.median(rough) > 0.5:
        warn(f"prices are near 1 and have no trend, as 1 + returns: pass {instead} if they are such")
    if fills_gaps:
        is_known = ~np.isnan(prices)
        last = np.maximum.accumulate(np.where(is_known, np.arange(len(prices))[:, None], 0))
        is_between = np.logical_or.accumulate(is_known[::-1])[::-1]  # not after the last price
        prices = np.where(is_between, np.take_along_axis(prices, last, 0), np.nan)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        ratio = prices[1:] / prices[:-1]
        jumps = np.argwhere(np.abs(np.log(ratio)) >= np.log(SPLIT))
    for row, k in jumps[:1].tolist():
        first = f"the price of {shown(names[k])} of {label_text(dates[row + 1])} is {ratio[row, k]:.3g} times"
        warn(f"{first} the one before ({len(jumps):,} such changes): adjust for splits, correct wrong prices")
    return ratio - 1


def _warn_of_values(values: Floats, names: list[Any], dates: list[Any], missing: str) -> None:
    """Warn of infinite values, of returns below -1, and of prices and yields, whose trends correlate."""
    if missing == "pairwise" and (count := np.count_nonzero(np.isinf(values))):
        values[:-1][~np.isfinite(values[1:]) & (values[:-1] == -1)] = np.nan  # the change to this price
        to = "as changes from a price of 0 are, and are taken as missing, with the change of -1 before"
        warn(f"{count:,} values are infinite, {to}")
    known = np.ma.masked_invalid(values)
    before, after = known[:-1], known[1:]
    are_returns = (abs(known) < TYPICAL_RETURN).mean(axis=0) > 0.5
    below = np.argwhere(((known < -1) & are_returns).filled(False))
    for row, k in below[:1].tolist():
        first = f"the return of {shown(names[k])} of {label_text(dates[row])} is {values[row, k]:.4g}"
        way = "compute returns of prices.where(prices > 0), or pass differences of levels"
        warn(f"{first}, below -1 as of a negative price, unless it is a log ({len(below):,} such): {way}")
    change, is_positive = (after - before) ** 2, (known.min(axis=0) > 0).filled(False)
    least = np.where(is_positive, LEAST_LIKE_PRICES, max(LEAST_LIKE_PRICES, 1 - UNIT_ROOT / len(values)))
    excess = 1 - change.mean(axis=0) / known.var(axis=0) / 2 - least  # masked where nothing varies
    excess = excess[(change.count(axis=0) >= LEAST_ROWS_OF_PRICES - 1)].compressed()
    if excess.size and np.median(excess) > 0:
        what, changes = "levels", "yields.diff().iloc[1:]"
        if is_positive.mean() > 0.5:
            option = argument("format", "prices") if is_command_running() else "prices=True"
            what, changes = "prices", f"{option}, or {changes} of yields"
        warn(f"returns look like {what}, whose trends correlate: pass {changes}")


def _pairwise_distances(rows: Floats, least: int) -> Floats:
    """Compute the distances in a window, each from the rows in which both series have values.

    NaN is the distance of two series that have values in fewer than the least rows, or equal values.
    """
    is_known = np.isfinite(rows)
    known = is_known.astype(np.float64)
    mean = np.where(is_known, rows, 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    rows = np.where(is_known, rows - mean, 0)
    # Entry (i, j) of each is a sum over the rows in which i and j have values.
    count, total, square = known.T @ known, rows.T @ known, (rows**2).T @ known
    with np.errstate(invalid="ignore", divide="ignore"):
        length = np.sqrt(np.maximum(square - total**2 / count, 0))
        size = np.abs(mean[:, None] + total / count)
        lacks = (count < least) | (length <= ROUNDING * np.sqrt(count) * size)
        correlation = (rows.T @ rows - total * total.T / count) / (length * length.T)
        return np.where(lacks | lacks.T, np.nan, mantegna_distances(correlation))


def _distances(values: Floats, starts: Integers, window: int, least: int | None, method: str) -> Floats:
    """Compute the distance of each two series in each window; NaN for series that have none.

    With a least number of rows, each distance is of the rows in which both series have values.
    """
    distances = np.empty((starts.size, values.shape[1], values.shape[1]))
    if method == "spearman":
        frame = pd.DataFrame(np.where(np.isfinite(values), values, np.nan))
        for start, out in zip(starts.tolist(), distances, strict=True):
            correlation = frame[start : start + window].corr(method, least or window)
            out[:] = mantegna_distances(correlation.to_numpy())
        return distances
    if least is not None:
        for start, out in zip(starts.tolist(), distances, strict=True):
            out[:] = _pairwise_distances(values[start : start + window], least)
        return distances
    first = 0
    while first < starts.size:
        end = int(np.searchsorted(starts, starts[first] + window // LEAST_SHARED, "right"))
        _fill(values, starts[first:end], window, distances[first:end])
        first = end
    return distances


def _fill(values: Floats, starts: Integers, window: int, out: Floats) -> None:
    """Store the distances in windows that share most of their rows.

    The products of shared rows are summed once for all windows, by BLAS. Those of the rows before them are
    added from the last window back, and those of the rows after them from the first window on. As no row is
    subtracted again, and all are relative to the mean of the shared rows, sums lose no digits. One product
    of BLAS for each window is slow on a busy machine: its threads wait for each other in every product.
    """
    begin, last = starts[[0, -1]]
    mean = values[last : begin + window].mean(axis=0)
    with np.errstate(invalid="ignore"):  # of infinite values
        rows, starts = values[begin : last + window] - mean, starts - begin
        shared, later = rows[starts[-1] : window], np.zeros(out.shape[1:])
        np.matmul(shared.T, shared, out=out[-1])
        for i in range(starts.size - 1, 0, -1):
            np.add(out[i], _products(rows[starts[i - 1] : starts[i]]), out=out[i - 1])
        for i in range(1, starts.size):
            later += _products(rows[starts[i - 1] + window : starts[i] + window])
            out[i] += later
        for start, products in zip(starts, out, strict=True):
            total = rows[start : start + window].sum(axis=0)
            products -= _products(total[None] / np.sqrt(window))
            length = np.sqrt(np.maximum(np.diagonal(products), 0))
            is_constant = length <= ROUNDING * np.sqrt(window) * np.abs(mean + total / window)
            products /= _products(np.where(is_constant, np.nan, length)[None])
            products[:] = mantegna_distances(products)


def _products(rows: Floats) -> Floats:
    """Sum the products of each two columns, without BLAS."""
    return np.einsum("ti,tj->ij", rows, rows)
