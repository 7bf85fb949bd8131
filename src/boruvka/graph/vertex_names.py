"""Names of vertices: strings, tuples, large integers, whatever identifies vertices in the input.

A graph numbers its vertices from 0; names are one array beside it. They are numbered in the order in which
they first appear in ``u``, then in ``v``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import detached
from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.columns import is_missing, items_of, listed, read_array, read_column
from boruvka.graph.number_keys import number_keys

__all__ = [
    "are_names",
    "ends_text",
    "name_array",
    "name_columns",
    "number_names",
    "number_of_name",
    "numbers_of",
]

LOOKED_THROUGH = 10_000
"""Number of names among which an error message looks for a close one."""

CHECKED = 1 << 20
"""Number of strings that are compared with their names at once, to limit the memory."""


def are_names(column: Any) -> bool:
    """Return whether a column that `read_column` returned holds names: neither numbers nor empty."""
    return not isinstance(column, np.ndarray) and len(column) > 0


def number_names(u: Any, v: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Number the names of the ends of edges.

    Parameters
    ----------
    u, v : (m,) sequences or arrays of hashable objects
        NumPy arrays, lists, or columns of polars, pandas or Arrow.

    Returns
    -------
    u, v : (m,) arrays
        The numbers of the ends.
    names : (n,) array
        The name of each number: integers, or objects.

    Raises
    ------
    GraphError
        A name is missing: None, NaN or null.
    GraphTypeError
        A name is not hashable, or there are not as many first ends as second ends.
    """
    u, v = read_column("u", u), read_column("v", v)
    columns = name_columns(u, v)
    ids, names = _number_objects(u, v) if columns is None else _number_column(*columns)
    return ids[: len(u)], ids[len(u) :], names


def name_columns(u: Any, v: Any) -> tuple[Any, Any] | None:
    """Convert the names of the ends of edges to two polars columns of one type: strings, int64 or uint64.

    None if they have no such type in common.

    Raises
    ------
    GraphError
        A name is missing, or there are not as many first ends as second ends.
    """
    u, v = read_column("u", u), read_column("v", v)
    for end, column in zip("uv", (u, v), strict=True):
        if isinstance(column, np.ndarray) and column.ndim != 1:
            raise GraphError(f"{end} must have one dimension, this one has shape {column.shape}")
    if len(u) != len(v):
        raise GraphError(f"u and v must have one entry per edge, but have {len(u)} and {len(v)} entries")
    columns = _as_column(u), _as_column(v)
    if any(column is None for column in columns) or columns[0].dtype != columns[1].dtype:
        return None
    for end, column in zip("uv", columns, strict=True):
        if column.null_count():
            raise GraphError(f"{end}[{column.is_null().arg_max()}] is missing: an edge has two ends")
    return columns


MOST_DIMENSIONS = 32
"""Maximum depth of nested lists of names."""


def name_array(names: Any, n: int) -> NDArray[Any]:
    """Make an array of n names, one element each, whatever they are.

    Raises
    ------
    GraphError
        There are not n names.
    """
    if isinstance(names, np.ndarray):
        array = _objects(items_of(names)) if names.dtype.kind in "Mm" and names.ndim == 1 else names
    elif type(names).__module__.partition(".")[0] == "pyarrow":  # iterated over, it gives scalars of Arrow
        array = _objects(_listed_column(read_column("names", names)))
    else:
        array = _objects(listed("names", names))
    if array.shape != (n,):
        got = array.size if array.ndim == 1 else f"shape {array.shape}"
        raise GraphError(f"there must be one name for each of the {n} vertices, got {got}")
    view = array.view()
    view.flags.writeable = False
    return view


def ends_text(names: NDArray[Any] | None, u: Any, v: Any) -> str:
    """Return the ends of an edge as errors show them: their names, or their numbers where they have none."""
    ends = [int(u), int(v)]
    first, second = ends if names is None else names[ends].tolist()
    return f"({shown(first)}, {shown(second)})"


def number_of_name(names: NDArray[Any]) -> dict[Hashable, int]:
    """Make the table that `numbers_of` uses.

    Raises
    ------
    GraphError
        Two vertices have the same name.
    """
    listed = names.tolist()
    try:
        numbers = dict(zip(listed, range(len(listed)), strict=True))
    except TypeError as error:
        raise GraphTypeError(f"a name of a vertex is no key: {error}") from None
    if len(numbers) < len(listed):
        i = next(i for i, name in enumerate(listed) if numbers[name] != i)
        raise GraphError(f"vertices {i} and {numbers[listed[i]]} have the same name {shown(listed[i])}")
    return numbers


def numbers_of(numbers: Mapping[Hashable, int], argument: str, names: Any) -> NDArray[np.int64]:
    """Find the vertices that have some names; the inverse of `AbstractGraph.name_of`.

    Parameters
    ----------
    numbers : mapping
        What `number_of_name` returns.
    argument : str
        What the names are called in errors.
    names : name, or array, column or sequence of names
        A tuple is a name if a vertex is called so, else a sequence. Lists may be nested.

    Returns
    -------
    array of int64
        In the shape of the names; of no dimension for one name.

    Raises
    ------
    GraphError
        No vertex has such a name.
    """
    listed, shape = _listed(numbers, argument, names)
    try:
        found = np.fromiter(map(numbers.get, listed, repeat(-1)), np.int64, len(listed))
    except (TypeError, ValueError) as error:
        raise GraphTypeError(f"{argument} must hold names of vertices: {error}") from None
    if found.size and found.min() < 0:
        i = int(np.argmax(found < 0))
        place = f"[{i}]" if shape else ""
        raise GraphError(
            f"{argument}{place} = {shown(listed[i])} is the name of no vertex; vertices of this graph are "
            f"given by their names{_hint(numbers, listed[i])}"
        )
    return found.reshape(shape)


