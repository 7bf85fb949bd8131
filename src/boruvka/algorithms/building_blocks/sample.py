"""Random samples, the same in every process."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = (np.uint64(shift) for shift in (11, 27, 30, 31))


def sample_below(size: int, count: int, seed: int = 0) -> NDArray[np.int64]:
    """Draw numbers below a size.

    Parameters
    ----------
    size : int
        At least 1.
    count : int
        How many.
    seed : int
        From 0; each gives another sample.

    Returns
    -------
    (count,) array of int64

    Notes
    -----
    The numbers are those of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
    OOPSLA 2014). The import of NumPy's generators would take longer than many a solve.
    """
    x = (np.arange(count, dtype=np.uint64) + np.uint64(seed * count)) * GOLDEN
    x = (x ^ (x >> S30)) * FIRST
    x = (x ^ (x >> S27)) * SECOND
    x ^= x >> S31
    return np.minimum((x >> S11) * 2.0**-53 * size, size - 1).astype(np.int64)
