"""Random samples, the same in every process."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.operators.mixing import GOLDEN, mix

S11 = np.uint64(11)


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
    The numbers are those of SplitMix64. Importing NumPy's generators would take longer than many a solve.
    """
    x = mix((np.arange(count, dtype=np.uint64) + np.uint64(seed * count)) * GOLDEN)
    return np.minimum((x >> S11) * 2.0**-53 * size, size - 1).astype(np.int64)
