"""Missing ends and weights of a table with a row per edge, and counts of the rows that warnings are about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, shown, warn
from boruvka.graph.columns import list_column, read_weights
from boruvka.graph.exact import common_type, convert_exactly, inexact
from boruvka.graph.labels import take_rows
from boruvka.graph.no_values import blank_texts, int_or_float, is_no_name
from boruvka.graph.text_numbers import numbers_in
from boruvka.interop.column_names import Costs
from boruvka.runtime.arguments import argument, hint
from boruvka.runtime.libraries import pl

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
    malformed : int
        Rows that are left out because they have another number of fields, or no number where one must be.
    reverse : int
        Roads that are open in the other direction only, whose cost they have.
    closed : int
        Roads that are left out because they are closed in both directions.
    differing : int
        Roads with other costs in the other direction.
    """

    no_end: int = 0
    no_weight: int = 0
    left_out: int = 0
    malformed: int = 0
    reverse: int = 0
    closed: int = 0
    differing: int = 0

    @classmethod
    def of(cls, masks: list[NDArray[np.bool_]]) -> RowCounts:
        """Count rows by masks of those without u, without v and, unless edges have no weights, without w."""
        u, v, *w = masks
        has_no_end = u | v
        has_gap = has_no_end | w[0] if w else has_no_end
        return cls(*(int(np.count_nonzero(mask)) for mask in (has_no_end, w[0] if w else False, has_gap)))

    @property
    def found(self) -> dict[str, int]:
        """The counts that are not 0, by name."""
        return {name: count for name, count in self._asdict().items() if count}

    def complaint(self, is_part: bool = False) -> str:
        """Say how many ends and weights are missing, perhaps in a part of the rows, and what to write."""
        drop = hint("; {missing} leaves them out", missing="drop")
        fill = "" if self.no_end else hint(", {default} gives a weight to edges without one", default=1)
        return f"{self._gaps()}{' in the rows read so far' * is_part}{drop}{fill}"

    def _gaps(self) -> str:
        kinds = (self.no_end, "no end"), (self.no_weight, "no weight"), (self.malformed, "malformed fields")
        found = (
            f"{count:,} {'row has' if count == 1 else 'rows have'} {kind}" for count, kind in kinds if count
        )
        return " and ".join(found)

    def __add__(self, other: object) -> RowCounts:
        """Add the counts of other rows."""
        if not isinstance(other, RowCounts):
            return NotImplemented
        return RowCounts(*map(int.__add__, self, other))

    def warn(self, edges: int, costs: Costs | None) -> None:
        """Warn of rows that are left out, and of costs that differ by direction.

        Parameters
        ----------
        edges : int
            Number of the other rows.
        costs : Costs, optional
            The columns of costs.

        Warns
        -----
        GraphWarning
            A row is left out, or has different costs in both directions.
        """
        if self.left_out:
            rows = edges + self.left_out + self.closed
            without = f"{self._gaps()}; edges are numbered without them"
            warn(f"{self.left_out:,} of {rows:,} rows are left out: {without}")
        if costs is None or not any(self[-3:]):
            return
        notices = (
            (self.reverse, f"have a negative {shown(costs.weight)}, and the weight {shown(costs.other)}"),
            (self.closed, "are left out, as both costs are negative: the road is closed"),
            (self.differing, f"have another {shown(costs.other)}, which does not count"),
        )
        found = "; ".join(f"{count:,} {what}" for count, what in notices if count)
        warn(f"of {edges + self.left_out + self.closed:,} rows with costs of both directions, {found}")


