"""The unique ids of an array, several times faster than `numpy.unique`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["unique_ids"]


def unique_ids(x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Find the unique ids of an array and the inverse, as ``numpy.unique(x, return_inverse=True)``.

    An id and its position are sorted as one 64-bit word where both fit. That is several times faster than
    an indirect sort of positions, which `numpy.unique` does.
    The inverse has the type of ``x``.
    """
    if not x.size:
        return x, x
    position_bits = (x.size - 1).bit_length()
    if int(x.max()).bit_length() + position_bits > 64:
        unique, inverse = np.unique(x, return_inverse=True)
        return unique, inverse.astype(x.dtype)
    words = x.astype(np.uint64) << np.uint64(position_bits)
    words |= np.arange(x.size, dtype=np.uint64)
    words.sort()
    ids = words >> np.uint64(position_bits)
    words &= np.uint64((1 << position_bits) - 1)
    first = np.ones(x.size, bool)
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    inverse = np.empty(x.size, x.dtype)
    inverse[words.astype(np.int64)] = np.cumsum(first) - 1
    return ids[first].astype(x.dtype), inverse
