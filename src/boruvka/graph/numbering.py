"""Numbering of vertex names in memory, in the order in which they first appear in ``u``, then in ``v``.

Strings in columns of polars are numbered by their hashes, and then compared with the name of their number. A
dictionary numbers few strings, and other names that are not integers of 64 bits.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, shown
from boruvka.graph.columns import list_column, read_column, refuse_rounded
from boruvka.graph.no_values import first_gap, is_no_name
from boruvka.graph.validation import check_one_dimensional
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.operators.counter_rng import mix
from boruvka.runtime.libraries import pl, require

CHECKED = 1 << 20
"""Number of strings that are compared with their names at once, to limit the memory."""
AHEAD = np.uint64(16)
"""Number of keys by which slots of the table are fetched into the cache ahead."""
FIRST_SLOTS = 1 << 13
GROWTH = 4
FEW = 1 << 10
"""Minimum number of edges whose strings are numbered by polars; a dictionary is faster for fewer."""
ONE = np.uint64(1)


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
        A name is missing: None, NaN, null or a blank text.
    GraphTypeError
        A name is not hashable, or there are not as many first ends as second ends.
    """
    u, v = _read_ends(u, v)
    if (columns := _of_one_type(u, v)) is None:
        ids, names = _number_objects(u, v)
    elif isinstance(columns[0], np.ndarray):
        values = np.concatenate(columns)
        ids, first = number_keys(values.view(np.uint64))
        names = values[first]
    else:
        ids, names = _number_strings(*columns)
    return ids[: len(u)], ids[len(u) :], names


def name_columns(u: Any, v: Any) -> tuple[Any, Any] | None:
    """Convert the names of the ends of edges to two polars columns of one type: strings, int64 or uint64.

    None if they have no such type in common.

    Raises
    ------
    GraphError
        A name is missing, or there are not as many first ends as second ends.
    MissingExtraError
        polars is not installed.
    """
    columns = _of_one_type(*_read_ends(u, v))
    require("polars", "tables")  # without it, names that are texts have no type in common
    return None if columns is None else (pl.Series(columns[0]), pl.Series(columns[1]))


def _read_ends(u: Any, v: Any) -> tuple[Any, Any]:
    """Convert the names of the ends of edges as `read_column` does, and check their shapes."""
    u, v = read_column("u", u), read_column("v", v)
    for end, column in zip("uv", (u, v), strict=True):
        if isinstance(column, np.ndarray):
            check_one_dimensional(end, column)
            refuse_rounded(end, column)
    if len(u) != len(v):
        raise GraphError(f"u and v must have one entry per edge, but have {len(u)} and {len(v)} entries")
    return u, v


def _of_one_type(u: Any, v: Any) -> tuple[Any, Any] | None:
    """Return two columns of strings of polars, two arrays of int64, or two of uint64; None of others."""
    u, v = map(_of_known_type, (u, v))
    if u is None or type(u) is not type(v) or u.dtype != v.dtype:
        return None
    for end, column in ("u", u), ("v", v):
        if not isinstance(column, np.ndarray) and (k := first_gap(column)) is not None:
            _check_name(f"{end}[{k}]", column[k])
    return u, v


def number_keys(keys: NDArray[np.uint64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number the distinct values of an array in the order in which they first appear.

    Parameters
    ----------
    keys : (k,) array of uint64

    Returns
    -------
    numbers : (k,) array of uint32, or of uint64 where there are 2**32 keys or more
        The number of each key.
    first : (n,) array of int64
        The position at which each number first appears, ascending.
    """
    numbers = np.empty(keys.size, np.uint32 if keys.size < 2**32 else np.uint64)
    first = np.empty(keys.size, np.int64)  # the system gives only pages that are written
    table, distinct, done = np.zeros(2 * FIRST_SLOTS, np.uint64), 0, 0
    while True:
        done, distinct = _number(keys, done, distinct, table, first, numbers)
        if done == keys.size:
            return numbers, first[:distinct].copy()
        table, known = np.zeros(GROWTH * table.size, np.uint64), keys[first[:distinct]]
        _number(known, 0, 0, table, np.empty(distinct, np.int64), np.empty(distinct, numbers.dtype))


@kernel
def _number(keys, start, distinct, table, first, numbers):
    """Number keys, starting at ``start``, until the table is half full; return the end, and the count.

    The table has open addressing. A slot is two words, a key and one more than its number; 0 means free.
    """
    mask, limit = np.uint64(table.size // 2 - 1), np.uint64(table.size // 4)
    k, size, count = np.uint64(start), np.uint64(keys.size), np.uint64(distinct)
    while k < size and count < limit:
        if k + AHEAD < size:
            prefetch(table, (mix(keys[k + AHEAD]) & mask) << ONE)
        key = keys[k]
        slot = mix(key) & mask
        while table[slot << ONE] != key and table[(slot << ONE) | ONE]:
            slot = (slot + ONE) & mask
        number = table[(slot << ONE) | ONE]
        if not number:
            first[count] = k
            count += ONE
            number = count
            table[slot << ONE] = key
            table[(slot << ONE) | ONE] = number
        numbers[k] = number - ONE
        k += ONE
    return k, count


def _of_known_type(column: Any) -> Any:
    """Return a column of strings of polars, or an array of int64 or uint64; None of anything else."""
    if not isinstance(column, np.ndarray):
        return None if isinstance(column, list) else column
    if column.dtype.kind not in "iu":
        return None
    return np.ascontiguousarray(column, np.uint64 if column.dtype == np.uint64 else np.int64)


def _number_strings(u: Any, v: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Number the strings of two columns of polars."""
    if len(u) < FEW:
        return _number_objects(u, v)
    ids, first = number_keys(np.concatenate([u.hash().to_numpy(), v.hash().to_numpy()]))
    in_u = int(np.searchsorted(first, len(u)))
    names = pl.concat([u.gather(first[:in_u]), v.gather(first[in_u:] - len(u))], rechunk=True)
    for column, numbers in (u, ids[: len(u)]), (v, ids[len(u) :]):
        for i in range(0, len(column), CHECKED):
            found = names.gather(pl.Series(numbers[i : i + CHECKED]))
            if not (found == column.slice(i, CHECKED)).all():  # two strings have the same hash
                return _number_objects(u, v)
    return ids, names.to_numpy()


def _number_objects(u: Any, v: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    ends = {"u": list_column(u), "v": list_column(v)}
    number = defaultdict[Any, int](count().__next__)
    try:
        both = chain(ends["u"], ends["v"])
        ids = np.fromiter(map(number.__getitem__, both), np.int64, len(u) + len(v))
        if not any(map(is_no_name, number)):
            return ids, np.fromiter(number, object, len(number))
    except (TypeError, ValueError):
        pass
    for end, names in ends.items():
        for i, name in enumerate(names):
            _check_name(f"{end}[{i}]", name)
    raise GraphTypeError("names cannot be compared")


def _check_name(where: str, name: Any) -> None:
    try:
        hash(name)
        missing = is_no_name(name)
    except (TypeError, ValueError):
        raise GraphTypeError(f"{where} = {shown(name)} cannot name a vertex: not hashable") from None
    if missing:
        what = "blank" if isinstance(name, str) else "missing"
        raise GraphError(f"{where} is {what}: an edge has two ends")
