"""Columns of long lists of Python's numbers, or of tuples of these."""

from __future__ import annotations

import marshal
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["columns_of"]

CODES = {int: (b"i", "<i4"), float: (b"g", "<f8")}
"""How version 2 of marshal writes a number: a letter, then these bytes; ints of more than 32 bits differ."""
HEADER = 5
"""Bytes before the elements of a list."""


def columns_of(rows: list[Any]) -> list[NDArray[Any]] | None:
    """Convert rows to one array for each position, of int64 or float64.

    `marshal` writes a list of tuples faster than any iterator fills arrays, and every number with its type,
    so that rows have a fixed size where they are alike.

    Parameters
    ----------
    rows : list
        Tuples of numbers, or numbers, which make one column.

    Returns
    -------
    list of arrays, or None
        None where the rows differ in length or in the types of numbers, or where these are not floats or ints
        of 32 bits.
    """
    first = rows[0] if rows else None
    numbers = first if type(first) is tuple else (first,)
    if not all(type(x) in CODES for x in numbers):
        return None
    codes = [CODES[type(x)] for x in numbers]
    tags: dict[str, Any] = {"tuple": b"(", "size": len(codes)} if type(first) is tuple else {}
    fields = [("tuple", "S1"), ("size", "<u4")] if tags else []
    for k, (letter, dtype) in enumerate(codes):
        tags[f"type {k}"] = letter
        fields += [(f"type {k}", "S1"), (f"value {k}", dtype)]
    record = np.dtype(fields)
    try:
        written = marshal.dumps(rows, 2)
    except ValueError:  # an object that it does not write
        return None
    if len(written) != HEADER + len(rows) * record.itemsize:
        return None
    table = np.frombuffer(written, record, offset=HEADER)
    if not all((table[name] == value).all() for name, value in tags.items()):
        return None
    return [table[f"value {k}"].astype(f"{dtype[1]}8") for k, (_, dtype) in enumerate(codes)]
