"""The columns of a table that hold the ends and the weights of edges: named by the caller, or known names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from boruvka.errors import OptionError, shown, shown_names

__all__ = ["WEIGHTS", "Costs", "check_columns", "choose_column_names", "cost_columns"]

ENDS = [
    ("source", "target"),
    ("u", "v"),
    ("src", "dst"),
    ("src", "dest"),
    ("from", "to"),
    ("node1", "node2"),
    ("vertex1", "vertex2"),
    ("i", "j"),
    ("row", "col"),
]
COSTS = "cost", "reverse_cost"
"""Columns of pgRouting for both directions of a road; a negative cost closes one to traffic."""
WEIGHTS = ["weight", "w", "cost", "distance", "length", "value"]
"""Names that a column or an attribute of weights may have; "value" is usual in GML and D3."""


def name_the_columns(problem: str) -> Exception:
    """Make the error for columns that are not known."""
    return OptionError(f"{problem}; write source=, target=, weight=")


def choose_column_names(
    columns: Sequence[str],
    wanted: Sequence[str | None] = (None, None, None),
    error: Callable[[str], Exception] = name_the_columns,
) -> list[str]:
    """Choose the columns of source, target and weight.

    Parameters
    ----------
    columns : sequence of str
        The names of all columns.
    wanted : sequence of str or None
        The columns that the caller names; None for one that a known name decides. Without a third item, there
        are no weights.
    error : callable
        Makes the exception for columns that are not known, from a message.

    Returns
    -------
    list of str
        As many names as are wanted.

    Raises
    ------
    OptionError
        A wanted column does not exist, or has the name of another.
    """
    check_columns(columns, wanted)
    listed = shown_names(columns)
    chosen = list(wanted)
    lower = [str(name).lower() for name in columns]
    if None in chosen[:2]:
        known = [pair for pair in ENDS if all(lower.count(name) == 1 for name in pair)]
        if len(known) != 1:
            raise error(f"cannot tell the ends of edges among the columns {listed}")
        ends = (columns[lower.index(name)] for name in known[0])
        chosen[:2] = (end if name is None else name for name, end in zip(chosen[:2], ends, strict=True))
    if None in chosen:
        weights = [name for name, low in zip(columns, lower, strict=True) if low in WEIGHTS]
        if len(weights) != 1:
            found = "more than one column may hold" if weights else "there is no column of"
            raise error(f"{found} weights among the columns {listed}")
        chosen[2] = weights[0]
    return [str(name) for name in chosen]


def check_columns(columns: Sequence[str], wanted: Sequence[str | None]) -> None:
    """Raise an `OptionError` if a column does not exist, or has the name of another; None is no column."""
    for name in wanted:
        count = None if name is None else _count(columns, name)
        if count not in (None, 1):
            found = "two columns have the name" if count else "there is no column"
            raise OptionError(f"{found} {shown(name)}; the columns are {shown_names(columns)}")


def _count(columns: Sequence[str], name: Any) -> int:
    """Count the columns with a name, which may be any object: an array has no truth value to compare by."""
    return columns.count(name) if isinstance(name, str) else 0


class Costs(NamedTuple):
    """Columns of costs of both directions of a road, one of which holds the weights."""

    weight: str
    other: str


def cost_columns(columns: Sequence[str], weight: Sequence[str]) -> Costs | None:
    """Return the columns of costs, if the weights are costs of one of two directions, else None.

    Parameters
    ----------
    columns : sequence of str
        The names of all columns.
    weight : sequence of str
        The column of weights, if there is one.
    """
    costs = [name for low in COSTS for name in columns if str(name).lower() == low]
    others = [name for name in costs if name not in weight]
    if len(costs) != len(COSTS) or len(others) == len(costs):
        return None
    return Costs(weight[0], others[0])
