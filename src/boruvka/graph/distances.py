"""Distances between two points: plain functions, compiled where they are used.

Each takes two points of d coordinates. One of your own is written the same way: it may use what Numba
compiles, and must be symmetric, for it is asked for each pair once.
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
    """Square the distance as the crow flies."""
    total = 0.0
    for k in range(a.size):
        difference = float(a[k]) - float(b[k])
        total += difference * difference
    return total


def euclidean(a: Any, b: Any) -> float:
    """Find the distance as the crow flies."""
    return math.sqrt(squared_euclidean(a, b))


def manhattan(a: Any, b: Any) -> float:
    """Add up the differences of coordinates."""
    total = 0.0
    for k in range(a.size):
        total += abs(float(a[k]) - float(b[k]))
    return total


def chebyshev(a: Any, b: Any) -> float:
    """Find the largest difference of coordinates."""
    largest = 0.0
    for k in range(a.size):
        largest = max(largest, abs(float(a[k]) - float(b[k])))
    return largest
