"""Missing values of a table with a row per edge: ends that are null or NaN, and weights."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, OptionError, shown
from boruvka.graph.columns import list_column, read_column
from boruvka.graph.exact import inexact
from boruvka.runtime.arguments import argument, hint, one_of

__all__ = ["Gaps", "check_options", "filled", "fills_gaps", "missing_in"]

MISSING = "error", "drop"
"""Rules for rows that have no end or no weight."""
LARGEST = 2**63 - 1
Column = Any
"""A column of pandas or polars."""


class Gaps(NamedTuple):
    """Numbers of rows that have no end, and of rows that have no weight; a row may have neither."""

    ends: int
    weights: int

    @classmethod
    def of(cls, masks: list[NDArray[np.bool_]]) -> Gaps:
        """Count them in masks of the rows without u, without v and, unless edges have none, without w."""
        u, v, *w = masks
        return cls(int(np.count_nonzero(u | v)), sum(int(np.count_nonzero(mask)) for mask in w))

    def complaint(self) -> str:
        """Say how many ends and weights are missing, and what to write."""
        drop = hint("; {missing} leaves them out", missing="drop")
        fill = hint(", {default} gives a weight to edges without one", default=1) if self.weights else ""
        return f"{self}{drop}{fill}"

    def __str__(self) -> str:
        found = (
            f"{count:,} {'row has' if count == 1 else 'rows have'} no {kind}"
            for count, kind in ((self.ends, "end"), (self.weights, "weight"))
            if count
        )
        return " and ".join(found)


def check_options(missing: Any, default: Any) -> None:
    """Raise an `OptionError` unless these are values of the arguments ``missing`` and ``default``."""
    one_of("missing", missing, MISSING)
    is_number = isinstance(default, int | float | np.integer | np.floating)
    is_number &= not isinstance(default, bool | np.timedelta64)
    if default is not None and not (is_number and abs(int_or_float(default)) <= LARGEST):
        raise OptionError(
            f"{argument('default')} must be a number below 2**63 with an exact float64, or an integer, got "
            f"{shown(default)}"
        )


def fills_gaps(missing: str, default: float | None) -> bool:
    """Return whether rows may lack an end or a weight, by these arguments."""
    return missing != "error" or default is not None


def int_or_float(number: Any) -> int | float:
    """Convert a number to an integer if it is whole, else to a float; NaN if that is not exact."""
    if number == number and abs(number) != math.inf and int(number) == number:
        return int(number)
    return float(number) if float(number) == number else math.nan


def missing_in(column: Column) -> NDArray[np.bool_]:
    """Return whether each value of a column is missing: null, None, NaN or NaT."""
    if hasattr(column, "isna"):
        missing = np.asarray(column.isna(), bool)
        if getattr(column.dtype, "kind", "") == "f" and not isinstance(column.dtype, np.dtype):
            missing = missing | np.isnan(column.to_numpy(np.float64, na_value=np.nan))  # a NaN that is not NA
        return missing
    missing = column.is_null()
    return (missing | column.is_nan().fill_null(True) if column.dtype.is_float() else missing).to_numpy()


def filled(
    columns: tuple[Column, ...],
    missing: str,
    default: float | None,
    error: Callable[[int, str], Exception] = lambda row, message: GraphError(f"row {row}: {message}"),
) -> tuple[tuple[Any, ...], NDArray[np.int64] | None, Gaps]:
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
        The columns of the edges that stay. Weights that are filled in are an array or a list.
    array of int64, or None
        Their rows; None if these are all.
    Gaps
        What the rows that are left out lack.

    Raises
    ------
    GraphError
        No type holds the default and the other weights exactly.
    """
    gaps = [missing_in(column) for column in columns]
    is_filled_in = np.zeros(len(gaps[0]), bool)
    if default is not None and columns[2:]:
        is_filled_in, gaps[2] = gaps[2], is_filled_in
    is_left_out, rows, found = np.logical_or.reduce(gaps), None, Gaps.of(gaps)
    if is_left_out.any():
        if missing == "error":
            raise error(int(np.argmax(is_left_out)), found.complaint())
        rows = np.flatnonzero(~is_left_out)
        columns, is_filled_in = tuple(_taken(column, rows) for column in columns), is_filled_in[rows]
    if default is not None and is_filled_in.any():
        columns = *columns[:2], _with_default(columns[2], is_filled_in, int_or_float(default))
    return columns, rows, found


def _with_default(column: Column, gaps: NDArray[np.bool_], default: float) -> Any:
    """Return weights as an array, or as a list where they are not numbers, with the default in the gaps.

    The array has the type of the column if this holds the default, else a wider one.
    """
    known = read_column("w", _taken(column, np.flatnonzero(~gaps)))
    if not isinstance(known, np.ndarray) or known.dtype.kind not in "iufb":
        weights = np.full(gaps.size, default, object)
        weights[~gaps] = list_column(known)
        return weights.tolist()
    if known.dtype.kind == "b":  # which are no weights, as the graph says
        return np.zeros(gaps.size, bool)
    filling = np.array([default])
    if not known.size and not _is_numeric(column):
        known = filling[:0]
    filled_in = np.empty(gaps.size, _type_of_both(known, filling))
    filled_in[~gaps], filled_in[gaps] = known, filling
    return filled_in


def _is_numeric(column: Column) -> bool:
    if hasattr(column, "isna"):
        return getattr(column.dtype, "kind", "O") in "iuf"
    return bool(column.dtype.is_numeric())


def _type_of_both(known: NDArray[Any], filling: NDArray[Any]) -> np.dtype[Any]:
    """Return a type that holds known weights, and one that is filled in, exactly: preferably their own."""
    others = () if known.dtype.kind == "f" else (np.int64, np.uint64)
    for dtype in map(np.dtype, (known.dtype, *others, np.float64)):
        if inexact(known, dtype) is None and inexact(filling, dtype) is None:
            return dtype
    default = argument("default", filling.item())
    raise GraphError(
        f"no type of at most 64 bits holds both {default} and all other weights exactly, from {known.min()} "
        f"to {known.max()}: pass another default, or convert the weights to one type"
    )


def _taken(column: Column, rows: NDArray[np.int64]) -> Column:
    return column.iloc[rows] if hasattr(column, "iloc") else column.gather(rows)
