"""Sorting positions by values of 64 bits, as fast as sorting the values.

NumPy sorts 64-bit numbers several times as fast as it sorts their positions. So a position and as many of the
high bits of its value as fit beside it are sorted as one number. Positions whose high bits are equal are then
put in order by the whole values; of random values there are few.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel

ONE = np.uint64(1)
PACKING_PAYS_FROM = 10_000
"""Minimum number of values for packing."""
MOVES_PER_VALUE = 4
"""Maximum steps of the insertion sort per value, on average; with more, a stable sort is faster."""


def argsort(
    values: NDArray[np.uint64],
    for_each: Callable[..., None],
    sort: Callable[[NDArray[np.uint64]], None],
) -> NDArray[np.uint64]:
    """List the positions of values from the smallest to the largest, and of equal ones in order.

    Parameters
    ----------
    values : (m,) array of uint64
    for_each, sort : callable
        Those of a backend.
    """
    if values.size < PACKING_PAYS_FROM:
        return _argsort(values)
    position_bits = values.size.bit_length()
    low, high = int(values.min()), int(values.max())
    shift = max((high - low).bit_length() + position_bits - 64, 0)
    packed = np.empty(values.size, np.uint64)
    for_each(_pack, values.size, values, *map(np.uint64, (low, shift, position_bits)), packed)
    sort(packed)
    position_mask = np.uint64((1 << position_bits) - 1)
    if shift and not _sort_equal_high_bits(
        packed, values, position_mask, np.uint64(MOVES_PER_VALUE * values.size)
    ):
        return _argsort(values)
    for_each(_keep_position, values.size, packed, position_mask)
    return packed


def _argsort(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    order = np.argsort(values)  # vectorised, and several times as fast as a stable sort
    ordered = values[order]
    if (ordered[1:] == ordered[:-1]).any():
        order = np.argsort(values, kind="stable")
    return order.astype(np.uint64)


def _pack(i: Any, values: Any, low: Any, shift: Any, position_bits: Any, packed: Any) -> None:
    packed[i] = (((values[i] - low) >> shift) << position_bits) | np.uint64(i)


def _keep_position(k: Any, packed: Any, position_mask: Any) -> None:
    packed[k] &= position_mask


@kernel
def _sort_equal_high_bits(packed, values, position_mask, most):
    """Sort positions whose high bits are equal by insertion; return False if it takes too many moves."""
    moves = np.uint64(0)
    for k in range(ONE, np.uint64(packed.size)):
        x = packed[k]
        if (x ^ packed[k - ONE]) <= position_mask:
            j, value = np.uint64(k), values[x & position_mask]
            while (
                j
                and (x ^ packed[j - ONE]) <= position_mask
                and values[packed[j - ONE] & position_mask] > value
            ):
                packed[j] = packed[j - ONE]
                j -= ONE
            packed[j] = x
            moves += np.uint64(k) - j
            if moves > most:
                return False
    return True
