"""Weights where a library has no arrays of every type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def at_most_64_bits(w: NDArray[Any]) -> NDArray[Any]:
    """Round ``longdouble`` to the nearest float64, infinite beyond its range; keep every other type."""
    if w.dtype.char != "g":
        return w
    with np.errstate(over="ignore"):
        return w.astype(np.float64)


def python_weights(w: NDArray[Any]) -> list[Any]:
    """List weights as Python's int or float."""
    return at_most_64_bits(w).tolist()
