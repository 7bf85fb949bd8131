"""Missing values of a table with a row per edge: ends that are null or NaN, and weights."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphWarning, OptionError, shown
from boruvka.runtime.arguments import argument, choice, hint

__all__ = ["check_options", "complaint", "filled", "missing_in"]

MISSING = "error", "drop"
"""Rules for rows that have no end or no weight."""
LARGEST = 2**63 - 1
Column = Any
"""A column of pandas or polars."""


def check_options(missing: Any, default: Any) -> None:
    """Raise an `OptionError` unless these are values of the arguments ``missing`` and ``default``."""
    choice("missing", missing, MISSING)
    is_number = isinstance(default, int | float | np.number) and not isinstance(default, bool)
    if default is not None and not (is_number and abs(default) <= LARGEST):
        raise OptionError(f"{argument('default')} must be a number below 2**63, got {shown(default)}")


def missing_in(column: Column) -> NDArray[np.bool_]:
    """Return whether each value of a column is missing: null, None, NaN or NaT."""
    if hasattr(column, "isna"):
        return np.asarray(column.isna(), bool)
    missing = column.is_null()
    return (missing | column.is_nan().fill_null(True) if column.dtype.is_float() else missing).to_numpy()


def filled(
    columns: tuple[Column, ...],
    missing: str,
    default: float | None,
    error: Callable[[int, str], Exception] = lambda row, message: GraphError(f"row {row}: {message}"),
) -> tuple[tuple[Column, ...], NDArray[np.int64] | None]:
    """Fill in weights, and leave out edges that have no end or no weight.

    Parameters
    ----------
    columns : tuple of columns
        Two of ends, and perhaps one of weights.
    missing : str
        "error" or "drop".
    default : number, optional
        The weight of edges that have none.
    error : callable
        Makes an exception about a row.

    Returns
    -------
    tuple of columns
        The columns of the edges that stay.
    array of int64, or None
        Their rows; None if these are all.

    Warns
    -----
    GraphWarning
        Edges are left out.
    """
    if default is not None and columns[2:]:
        columns = *columns[:2], _with_default(columns[2], default)
    gaps = [missing_in(column) for column in columns]
    is_left_out = np.logical_or.reduce(gaps)
    if not is_left_out.any():
        return columns, None
    if missing == "error":
        raise error(int(np.argmax(is_left_out)), complaint(gaps))
    rows, size = np.flatnonzero(~is_left_out), is_left_out.size
    left_out = f"{size - rows.size:,} of {size:,} rows are left out: {_counts(gaps)}"
    warnings.warn(left_out, GraphWarning, stacklevel=4)
    return tuple(_taken(column, rows) for column in columns), rows


def complaint(gaps: list[NDArray[np.bool_]]) -> str:
    """Say how many ends and weights are missing, and what to write."""
    drop = hint("; {missing} leaves them out", missing="drop")
    has_no_weight = len(gaps) > 2 and gaps[2].any()
    fill = hint(", {default} gives a weight to edges without one", default=1) if has_no_weight else ""
    return _counts(gaps) + drop + fill


def _counts(gaps: list[NDArray[np.bool_]]) -> str:
    found = []
    for kind, gap in ("end", gaps[0] | gaps[1]), *(("weight", gap) for gap in gaps[2:]):
        if count := np.count_nonzero(gap):
            found.append(f"{count:,} {'row has' if count == 1 else 'rows have'} no {kind}")
    return " and ".join(found)


def _with_default(w: Column, default: float) -> Column:
    gaps = missing_in(w)
    if not gaps.any():
        return w
    if hasattr(w, "isna"):
        return w.where(~gaps, default)
    import polars

    kept = w if isinstance(default, int | np.integer) or w.dtype.is_float() else w.cast(polars.Float64)
    return kept.set(polars.Series(gaps), default)


def _taken(column: Column, rows: NDArray[np.int64]) -> Column:
    return column.iloc[rows] if hasattr(column, "iloc") else column.gather(rows)
