"""Columns of long lists of tuples of Python's numbers."""

from __future__ import annotations

import marshal
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["columns_of"]

CODES = {int: (b"i", "<i4"), float: (b"g", "<f8")}
"""How version 2 of marshal writes a number: a letter, then these bytes; ints of more than 32 bits differ."""


def columns_of(rows: list[Any]) -> list[NDArray[Any]] | None:
    """Convert rows to one array for each position: int32, or float64.

    `marshal` writes a list of tuples three times as fast as any iterator fills arrays, and every number
    with its type, so that rows have a fixed size where they are alike.

    Parameters
    ----------
    rows : list

    Returns
    -------
    list of arrays, or None
        None where the rows are not tuples of one length, or a column has more than one type, or one other than
        ints of 32 bits and floats.
    """
    if not rows or type(rows[0]) is not tuple or not all(type(x) in CODES for x in rows[0]):
        return None
    codes = [CODES[type(x)] for x in rows[0]]
    tags: list[tuple[str, Any]] = [("(", b"("), ("size", len(codes))]
    fields = [("(", "S1"), ("size", "<u4")]
    for k, (letter, dtype) in enumerate(codes):
        tags.append((f"type {k}", letter))
        fields += [(f"type {k}", "S1"), (f"value {k}", dtype)]
    record = np.dtype(fields)
    try:
        written = marshal.dumps(rows, 2)
    except ValueError:  # an object that it does not write
        return None
    header = 5  # of the list
    if len(written) != header + len(rows) * record.itemsize:
        return None
    table = np.frombuffer(written, record, offset=header)
    if not all((table[name] == value).all() for name, value in tags):
        return None
    return [table[f"value {k}"] for k in range(len(codes))]
