"""Weights for libraries that do not support every type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def at_most_64_bits(w: NDArray[Any]) -> NDArray[Any]:
    """Round ``longdouble`` to float64, infinite beyond its range; return any other type as it is."""
    if w.dtype.char != "g":
        return w
    with np.errstate(over="ignore"):
        return w.astype(np.float64)


def python_weights(w: NDArray[Any]) -> list[Any]:
    """Convert weights to a list of Python ints or floats."""
    return at_most_64_bits(w).tolist()
