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
from boruvka.errors import GraphError, GraphTypeError
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


def are_names(ids: Any) -> bool:
    """Return whether the ends of edges are names: neither numbers nor empty."""
    dtype = getattr(ids, "dtype", None)
    if isinstance(dtype, np.dtype):
        return dtype.kind in "OSUTMm" and len(ids) > 0
    if type(ids).__module__.startswith(("polars", "pandas", "pyarrow")):
        return True
    if not isinstance(ids, list | tuple):
        return False
    return not all(issubclass(kind, int | float | np.number) for kind in set(map(type, ids)))


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
    if len(u) != len(v):
        raise GraphError(f"u and v must have one entry per edge, but have {len(u)} and {len(v)} entries")
    columns = _as_column(u), _as_column(v)
    if any(column is None for column in columns) or columns[0].dtype != columns[1].dtype:
        return None
    for end, column in zip("uv", columns, strict=True):
        if column.null_count():
            raise GraphError(f"{end}[{column.is_null().arg_max()}] is missing: an edge has two ends")
    return columns


def name_array(names: Iterable[Any], n: int) -> NDArray[Any]:
    """Make an array of n names, one element each, whatever they are.

    Raises
    ------
    GraphError
        There are not n names, or two vertices have the same.
    """
    array = names if isinstance(names, np.ndarray) else _objects(list(names))
    if array.shape != (n,):
        raise GraphError(f"there must be one name for each of the {n} vertices, got {len(array)}")
    view = array.view()
    view.flags.writeable = False
    return view


def ends_text(names: NDArray[Any] | None, u: Any, v: Any) -> str:
    """Return the ends of an edge as errors show them: their names, or their numbers where they have none."""
    ends = [int(u), int(v)]
    first, second = ends if names is None else names[ends].tolist()
    return f"({first!r}, {second!r})"


def number_of_name(names: NDArray[Any]) -> dict[Hashable, int]:
    """Make the table that `numbers_of` uses.

    Raises
    ------
    GraphError
        Two vertices have the same name.
    """
    listed = names.tolist()
    numbers = dict(zip(listed, range(len(listed)), strict=True))
    if len(numbers) < len(listed):
        i = next(i for i, name in enumerate(listed) if numbers[name] != i)
        raise GraphError(f"vertices {i} and {numbers[listed[i]]} have the same name {listed[i]!r}")
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
    except TypeError as error:
        raise GraphTypeError(f"{argument} must hold names of vertices: {error}") from None
    if found.size and found.min() < 0:
        i = int(np.argmax(found < 0))
        place = f"[{i}]" if shape else ""
        raise GraphError(
            f"{argument}{place} = {listed[i]!r} is the name of no vertex; vertices of this graph are given "
            f"by their names{_hint(numbers, listed[i])}"
        )
    return found.reshape(shape)


def _listed(numbers: Mapping[Hashable, int], argument: str, names: Any) -> tuple[list[Any], tuple[int, ...]]:
    """List names, and return the shape in which they were given."""
    names = detached(names)
    if hasattr(names, "__array__"):
        array = np.asarray(names)
        return array.ravel().tolist(), array.shape
    if not isinstance(names, Iterable) or isinstance(names, str | bytes) or _is_key(numbers, names):
        return [names], ()
    listed = list(names)
    shape: tuple[int, ...] = (len(listed),)
    while listed and all(type(row) is list for row in listed):
        if len({len(row) for row in listed}) > 1:
            raise GraphError(f"{argument} has rows of different lengths")
        shape += (len(listed[0]),)
        listed = [name for row in listed for name in row]
    return listed, shape


def _is_key(numbers: Mapping[Hashable, int], name: Any) -> bool:
    try:
        return name in numbers
    except TypeError:  # not hashable
        return False


def _hint(numbers: Mapping[Hashable, int], name: Any) -> str:
    """Suggest a name that was perhaps meant: of another type, or a close one."""
    if isinstance(name, str):
        if name.lstrip("-").isdecimal() and int(name) in numbers:
            return f", and there is {int(name)}, which is not a string"
        import difflib

        known = [other for other in islice(numbers, LOOKED_THROUGH) if isinstance(other, str)]
        close = difflib.get_close_matches(name, known, 1)
        return f"; is it {close[0]!r}?" if close else ""
    if str(name) in numbers:
        return f", and there is {str(name)!r}, which is a string"
    if isinstance(name, int) and 0 <= name < len(numbers):
        return f"; that of vertex number {name} is {next(islice(numbers, name, None))!r}"
    return ""


def _as_column(names: Any) -> Any:
    """Make a column of polars of strings, int64 or uint64; None if they are something else."""
    import polars

    kind = type(names).__module__.partition(".")[0]
    if kind == "polars":
        column = names
    elif kind == "pyarrow":
        column = polars.Series(polars.from_arrow(names))
    elif kind == "pandas":
        return _as_column(_arrow_column(names) if _is_stored_by_arrow(names.dtype) else names.to_numpy())
    elif isinstance(names, np.ndarray) and names.dtype.kind in "iu":
        column = polars.Series(np.ascontiguousarray(names))
    else:
        values = names.tolist() if isinstance(names, np.ndarray) else list(names)
        if set(map(type, values)) != {str}:
            return None
        column = polars.Series(values, dtype=polars.String)
    if column.dtype in (polars.Categorical, polars.Enum):
        column = column.cast(polars.String)
    if column.dtype.is_integer() and column.dtype != polars.UInt64:
        column = column.cast(polars.Int64)
    return column if column.dtype in (polars.String, polars.Int64, polars.UInt64) else None


def _is_stored_by_arrow(dtype: Any) -> bool:
    """Return whether a column of pandas of this type is one of Arrow, which is not copied."""
    return getattr(dtype, "storage", "") == "pyarrow" or hasattr(dtype, "pyarrow_dtype")


def _arrow_column(names: Any) -> Any:
    import pyarrow

    return pyarrow.array(names)


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
    number: dict[Hashable, int] = {}
    ids = np.empty(len(u) + len(v), np.int64)
    for end, values, before in ("u", u, 0), ("v", v, len(u)):
        for i, name in enumerate(values.tolist() if hasattr(values, "tolist") else values):
            if name is None or name != name:
                raise GraphError(f"{end}[{i}] is missing: an edge has two ends")
            try:
                ids[before + i] = number.setdefault(name, len(number))
            except TypeError:
                raise GraphTypeError(f"{end}[{i}] = {name!r} cannot name a vertex: not hashable") from None
    return ids, _objects(list(number))


def _objects(values: list[Any]) -> NDArray[Any]:
    """Make a one-dimensional array of objects, which may be tuples."""
    return np.fromiter(values, object, len(values))
