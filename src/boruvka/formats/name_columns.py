"""Names of vertices as columns of files: strings, or integers of 64 bits.

They are columns of polars where it is installed, and else arrays. `StoredNames` need it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, OptionError, first_true
from boruvka.formats.edge_table import EdgeTable, Options
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import optional, pl

Names = Any
"""A column of polars, `boruvka.stream.numbering.StoredNames`, or an array; without polars an array."""
INTEGERS = ("Int64", "UInt64")
"""The types of names that are integers, as polars calls them."""


def check_names_are_numbered(options: Options) -> None:
    """Raise an `OptionError` for options that say how ids are numbered: names are numbered as they appear."""
    for name in "n", "one_based":
        if getattr(options, name) is not None:
            raise OptionError(f"names are numbered as they appear: leave out {argument(name)}")


def name_lookup(names: Names) -> Names:
    """Return names as a column or, without polars, as an array; unchanged if they are in a file."""
    if not isinstance(names, np.ndarray):
        return names
    return checked_names(names) if optional("polars") is None else name_column(names)


def holds_text(names: Names) -> bool:
    """Return whether names that `name_lookup` returned are strings."""
    return names.dtype == object if isinstance(names, np.ndarray) else not names.dtype.is_integer()


def first_match(names: Names, pattern: str) -> str | None:
    """Return a name in which a pattern is found, the first one in memory; None if there is none.

    The pattern must mean the same to Python and to the regular expressions of Rust.
    """
    if isinstance(names, np.ndarray):
        return next(filter(re.compile(pattern).search, names.tolist()), None)
    for column in names.batches() if hasattr(names, "batches") else [names]:
        if len(found := column.filter(column.str.contains(pattern))):
            return found[0]
    return None


def check_name_types(names: Names) -> None:
    """Raise a `FormatError` unless names are all strings or all integers: files hold no others."""
    if not isinstance(names, np.ndarray) or names.dtype.kind in "iuU":
        return
    types = {type(name) for name in names.tolist()}
    if all(issubclass(kind, str) for kind in types) or _are_integers(types):
        return
    found = ", ".join(sorted(kind.__name__ for kind in types))
    raise FormatError(
        f"files hold names that are all strings or all integers, these are {found}; "
        "graph.with_names(map(str, graph.names)) makes them strings"
    )


def _are_integers(types: set[type]) -> bool:
    return bool(types) and all(issubclass(kind, int | np.integer) and kind is not bool for kind in types)


def portable_names(names: Any) -> Any:
    """Return names; those that no file holds, such as coordinates of the ends of lines, become text."""
    try:
        check_name_types(names)
    except FormatError:
        return np.array([str(name) for name in names.tolist()], object)
    return names


def name_column(names: Names) -> pl.Series:
    """Make a column of polars of the names of vertices, as `checked_names` makes an array."""
    if not isinstance(names, np.ndarray):
        return names.column()
    checked = checked_names(names)
    return pl.Series(checked, dtype=pl.String if holds_text(checked) else None)


def checked_names(names: NDArray[Any]) -> NDArray[Any]:
    """Make an array of int64, of uint64, or of strings as objects; names of other types become strings.

    Raises
    ------
    FormatError
        Two vertices have the same name, or a name is not valid Unicode.
    """
    items = names.tolist()
    if names.dtype.kind in "iu" or _are_integers(set(map(type, items))):
        names = integer_array(names)
    else:
        items = list(map(str, items))
        names = np.fromiter(items, object, len(items))
        try:
            "".join(items).encode()
        except UnicodeEncodeError:
            wrong = next(name for name in items if re.search("[\ud800-\udfff]", name))
            raise FormatError(f"the name {wrong!r} is not valid Unicode") from None
    if len(set(items)) < len(items):
        seen = Counter(items)
        twice = next(name for name in items if seen[name] > 1)
        raise FormatError(f"two vertices have the name {twice!r}: a file could not tell them apart")
    return names


def integer_array(names: NDArray[Any]) -> NDArray[Any]:
    """Convert integers to an array of int64, or else of uint64.

    Raises
    ------
    FormatError
        Neither holds all of them.
    """
    for dtype in np.int64, np.uint64:
        try:
            return names.astype(dtype, casting="safe" if names.dtype.kind in "iu" else "unsafe")
        except (OverflowError, TypeError):
            continue
    raise FormatError(
        "no 64-bit integer type holds all names; graph.with_names(map(str, graph.names)) makes them strings"
    )


def as_integers(names: NDArray[Any]) -> NDArray[Any] | None:
    """Convert strings to integers; None unless each is written as Python writes an integer of 64 bits."""
    try:
        integers = integer_array(names)
    except (ValueError, FormatError):
        return None
    return integers if list(map(str, integers.tolist())) == names.tolist() else None


def names_of_words(words: Collection[str]) -> NDArray[Any] | None:
    """Make names of words: integers if all are written as such, else strings; None if there are no words."""
    names = np.fromiter(words, object, len(words))
    integers = as_integers(names)
    return None if not words else names if integers is None else integers


def integers_in(column: pl.Series, dtype: Any) -> pl.Series | None:
    """Convert strings to integers of a type; None unless each is written as Python writes one."""
    integers = column.cast(dtype, strict=False)
    return None if integers.null_count() or (integers.cast(pl.String) != column).any() else integers


def named_ends(table: EdgeTable, names: Names, rows: slice = slice(None)) -> tuple[Any, Any]:
    """Make columns of the names of the ends of edges, for a format that holds no other names.

    Parameters
    ----------
    table : EdgeTable
    names : Series, StoredNames or array
        The names of its vertices, as `name_lookup` returns them.
    rows : slice
        The edges, by their positions.

    Raises
    ------
    FormatError
        A vertex of a graph has no edge. One of a forest may have none: its name is in the file of the graph.
    """
    if table.edges is None and table.maximum is None and rows.start in (None, 0):
        has_edge = np.zeros(table.n, bool)
        has_edge[table.u] = has_edge[table.v] = True
        if (isolated := first_true(~has_edge)) is not None:
            name = _taken(names, [isolated])[0]
            raise FormatError(
                f"the vertex {name!r} has no edge, and the format names only the ends of edges; choose npz"
            )
    return _taken(names, table.u[rows]), _taken(names, table.v[rows])


def _taken(names: Names, vertices: Any) -> Any:
    return names[vertices] if isinstance(names, np.ndarray) else names.gather(vertices)
