"""How distances prune a search: for each metric that a kd-tree can search, bounds that rounding cannot break.

The *separation* of two points is what the tree compares: a sum over the coordinates, from the first to the
last, or a maximum. Every operation in it is rounded monotonically, so the separation of two boxes, computed
in the same way, is at most that of any two points in them. The weight of a pair is the distance of the graph
itself; the other functions say how the two compare.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph import distances
from boruvka.graph.distances import haversine
from boruvka.kernels.kernel_functions import LARGEST, SUM, SUM_OF_SQUARES

__all__ = ["GEOMETRIES", "Geometry", "geometry_of"]

LARGEST_FLOAT = float(np.finfo(np.float64).max)
SMALLEST = 1e-322
"""A few of the smallest positive floats: more than rounding changes where squares underflow."""
CHORD_ERROR = 1e-14
"""More than the error of a chord, or of a weight as a chord, on a sphere of radius 1."""


class Geometry(NamedTuple):
    """What the search of a metric needs. All functions are compiled, but for ``embed``.

    Attributes
    ----------
    name : str
    norm : int
        How differences of coordinates are combined: see `boruvka.kernels.kernel_functions.lanes_within`.
    key : callable
        ``key(separation, i, j, points)`` orders the pairs of one point as their weights do, if not more
        finely.
    key_reach : callable
        A separation that every pair with a smaller key is below.
    weight : callable
        The weight of a key.
    reach : callable
        A finite separation that every pair with at most this weight is below.
    least : callable
        The least weight of pairs with at least this separation.
    embed : callable
        Maps points to those that are searched.
    """

    name: str
    norm: int
    key: Callable[..., Any]
    key_reach: Callable[[Any], Any]
    weight: Callable[[Any], Any]
    reach: Callable[[Any], Any]
    least: Callable[[Any], Any]
    embed: Callable[[NDArray[np.float64]], NDArray[np.float64]]

    @property
    def needs_points(self) -> bool:
        """Whether ``key`` reads the points as they were given."""
        return self.embed is not identity


def identity(x):
    """Return the argument."""
    return x


def separation_as_key(separation, i, j, points):
    """Order pairs by their separation."""
    return separation


def reach(weight):
    """Bound the separations that are weights."""
    return min(weight * (1.0 + 2.0**-51) + SMALLEST, LARGEST_FLOAT)


# Euclidean: the separation is the square, of which several have the same rounded root


def root(square):
    """Compute the weight."""
    return math.sqrt(square)


def reach_of_root(weight):
    """Bound the squares whose rounded root is at most a weight: larger ones are two roundings away."""
    return min(weight * weight * (1.0 + 2.0**-49) + SMALLEST, LARGEST_FLOAT)


# On the sphere: the separation is the square of the chord


def angle_as_key(separation, i, j, points):
    """Order pairs by their distance as the graph computes it."""
    return haversine(points[i], points[j])


def reach_of_angle(weight):
    """Bound the squared chords of pairs with at most this angle."""
    chord = 2.0 * math.sin(min(weight, math.pi) / 2.0) + CHORD_ERROR
    return chord * chord


def least_angle(square):
    """Bound the angles of chords from below."""
    return 2.0 * math.asin(max(0.0, min(1.0, math.sqrt(square) / 2.0 - CHORD_ERROR)))


def on_sphere(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Map latitudes and longitudes to points on the unit sphere."""
    latitude, longitude = points.T
    xyz = (
        np.cos(latitude) * np.cos(longitude),
        np.cos(latitude) * np.sin(longitude),
        np.sin(latitude),
    )
    return np.stack(xyz, axis=1)


GEOMETRIES: dict[Callable[[Any, Any], Any], Geometry] = {
    distances.euclidean: Geometry(
        "euclidean", SUM_OF_SQUARES, separation_as_key, identity, root, reach_of_root, root, identity
    ),
    distances.squared_euclidean: Geometry(
        "sqeuclidean", SUM_OF_SQUARES, separation_as_key, identity, identity, reach, identity, identity
    ),
    distances.manhattan: Geometry(
        "manhattan", SUM, separation_as_key, identity, identity, reach, identity, identity
    ),
    distances.chebyshev: Geometry(
        "chebyshev", LARGEST, separation_as_key, identity, identity, reach, identity, identity
    ),
    distances.haversine: Geometry(
        "haversine",
        SUM_OF_SQUARES,
        angle_as_key,
        reach_of_angle,
        identity,
        reach_of_angle,
        least_angle,
        on_sphere,
    ),
}
"""The metrics that a kd-tree can search, by their functions in `boruvka.graph.distances`."""


def geometry_of(distance: Callable[[Any, Any], Any]) -> Geometry | None:
    """Return the geometry of a distance, or None if no kd-tree can search it."""
    return GEOMETRIES.get(distance)


def just_below(separation):
    """Return a little less than a reach: nothing that a smaller reach leaves out is below it."""
    return max(separation * (1.0 - 2.0**-40) - 4.0 * SMALLEST, 0.0)


def add_difference(total, t, norm):
    """Add the difference in one coordinate to a separation."""
    if norm == SUM_OF_SQUARES:
        return total + t * t
    return total + abs(t) if norm == SUM else max(total, abs(t))