def open_roads(
    costs: Costs, columns: tuple[Any, ...], other: Any, rows: NDArray[np.int64] | None, counts: RowCounts
) -> tuple[tuple[Any, ...], NDArray[np.int64] | None, RowCounts]:
    """Give roads that are open in one direction its cost, and leave out those that are closed in both.

    A negative cost closes a direction, as in pgRouting. A missing cost of the other direction closes it, too.

    Parameters
    ----------
    costs : Costs
        The columns of costs.
    columns : (u, v, w)
        The ends and the cost of each edge.
    other : column
        The cost of the other direction of every row.
    rows : array of int64, or None
        The rows of the edges; None if these are all.
    counts : RowCounts
        Counts of the other rows.

    Returns
    -------
    (u, v, w)
        The columns of the edges that stay.
    array of int64, or None
        Their rows; None if these are all.
    RowCounts
        The counts, with the counts of roads.

    Raises
    ------
    GraphError
        A cost is negative, and the other costs are not numbers; or no type holds all costs exactly.
    """
    u, v, w = columns
    if not _are_numbers(w := read_weights(costs.weight, w)):
        return columns, rows, counts
    back = read_weights(costs.other, other if rows is None else take_rows(other, rows))
    is_closed = w < 0
    if not _are_numbers(back):
        if is_closed.any():
            raise GraphError(f"{shown(costs.weight)} is negative, and {shown(costs.other)} holds no numbers")
        return columns, rows, counts
    is_reverse = is_closed & (back >= 0)
    if is_reverse.any():
        dtype = common_type(w.dtype, back.dtype)
        w = convert_exactly(np.where(is_closed, w.dtype.type(0), w), dtype)
        w[is_reverse] = convert_exactly(back[is_reverse], dtype)
    is_left_out = is_closed & ~is_reverse
    found = is_reverse, is_left_out, ~is_closed & (back >= 0) & (back != w)
    reverse, closed, differing = (int(np.count_nonzero(mask)) for mask in found)
    counts = counts._replace(reverse=reverse, closed=closed, differing=differing)
    if not closed:
        return (u, v, w), rows, counts
    kept = np.flatnonzero(~is_left_out)
    return (take_rows(u, kept), take_rows(v, kept), w[kept]), kept if rows is None else rows[kept], counts


def _are_numbers(column: Any) -> bool:
    return isinstance(column, np.ndarray) and column.dtype.kind in "iuf"


def missing_in(column: Column) -> NDArray[np.bool_]:
    """Return whether each value of a column is missing: null, None, NaN, NaT or a blank text."""
    if hasattr(column, "isna"):
        missing = np.asarray(column.isna(), bool)
        if getattr(column.dtype, "kind", "") == "f" and not isinstance(column.dtype, np.dtype):
            missing = missing | np.isnan(column.to_numpy(np.float64, na_value=np.nan))  # a NaN that is not NA
        elif not _is_numeric(column):
            missing = missing | np.fromiter((isinstance(x, str) and is_no_name(x) for x in column), bool)
        return missing
    missing = column.is_null()
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        return (missing | blank_texts(column.cast(pl.String))).fill_null(True).to_numpy()
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
        The columns of the edges that stay. Weights that are filled in are an array or a list. Texts of
        numbers are numbers.
    array of int64, or None
        Their rows; None if these are all.
    RowCounts
        The rows that are left out.

    Raises
    ------
    GraphError
        No type holds the default and the other weights exactly.
    """
    columns = *columns[:2], *map(_numbers_of_texts, columns[2:])
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


def _numbers_of_texts(column: Column) -> Column:
    """Convert texts in a column of weights to numbers, or to None; other columns stay as they are."""
    if _is_numeric(column) or not any(isinstance(value, str) for value in column.to_list()):
        return column
    numbers = numbers_in("the weights", column.to_list())
    if hasattr(column, "isna"):
        return type(column)(numbers, dtype=object)
    return pl.Series(numbers, dtype=pl.Object)


def _with_default(column: Column, gaps: NDArray[np.bool_], default: float) -> Any:
    """Return weights as an array, or as a list where they are not numbers, with the default in the gaps.

    The array has the type of the column if this holds the default, else a wider one.
    """
    known = read_weights("w", take_rows(column, np.flatnonzero(~gaps)))
    if not isinstance(known, np.ndarray) or known.dtype.kind not in "iufb":
        weights = np.full(gaps.size, default, object)
        weights[~gaps] = list_column(known)
        return weights.tolist()
    if known.dtype.kind == "b":  # which are not weights, as the graph says
        return np.zeros(gaps.size, bool)
    filling = np.array([default])
    if not known.size and not _is_numeric(column):
        known = filling[:0]
    filled_in = np.empty(gaps.size, type_of_both(known, filling))
    filled_in[~gaps], filled_in[gaps] = known, filling
    return filled_in


def _is_numeric(column: Column) -> bool:
    if hasattr(column, "isna"):
        return getattr(column.dtype, "kind", "O") in "iuf"
    return bool(column.dtype.is_numeric())


def type_of_both(known: NDArray[Any], filling: NDArray[Any]) -> np.dtype[Any]:
    """Return a type that holds known weights, and one that is filled in, exactly: preferably their own."""
    others = () if known.dtype.kind == "f" and known.size else (np.int64, np.uint64)
    for dtype in map(np.dtype, (known.dtype, *others, np.float64)):
        if inexact(known, dtype) is None and inexact(filling, dtype) is None:
            return dtype
    default = argument("default", filling.item())
    raise GraphError(
        f"no type of at most 64 bits holds both {default} and all other weights exactly, from {known.min()} "
        f"to {known.max()}: pass another default, or convert the weights to one type"
    )
