"""Functions that kernels call and that the compiler replaces by bodies of its own."""

import numpy as np

LANES = 8
"""Points that `lanes_within` compares at once: a vector of 512 bits."""
SUM_OF_SQUARES, SUM, LARGEST = 0, 1, 2
"""How `lanes_within` combines the differences of coordinates."""


def lanes_within(coordinates, row, first, bound, dimensions, norm):
    """Compare the distances from one point to `LANES` others with a bound.

    Parameters
    ----------
    coordinates : (dimensions, n + LANES) array of float64
        A row for each coordinate of all points.
    row : int
        The point.
    first : int
        The first of the others.
    bound : float
    dimensions, norm : int
        Constants: the number of coordinates, and how their differences are combined.

    Returns
    -------
    uint64
        A bit for each of the others, set if its distance is below the bound.
    """
    bits = 0
    for k in range(LANES):
        total = 0.0
        for q in range(dimensions):
            t = abs(coordinates[q, row] - coordinates[q, first + k])
            total = max(total, t) if norm == LARGEST else total + (t * t if norm == SUM_OF_SQUARES else t)
        bits |= int(total < bound) << k
    return np.uint64(bits)


def lanes_near_box(coordinates, first, box, b, bounds, at, dimensions, norm):
    """Compare the distances from `LANES` points to a box with a bound for each.

    Parameters
    ----------
    coordinates : (dimensions, n + LANES) array of float64
        A row for each coordinate of all points.
    first : int
        The first of the points.
    box : (boxes, 2 * dimensions) array of float64
        The lower and the upper corner of each box.
    b : int
        The box.
    bounds : array of float64
        The bounds, from position ``at`` on.
    dimensions, norm : int
        Constants: the number of coordinates, and how their differences are combined.

    Returns
    -------
    uint64
        A bit for each of the points, set if its distance is below its bound.
    """
    bits = 0
    for k in range(LANES):
        total = 0.0
        for q in range(dimensions):
            x = coordinates[q, first + k]
            t = max(box[b, q] - x, x - box[b, dimensions + q], 0.0)
            total = max(total, t) if norm == LARGEST else total + (t * t if norm == SUM_OF_SQUARES else t)
        bits |= int(total < bounds[at + k]) << k
    return np.uint64(bits)


def insert_in_lanes(keys, values, first, key, value):
    """Insert a key and its value into a part of a sorted list, `LANES` elements from ``first`` on.

    Elements that are not larger stay, the others move up by one, and the last one is lost; the element before
    ``first`` moves in if it is larger too. In a longer list, the last part is first.
    """
    for k in reversed(range(int(first), int(first) + LANES)):
        if keys[k] > key:
            moves = keys[k - 1] > key
            keys[k] = keys[k - 1] if moves else key
            values[k] = values[k - 1] if moves else value


def store(into, slot, values):
    """Store the values of an element in the columns of a worklist, as many as there are columns."""
    for column, value in zip(into, values, strict=False):
        column[slot] = value


def load_word(array, i):
    """Return eight bytes of an array of bytes as one number, the first byte lowest."""
    return int.from_bytes(array[i : i + 8].tobytes(), "little")


def leading_zeros(bits):
    """Count the zeros above the highest set bit of 64."""
    return 64 - int(bits).bit_length()


def trailing_zeros(bits):
    """Count the zeros below the lowest set bit."""
    return (int(bits) & -int(bits)).bit_length() - 1
