"""Distances of many pairs at once: a block of the matrix of all distances.

Idea: the distances of a block are independent of each other, so the innermost loop runs over the columns of
a row, and a compiler vectorises it. Each distance is still one sum, in the order of the coordinates, rounded
as the function in `boruvka.graph.distances` rounds it: it has the same bits.

A few coordinates at a time are copied to scratch arrays that fit the cache; the array of the columns is
transposed. Four of them are added in two rows before the sums are stored again. Distances of other metrics
are computed one after the other.
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
from boruvka.graph.distances import one_less_cosine

U64 = np.uint64
BLOCK = U64(128)
"""Maximum number of rows and columns, and the pitch of rows: loops are faster if it is constant."""
COORDINATES = U64(32)
"""Number of coordinates that are copied at a time: for 128 columns they take 32 KB."""
ZERO, ONE, TWO, THREE, FOUR = map(U64, range(5))


class BlockMetric(NamedTuple):
    """A distance as a sum over the coordinates and a function of that sum."""

    add: Callable[[Any, Any, Any], Any]
    """``add(total, x, y)`` adds the coordinates x and y of two points, nothing if both are 0."""
    finish: Callable[[Any, Any, Any], Any]
    """``finish(total, a, b)`` is the distance; a and b are the lengths of the points as vectors."""


class BlockPoints(NamedTuple):
    """Points, and what a metric needs of each of them."""

    points: NDArray[Any]
    """The points; for a correlation, less the mean of the coordinates of each."""
    length: NDArray[np.float64]
    """Length of each point as a vector, for metrics of directions."""


def add_square(total, x, y):
    """Add the square of a difference."""
    difference = x - y
    return total + difference * difference


def add_absolute(total, x, y):
    """Add the absolute value of a difference."""
    return total + abs(x - y)


def add_relative(total, x, y):
    """Add the absolute value of a difference, divided by the sum of the absolute values."""
    return total + (abs(x - y) / (abs(x) + abs(y)) if (x != 0) | (y != 0) else 0.0)


def larger(total, x, y):
    """Return the absolute value of a difference if it is larger."""
    return max(total, abs(x - y))


def add_product(total, x, y):
    """Add a product."""
    return total + x * y


def total_of(total, a, b):
    """Return the sum."""
    return total


def root_of(total, a, b):
    """Return the root of the sum."""
    return math.sqrt(total)


def cosine_of(total, a, b):
    """Return the cosine distance."""
    return one_less_cosine(total, a * b)


BLOCK_METRICS: dict[Callable[[Any, Any], Any], BlockMetric] = {
    distances.canberra: BlockMetric(add_relative, total_of),
    distances.chebyshev: BlockMetric(larger, total_of),
    distances.correlation: BlockMetric(add_product, cosine_of),
    distances.cosine: BlockMetric(add_product, cosine_of),
    distances.euclidean: BlockMetric(add_square, root_of),
    distances.manhattan: BlockMetric(add_absolute, total_of),
    distances.squared_euclidean: BlockMetric(add_square, total_of),
}
"""The metrics whose loops are vectorised, by their functions in `boruvka.graph.distances`."""


def block_points(points: NDArray[Any], distance: Callable[[Any, Any], Any], backend: Backend) -> BlockPoints:
    """Find the means and lengths of points, if their metric needs them."""
    if distance is distances.correlation:
        given, points = points, np.empty_like(points)
        backend.for_each(subtract_mean, len(points), given, points)
    length = backend.zeros(len(points), np.float64)
    if distance in (distances.cosine, distances.correlation):
        backend.for_each(measure_length, len(points), points, length)
    return BlockPoints(points, length)


def subtract_mean(i, points, into):
    """Store a vector less its mean, as `boruvka.graph.distances` computes it."""
    d = points.shape[1]
    total = 0.0
    for q in range(d):
        total += points[i, q]
    for q in range(d):
        into[i, q] = points[i, q] - total / d


def measure_length(i, points, length):
    """Store the length of a vector, as `boruvka.graph.distances` computes it."""
    squares = 0.0
    for q in range(points.shape[1]):
        squares += points[i, q] * points[i, q]
    length[i] = math.sqrt(squares)


def block_scratch(dtype: Any) -> list[tuple[int, Any]]:
    """List the (size, type) of the scratch arrays for a block of distances of a type."""
    block, part = int(BLOCK), int(COORDINATES)
    return [(block * block, dtype), (block * part, np.float64), (block * part, np.float64)]


@functools.cache
def block_distances_of(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the function that computes the distances of a block: symmetric if rows and columns are the same.

    ``compute(top, height, left, width, source, rows, columns, out)`` stores the distance of the points
    ``top + x`` and ``left + y`` in ``out[x * BLOCK + y]``; ``rows`` and ``columns`` are scratch arrays.
    """
    metric = BLOCK_METRICS.get(distance)
    return _pair_by_pair(distance) if metric is None else _at_once(metric)


