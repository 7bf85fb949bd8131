"""Conversion of Python numbers, tuples of numbers and attributes of edges to arrays, and of arrays back."""

from __future__ import annotations

import marshal
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, OptionError, shown, warn
from boruvka.graph.names import ends_text, name_array
from boruvka.graph.no_values import check_missing_options, int_or_float, is_none
from boruvka.graph.text_numbers import number_in
from boruvka.kernels.team import map_parts
from boruvka.runtime.processors import processors

CODES = {int: (ord("i"), "<i4"), float: (ord("g"), "<f8")}
"""The letter and the bytes by which marshal version 2 writes a number; larger ints have another letter."""
HEADER = 5
"""Bytes before the elements of a list."""
AT_ONCE = 1 << 10
"""Rows of an iterator that are held at once: few enough to stay in the cache."""
RANGE = 1 << 15
"""Rows that are split into columns at once, for the same reason."""


def columns_of(rows: list[Any] | Iterator[Any]) -> list[NDArray[Any]] | None:
    """Convert rows to one array per column, of int64 or float64.

    `marshal` writes a list of tuples faster than any iterator fills arrays. It writes the type of every
    number, and rows of equal types have equal sizes.

    Parameters
    ----------
    rows : list or iterator
        Tuples of numbers, or numbers, which make one column.

    Returns
    -------
    list of arrays, or None
        None if there is no row, if rows differ in length or in the types of numbers, or if these are not
        floats or ints of 32 bits.
    """
    lists = [rows] if isinstance(rows, list) else iter(lambda: list(islice(rows, AT_ONCE)), [])
    written: list[memoryview] = []
    codes: list[tuple[int, str]] = []
    size = 0
    for batch in lists:
        first = batch[0] if batch else None
        numbers = first if type(first) is tuple else (first,)
        if not all(type(x) in CODES for x in numbers):
            return None
        if not written:
            codes, is_tuple = [CODES[type(x)] for x in numbers], type(first) is tuple
        try:
            written.append(memoryview(marshal.dumps(batch, 2))[HEADER:])
        except ValueError:  # an object that marshal cannot write
            return None
        size += len(batch)
    if not written:
        return None
    return _columns(written[0] if len(written) == 1 else b"".join(written), size, codes, is_tuple)


def _columns(
    written: memoryview | bytes, size: int, codes: list[tuple[int, str]], is_tuple: bool
) -> list[NDArray[Any]] | None:
    """Split rows in marshal's format into columns; None if a row is not of the types of the first."""
    tags: dict[str, int] = {"tuple": ord("("), "size": len(codes)} if is_tuple else {}
    fields = [("tuple", "u1"), ("size", "<u4")] if is_tuple else []
    for k, (letter, dtype) in enumerate(codes):
        tags[f"type {k}"] = letter
        fields += [(f"type {k}", "u1"), (f"value {k}", dtype)]
    record = np.dtype(fields)
    if len(written) != size * record.itemsize:
        return None
    table = np.frombuffer(written, record)
    columns = [np.empty(size, f"{dtype[1]}8") for _, dtype in codes]

    def take(start: int) -> bool:
        batch = table[start : start + RANGE]
        for k, column in enumerate(columns):
            column[start : start + RANGE] = batch[f"value {k}"]
        return all((batch[name] == value).all() for name, value in tags.items())

    return columns if all(map_parts(take, range(0, size, RANGE), processors())) else None


def at_most_64_bits(w: NDArray[Any]) -> NDArray[Any]:
    """Round ``longdouble`` to float64, infinite beyond its range; return any other type as it is."""
    if w.dtype.char != "g":
        return w
    with np.errstate(over="ignore"):
        return w.astype(np.float64)


def python_weights(w: NDArray[Any]) -> list[Any]:
    """Convert weights to a list of Python ints or floats."""
    return at_most_64_bits(w).tolist()


def attribute_name(name: Any) -> Any:
    """Check that the name of an attribute can be one: a key of a dict."""
    try:
        hash(name)
    except (TypeError, ValueError):  # the latter of a memoryview that can be written to
        raise OptionError(f"weight must be the name of an attribute, got {shown(name)}") from None
    return name


def read_directions(g: Any, directed: bool) -> str:
    """Warn if the directions of a graph of another library do not count, and the caller did not say so.

    Return what to write for a graph whose edges lack the attribute of weights.
    """
    if g.is_directed() and not directed:
        warn(
            "the graph is directed: its arcs are taken as edges, and two opposite ones as two; "
            "boruvka.as_graph(g, directed=True) does so without this warning, also for an arborescence"
        )
    return (
        f"; boruvka.as_graph({'g, directed=True' if directed else 'g'}, weight=...) names another, default= "
        "gives a weight to such edges, missing='drop' leaves them out"
    )


def _number_in(value: Any) -> Any:
    """Return the number that a text holds, also in the hexadecimal form of graph-tool; else the value."""
    if isinstance(value, str) and "0x" in value:
        try:
            return float.fromhex(value)
        except OverflowError:
            raise GraphError(f"{value} is beyond the range of float64") from None
        except ValueError:
            return value
    is_nan = isinstance(value, str) and value.strip().lower() in ("nan", "+nan", "-nan")
    return math.nan if is_nan else number_in(value)


def attribute_weights(
    values: list[Any],
    weight: str,
    default: float | None,
    ends: tuple[NDArray[Any], NDArray[Any]],
    names: Any,
    advice: str,
    missing: str = "error",
) -> tuple[NDArray[np.int64], Any]:
    """Return which edges are kept, and their weights, from an attribute that some edges may lack.

    Parameters
    ----------
    values : list
        The attribute of each edge: numbers, or texts that hold numbers. None, NaN and texts such as "NA" mean
        that an edge has none.
    weight : str
        Its name, for errors.
    default : number, optional
        The weight of edges without the attribute.
    ends : (u, v)
        The ends of edges.
    names : sequence, optional
        The names of vertices, for errors.
    advice : str
        The end of the error, which says how to give weights to such edges.
    missing : str
        "error", or "drop" to leave out edges that have no weight, and no default.

    Raises
    ------
    GraphError
        An edge has no weight, and no argument cares for it.
    OptionError
        ``missing`` or ``default`` has another value.

    Warns
    -----
    GraphWarning
        Edges are left out.
    """
    check_missing_options(missing, default)
    columns = columns_of(values) or columns_of(values := list(map(_number_in, values)))
    w = columns[0] if columns else values
    has_none = np.isnan(w) if columns else np.fromiter((is_none(x, "number") for x in w), bool, len(w))
    gaps, every = np.flatnonzero(has_none), np.arange(len(values))
    if not gaps.size:
        return every, w
    if default is not None:
        filling = int_or_float(default)
        return every, [filling if gap else x for x, gap in zip(values, has_none.tolist(), strict=True)]
    if missing == "error":
        i, (u, v) = int(gaps[0]), ends
        known = None if names is None else name_array(names, len(names))
        lacks = f"has no attribute {shown(weight)}"
        if values[i] is not None:
            lacks = f"has {shown(values[i])} as attribute {shown(weight)}, no number"
        raise GraphError(f"edge {i} {ends_text(known, u[i], v[i])} {lacks}{advice}")
    warn(f"{gaps.size:,} of {len(values):,} edges are left out: they have no attribute {shown(weight)}")
    kept = np.flatnonzero(~has_none)
    return kept, w[kept] if columns else [values[k] for k in kept.tolist()]
