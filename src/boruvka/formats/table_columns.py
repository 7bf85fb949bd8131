"""Choose the columns of a table that hold the ends and the weight of an edge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from boruvka.errors import FormatError, OptionError, shown
from boruvka.formats.edge_table import Options
from boruvka.interop.column_names import ROLES, choose_column_names
from boruvka.runtime.arguments import argument, did_you_mean, hint

EDGE_INDEX = "edge"
"""The column that holds the edge indices of a forest."""
TIME_SERIES = (
    "time series, one in each column: write --format returns or --format prices, in Python format=, for the "
    "tree of their correlations; boruvka.rolling_forests takes a frame, for trees over time"
)
"""Kinds of tables that have no ends of edges, and advice for each."""


def edge_column_positions(
    count: int,
    names: Sequence[str] | None,
    options: Options,
    error: Callable[[str], FormatError],
    is_header: bool = True,
) -> tuple[int, int, int]:
    """Find u, v and the weight among the columns of a table.

    Parameters
    ----------
    count : int
        Number of columns.
    names : sequence of str or None
        Their names, if the table has a header.
    options : Options
        The options of the caller; ``columns`` overrides the known names.
    error : callable
        Makes an error that names file and line from a message.
    is_header : bool
        Whether the names are surely no edge: then the ends are in the only two columns, whatever their names.

    Returns
    -------
    tuple of int
        Positions of u, v and weight; -1 for the weight if options.unweighted.

    Raises
    ------
    FormatError
        The names or the number of columns leave the choice open.
    OptionError
        A column of ``options.columns`` does not exist.
    """
    if options.columns is not None:
        return _chosen_by_caller(count, names, options)
    if names is not None:
        try:
            return _chosen_by_name(names, options.unweighted, error)
        except FormatError:
            if not is_header or count != 2:
                raise
    if count == 3 or (count == 2 and options.unweighted):
        return 0, 1, -1 if options.unweighted else 2
    if count == 2:
        among = f" among the columns {', '.join(map(shown, names))}" if names else ""
        raise error(f"there is no column of weights{among}")
    if count < 2:
        raise error("expected at least two columns; if it is the number of vertices or edges, remove it")
    raise error(f"there are {count} columns without names")


def _chosen_by_caller(count: int, names: Sequence[str] | None, options: Options) -> tuple[int, int, int]:
    columns: tuple[Any, ...] = tuple(options.columns or ())
    wanted = 2 if options.unweighted else 3
    if len(columns) == 1 and names is not None and not options.unweighted:
        weight = names[_position(columns[0], count, names)]
        columns = tuple(choose_column_names(names, (None, None, weight)))
    if None in columns and names is not None:
        columns = tuple(choose_column_names(names, columns[:wanted]))
    if len(columns) not in (wanted, 3) or None in columns:
        problem = f"must name u, v and w (u and v if unweighted), got {_shown(columns)}"
        raise OptionError(f"{argument('columns')} {problem}")
    u, v, *w = column_positions(columns[:wanted], count, names)
    return u, v, w[0] if w else -1


def holds_windows(names: Sequence[str], columns: Any) -> bool:
    """Return whether a table has the columns of several forests, of which the caller chooses none."""
    return EDGE_INDEX in names[1:2] and None in (columns or (None,))


def refuse_windows(names: Sequence[str], columns: Any, file: str) -> None:
    """Raise an error if a table that is read in parts has the columns of several forests."""
    if holds_windows(names, columns):
        way = "read it in memory, or name its columns of u, v and the weight"
        raise FormatError(f"{file}: may hold a forest for each {shown(names[0])}: {way}")


def column_positions(columns: Sequence[str | int], count: int, names: Sequence[str] | None) -> list[int]:
    """Find the positions of different columns by their names or positions.

    Raises
    ------
    OptionError
        A column does not exist, or is there twice.
    """
    positions = [_position(column, count, names) for column in columns]
    if not positions or len(set(positions)) < len(positions):
        raise OptionError(f"{argument('columns')} must name different columns, got {_shown(columns)!r}")
    return positions


def kept_columns(count: int, names: Sequence[str] | None, options: Options) -> dict[str, int]:
    """Return the positions of the columns that are read beside those of edges, by their names.

    Raises
    ------
    OptionError
        A column of ``options.keep`` does not exist.
    """
    known = list(map(str, range(count))) if names is None else names
    keep = range(count) if options.keep is ... else options.keep
    positions = (_position(column, count, names, "keep") for column in keep)
    return {known[k] if known.count(known[k]) == 1 else f"{known[k]}_{k}": k for k in positions}


def _shown(columns: Sequence[str | int]) -> str:
    return ", ".join(map(str, columns))


def _position(column: str | int, count: int, names: Sequence[str] | None, option: str = "columns") -> int:
    if isinstance(column, str):
        if names is None:
            raise OptionError(f"there is no column {column!r}: the file names none; pass positions from 0")
        plain = [re.sub(r"\s*[\[(].*", "", name) for name in names]  # without units
        of_names = list(names) if column in names else plain
        if (count_of_name := of_names.count(column)) != 1:
            known = ", ".join(names)[:200]
            listed = f": write {argument(option, tuple(column.split(',')))}"
            close = listed if "," in column else did_you_mean(column, names)
            found = f"there is no column {column!r}{close}"
            if count_of_name:
                found = f"{count_of_name} columns are called {column!r}: pass positions, from 0"
            is_written = option == "columns" and {*ROLES} <= {*names}
            known += f": leave {argument(option)} out to take {', '.join(ROLES)}" * is_written
            raise OptionError(f"{found}; the columns are {known}")
        return of_names.index(column)
    if not 0 <= column < count:
        raise OptionError(f"there is no column {column}: the file has {count} columns, from 0")
    return int(column)


def _chosen_by_name(
    names: Sequence[str], unweighted: bool, error: Callable[[str], FormatError]
) -> tuple[int, int, int]:
    def cannot_tell(problem: str) -> FormatError:
        way = hint("; name the column of weights, or pass {unweighted} for weight 1", unweighted=True)
        if "ends" in problem:
            way = "; expected a header such as source,target,weight"
        return error(f"{problem:.200}{way}")

    chosen = choose_column_names(names, [None] * (2 if unweighted else 3), cannot_tell)
    u, v, *w = map(names.index, chosen)
    return u, v, w[0] if w else -1
