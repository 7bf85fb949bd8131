"""Rooted forests: other roots, values that are combined along paths and in subtrees, the longest path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.kernels.kernel import kernel
from boruvka.trees.structure import RootOrder

__all__ = ["OPERATIONS", "combine", "longest_path", "reroot"]

OPERATIONS = ("sum", "product", "min", "max")
NEAR = 1e-6
"""Relative difference of an integer from the same product of float64; their rounding is far smaller."""


def reroot(
    rooted: RootOrder, roots: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Make vertices of different trees the roots of their trees.

    Returns
    -------
    order, parent, edge : (n,) arrays of int64
        As in `RootOrder`.
    """
    parent, edge = rooted.parent.copy(), rooted.edge.copy()
    path = np.empty(parent.size, np.int64)
    paths = [np.empty(0, np.int64)]
    for vertex in roots.tolist():
        length = _reverse_path(np.int64(vertex), parent, edge, path)
        paths.append(path[:length].copy())
    first = np.concatenate(paths)
    is_first = np.zeros(parent.size, bool)
    is_first[first] = True
    return np.concatenate([first, rooted.order[~is_first[rooted.order]]]), parent, edge


def combine(
    order: NDArray[np.int64], parent: NDArray[np.int64], values: NDArray[Any], operation: str, upwards: bool
) -> NDArray[Any]:
    """Combine values from the root down to each vertex, or of all vertices below each, both included.

    Parameters
    ----------
    order, parent : (n,) arrays of int64
        The vertices, parents first, and the parent of each vertex.
    values : (n,) or (n, p) array of float64, int64 or uint64
        A value, or several, for each vertex.
    operation : str
        One of `OPERATIONS`.
    upwards : bool
        Combine the values of subtrees, instead of paths from the root.

    Raises
    ------
    GraphError
        A result does not fit the integers.
    """
    run = _combine_up if upwards else _combine_down

    def combine_plainly(operation: str, values: NDArray[Any]) -> NDArray[Any]:
        result, code = np.array(values, order="C"), np.int64(OPERATIONS.index(operation))
        run(order, parent, code, result.reshape(len(result), -1))
        return result

    return _combined_exactly(values, operation, combine_plainly)


def longest_path(
    order: NDArray[np.int64], parent: NDArray[np.int64], length: NDArray[np.float64]
) -> tuple[float, int, int]:
    """Return the length and the ends of the longest path, from the length of the edge above each vertex."""
    n = length.size
    longest, a, b = _longest_path(order, parent, length, np.zeros(n), np.arange(n))
    return float(longest), int(a), int(b)


def _combined_exactly(
    values: NDArray[Any], operation: str, combine: Callable[[str, NDArray[Any]], NDArray[Any]]
) -> NDArray[Any]:
    """Combine values by a function that may wrap integers around, or raise an error."""
    dtype = values.dtype
    if dtype.kind == "f":
        return combine(operation, values)
    if operation == "sum":  # of both halves of each integer; sums of halves do not overflow
        half = dtype.type(32)
        high = combine("sum", (values >> half).astype(np.int64))
        low = combine("sum", (values & dtype.type(0xFFFFFFFF)).astype(np.int64))
        high += low >> 32
        smallest, largest = np.iinfo(dtype).min >> 32, np.iinfo(dtype).max >> 32
        overflows = (high < smallest) | (high > largest)
        result = (high << 32 | (low & 0xFFFFFFFF)).view(dtype)
    elif operation == "product":  # which, if it does not fit, differs by a multiple of 2**64
        result = combine("product", values.view(np.int64)).view(dtype)
        nearly = combine("product", values.astype(np.float64))
        with np.errstate(invalid="ignore"):
            is_near = np.abs(result.astype(np.float64) - nearly) <= NEAR * np.abs(nearly)
        overflows = ~(is_near & np.isfinite(nearly))
    else:
        lowest = np.iinfo(dtype).min ^ np.iinfo(np.int64).min  # int64 in the same order
        shift = np.array(lowest & (2**64 - 1), np.uint64).view(np.int64)
        return (combine(operation, values.view(np.int64) ^ shift) ^ shift).view(dtype)
    if overflows.any():
        vertex = int(np.argwhere(overflows)[0, 0])
        raise GraphError(
            f"the {operation} at vertex {vertex} does not fit {dtype}: pass values.astype(numpy.float64)"
        )
    return result


@kernel
def _reverse_path(x, parent, edge, path):
    """Make a vertex the root of its tree; store the path to the old root, and return its length."""
    length, child, child_edge = 0, np.int64(-1), np.int64(-1)
    while x >= 0:
        path[length] = x
        length += 1
        above, above_edge = parent[x], edge[x]
        parent[x], edge[x] = child, child_edge
        x, child, child_edge = above, x, above_edge
    return length


@kernel
def _combine_down(order, parent, operation, values):
    for k in range(order.size):
        x = order[k]
        if parent[x] >= 0:
            for j in range(values.shape[1]):
                values[x, j] = _combined(operation, values[parent[x], j], values[x, j])


@kernel
def _combine_up(order, parent, operation, values):
    for k in range(order.size):
        x = order[order.size - 1 - k]
        if parent[x] >= 0:
            for j in range(values.shape[1]):
                values[parent[x], j] = _combined(operation, values[parent[x], j], values[x, j])


def _combined(operation, a, b):
    """Combine two values by an operation, given by its place in `OPERATIONS`."""
    if operation == 0:
        return a + b
    if operation == 1:
        return a * b
    if a != a:  # NaN, wherever it is
        return a
    if operation == 2:
        return a if a < b else b
    return a if a > b else b


@kernel
def _longest_path(order, parent, length, below, end):
    """Return the length and the ends of the longest path; ``below`` is for the longest from a vertex down."""
    longest, a, b = -1.0, np.int64(0), np.int64(0)
    for k in range(order.size):
        x = order[order.size - 1 - k]
        if longest < below[x]:
            longest, a, b = below[x], x, end[x]
        p = parent[x]
        if p < 0:
            continue
        reach = below[x] + length[x]
        if below[p] + reach > longest:
            longest, a, b = below[p] + reach, end[p], end[x]
        if reach > below[p]:
            below[p], end[p] = reach, end[x]
    return longest, a, b
