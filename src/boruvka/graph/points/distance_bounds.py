"""Bounds of many distances at once, from products of matrices in float32.

Idea: half the square of the distance of two points is a + b - p, where a and b are half the squares of their
lengths, and p is their product as vectors. The products of two blocks of points are a product of matrices,
which takes one multiplication and one addition for each coordinate, sixteen pairs at a time. Rounding errors
are bounded for each pair: where the bounds decide, no distance is computed.

Points are moved by a vector near their mean, as errors grow with their lengths, and multiplied by a power of
two, so that no coordinate is above 1. For metrics of directions they are made vectors of length 1: half the
square of their distance is the cosine distance.

Why the bounds hold: let u = 2**-24, and let points have d coordinates. Products are added four by four, so
each takes part in at most d / 4 + 4 roundings, and the error of p is at most 1.01 (d / 4 + 4) u (a + b): see
N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2. Coordinates are rounded to
float32, which moves a point by at most u times its length, and so changes half the square of a distance by at
most 4 u (a + b). Rounding a, b, their sum, its difference to p, and the lower bound adds at most 8 u (a + b).
The computed distance is a float64, whose own error is much smaller. Together these are less than
(0.26 d + 20) u (a + b), to which `TINY` is added, as float32 may underflow. A lower bound is also less by the
factor 1 - `LOOSE`: a core distance, which may be above a + b, is rounded too.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator
from boruvka.graph import distances
from boruvka.graph.points.distance_blocks import BLOCK, BlockPoints

U64, F32 = np.uint64, np.float32
PITCH = BLOCK + U64(16)
"""Entries from one row of a block to the next: with a power of two, columns share few cache lines."""
COORDINATES = U64(64)
"""Number of coordinates that are multiplied at a time: of two blocks of points they fit the cache."""
UNIT = 2.0**-24
TINY, LOOSE = 2.0**-100, F32(2.0**-18)
LARGEST_BOUND = 2.0**100
"""The bound of larger core distances. It is far above all bounds of distances, which are at most 2 d, so it
excludes no pair."""
INFINITE = F32(np.inf)
SMALLEST, LARGEST = 2.0**-300, 2.0**300
"""Range of the magnitudes of points: no square overflows, and those that underflow do not matter."""
MOST_COORDINATES = 1 << 16
"""With more, bounds are loose."""
ZERO, ONE, TWO, THREE, FOUR = map(U64, range(5))


def half_square_of(distance, scale):
    """Return half the square of a distance."""
    return (distance * scale) * (distance * scale) / 2


def half_square_of_square(square, scale):
    """Return half the square of a distance whose square is given."""
    return square * scale * scale / 2


def half_square_of_cosine(distance, scale):
    """Return half the square of the distance of vectors of length 1: their cosine distance."""
    return distance


PRODUCT_METRICS: dict[Callable[[Any, Any], Any], Operator] = {
    distances.correlation: half_square_of_cosine,
    distances.cosine: half_square_of_cosine,
    distances.euclidean: half_square_of,
    distances.squared_euclidean: half_square_of_square,
}
"""Metrics that grow with a + b - p, and functions that compute that from a distance and the scale."""


class DistanceBounds(NamedTuple):
    """Points in blocks, and bounds of the errors of their products."""

    coordinates: NDArray[np.float32]
    """Coordinate q of point x of block b, at (b * d + q) * BLOCK + x; d is a multiple of four."""
    d: np.uint64
    square: NDArray[np.float32]
    """Half the square of the length of each point, and its share of the error; infinite after the last."""
    error: NDArray[np.float32]
    """The lower bound of a pair is the upper one less the sum of these of both points: see `lowered`."""
    scale: np.float64
    """Factor of the coordinates."""


def distance_bounds(
    source: BlockPoints, distance: Callable[[Any, Any], Any], backend: Backend
) -> DistanceBounds | None:
    """Prepare points for bounds; None for metrics without bounds, and where distances are as fast."""
    points, n = source.points, len(source.points)
    if distance not in PRODUCT_METRICS or n <= BLOCK or not 1 <= points.shape[1] <= MOST_COORDINATES:
        return None
    is_direction = distance in (distances.cosine, distances.correlation)
    least, most = (source.length.min(), source.length.max()) if is_direction else (1.0, np.ptp(points))
    # NaN and infinities, which points may have got since they were checked, fail one of these comparisons.
    if not SMALLEST <= least <= max(least, most) <= LARGEST or not most >= SMALLEST:
        return None
    shift = np.zeros(points.shape[1]) if is_direction else points[:: max(n // 1_024, 1)].mean(axis=0)
    scale = np.float64(1.0 if is_direction else 2.0 ** -math.ceil(math.log2(most)))
    blocks, d = -(-n // int(BLOCK)), -(-points.shape[1] // 4) * 4
    size = blocks * int(BLOCK)
    coordinates, square, error = (backend.empty(entries, np.float32) for entries in (size * d, size, size))
    bounds = DistanceBounds(coordinates, U64(d), square, error, scale)
    share = np.float64((0.26 * d + 20) * UNIT)
    backend.for_each_block(
        pack_block, blocks, [(int(BLOCK), np.float64)], source, shift, is_direction, share, bounds
    )
    return bounds


def pack_block(b, square, source, shift, is_direction, share, bounds):
    """Store the points of a block."""
    n, dimensions, begin = U64(source.points.shape[0]), U64(source.points.shape[1]), b * BLOCK
    for x in range(BLOCK):
        square[x] = 0.0
    for first in range(ZERO, bounds.d, COORDINATES):
        last = min(first + COORDINATES, bounds.d)
        for x in range(BLOCK):
            i = min(begin + x, n - ONE)
            factor = bounds.scale / source.length[i] if is_direction else bounds.scale
            for q in range(first, last):
                value = F32((source.points[i, q] - shift[q]) * factor) if q < dimensions else F32(0.0)
                bounds.coordinates[(b * bounds.d + q) * BLOCK + x] = value
                square[x] += np.float64(value) * np.float64(value)
    for x in range(BLOCK):
        a = square[x] / 2
        bounds.square[begin + x] = F32(a + share * a + TINY) if begin + x < n else INFINITE
        bounds.error[begin + x] = F32(2 * (share * a + TINY))


def bound_block(b, c, bounds, out):
    """Store upper bounds of half the squares of the distances of two blocks, a row for each point of b."""
    for x in range(BLOCK):
        for y in range(BLOCK):
            out[x * PITCH + y] = F32(0.0)
    for first in range(ZERO, bounds.d, COORDINATES):
        for x in range(ZERO, BLOCK, FOUR):
            for q in range(first, min(first + COORDINATES, bounds.d), FOUR):
                row, column = (b * bounds.d + q) * BLOCK + x, (c * bounds.d + q) * BLOCK
                add_products(row, column, x * PITCH, bounds.coordinates, out)
    for x in range(BLOCK):
        square = bounds.square[b * BLOCK + x]
        for y in range(BLOCK):
            out[x * PITCH + y] = (square + bounds.square[c * BLOCK + y]) - out[x * PITCH + y]


def add_products(a, b, k, coordinates, out):
    """Add the products of four coordinates, of four rows with all columns."""
    x0, x1, x2, x3 = four_coordinates(a, coordinates)
    y0, y1, y2, y3 = four_coordinates(a + ONE, coordinates)
    z0, z1, z2, z3 = four_coordinates(a + TWO, coordinates)
    t0, t1, t2, t3 = four_coordinates(a + THREE, coordinates)
    for c in range(BLOCK):
        c0, c1 = coordinates[b + c], coordinates[b + BLOCK + c]
        c2, c3 = coordinates[b + TWO * BLOCK + c], coordinates[b + THREE * BLOCK + c]
        out[k + c] += x0 * c0 + x1 * c1 + x2 * c2 + x3 * c3
        out[k + PITCH + c] += y0 * c0 + y1 * c1 + y2 * c2 + y3 * c3
        out[k + TWO * PITCH + c] += z0 * c0 + z1 * c1 + z2 * c2 + z3 * c3
        out[k + THREE * PITCH + c] += t0 * c0 + t1 * c1 + t2 * c2 + t3 * c3


def four_coordinates(a, coordinates):
    """Return four coordinates of a point."""
    return (
        coordinates[a],
        coordinates[a + BLOCK],
        coordinates[a + TWO * BLOCK],
        coordinates[a + THREE * BLOCK],
    )


@functools.cache
def bound_of(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the function that bounds a core distance from above, up to `LARGEST_BOUND`."""
    exact = PRODUCT_METRICS[distance]

    def bound(weight, scale):
        return F32(min(exact(weight, scale) * (1 + 2.0**-20) + TINY, LARGEST_BOUND))

    bound.__name__ = bound.__qualname__ = exact.__name__
    return bound


def lowered(upper, error):
    """Return the lower bound of a pair from its upper bound and the sum of the errors of its points."""
    return upper * (F32(1.0) - LOOSE) - error
