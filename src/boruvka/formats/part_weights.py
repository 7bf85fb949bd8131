"""Weights of a file that is read in parts: each part may have another type."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphTypeError
from boruvka.graph.exact import convert_exactly, inexact

__all__ = ["common_type", "converted", "find_conversion_witnesses"]

EXACT_BELOW = 2**53
"""All integers below it have an exact float64, and so have their negatives."""


def common_type(one: Any, other: Any) -> np.dtype[Any]:
    """Return the weight type of a file, given those of two parts: a part of a text may hold only integers.

    int64 and uint64 give uint64.
    """
    if one == other:
        return np.dtype(one)
    if {np.dtype(one).str[1:], np.dtype(other).str[1:]} == {"i8", "u8"}:
        return np.dtype(np.uint64)
    return np.promote_types(one, other)


def converted(w: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Convert weights to another type, exactly.

    Raises
    ------
    GraphError
        The type does not hold one of them.
    """
    if w.dtype != dtype and dtype.itemsize > 8:
        raise GraphTypeError(f"weights of edges that are read in parts have at most 64 bits, not {dtype}")
    return convert_exactly(w, dtype)


def find_conversion_witnesses(w: NDArray[Any]) -> NDArray[Any]:
    """Return the weights that are hardest to convert: a type that represents these represents all.

    Of 64-bit integers they are the smallest, and the first one that has no exact float64, if any.
    """
    if w.dtype.kind not in "iu" or w.itemsize < 8 or not w.size:
        return w[:0]
    smallest = w.min()
    if w.max() < EXACT_BELOW and smallest > -EXACT_BELOW:
        return np.array([smallest])
    rounded = inexact(w, np.dtype(np.float64))
    return np.array([smallest, *([] if rounded is None else w[rounded][:1])], w.dtype)
