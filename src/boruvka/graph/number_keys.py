"""Numbers for distinct 64-bit keys, in the order in which they first appear."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.operators.mixing import mix

AHEAD = np.uint64(16)
"""How many keys ahead a slot of the table is fetched into the cache."""
COMPILED_FROM = 1 << 13
"""Keys from which the loop is worth loading or compiling."""
FIRST_SLOTS = 1 << 13
GROWTH = 4
ONE = np.uint64(1)


def number_keys(keys: NDArray[np.uint64]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Number the distinct values of an array.

    Parameters
    ----------
    keys : (k,) array of uint64

    Returns
    -------
    numbers : (k,) array of uint32, or of uint64 where there are 2**32 keys or more
        The number of each key.
    first : (n,) array of int64
        The position at which each number first appears, ascending.
    """
    if keys.size < COMPILED_FROM:
        seen: dict[int, int] = {}
        positions = [seen.setdefault(key, i) for i, key in enumerate(keys.tolist())]
        first = np.fromiter(seen.values(), np.int64, len(seen))
        return np.searchsorted(first, positions).astype(np.uint32), first
    numbers = np.empty(keys.size, np.uint32 if keys.size < 2**32 else np.uint64)
    first = np.empty(keys.size, np.int64)  # the system gives only pages that are written
    slots, distinct, done = FIRST_SLOTS, 0, 0
    while True:
        table = np.zeros((slots, 2), np.uint64)
        known = keys[first[:distinct]]
        _number(known, 0, 0, table.ravel(), np.empty(distinct, np.int64), np.empty(distinct, numbers.dtype))
        done, distinct = _number(keys, done, distinct, table.ravel(), first, numbers)
        if done == keys.size:
            return numbers, first[:distinct].copy()
        slots *= GROWTH


@kernel
def _number(keys, begin, distinct, table, first, numbers):
    """Number keys from ``begin`` on until the table is half full; return where it stopped, and the count.

    The table has open addressing. A slot is two words, a key and one more than its number; 0 means free.
    """
    mask = np.uint64(table.size // 2 - 1)
    k, size, count, most = (
        np.uint64(begin),
        np.uint64(keys.size),
        np.uint64(distinct),
        np.uint64(table.size // 4),
    )
    while k < size and count < most:
        if k + AHEAD < size:
            prefetch(table, (mix(keys[k + AHEAD]) & mask) << ONE)
        key = keys[k]
        slot = mix(key) & mask
        while table[slot << ONE] != key and table[(slot << ONE) | ONE]:
            slot = (slot + ONE) & mask
        number = table[(slot << ONE) | ONE]
        if not number:
            first[count] = k
            count += ONE
            number = count
            table[slot << ONE] = key
            table[(slot << ONE) | ONE] = number
        numbers[k] = number - ONE
        k += ONE
    return k, count
