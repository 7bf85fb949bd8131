"""Exact sums of weights: integers as Python integers, floats rounded once at the end."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel

if TYPE_CHECKING:
    from fractions import Fraction

RANGE = 1 << 20
"""Weights of one kernel call: no sum of half mantissas overflows."""
SCALE = 1074
"""Every float64 is a multiple of 2**-SCALE."""
EXPONENTS = 1 << 11
MANTISSA_BITS, HALF = np.uint64(52), np.uint64(26)


def exact_sum(w: NDArray[Any]) -> int | float:
    """Add weights; the only error is that of the last rounding.

    Parameters
    ----------
    w : (m,) array of integers or floats
        The weights.

    Returns
    -------
    int or float
        The exact sum of integers. For floats the float64 nearest to the exact sum: infinite beyond
        its range, NaN if there are infinities of both signs.
    """
    return combine_sums([partial_sum(w)], w.dtype)


def partial_sum(w: NDArray[Any]) -> int | float | Fraction:
    """Add the weights of one part without rounding; `combine_sums` adds such sums.

    Parameters
    ----------
    w : (k,) array of integers or floats
        The weights.

    Returns
    -------
    int, float or Fraction
        An int for integers; for floats a Fraction, or an infinite or NaN float.
    """
    if w.dtype.kind in "iu":
        if w.dtype.itemsize < 8:
            return int(w.sum(dtype=np.int64))
        high, low = w >> w.dtype.type(32), w & w.dtype.type(0xFFFFFFFF)
        return (int(high.sum()) << 32) + int(low.sum())
    if not np.isfinite(w).all():
        positive, negative = np.isposinf(w).any(), np.isneginf(w).any()
        return math.nan if positive and negative else math.inf if positive else -math.inf
    from fractions import Fraction

    if w.dtype.itemsize > 8:
        return sum((Fraction(*x.as_integer_ratio()) for x in w), Fraction())
    return Fraction(_scaled_sum(w), 1 << SCALE)


def combine_sums(parts: Iterable[int | float | Fraction], dtype: np.dtype[Any]) -> int | float:
    """Add partial sums of weights of a type, and round the result as `exact_sum` does."""
    parts = list(parts)
    if dtype.kind in "iu":
        return int(sum(parts))
    infinite = [part for part in parts if isinstance(part, float)]
    if infinite:
        return math.fsum(infinite) if len(set(infinite)) == 1 else math.nan
    exact = sum(parts)
    try:
        return float(exact)
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _scaled_sum(w: NDArray[Any]) -> int:
    """Add finite floats as multiples of 2**-SCALE."""
    high, low = np.zeros(EXPONENTS, np.int64), np.zeros(EXPONENTS, np.int64)
    for first in range(0, w.size, RANGE):
        _add_mantissas(w[first : first + RANGE].astype(np.float64).view(np.uint64), high, low)
    sums = (high.astype(object) << int(HALF)) + low
    return sum(int(sums[k]) << max(k - 1, 0) for k in np.flatnonzero(sums).tolist())


@kernel
def _add_mantissas(bits, high, low):
    """Add the mantissas of floats to one sum per exponent, in two halves to avoid overflow."""
    one = np.uint64(1)
    for i in range(bits.size):
        exponent = (bits[i] >> MANTISSA_BITS) & np.uint64(EXPONENTS - 1)
        mantissa = bits[i] & ((one << MANTISSA_BITS) - one)
        if exponent:
            mantissa |= one << MANTISSA_BITS
        sign = -1 if bits[i] >> np.uint64(63) else 1
        high[exponent] += sign * np.int64(mantissa >> HALF)
        low[exponent] += sign * np.int64(mantissa & ((one << HALF) - one))
