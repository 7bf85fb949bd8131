"""Missing ends and weights of a table with a row per edge, and counts of the rows that warnings are about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, shown, warn
from boruvka.graph.columns import list_column, read_column
from boruvka.graph.exact import inexact
from boruvka.graph.labels import take_rows
from boruvka.graph.no_values import int_or_float
from boruvka.interop.column_names import Costs
from boruvka.runtime.arguments import argument, hint

__all__ = ["RowCounts", "filled", "missing_in"]

Column = Any
"""A column of pandas or polars."""


class RowCounts(NamedTuple):
    """Counts of rows with a gap, and of rows whose weight may mean something else.

    Parameters
    ----------
    no_end, no_weight : int
        Rows that are left out because they have no end, or no weight; a row may have neither.
    left_out : int
        Rows that are left out.
    closed : int
        Negative costs beside a column reverse_cost.
    """

    no_end: int = 0
    no_weight: int = 0
    left_out: int = 0
    closed: int = 0

    @classmethod
    def of(cls, masks: list[NDArray[np.bool_]]) -> RowCounts:
        """Count rows by masks of those without u, without v and, unless edges have no weights, without w."""
        u, v, *w = masks
        has_no_end = u | v
        has_gap = has_no_end | w[0] if w else has_no_end
        return cls(*(int(np.count_nonzero(mask)) for mask in (has_no_end, w[0] if w else False, has_gap)))

    def complaint(self) -> str:
        """Say how many ends and weights are missing, and what to write."""
        drop = hint("; {missing} leaves them out", missing="drop")
        fill = hint(", {default} gives a weight to edges without one", default=1) if self.no_weight else ""
        return f"{self._gaps()}{drop}{fill}"

    def _gaps(self) -> str:
        found = (
            f"{count:,} {'row has' if count == 1 else 'rows have'} no {kind}"
            for count, kind in ((self.no_end, "end"), (self.no_weight, "weight"))
            if count
        )
        return " and ".join(found)

    def __add__(self, other: object) -> RowCounts:
        """Add the counts of other rows."""
        if not isinstance(other, RowCounts):
            return NotImplemented
        return RowCounts(*map(int.__add__, self, other))

    def with_costs(self, costs: Costs | None, w: NDArray[Any]) -> RowCounts:
        """Count the negative weights, if the weights are costs of one of two directions."""
        if costs is None or w.dtype.kind not in "if":
            return self
        return self._replace(closed=self.closed + int(np.count_nonzero(w < 0)))

    def warn(self, edges: int, costs: Costs | None) -> None:
        """Warn of rows that are left out, and of negative costs.

        Parameters
        ----------
        edges : int
            Number of the other rows.
        costs : Costs, optional
            The columns of costs.

        Warns
        -----
        GraphWarning
            A row is left out, or a cost is negative.
        """
        if self.left_out:
            warn(f"{self.left_out:,} of {edges + self.left_out:,} rows are left out: {self._gaps()}")
        if self.closed and costs is not None:
            rows = "row has" if self.closed == 1 else "rows have"
            warn(
                f"{self.closed:,} {rows} a negative {shown(costs.weight)} beside the column "
                f"{shown(costs.other)}, which in "
                "pgRouting closes the road in this direction; here it is the lightest edge: leave out roads "
                "that are closed in both directions, give the others the larger of both costs, and read that "
                "column as the weight"
            )


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
) -> tuple[tuple[Any, ...], NDArray[np.int64] | None, RowCounts]:
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
    RowCounts
        The rows that are left out.

    Raises
    ------
    GraphError
        No type holds the default and the other weights exactly.
    """
    gaps = [missing_in(column) for column in columns]
    is_filled_in = np.zeros(len(gaps[0]), bool)
    if default is not None and columns[2:]:
        is_filled_in, gaps[2] = gaps[2], is_filled_in
    rows, counts = None, RowCounts.of(gaps)
    if counts.left_out:
        is_left_out = np.logical_or.reduce(gaps)
        if missing == "error":
            raise error(int(np.argmax(is_left_out)), counts.complaint())
        rows = np.flatnonzero(~is_left_out)
        columns, is_filled_in = tuple(take_rows(column, rows) for column in columns), is_filled_in[rows]
    if default is not None and is_filled_in.any():
        columns = *columns[:2], _with_default(columns[2], is_filled_in, int_or_float(default))
    return columns, rows, counts


def _with_default(column: Column, gaps: NDArray[np.bool_], default: float) -> Any:
    """Return weights as an array, or as a list where they are not numbers, with the default in the gaps.

    The array has the type of the column if this holds the default, else a wider one.
    """
    known = read_column("w", take_rows(column, np.flatnonzero(~gaps)))
    if not isinstance(known, np.ndarray) or known.dtype.kind not in "iufb":
        weights = np.full(gaps.size, default, object)
        weights[~gaps] = list_column(known)
        return weights.tolist()
    if known.dtype.kind == "b":  # which are not weights, as the graph says
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
