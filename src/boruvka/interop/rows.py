"""Fast conversion of long lists and iterators of Python numbers, or of tuples of them, to arrays."""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.team import map_parts
from boruvka.runtime.processors import processors

__all__ = ["columns_of"]

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
    for part in lists:
        first = part[0] if part else None
        numbers = first if type(first) is tuple else (first,)
        if not all(type(x) in CODES for x in numbers):
            return None
        if not written:
            codes, is_tuple = [CODES[type(x)] for x in numbers], type(first) is tuple
        try:
            written.append(memoryview(marshal.dumps(part, 2))[HEADER:])
        except ValueError:  # an object that marshal cannot write
            return None
        size += len(part)
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