def _listed(numbers: Mapping[Hashable, int], argument: str, names: Any) -> tuple[list[Any], tuple[int, ...]]:
    """List names, and return the shape in which they were given."""
    names = detached(names)
    if hasattr(names, "__array__"):
        if not isinstance(names, np.ndarray | np.generic) and getattr(names, "ndim", 1) == 1:
            column = read_column(argument, names)
            if not isinstance(column, np.ndarray):
                return list(column), (len(column),)
            names = column
        array = read_array(argument, names)
        return items_of(array.ravel()), array.shape
    if not isinstance(names, Iterable) or isinstance(names, str | bytes) or _is_key(numbers, names):
        return [names], ()
    rows = listed(argument, names)
    shape: tuple[int, ...] = (len(rows),)
    while rows and all(type(row) is list for row in rows):
        if len(shape) == MOST_DIMENSIONS:
            raise GraphTypeError(f"{argument} is a list that is nested more than {MOST_DIMENSIONS} times")
        if len({len(row) for row in rows}) > 1:
            raise GraphError(f"{argument} has rows of different lengths")
        shape += (len(rows[0]),)
        rows = [name for row in rows for name in row]
    return rows, shape


def _is_key(numbers: Mapping[Hashable, int], name: Any) -> bool:
    try:
        return name in numbers
    except (TypeError, ValueError):  # not hashable
        return False


def _hint(numbers: Mapping[Hashable, int], name: Any) -> str:
    """Suggest a name that was perhaps meant: of another type, or a close one."""
    if isinstance(name, str):
        if name.lstrip("-").isdecimal() and int(name) in numbers:
            return f", and there is {int(name)}, which is not a string"
        import difflib

        known = [other for other in islice(numbers, LOOKED_THROUGH) if isinstance(other, str)]
        close = difflib.get_close_matches(name, known, 1)
        return f"; is it {shown(close[0])}?" if close else ""
    if isinstance(name, int | float) and shown(name) in numbers:
        return f", and there is {shown(shown(name))}, which is a string"
    if isinstance(name, int) and 0 <= name < len(numbers):
        return f"; that of vertex number {name} is {shown(next(islice(numbers, name, None)))}"
    return ""


def _as_column(column: Any) -> Any:
    """Make a column of polars of strings, int64 or uint64; None if they are something else."""
    import polars

    if not isinstance(column, np.ndarray):
        return column if isinstance(column, polars.Series) else None
    if column.dtype.kind not in "iu":
        return None
    dtype = np.uint64 if column.dtype == np.uint64 else np.int64
    return polars.Series(np.ascontiguousarray(column, dtype))


def _number_column(u: Any, v: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the values of two columns of polars of the same type, strings by their hashes."""
    import polars

    if u.dtype == polars.String:
        ids, first = number_keys(np.concatenate([u.hash().to_numpy(), v.hash().to_numpy()]))
    else:
        values = np.concatenate([u.to_numpy(), v.to_numpy()])
        ids, first = number_keys(values.view(np.uint64))
        return ids, values[first]
    in_u = int(np.searchsorted(first, len(u)))
    names = polars.concat([u.gather(first[:in_u]), v.gather(first[in_u:] - len(u))], rechunk=True)
    if not (_are_named(u, ids[: len(u)], names) and _are_named(v, ids[len(u) :], names)):
        return _number_objects(u, v)  # two strings have the same hash
    return ids, names.to_numpy()


def _are_named(column: Any, ids: NDArray[Any], names: Any) -> bool:
    """Return whether each value of a column is the name of its number."""
    import polars

    return all(
        (names.gather(polars.Series(ids[i : i + CHECKED])) == column.slice(i, CHECKED)).all()
        for i in range(0, len(column), CHECKED)
    )


def _number_objects(u: Any, v: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    ends = {"u": _listed_column(u), "v": _listed_column(v)}
    listed = [*ends["u"], *ends["v"]]
    try:
        number = {name: k for k, name in enumerate(dict.fromkeys(listed))}
        ids = np.fromiter(map(number.__getitem__, listed), np.int64, len(listed))
        if not any(map(is_missing, number)):
            return ids, _objects(list(number))
    except (TypeError, ValueError, KeyError):
        pass
    for end, names in ends.items():
        for i, name in enumerate(names):
            _check_name(f"{end}[{i}]", name)
    raise GraphTypeError("two names are equal, but their hashes differ")


def _listed_column(column: Any) -> list[Any]:
    if isinstance(column, list):
        return column
    return column.tolist() if isinstance(column, np.ndarray) else column.to_list()


def _check_name(place: str, name: Any) -> None:
    try:
        hash(name)
        missing = is_missing(name)
    except (TypeError, ValueError):
        raise GraphTypeError(f"{place} = {shown(name)} cannot name a vertex: not hashable") from None
    if missing:
        raise GraphError(f"{place} is missing: an edge has two ends")


def _objects(values: list[Any]) -> NDArray[Any]:
    """Make a one-dimensional array of objects, which may be tuples."""
    return np.fromiter(values, object, len(values))
