"""Weights as integers of a common unit, in two words, so that sums and differences of them are exact."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["LOW_BITS", "MASK", "fixed_point", "total"]

LOW_BITS = 62
"""Bits of the low word, which is from 0 to 2**62 - 1; two of them can be added."""
MASK = 2**LOW_BITS - 1


def fixed_point(w: NDArray[Any], largest: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return integers in proportion to weights, as ``high * 2**62 + low``.

    Parameters
    ----------
    w : (m,) array of integers or finite floats
        The weights.
    largest : int
        The absolute value up to which high words are int64.

    Returns
    -------
    high, low : (m,) arrays of int64, or of Python integers
        Python integers where the range of the weights is too large: more than some 80 bits between the
        largest and the last bit of the smallest.
    """
    if w.dtype.kind in "iu":
        wide = w.astype(np.uint64 if w.dtype.kind == "u" else np.int64)
        return (wide >> LOW_BITS).astype(np.int64), (wide & MASK).astype(np.int64)
    if w.dtype.itemsize <= 8:
        found = _of_floats(w.astype(np.float64))
        if found is not None and np.abs(found[0]).max(initial=0) <= largest:
            return found
    ratios = [x.as_integer_ratio() for x in (w.tolist() if w.dtype.itemsize <= 8 else list(w))]
    unit = max((below for _, below in ratios), default=1)
    numbers = [above * (unit // below) for above, below in ratios]
    high, low = np.empty(w.size, object), np.empty(w.size, object)
    high[:] = [number >> LOW_BITS for number in numbers]
    low[:] = [number & MASK for number in numbers]
    return high, low


def _of_floats(w: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Convert float64; return None if the high words do not fit."""
    amount = np.abs(w)
    fraction, exponent = np.frexp(amount)
    bits = np.ldexp(fraction, 53).astype(np.int64)
    last = exponent - 53 + np.frexp((bits & -bits).astype(np.float64))[1] - 1  # exponent of the last bit
    unit = int(last[bits > 0].min(initial=2000))
    if not bits.any():
        return np.zeros(w.size, np.int64), np.zeros(w.size, np.int64)
    if int(exponent[bits > 0].max()) - unit > LOW_BITS + 62:
        return None
    high = np.floor(np.ldexp(amount, -unit - LOW_BITS))
    low = (np.ldexp(amount, -unit) - np.ldexp(high, LOW_BITS)).astype(np.int64)  # exact: bits of the amount
    high, is_negative = high.astype(np.int64), w < 0
    high[is_negative] = -high[is_negative] - (low[is_negative] > 0)
    low[is_negative] = -low[is_negative] & MASK
    return high, low


def total(high: NDArray[Any], low: NDArray[Any]) -> int:
    """Add numbers exactly."""
    return (sum(high.tolist()) << LOW_BITS) + sum(low.tolist())
