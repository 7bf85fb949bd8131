"""Sorting as a row of splits: a split brings together what has the same digit, and keeps it in order.

Source: S. Patidar, P. J. Narayanan, Scalable Split and Gather Primitives for the GPU, 2009, as document 3
uses it (V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, Fast Minimum Spanning Tree for Large Graphs on
the GPU, HPG 2009, section 2); the sort from the least digit to the greatest is as old as punched cards.
"""

from __future__ import annotations

from typing import Any

from boruvka.backends.protocol import Backend
from boruvka.operators.sort_keys import U64

DIGIT_BITS = 8
"""Bits of a digit: so many groups are written to without a miss in the table of pages."""


def sort(backend: Backend, key: Any, value: Any, first_bit: int = 0) -> tuple[Any, Any]:
    """Sort keys and their values, stably, by the bits from one on.

    Parameters
    ----------
    backend : Backend
    key : (k,) array of uint64
        What to sort by. Bits that all of them share cost nothing.
    value : (k,) array
        What goes with them.
    first_bit : int
        The lowest bit that counts.

    Returns
    -------
    key, value : arrays
        New ones, or the given ones if there was nothing to do.
    """
    if not key.size:
        return key, value
    last_bit = (int(key.min()) ^ int(key.max())).bit_length()
    for bit in range(first_bit, last_bit, DIGIT_BITS):
        digits = 1 << min(DIGIT_BITS, last_bit - bit)
        into = backend.empty_worklist(key.size, (key.dtype, value.dtype))
        backend.emit_grouped(by_digit, key.size, into, digits, key, value, U64(bit), U64(digits - 1))
        key, value = into
    return key, value


def by_digit(i, key, value, bit, mask):
    """Emit element i by a digit of its key."""
    return True, (key[i] >> bit) & mask, key[i], value[i]
