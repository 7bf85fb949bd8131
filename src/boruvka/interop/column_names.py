"""The columns of a table that hold the ends and the weights of edges: named by the caller, or known names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from boruvka.errors import OptionError, shown, shown_names, warn
from boruvka.runtime.arguments import argument, did_you_mean, hint, is_command_running

_ENDS = "source target, u v, src dst, src dest, from to, node1 node2, vertex1 vertex2, i j, row col, "
_ENDS += "payer payee, caller called, lender borrower, creditor debtor, od do"
ENDS = [tuple(pair.split()) for pair in _ENDS.split(", ")]
SIDES = {
    word: (pair, side)
    for pair in ("left right", "l r", "ltable rtable", "a b", "1 2", "source target", "src dst", "from to")
    for side, word in enumerate(pair.split())
}
"""Words in which the names of both ends differ, as left_id and right_id: the pair of words, and 0 or 1."""
RECORDS = {"id", "record", "node", "vertex"}
"""Words of which such a name has one beside the word of the side; or it is this word alone."""
_SIMILARITIES = """
similarity sim score match_probability probability cosine_similarity cosine correlation corr identity bitscore
"""
SIMILARITIES = _SIMILARITIES.split()
"""Names of columns whose large values are near, so that a forest of them is a maximum one."""
COSTS = "cost", "reverse_cost"
"""Columns of pgRouting for both directions of a road; a negative cost closes one to traffic."""
ROLES = "source", "target", "weight"
WEIGHTS = ["weight", "w", "cost", "distance", "length", "value", "snps"]
"""Names that a column or an attribute of weights may have; "value" is usual in GML and D3, "snps" in SKA."""
_OTHER_WEIGHTS = ["amount", "exposure"]
"""Names of weights where no column has one of the others."""


def name_the_columns(problem: str) -> Exception:
    """Make the error for columns that are not known."""
    return OptionError(f"{problem}; pass {argument('columns', ('SOURCE', 'TARGET', 'WEIGHT'))}")


def columns_by_role(options: Mapping[str, Any]) -> Any:
    """Return the columns that options name: as they are in ``columns``, or (source, target, weight).

    The weight alone is returned as a string.

    Raises
    ------
    OptionError
        They are named twice.
    """
    roles = tuple(options.get(role) for role in ROLES)
    if all(role is None for role in roles):
        return options.get("columns")
    if options.get("columns") is not None:
        raise OptionError("columns names all columns: leave out source, target and weight")
    return roles[2] if roles[0] is roles[1] is None else roles


def roles_of_columns(columns: Any) -> tuple[Any, Any, Any]:
    """Return source, target and weight of columns (u, v), (u, v, w) or w alone; None for known names."""
    names = (columns,) if isinstance(columns, str) else tuple(columns or ())
    if len(names) > len(ROLES):
        raise OptionError(f"columns must name u, v and the weight, got {shown(columns)}")
    return (None, None, *names) if len(names) == 1 else (*names, None, None, None)[:3]


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
        if (ends := known_ends(columns)) is None:
            raise error(f"cannot tell the ends of edges among the columns {listed}")
        chosen[:2] = (end if name is None else name for name, end in zip(chosen[:2], ends, strict=True))
    if None in chosen:
        known = WEIGHTS if {*WEIGHTS} & {*lower} else _OTHER_WEIGHTS
        weights = [name for name, low in zip(columns, lower, strict=True) if low in known]
        if len(weights) != 1:
            found = "more than one column may hold" if weights else "there is no column of"
            raise error(f"{found} weights among the columns {listed}{', by their names' * (not weights)}")
        chosen[2] = weights[0]
    return [str(name) for name in chosen]


def known_ends(columns: Sequence[str]) -> tuple[str, str] | None:
    """Return the two columns whose names say that they hold the ends of edges; None if the choice is open.

    Examples
    --------
    >>> known_ends(["to", "km", "from"])
    ('from', 'to')
    >>> known_ends(["match_probability", "unique_id_l", "unique_id_r"])
    ('unique_id_l', 'unique_id_r')
    """
    lower = [str(name).lower() for name in columns]
    known = [pair for pair in ENDS if all(lower.count(name) == 1 for name in pair)]
    pairs = [(columns[lower.index(u)], columns[lower.index(v)]) for u, v in known] or _pairs_of_ids(columns)
    return pairs[0] if len(pairs) == 1 else None


def _pairs_of_ids(columns: Sequence[str]) -> list[tuple[str, str]]:
    """List the pairs of columns of ids whose names differ only in the word of a side."""
    found: dict[tuple[Any, ...], list[list[str]]] = {}
    for name in columns:
        words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", str(name))]
        for k, word in enumerate(words):
            others = words[:k] + words[k + 1 :]
            if word in SIDES and (RECORDS & {*others} or (not others and len(word) > 1)):
                pair, side = SIDES[word]
                found.setdefault((pair, k, *others), [[], []])[side].append(name)
    return [(u[0], v[0]) for u, v in found.values() if len(u) == len(v) == 1]


def likely_weights(columns: Sequence[Any]) -> list[Any]:
    """List the columns that may hold weights, by their names: distances, or else similarities."""
    known = ([name for name in columns if str(name).lower() in names] for names in (WEIGHTS, SIMILARITIES))
    return next(filter(None, known), [])


def of_similarities(weight: Any) -> str:
    """Return what to pass to the solve if a column has similarities, or no text."""
    way = "solve takes --maximum" if is_command_running() else "pass maximum=True to minimum_spanning_forest"
    return f"; large values are near: {way}" if str(weight).lower() in SIMILARITIES else ""


def warn_of_similarities(weight: Any, maximum: bool) -> None:
    """Warn that a column of weights has the name of similarities, unless a maximum forest is wanted."""
    if not maximum and str(weight).lower() in SIMILARITIES:
        warn(
            f"weights are the column {shown(weight)}: a minimum spanning forest joins pairs of small values; "
            f"{hint('pass {maximum}, or ', maximum=True)}rename the column if small values are near"
        )


def call_for_columns(columns: Sequence[str]) -> str:
    """Return the call of `as_graph` for a frame, with the columns of known names, and dots for others."""
    ends, weights = known_ends(columns) or (None, None), likely_weights(columns)
    weight = weights[0] if len(weights) == 1 else None
    roles = zip(ROLES, (*ends, weight), strict=True)
    arguments = ", ".join(f"{role}={'...' if name is None else shown(name)}" for role, name in roles)
    return f"boruvka.as_graph(frame, {arguments}){of_similarities(weight)}"


def check_columns(columns: Sequence[str], wanted: Sequence[str | None]) -> None:
    """Raise an `OptionError` if a column does not exist, or has the name of another; None is no column."""
    for name in wanted:
        count = None if name is None else columns.count(name) if isinstance(name, str) else 0
        if count not in (None, 1):
            found = "two columns have the name" if count else "there is no column"
            close = did_you_mean(name, map(str, columns)) if not count else ""
            raise OptionError(f"{found} {shown(name)}{close}; the columns are {shown_names(columns)}")


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
