"""Distances between two points of d coordinates, as plain functions that Numba compiles where they are used.

A distance of your own may use whatever Numba compiles. It must be symmetric: it is computed once for each
pair.
"""

from __future__ import annotations

import math
from typing import Any

__all__ = ["chebyshev", "euclidean", "hamming", "manhattan", "squared_euclidean"]


def hamming(a: Any, b: Any) -> int:
    """Count the coordinates in which two points differ."""
    count = 0
    for k in range(a.size):
        count += a[k] != b[k]
    return count


def squared_euclidean(a: Any, b: Any) -> float:
    """Compute the sum of squared differences of coordinates."""
    total = 0.0
    for k in range(a.size):
        difference = float(a[k]) - float(b[k])
        total += difference * difference
    return total


def euclidean(a: Any, b: Any) -> float:
    """Compute the Euclidean distance."""
    return math.sqrt(squared_euclidean(a, b))


def manhattan(a: Any, b: Any) -> float:
    """Compute the sum of absolute differences of coordinates."""
    total = 0.0
    for k in range(a.size):
        total += abs(float(a[k]) - float(b[k]))
    return total


def chebyshev(a: Any, b: Any) -> float:
    """Compute the largest absolute difference of coordinates."""
    largest = 0.0
    for k in range(a.size):
        largest = max(largest, abs(float(a[k]) - float(b[k])))
    return largest
