"""The minimum spanning forests of correlations of time series in a rolling window."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, OptionError, shown, warn
from boruvka.graph.columns import read_numbers
from boruvka.graph.labels import in_memory, is_pandas, is_table
from boruvka.runtime.arguments import argument, integer, one_of
from boruvka.trees.forest_batch import ForestBatch, batch_of_matrices

__all__ = ["rolling_forests"]

LEAST_SHARED = 8
"""Windows whose products are summed together differ in at most one of this number of their rows."""
ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""Deviation of a value of a constant series from the mean, relative to the mean, at most."""


def rolling_forests(
    returns: Any,
    window: int,
    *,
    step: int = 1,
    names: Iterable[Hashable] | None = None,
    missing: str = "error",
    **options: Any,
) -> ForestBatch:
    """Find the minimum spanning tree of the correlations of time series in each position of a rolling window.

    The weight of two series is the distance of R. N. Mantegna (1999), ``sqrt(2 * (1 - correlation))``: from 0
    to 2, and 1.41 for series without correlation.

    Parameters
    ----------
    returns : (t, n) array_like, or frame of pandas or polars
        A row for each date, a column for each series, such as the returns of stocks. The columns of a frame
        are the names of vertices. Its index has the dates, or its only column that holds no numbers.
    window : int
        Number of rows of a window.
    step : int
        Number of rows from one window to the next.
    names : iterable of n names, optional
        The names of the series; by default the columns of a frame.
    missing : str
        The rule for a series that has a missing value in a window, or the same value in all rows, which has
        no correlation: "error", or "drop", where it has no edge in this window.
    **options
        Further arguments of `minimum_spanning_forest`.

    Returns
    -------
    ForestBatch
        Its labels are the last dates of the windows. The matrices of all windows stay in memory, in 8 bytes
        for each entry.

    Raises
    ------
    GraphError, GraphTypeError
        The values are not a table of numbers, or a series has no correlation.
    OptionError
        A window has fewer than two rows or more than there are.

    Warns
    -----
    GraphWarning
        Series are dropped from windows.

    Examples
    --------
    >>> import boruvka
    >>> trees = boruvka.rolling_forests([[1, 2, 9], [2, 3, 5], [3, 5, 6], [4, 1, 2]], 3, names="ABC")
    >>> trees.weight.round(2), trees.survival
    (array([1.97, 2.01]), array([nan,  1.]))
    """
    one_of("missing", missing, ("error", "drop"))
    returns, dates, label_name = _without_dates(in_memory(returns))
    values = read_numbers("returns", returns)
    if values.ndim != 2 or values.dtype.kind not in "iufb":
        raise GraphTypeError(
            f"returns must be a table of numbers, not {values.dtype} of shape {values.shape}"
        )
    window, step = integer("window", window, 2), integer("step", step, 1)
    if window > len(values):
        raise OptionError(
            f"{argument('window')} must be at most the number of rows, {len(values)}, got {window}"
        )
    last = np.arange(window - 1, len(values), step)
    if names is None and is_table(returns):
        names = list(returns.columns)
    labels = last.tolist() if dates is None else [dates[i] for i in last]
    distances = _distances(values.astype(np.float64, copy=False), window, step)
    has_none = np.isnan(np.diagonal(distances, axis1=1, axis2=2))
    if has_none.any():
        i, series = np.argwhere(has_none)[0].tolist()
        name = series if names is None else list(names)[series]
        why = "a value is missing or infinite, or all are equal"
        problem = f"{shown(name)} has no correlations in the window that ends at {shown(labels[i])}: {why}"
        if missing == "error":
            drop = argument("missing", "drop")
            raise GraphError(f"{problem}; {drop} leaves a series out of such windows, returns.dropna() rows")
        warn(f"{problem}; {np.count_nonzero(has_none):,} series are left out of a window")
    null_value = np.nan if has_none.any() else None
    batch = batch_of_matrices(distances, names, null_value, **options)
    return batch.labelled(labels, str(label_name or "window"))


def _without_dates(returns: Any) -> tuple[Any, list[Any] | None, str | None]:
    """Take the dates out of a frame: its index, or the only column that holds no numbers; and their name."""
    if not is_table(returns):
        return returns, None, None
    if is_pandas(returns):
        if returns.index.tolist() != list(range(len(returns))):
            return returns, returns.index.tolist(), returns.index.name
        numbers = returns.select_dtypes(["number", "bool"])
    else:
        numbers = returns.select([x.name for x in returns if x.dtype.is_numeric() or x.dtype == bool])
    others = [name for name in returns.columns if name not in numbers.columns]
    if len(others) != 1:
        return returns, None, None
    return numbers, returns[others[0]].to_list(), others[0]


def _distances(values: NDArray[np.float64], window: int, step: int) -> NDArray[np.float64]:
    """Compute the distance of each two series in each window; NaN for series that have none."""
    starts = np.arange(0, len(values) - window + 1, step)
    distances = np.empty((starts.size, values.shape[1], values.shape[1]))
    at_once = 1 + window // (LEAST_SHARED * step)
    for first in range(0, starts.size, at_once):
        here = slice(first, first + at_once)
        _fill(values, starts[here], window, distances[here])
    return distances


def _fill(
    values: NDArray[np.float64], starts: NDArray[np.int64], window: int, out: NDArray[np.float64]
) -> None:
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
            np.subtract(1, products, out=products)
            np.maximum(products, 0, out=products)  # keeps NaN
            products *= 2
            np.sqrt(products, out=products)


def _products(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the products of each two columns, without BLAS."""
    return np.einsum("ti,tj->ij", rows, rows)
