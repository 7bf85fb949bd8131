"""Exact totals: integers as Python integers, floats rounded once."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.compiler import kernel

PIECE = 1 << 20
LEAST = 1074
"""Every float64 is a whole number of 2^-LEAST."""
EXPONENTS = 1 << 11
DIGITS, HALF = np.uint64(52), np.uint64(26)


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
    return combine_sums([partial_sum(w)], w.dtype)


def partial_sum(w: NDArray[Any]) -> int | float | Fraction:
    """Add weights of which others have more: what `combine_sums` adds up without error.

    Returns
    -------
    int, float or Fraction
        The sum of integers; of floats the exact sum, or if it is not finite an infinity or NaN.
    """
    if w.dtype.kind in "iu":
        if w.dtype.itemsize < 8:
            return int(w.sum(dtype=np.int64))
        high, low = w >> w.dtype.type(32), w & w.dtype.type(0xFFFFFFFF)
        return (int(high.sum()) << 32) + int(low.sum())
    if not np.isfinite(w).all():
        positive, negative = np.isposinf(w).any(), np.isneginf(w).any()
        return math.nan if positive and negative else math.inf if positive else -math.inf
    if w.dtype.itemsize > 8:
        return sum((Fraction(*x.as_integer_ratio()) for x in w), Fraction(0))
    return Fraction(_units(w), 1 << LEAST)


def combine_sums(parts: Iterable[int | float | Fraction], dtype: np.dtype[Any]) -> int | float:
    """Add what `partial_sum` found of weights of a type."""
    parts = list(parts)
    if dtype.kind in "iu":
        return int(sum(parts))
    infinite = [part for part in parts if isinstance(part, float)]
    if infinite:
        return math.fsum(infinite) if len(set(infinite)) == 1 else math.nan
    exact = sum(parts, Fraction(0))
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _units(w: NDArray[Any]) -> int:
    """Add finite floats as whole numbers of 2^-LEAST."""
    high, low = np.zeros(EXPONENTS, np.int64), np.zeros(EXPONENTS, np.int64)
    for begin in range(0, w.size, PIECE):
        _add_digits(w[begin : begin + PIECE].astype(np.float64).view(np.uint64), high, low)
    sums = (high.astype(object) << int(HALF)) + low
    return sum(int(sums[k]) << max(k - 1, 0) for k in np.flatnonzero(sums).tolist())


@kernel
def _add_digits(bits, high, low):
    """Add the digits of floats by exponents, in two halves so that nothing overflows."""
    one = np.uint64(1)
    for i in range(bits.size):
        exponent = (bits[i] >> DIGITS) & np.uint64(EXPONENTS - 1)
        digits = bits[i] & ((one << DIGITS) - one)
        if exponent:
            digits |= one << DIGITS
        sign = -1 if bits[i] >> np.uint64(63) else 1
        high[exponent] += sign * np.int64(digits >> HALF)
        low[exponent] += sign * np.int64(digits & ((one << HALF) - one))
