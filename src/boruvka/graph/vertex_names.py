"""Names of vertices: strings, tuples, large integers, whatever the input calls its vertices.

A graph numbers its vertices from 0; names are one array beside it. They are numbered in the order in which
they first appear in ``u``, then in ``v``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError

__all__ = ["are_names", "name_array", "number_names"]


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
    if len(u) != len(v):
        raise GraphError(f"u and v must have one entry per edge, but have {len(u)} and {len(v)} entries")
    columns = [_as_column(u), _as_column(v)]
    if any(column is None for column in columns) or columns[0].dtype != columns[1].dtype:
        ids, names = _number_objects(u, v)
    else:
        for end, column in zip("uv", columns, strict=True):
            if column.null_count():
                raise GraphError(f"{end}[{column.is_null().arg_max()}] is missing: an edge has two ends")
        ids, names = _number_column(*columns)
    return ids[: len(u)], ids[len(u) :], names


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


def _as_column(names: Any) -> Any:
    """Make a column of polars of strings, int64 or uint64; None if they are something else."""
    import polars

    kind = type(names).__module__.partition(".")[0]
    if kind == "polars":
        column = names
    elif kind == "pyarrow":
        column = polars.Series(polars.from_arrow(names))
    elif kind == "pandas":
        return _as_column(names.to_numpy())
    elif isinstance(names, np.ndarray) and names.dtype.kind in "iu":
        column = polars.Series(np.ascontiguousarray(names))
    else:
        values = names.tolist() if isinstance(names, np.ndarray) else list(names)
        if not all(type(x) is str for x in values):
            return None
        column = polars.Series(values, dtype=polars.String)
    if column.dtype in (polars.Categorical, polars.Enum):
        column = column.cast(polars.String)
    if column.dtype.is_integer() and column.dtype != polars.UInt64:
        column = column.cast(polars.Int64)
    return column if column.dtype in (polars.String, polars.Int64, polars.UInt64) else None


def _number_column(u: Any, v: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    import polars

    if find_spec("pyarrow") is not None:
        from pyarrow import chunked_array

        encoded = chunked_array([u.to_arrow(), v.to_arrow()]).dictionary_encode().combine_chunks()
        encoded = encoded.unify_dictionaries().chunk(0) if hasattr(encoded, "chunks") else encoded
        return encoded.indices.to_numpy(), encoded.dictionary.to_numpy(zero_copy_only=False)
    both = polars.concat([u, v])
    names = both.unique(maintain_order=True)
    numbers = np.arange(len(names), dtype=np.uint32 if len(names) < 2**32 else np.uint64)
    return both.replace_strict(names, polars.Series(numbers)).to_numpy(), names.to_numpy()


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
