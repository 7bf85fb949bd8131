"""Distances between two points of d coordinates, as plain functions that Numba compiles where they are used.

In a periodic box, the distance of two points is the distance to the nearest image. Each difference of
coordinates t becomes min(t, length - t), where the length of the box is infinite along an open axis. These
functions take rows that hold the coordinates of a point and then the lengths of the box.

A distance of your own may use whatever Numba compiles. It must be symmetric: it is computed once for each
pair. For which points those here are defined, `boruvka.graph.points.validation` says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

__all__ = [
    "braycurtis",
    "canberra",
    "chebyshev",
    "correlation",
    "cosine",
    "euclidean",
    "great_circle",
    "hamming",
    "haversine",
    "manhattan",
    "squared_euclidean",
]

OTHER_NAMES = {
    "cityblock": "manhattan",
    "infinity": "chebyshev",
    "l1": "manhattan",
    "l2": "euclidean",
    "sqeuclidean": "squared_euclidean",
}
"""The names of SciPy and scikit-learn for these."""
EARTH_RADIUS = 6371.0088
"""Mean radius of the earth in kilometres, (2 a + b) / 3 of the ellipsoid WGS 84."""


def hamming(a: Any, b: Any) -> int:
    """Count the coordinates in which two points differ; SciPy divides this by their number."""
    count = 0
    for k in range(a.size):
        count += a[k] != b[k]
    return count


def hamming_of_present(a: Any, b: Any) -> int:
    """Count the coordinates in which two points differ and neither is 0, which means missing."""
    count = 0
    for k in range(a.size):
        count += (a[k] != b[k]) & (a[k] != 0) & (b[k] != 0)
    return count


def scaled_hamming(a: Any, b: Any) -> int:
    """Scale that count by the share of coordinates that both points have, and round; d if they share none."""
    count = shared = 0
    for k in range(a.size):
        count += (a[k] != b[k]) & (a[k] != 0) & (b[k] != 0)
        shared += (a[k] != 0) & (b[k] != 0)
    return int(count * (a.size / shared) + 0.5) if shared else a.size


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


def image_difference(x: Any, y: Any, length: float) -> float:
    """Compute the difference between a coordinate and the nearest image of another."""
    difference = abs(float(x) - float(y))
    return min(difference, length - difference)


def periodic_squared_euclidean(a: Any, b: Any) -> float:
    """Compute the sum of squared differences to the nearest image."""
    total, d = 0.0, a.size // 2
    for k in range(d):
        difference = image_difference(a[k], b[k], a[d + k])
        total += difference * difference
    return total


def periodic_euclidean(a: Any, b: Any) -> float:
    """Compute the Euclidean distance to the nearest image."""
    return math.sqrt(periodic_squared_euclidean(a, b))


def periodic_manhattan(a: Any, b: Any) -> float:
    """Compute the sum of differences to the nearest image."""
    total, d = 0.0, a.size // 2
    for k in range(d):
        total += image_difference(a[k], b[k], a[d + k])
    return total


def periodic_chebyshev(a: Any, b: Any) -> float:
    """Compute the largest difference to the nearest image."""
    largest, d = 0.0, a.size // 2
    for k in range(d):
        largest = max(largest, image_difference(a[k], b[k], a[d + k]))
    return largest


def canberra(a: Any, b: Any) -> float:
    """Compute the sum of absolute differences of coordinates, each divided by the sum of the absolute two."""
    total = 0.0
    for k in range(a.size):
        x, y = float(a[k]), float(b[k])
        if x != 0 or y != 0:
            total += abs(x - y) / (abs(x) + abs(y))
    return total


def braycurtis(a: Any, b: Any) -> float:
    """Compute the sum of absolute differences of coordinates, divided by the sum of their absolute sums."""
    differences = sums = 0.0
    for k in range(a.size):
        x, y = float(a[k]), float(b[k])
        differences += abs(x - y)
        sums += abs(x + y)
    if sums == 0:
        return math.inf if differences != 0 else 0.0
    return differences / sums


def cosine(a: Any, b: Any) -> float:
    """Compute 1 minus the cosine of the angle between two vectors: at least 0, NaN if one of them is zero."""
    return _cosine_distance(a, b, 0.0, 0.0)


def correlation(a: Any, b: Any) -> float:
    """Compute 1 minus the correlation of two vectors: at least 0, NaN if one of them is constant."""
    first = second = 0.0
    for k in range(a.size):
        first += float(a[k])
        second += float(b[k])
    return _cosine_distance(a, b, first / a.size, second / a.size)


def _cosine_distance(a: Any, b: Any, from_a: float, from_b: float) -> float:
    product = square_of_a = square_of_b = 0.0
    for k in range(a.size):
        x, y = float(a[k]) - from_a, float(b[k]) - from_b
        product += x * y
        square_of_a += x * x
        square_of_b += y * y
    return one_less_cosine(product, math.sqrt(square_of_a) * math.sqrt(square_of_b))


def one_less_cosine(product: float, lengths: float) -> float:
    """Compute 1 minus the cosine from the product of two vectors and the product of their lengths."""
    if lengths == 0:
        return math.nan
    difference = 1.0 - product / lengths
    return 0.0 if difference < 0 else difference  # max() would make 0 of NaN


def haversine(a: Any, b: Any) -> float:
    """Compute the angle, in radians, between two points on a sphere: (latitude, longitude) in radians."""
    first, second = float(a[0]), float(b[0])
    latitude, longitude = math.sin((first - second) / 2), math.sin((float(a[1]) - float(b[1])) / 2)
    half = latitude * latitude + math.cos(first) * math.cos(second) * longitude * longitude
    return 2.0 * math.asin(math.sqrt(max(0.0, min(1.0, half))))


def great_circle(a: Any, b: Any) -> float:
    """Compute the distance, in kilometres, between two points on the earth as a sphere; as for haversine."""
    return EARTH_RADIUS * haversine(a, b)


UNITS = {"great_circle": "km", "haversine": "radians"}
"""Units of the metrics on a sphere; the unit of another one depends on the coordinates."""
ON_SPHERE = haversine, great_circle
"""Metrics of (latitude, longitude) in radians."""


def unit_of(pairs: Any) -> str:
    """Return the unit of the weights of points on a sphere; an empty text for others, and without points."""
    return "" if pairs is None else UNITS.get(pairs.distance.__name__, "")


def shown_unit(pairs: Any) -> tuple[str, float]:
    """Return the unit in which pictures show weights, and the factor of it: radians become degrees."""
    return ("degrees", 180 / math.pi) if unit_of(pairs) == "radians" else (unit_of(pairs), 1)


IN_BOX: dict[Callable[[Any, Any], Any], Callable[[Any, Any], Any]] = {
    euclidean: periodic_euclidean,
    squared_euclidean: periodic_squared_euclidean,
    manhattan: periodic_manhattan,
    chebyshev: periodic_chebyshev,
}
"""Metrics that are defined in a periodic box, and the functions that compute them there."""
