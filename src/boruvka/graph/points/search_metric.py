"""Metrics of the kd-tree search: bounds between weights and reduced distances that hold despite rounding.

The tree compares *reduced distances*, such as squared Euclidean distances: a sum over the coordinates, in
order, or a maximum. Every operation in it is rounded monotonically, so the reduced distance of two boxes,
computed in the same way, is at most the reduced distance of any two points in them. The weight of a pair is
the distance of the graph itself; the functions of a metric relate the two.

In a periodic box, the difference t of two coordinates becomes min(t, length - t). In two intervals, t is at
least the gap between them and at most their farthest ends apart, so this is at least min(gap, length -
farthest), where both differences are rounded monotonically, too. Points are in the box, so none is negative.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph import distances
from boruvka.graph.distances import EARTH_RADIUS, haversine, image_difference
from boruvka.kernels.kernel_functions import LARGEST, PERIODIC, SUM, SUM_OF_SQUARES

LARGEST_FLOAT = float(np.finfo(np.float64).max)
SMALLEST = 1e-322
"""A few of the smallest positive floats: more than rounding changes where squares underflow."""
CHORD_ERROR = 1e-14
"""Upper bound of the rounding error of a chord of the unit sphere, computed from coordinates or from an
angle."""


def identity(x):
    """Return the argument."""
    return x


def rdist_as_key(rdist, i, j, points):
    """Order pairs by their reduced distance."""
    return rdist


def rdist_bound(weight):
    """Bound the reduced distances that are weights."""
    return min(weight * (1.0 + 2.0**-51) + SMALLEST, LARGEST_FLOAT)


class SearchMetric(NamedTuple):
    """Functions that a kd-tree search needs for one metric, all compiled except ``embed``.

    Attributes
    ----------
    name : str
    norm : int
        Combination of the differences of coordinates: see `boruvka.kernels.kernel_functions.lanes_within`.
        It has the bit `PERIODIC` for a periodic box.
    key : callable
        ``key(rdist, i, j, points)`` sorts the pairs of one point by weight; it may also order pairs of equal
        weight.
    rdist_bound_of_key : callable
        Exclusive upper bound of the reduced distances of pairs with a smaller key.
    weight : callable
        The weight of a key.
    rdist_bound : callable
        Finite, exclusive upper bound of the reduced distances of pairs with at most this weight.
    min_weight : callable
        Lower bound of the weights of pairs with at least this reduced distance.
    embed : callable
        Maps points to those that are searched.
    """

    name: str
    norm: int
    key: Callable[..., Any] = rdist_as_key
    rdist_bound_of_key: Callable[[Any], Any] = identity
    weight: Callable[[Any], Any] = identity
    rdist_bound: Callable[[Any], Any] = rdist_bound
    min_weight: Callable[[Any], Any] = identity
    embed: Callable[[NDArray[np.float64]], NDArray[np.float64]] = identity

    @property
    def needs_points(self) -> bool:
        """Whether ``key`` reads the points as they were given."""
        return self.embed is not identity


# Euclidean: the reduced distance is the square; several squares have the same rounded root


def root(square):
    """Compute the weight."""
    return math.sqrt(square)


def rdist_bound_of_root(weight):
    """Bound the squares whose rounded root is at most a weight: larger ones are two roundings away."""
    return min(weight * weight * (1.0 + 2.0**-49) + SMALLEST, LARGEST_FLOAT)


# On the sphere: the reduced distance is the square of the chord


def angle_as_key(rdist, i, j, points):
    """Order pairs by their distance as the graph computes it."""
    return haversine(points[i], points[j])


def rdist_bound_of_angle(weight):
    """Bound the squared chords of pairs with at most this angle."""
    chord = 2.0 * math.sin(min(weight, math.pi) / 2.0) + CHORD_ERROR
    return chord * chord


def min_angle(square):
    """Bound the angles of chords from below."""
    return 2.0 * math.asin(max(0.0, min(1.0, math.sqrt(square) / 2.0 - CHORD_ERROR)))


def kilometres(angle):
    """Compute the distance on the earth as the graph does."""
    return EARTH_RADIUS * angle


def rdist_bound_of_kilometres(weight):
    """Bound the squared chords of pairs with at most this distance on the earth."""
    return rdist_bound_of_angle(weight / EARTH_RADIUS * (1.0 + 2.0**-50))


def min_kilometres(square):
    """Bound the distances on the earth of chords from below."""
    return EARTH_RADIUS * min_angle(square)


def on_sphere(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Map latitudes and longitudes to points on the unit sphere."""
    latitude, longitude = points.T
    radius = np.cos(latitude)
    return np.stack([radius * np.cos(longitude), radius * np.sin(longitude), np.sin(latitude)], axis=1)


SEARCH_METRICS: dict[Callable[[Any, Any], Any], SearchMetric] = {
    distances.euclidean: SearchMetric(
        "euclidean", SUM_OF_SQUARES, weight=root, rdist_bound=rdist_bound_of_root, min_weight=root
    ),
    distances.squared_euclidean: SearchMetric("sqeuclidean", SUM_OF_SQUARES),
    distances.manhattan: SearchMetric("manhattan", SUM),
    distances.chebyshev: SearchMetric("chebyshev", LARGEST),
    distances.haversine: SearchMetric(
        "haversine",
        SUM_OF_SQUARES,
        key=angle_as_key,
        rdist_bound_of_key=rdist_bound_of_angle,
        rdist_bound=rdist_bound_of_angle,
        min_weight=min_angle,
        embed=on_sphere,
    ),
}
"""The metrics that a kd-tree can search, by their functions in `boruvka.graph.distances`."""
SEARCH_METRICS[distances.great_circle] = SEARCH_METRICS[distances.haversine]._replace(
    name="great_circle", weight=kilometres, rdist_bound=rdist_bound_of_kilometres, min_weight=min_kilometres
)


for _plain, _periodic in distances.IN_BOX.items():
    _metric = SEARCH_METRICS[_plain]
    SEARCH_METRICS[_periodic] = _metric._replace(
        name=f"periodic_{_metric.name}", norm=_metric.norm | PERIODIC
    )


def loosen_bound(rdist):
    """Reduce a bound slightly, so that nodes whose core distance equals the current weight are not pruned."""
    return max(rdist * (1.0 - 2.0**-40) - 4.0 * SMALLEST, 0.0)


def add_difference(total, t, norm):
    """Add the difference in one coordinate to a reduced distance."""
    if norm & ~PERIODIC == SUM_OF_SQUARES:
        return total + t * t
    return total + abs(t) if norm & ~PERIODIC == SUM else max(total, abs(t))


def difference_of(x, y, length, norm):
    """Return the difference of two coordinates, in a periodic box of this length to the nearest image."""
    return image_difference(x, y, length) if norm & PERIODIC else x - y


def least_difference(a_low, a_high, b_low, b_high, length, norm):
    """Return a lower bound of the differences of coordinates in two intervals."""
    gap = max(max(b_low - a_high, a_low - b_high), 0.0)
    if norm & PERIODIC:
        return min(gap, length - max(b_high - a_low, a_high - b_low))
    return gap
