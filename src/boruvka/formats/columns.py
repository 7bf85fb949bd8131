"""Which columns of a table hold the ends and the weight of an edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from boruvka.errors import FormatError, OptionError
from boruvka.formats.format import Options

__all__ = ["EDGE", "WEIGHTS", "choose_columns"]

EDGE = "edge"
"""The column of a forest's indices."""

_ENDS = [
    ("u", "v"),
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("from", "to"),
    ("node1", "node2"),
    ("vertex1", "vertex2"),
    ("i", "j"),
    ("row", "col"),
]
WEIGHTS = ["w", "weight", "cost", "distance", "length"]
"""Names that a column of weights may have."""


def choose_columns(
    count: int,
    names: Sequence[str] | None,
    options: Options,
    error: Callable[[str], FormatError],
) -> tuple[int, int, int]:
    """Find u, v and the weight among the columns of a table.

    Parameters
    ----------
    count : int
        Number of columns.
    names : sequence of str or None
        Their names, where they have names.
    options : Options
        What the caller said.
    error : callable
        From a message to the error that names file and line.

    Returns
    -------
    tuple of int
        Positions of u, v and weight; -1 for the weight where options.unweighted.

    Raises
    ------
    FormatError
        The columns cannot be told.
    OptionError
        A column that was given does not exist.
    """
    if options.columns is not None:
        return _given(count, names, options)
    if names is not None:
        return _named(names, options.unweighted, error)
    if count == 3 or (count == 2 and options.unweighted):
        return 0, 1, -1 if options.unweighted else 2
    if count == 2:
        raise error("there is no column of weights; pass unweighted=True (--unweighted) for weight 1")
    if count < 2:
        raise error(
            "expected at least two columns; where a file begins with its numbers of vertices and edges, "
            "pass format='counted'"
        )
    raise error(f"there are {count} columns without names; say which hold u, v, w as columns=(0, 1, 2)")


def _given(count: int, names: Sequence[str] | None, options: Options) -> tuple[int, int, int]:
    columns = options.columns or ()
    wanted = 2 if options.unweighted else 3
    if len(columns) not in (wanted, 3):
        raise OptionError(f"columns must name u, v and w (u and v if unweighted), got {columns!r}")
    found = [_position(column, count, names) for column in columns[:wanted]]
    if len(set(found)) < wanted:
        raise OptionError(f"columns must be different, got {columns!r}")
    return found[0], found[1], found[2] if wanted == 3 else -1


def _position(column: str | int, count: int, names: Sequence[str] | None) -> int:
    if isinstance(column, str):
        if names is None:
            raise OptionError(f"there is no column {column!r}: the file has no header; give positions from 0")
        if list(names).count(column) != 1:
            raise OptionError(f"there is no single column {column!r}; the columns are {', '.join(names)}")
        return list(names).index(column)
    if not 0 <= column < count:
        raise OptionError(f"there is no column {column}: the file has {count} columns, from 0")
    return int(column)


def _named(
    names: Sequence[str], unweighted: bool, error: Callable[[str], FormatError]
) -> tuple[int, int, int]:
    small = [name.lower() for name in names]
    ends = [pair for pair in _ENDS if small.count(pair[0]) == small.count(pair[1]) == 1]
    weights = [i for i, name in enumerate(small) if name in WEIGHTS]
    shown = ", ".join(names)
    if len(ends) != 1:
        raise error(
            f"cannot tell the ends of edges among the columns {shown[:80]}: expected a header such as "
            "u,v,w or source,target,weight; say which with columns=(u, v, w); vertex ids are whole numbers"
        )
    u, v = (small.index(name) for name in ends[0])
    if unweighted:
        return u, v, -1
    if not weights:
        raise error(
            f"there is no column of weights among {shown[:80]}; say which with columns=(u, v, w), "
            "or pass unweighted=True (--unweighted) for weight 1"
        )
    if len(weights) > 1:
        raise error(
            f"more than one column may hold weights among {shown[:80]}; say which with columns=(u, v, w)"
        )
    return u, v, weights[0]
