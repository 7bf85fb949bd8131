"""Exact totals: integers as Python integers, floats rounded once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 16


def total(w: NDArray[Any]) -> int | float:
    """Add weights without any error but the last rounding.

    Parameters
    ----------
    w : (m,) array of integers or floats
        The weights.

    Returns
    -------
    int or float
        The exact sum of integers; the float64 nearest to the exact sum of floats: infinite beyond
        its range, NaN where infinities of both signs meet.
    """
    if w.dtype.kind in "iu":
        if w.dtype.itemsize < 8:
            return int(w.sum(dtype=np.int64))
        high, low = w >> w.dtype.type(32), w & w.dtype.type(0xFFFFFFFF)
        return (int(high.sum()) << 32) + int(low.sum())
    if not np.isfinite(w).all():
        positive, negative = np.isposinf(w).any(), np.isneginf(w).any()
        return math.nan if positive and negative else math.inf if positive else -math.inf
    try:
        return math.fsum(_as_floats(w))
    except OverflowError:  # of a partial sum at least, or of a long double
        exact = sum((Fraction(*x.as_integer_ratio()) for x in w), Fraction(0))
        try:
            return float(exact)
        except OverflowError:
            return math.inf if exact > 0 else -math.inf


def parts_of(w: NDArray[Any]) -> list[int] | list[float]:
    """Find a few numbers with the same exact sum, so that sums of parts can be added without error.

    Parameters
    ----------
    w : (m,) array of integers or floats of at most 64 bits
        The weights.

    Returns
    -------
    list of int or float
        One integer; or floats, each the rounded sum of what those before it left.
    """
    if w.dtype.kind in "iu":
        return [int(total(w))]
    if not np.isfinite(w).all():
        return sorted({float(x) for x in w[~np.isfinite(w)]})
    left, parts = w.astype(np.float64).tolist(), []
    try:
        while rest := math.fsum(left):
            parts.append(rest)
            left.append(-rest)
    except OverflowError:  # of a partial sum
        return w.astype(np.float64).tolist()
    return parts


def _as_floats(w: NDArray[Any]) -> Iterator[float]:
    """Yield float64 numbers with the same sum; a longer float is split, or overflows beyond their range."""
    for begin in range(0, w.size, PIECE):
        part = w[begin : begin + PIECE]
        while part.any():
            with np.errstate(over="ignore", under="ignore"):
                head = part.astype(np.float64)
            if not (np.isfinite(head) & ((head != 0) | (part == 0))).all():
                raise OverflowError("a long double beyond the range of float64")
            yield from head.tolist()
            part = part - head
