"""Radix heap: a queue of kernels for keys that are never less than the last one that was removed.

An entry is in the list of the highest bit in which its key differs from the last one that was removed. Only
the lists of lower bits get its entries when it is the first. Keys are unsigned integers, or the bits of
floats of 0 or more, which ascend as these floats do.
"""

from __future__ import annotations

import numpy as np

from boruvka.kernels.kernel_functions import leading_zeros, trailing_zeros

ZERO, ONE = np.uint64(0), np.uint64(1)


def insert(keys, following, heads, filled, slot, last):
    """Insert an entry into its list; return which lists are not empty."""
    level = np.uint64(64) - np.uint64(leading_zeros(keys[slot] ^ last))
    following[slot], heads[level] = heads[level], slot
    return filled | (ONE << level)


def remove_first(keys, nodes, bits, following, heads, filled, last):
    """Do one step of removing the first entry of a heap that is not empty.

    An entry is out of date if it has another key than ``bits`` of its node: a smaller one was inserted since.

    Returns
    -------
    slot : int
        The entry that was removed; -1 if this step only sorted entries, or removed one that is out of date.
    filled, last : uint64
        Which lists are not empty, and the last key.
    """
    level = np.uint64(trailing_zeros(filled))
    slot = heads[level]
    if level > ZERO:
        heads[level], filled = -1, filled ^ (ONE << level)
        last = _least(keys, following, slot)
        while slot >= 0:
            after = following[slot]
            if keys[slot] == bits[nodes[slot]]:
                filled = insert(keys, following, heads, filled, slot, last)
            slot = after
        return slot, filled, last
    heads[ZERO] = following[slot]
    if heads[ZERO] < 0:
        filled ^= ONE
    return slot if keys[slot] == bits[nodes[slot]] else np.int64(-1), filled, last


def _least(keys, following, slot):
    """Return the least key of a list."""
    least = keys[slot]
    while slot >= 0:
        least = min(least, keys[slot])
        slot = following[slot]
    return least
