"""Square matrices of distances: their two halves hold the same distances, except for rounding.

Every entrance that takes such a matrix checks it here. A half without distances, as in a matrix of which only
one triangle was computed, is filled from the other with a warning. Any other asymmetry is an error.

Two floats are one distance, rounded twice, if they differ by the rounding to single precision, relative to
their size; or if their squares differ by rounding, relative to those of distances to nearest neighbours, as
roots of differences do: ``sqrt(2 - 2 * correlation)`` of two equal series is 0 or 2e-8.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.runtime.caller import warn

__all__ = ["symmetric_matrices", "symmetric_matrix"]

TILE = 256
"""Number of rows and columns that are compared at once: both parts stay in the cache."""
RELATIVE_ROUNDING = 2.0**-22
"""Two units in the last place of single precision: distances of any type were often rounded to it before."""
ROOT_ROUNDING = 64.0
"""Machine epsilons that squares of distances may differ by, relative to that of a nearest neighbour."""
SAMPLE = 256
"""Number of rows whose nearest neighbours are found."""
ZERO = np.float64(0)


def symmetric_matrix(name: str, matrix: NDArray[Any], precision: np.dtype[Any] | None = None) -> NDArray[Any]:
    """Check that both halves of a matrix of distances are the same; fill an empty one from the other.

    Parameters
    ----------
    name : str
        Name of the matrix in messages.
    matrix : (n, n) array of integers or floats
        The distances. The diagonal does not matter.
    precision : dtype, optional
        The type that they had before they were converted. Integers are not rounded.

    Returns
    -------
    (n, n) array
        The matrix itself, or a copy with both halves.

    Raises
    ------
    GraphError
        An entry differs from the opposite one.

    Warns
    -----
    GraphWarning
        All entries of a half are zero, infinite or NaN, and those of the other are not.
    """
    if precision is None or precision.kind not in "iuf":
        precision = matrix.dtype
    filled, half = _filled(name, matrix, precision)
    if half:
        warn(f"the {half} half of {name} is empty, and is filled from the other: {_WHAT_TO_PASS}")
    return filled


def symmetric_matrices(name: str, stack: NDArray[Any]) -> NDArray[Any]:
    """Check the matrices of a (k, n, n) array as `symmetric_matrix` does, with one warning for all."""
    found, halves = stack, []
    at_once = max(TILE**2 // max(stack[:1].size, 1), 1)
    for first in range(0, len(stack), at_once):
        part = stack[first : first + at_once]
        differs = _differs(part, part.transpose(0, 2, 1), stack.dtype)
        for i in (first + np.flatnonzero(differs.any(axis=(1, 2)))).tolist():
            filled, half = _filled(f"{name}[{i}]", stack[i], stack.dtype)
            if half:
                found = stack.copy() if found is stack else found
                found[i] = filled
                halves.append(f"the {half} half of {name}[{i}]")
    if halves:
        more = f" (and of {len(halves) - 1} more)" if halves[1:] else ""
        warn(f"{halves[0]}{more} is empty, and is filled from the other: {_WHAT_TO_PASS}")
    return found


_WHAT_TO_PASS = "pass a + a.T for a triangle a of zeros, or the distances as pdist returns them"


def _filled(name: str, matrix: NDArray[Any], precision: np.dtype[Any]) -> tuple[NDArray[Any], str]:
    """Return the matrix with both halves, and which half was empty; no name if none was."""
    pair = _first_difference(matrix, precision)
    if pair is None:
        return matrix, ""
    for is_empty in np.isnan, np.isposinf, _is_zero:
        for half in "lower", "upper":
            if _is_half(matrix, half, is_empty):
                is_lower = np.tri(len(matrix), k=-1 if half == "lower" else 0, dtype=bool)
                one, other = (matrix.T, matrix) if half == "lower" else (matrix, matrix.T)
                return np.where(is_lower, one, other), half
    i, j = pair
    raise GraphError(
        f"{name}[{i}, {j}] is {matrix[i, j]}, but {name}[{j}, {i}] is {matrix[j, i]}: a matrix of distances "
        "is symmetric; pass numpy.minimum(a, a.T) if the smaller of both counts"
    )


def _is_half(matrix: NDArray[Any], half: str, has_value: Any) -> bool:
    """Return whether a half has entries, and all of them have some value."""
    n = len(matrix)
    if half == "lower":
        return n > 1 and all(has_value(matrix[i, :i]).all() for i in range(1, n))
    return n > 1 and all(has_value(matrix[i, i + 1 :]).all() for i in range(n - 1))


def _is_zero(values: NDArray[Any]) -> NDArray[np.bool_]:
    return values == 0


def _first_difference(matrix: NDArray[Any], precision: np.dtype[Any]) -> tuple[int, int] | None:
    """Find the first entry (i, j), along the rows, that is another distance than (j, i)."""
    n, nearest = len(matrix), None
    for row in range(0, n, TILE):
        pairs = []
        for column in range(row, n, TILE):
            one = matrix[row : row + TILE, column : column + TILE]
            other = matrix[column : column + TILE, row : row + TILE].T
            differs = _differs(one, other, precision)
            if precision.kind == "f" and differs.any():
                nearest = _typical_nearest(matrix) if nearest is None else nearest
                differs = _differs(one, other, precision, nearest)
            if differs.any():
                i, j = np.argwhere(differs)[0].tolist()
                pairs.append((row + i, column + j))
        if pairs:
            return min(pairs)
    return None


def _differs(
    one: NDArray[Any], other: NDArray[Any], precision: np.dtype[Any], nearest: Any = ZERO
) -> NDArray[np.bool_]:
    """Return a mask of the entries that differ by more than rounding; two NaN do not differ."""
    differs: NDArray[np.bool_] = one != other
    if precision.kind == "f" and differs.any():
        a, b = (x[differs].astype(np.result_type(x, np.float64)) for x in (one, other))
        epsilon = float(np.finfo(precision).eps)
        with np.errstate(all="ignore"):
            change, size = np.abs(a - b), np.fmin(np.abs(a), np.abs(b))
            is_same = change <= max(RELATIVE_ROUNDING, 2 * epsilon) * size
            is_same |= (change / nearest) * ((size + change) / nearest) <= ROOT_ROUNDING * epsilon
        differs[differs] = ~(is_same & np.isfinite(change) | (np.isnan(a) & np.isnan(b)))
    return differs


def _typical_nearest(matrix: NDArray[Any]) -> Any:
    """Return the median distance from a point to its nearest one, of some points."""
    n = len(matrix)
    points = np.arange(0, n, -(-n // SAMPLE))
    distances = np.abs(matrix[points].astype(np.float64))
    distances[np.arange(points.size), points] = np.inf
    nearest = np.fmin.reduce(distances, axis=1)
    nearest = nearest[np.isfinite(nearest)]
    return np.median(nearest) if nearest.size else ZERO
