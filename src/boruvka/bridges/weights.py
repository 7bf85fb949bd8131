"""Weights where a library has no arrays of every type."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError


def at_most_64_bits(w: NDArray[Any]) -> NDArray[Any]:
    """Round ``longdouble`` to the nearest float64, infinite beyond its range; keep every other type."""
    if w.dtype.char != "g":
        return w
    with np.errstate(over="ignore"):
        return w.astype(np.float64)


def python_weights(w: NDArray[Any]) -> list[Any]:
    """List weights as Python's int or float."""
    return at_most_64_bits(w).tolist()


def check_exact(w: NDArray[Any], values: Sequence[Any]) -> None:
    """Refuse integers that NumPy rounded because floats, or integers of another sign, stand beside them.

    Parameters
    ----------
    w : (m,) array
        What NumPy made of the values.
    values : sequence of length m
        The values.

    Raises
    ------
    GraphError
        An integer was rounded; the message names the edge.
    """
    if w.dtype.kind != "f":
        return
    for i, (value, held) in enumerate(zip(values, w, strict=True)):
        if isinstance(value, Integral) and int(held) != int(value):
            raise GraphError(
                f"the weight {value} of edge {i} is no {w.dtype}, the common type of all weights; "
                "let all be integers of at most 64 bits, or all floats"
            )
