"""Weights of a file that is read in parts: each part may have another type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError

__all__ = ["common_type", "converted", "hardest_to_convert"]

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
    if w.dtype == dtype:
        return w
    if dtype.itemsize > 8:
        raise GraphTypeError(f"weights of edges that are read in parts have at most 64 bits, not {dtype}")
    if dtype.kind == "u" and w.dtype.kind == "i" and w.size and w.min() < 0:
        raise GraphError("no 64-bit integer type holds both negative weights and weights above 2**63 - 1")
    result = w.astype(dtype)
    if dtype.kind == "f" and w.dtype.kind != "f":
        large: Sequence[int] = np.flatnonzero(np.abs(result) >= EXACT_BELOW).tolist()
        for i in large:
            if int(result[i]) != int(w[i]):
                raise GraphError(
                    f"the integer {w[i]} has no exact float64, but other weights are fractions: write all "
                    "weights as integers, or round it"
                )
    return result


def hardest_to_convert(w: NDArray[Any]) -> NDArray[Any]:
    """Return weights that no other type may hold: if it holds these, it holds all.

    Of 64-bit integers they are the smallest, and the first one that has no exact float64, if any.
    """
    if w.dtype.kind not in "iu" or w.itemsize < 8 or not w.size:
        return w[:0]
    smallest = w.min()
    if w.max() < EXACT_BELOW and smallest > -EXACT_BELOW:
        return np.array([smallest])
    large = w[(w >= EXACT_BELOW) | (w <= -EXACT_BELOW)]
    size = np.abs(large).view(np.uint64)
    odd_part = size // (size & (~size + np.uint64(1)))
    return np.array([smallest, *large[odd_part >= EXACT_BELOW][:1]], w.dtype)
