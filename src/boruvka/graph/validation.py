"""Checks of what a graph is made from: vertex counts, ids and weights."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph

MOST_VERTICES = 1 << 48
"""More than the bytes of any memory; far below what NumPy refuses as the size of an array."""


def vertex_count(n: Any) -> int:
    """Check a number of vertices."""
    try:
        count = operator.index(n)
    except TypeError:
        raise GraphTypeError(f"n must be an integer, got {n!r}") from None
    if not 0 <= count <= MOST_VERTICES:
        raise GraphError(
            f"n must be between 0 and 2**48, got {count}; where it is not given, it is one more than the "
            "largest id: number vertices from 0 without gaps"
        )
    return count


def one_dimensional(name: str, values: Any) -> NDArray[Any]:
    """View values as a one-dimensional array."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        i = int(np.argmax(np.ma.getmaskarray(values).ravel()))
        raise GraphError(f"{name}[{i}] is masked: an edge has two ends and a weight")
    array = read_array(name, values)
    if array.ndim != 1:
        raise GraphError(f"{name} must have one dimension, this one has shape {array.shape}")
    return array


def read_array(name: str, values: Any) -> NDArray[Any]:
    """Read values as an array, or say by an error of our own that they are none."""
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise GraphTypeError(f"{name} cannot be read as an array: {error}") from None


def frozen_view(array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """View an array as read-only, contiguous, aligned and of a type; copy only where it must be."""
    view = np.require(array, dtype, ["C", "A"]).view()
    view.flags.writeable = False
    return view


def vertex_ids(name: str, values: Any) -> NDArray[Any]:
    """Check that ids are whole numbers that are not negative, and view them as unsigned."""
    ids = one_dimensional(name, values)
    if ids.size == 0:
        return np.empty(0, np.uint32)
    if ids.dtype.kind == "f":
        whole = (ids == np.floor(ids)) & (np.abs(ids) < np.float64(2**63))
        if not whole.all():
            i = int(np.argmin(whole))
            raise GraphError(f"{name}[{i}] = {ids[i]} is not a vertex: ids are whole numbers")
        ids = ids.astype(np.int64)
    if ids.dtype.kind not in "iu":
        raise GraphTypeError(f"{name} must hold integers, this one has dtype {ids.dtype}")
    if ids.dtype.kind == "u":
        return ids
    if ids.min() < 0:
        i = int(np.argmax(ids < 0))
        raise GraphError(f"{name}[{i}] = {ids[i]} is not a vertex: ids are not negative")
    return ids.astype(ids.dtype.newbyteorder("="), copy=False).view(f"u{ids.dtype.itemsize}")


def ids_below(n: int, name: str, ids: NDArray[Any]) -> NDArray[Any]:
    """Check that ids are below n; hold them in 32 bits while they fit."""
    if ids.size and ids.max() >= n:
        i = int(np.argmax(ids >= n))
        raise GraphError(f"{name}[{i}] = {ids[i]} is not a vertex: the graph has n = {n} vertices, from 0")
    return frozen_view(ids, np.uint32 if n <= 2**32 else np.uint64)


def check_weights_dtype(dtype: np.dtype[Any]) -> None:
    """Refuse weights that are neither integers nor floats."""
    if dtype.kind == "b":
        raise GraphTypeError("weights are booleans; for weights 0 and 1 pass w.astype(numpy.uint8)")
    if dtype.kind not in "iuf":
        raise GraphTypeError(f"weights must be integers or floats, these have dtype {dtype}")


def edge_weights(values: Any) -> NDArray[Any]:
    """Check weights, and view them as an array of integers or floats."""
    weights = one_dimensional("w", values)
    if isinstance(values, list | tuple) and weights.dtype.kind == "f" and weights.dtype.itemsize >= 8:
        check_not_rounded(weights, values)
    if weights.size == 0 and weights.dtype.kind not in "iuf":
        weights = np.empty(0, np.float64)
    check_weights_dtype(weights.dtype)
    return frozen_view(weights, weights.dtype.newbyteorder("="))


def check_not_rounded(w: NDArray[Any], values: Sequence[Any]) -> None:
    """Refuse integers that NumPy rounded because floats, or integers of another sign, stand beside them."""
    for i in np.flatnonzero(np.abs(w) >= 2.0**53).tolist():  # below it every integer is exact
        value = values[i]
        if isinstance(value, Integral) and int(w[i]) != int(value):
            raise GraphError(
                f"the weight {value} of edge {i} is no {w.dtype}, the common type of all weights; "
                "let all be integers of at most 64 bits, or all floats"
            )


def check_no_nan(graph: AbstractGraph) -> None:
    """Name the first edge whose weight is NaN; a minimum is NaN exactly if there is one."""
    w = graph.w
    if w.dtype.kind == "f" and w.size and np.isnan(w.min()):
        i = int(np.argmax(np.isnan(w)))
        raise GraphError(f"edge {i} ({graph.u[i]}, {graph.v[i]}) has the weight NaN")
