"""Random samples, the same in every process."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from boruvka.operators.counter_rng import GOLDEN, mix

S11 = np.uint64(11)
KEPT_UP_TO = 4096
"""Maximum number of samples that are kept for the next call."""


def sample_below(size: int, count: int, seed: int = 0) -> NDArray[np.int64]:
    """Draw numbers below a size.

    Parameters
    ----------
    size : int
        At least 1.
    count : int
        Number of samples.
    seed : int
        A number from 0; each gives another sample.

    Returns
    -------
    (count,) array of int64

    Notes
    -----
    SplitMix64 makes the numbers. Importing NumPy's generators would take longer than many a solve.
    """
    below_one = _below_one if count <= KEPT_UP_TO else _below_one.__wrapped__
    return np.minimum(below_one(count, seed) * size, size - 1).astype(np.int64)


@functools.lru_cache(maxsize=8)
def _below_one(count: int, seed: int) -> NDArray[np.float64]:
    x = mix((np.arange(count, dtype=np.uint64) + np.uint64(seed * count)) * GOLDEN)
    return (x >> S11) * 2.0**-53