def _pair_by_pair(distance: Callable[[Any, Any], Any]) -> Operator:
    def compute(top, height, left, width, source, rows, columns, out):
        for x in range(height):
            for y in range(width):
                i, j = top + x, left + y
                if i < j:
                    out[x * BLOCK + y] = d = distance(source.points[i], source.points[j])
                    if top == left:
                        out[y * BLOCK + x] = d
                elif i == j:
                    out[x * BLOCK + y] = 0

    compute.__name__ = compute.__qualname__ = distance.__name__
    return compute


def _at_once(metric: BlockMetric) -> Operator:
    add, finish = metric.add, metric.finish

    def compute(top, height, left, width, source, rows, columns, out):
        d, even = U64(source.points.shape[1]), height + (height & ONE)
        for k in range(even * BLOCK):
            out[k] = 0.0
        for first in range(ZERO, d, COORDINATES):
            for x in range(even):
                copy_coordinates(source, top + min(x, height - ONE), first, rows, x * COORDINATES, ONE)
            for y in range(width):
                copy_coordinates(source, left + y, first, columns, y, BLOCK)
            for x in range(ZERO, even, TWO):
                for q in range(ZERO, min(COORDINATES, d - first), FOUR):
                    a = x * COORDINATES + q
                    add_four(a, q * BLOCK, x * BLOCK, width, rows, columns, out)
        for x in range(height):
            row, length = x * BLOCK, source.length[top + x]
            for y in range(width):
                out[row + y] = finish(out[row + y], length, source.length[left + y])

    def add_four(a, b, k, width, rows, columns, out):
        x0, x1, x2, x3 = rows[a], rows[a + ONE], rows[a + TWO], rows[a + THREE]
        a, m = a + COORDINATES, k + BLOCK  # the next row
        z0, z1, z2, z3 = rows[a], rows[a + ONE], rows[a + TWO], rows[a + THREE]
        for y in range(width):
            c0, c1 = columns[b + y], columns[b + BLOCK + y]
            c2, c3 = columns[b + TWO * BLOCK + y], columns[b + THREE * BLOCK + y]
            out[k + y] = add(add(add(add(out[k + y], x0, c0), x1, c1), x2, c2), x3, c3)
            out[m + y] = add(add(add(add(out[m + y], z0, c0), z1, c1), z2, c2), z3, c3)

    compute.__name__ = compute.__qualname__ = f"block_{add.__name__}_{finish.__name__}"
    add_four.__name__ = add_four.__qualname__ = f"add_four_{add.__name__}"
    return compute


def copy_coordinates(source, i, first, into, slot, step):
    """Copy coordinates of a point relative to its centre, and zeros up to a multiple of four."""
    d = U64(source.points.shape[1])
    for q in range(min(COORDINATES, (d - first + THREE) & ~THREE)):
        here = first + q < d
        into[slot + q * step] = source.points[i, first + q] if here else 0.0


@functools.cache
def four_distances_of(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the function that computes the distances of four pairs: their sums do not wait for each other.

    ``measure(rows, columns, source)`` takes and returns tuples.
    """
    add, finish = BLOCK_METRICS[distance]

    def measure(rows, columns, source):
        (i0, i1, i2, i3), (j0, j1, j2, j3) = rows, columns
        points, length = source
        t0 = t1 = t2 = t3 = 0.0
        for q in range(points.shape[1]):
            t0 = add(t0, points[i0, q], points[j0, q])
            t1 = add(t1, points[i1, q], points[j1, q])
            t2 = add(t2, points[i2, q], points[j2, q])
            t3 = add(t3, points[i3, q], points[j3, q])
        return (
            finish(t0, length[i0], length[j0]),
            finish(t1, length[i1], length[j1]),
            finish(t2, length[i2], length[j2]),
            finish(t3, length[i3], length[j3]),
        )

    measure.__name__ = measure.__qualname__ = f"four_{add.__name__}_{finish.__name__}"
    return measure
