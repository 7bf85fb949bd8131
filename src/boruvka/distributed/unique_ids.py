"""The distinct ids of a list."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["distinct"]


def distinct(x: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Find the distinct ids of a list, ascending, and which of them each element is.

    Sorts an id and its place as one word where both fit: that is several times faster than to sort places
    by id, as `numpy.unique` does.
    """
    if not x.size:
        return x, x
    place_bits = (x.size - 1).bit_length()
    if int(x.max()).bit_length() + place_bits > 64:
        values, which = np.unique(x, return_inverse=True)
        return values, which.astype(x.dtype)
    words = x.astype(np.uint64) << np.uint64(place_bits)
    words |= np.arange(x.size, dtype=np.uint64)
    words.sort()
    ids = words >> np.uint64(place_bits)
    words &= np.uint64((1 << place_bits) - 1)
    first = np.ones(x.size, bool)
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    which = np.empty(x.size, x.dtype)
    which[words.astype(np.int64)] = np.cumsum(first) - 1
    return ids[first].astype(x.dtype), which
