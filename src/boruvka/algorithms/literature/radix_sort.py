"""Least significant digit radix sort, as a sequence of splits: stable counting sorts by one digit.

Source: S. Patidar, P. J. Narayanan, Scalable Split and Gather Primitives for the GPU, 2009, as used in
V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, Fast Minimum Spanning Tree for Large Graphs on the GPU, HPG
2009, section 2.
"""

from __future__ import annotations

from typing import Any

from boruvka.backends.primitives import Backend
from boruvka.operators.sort_keys import U64


def sort(backend: Backend, key: Any, value: Any, first_bit: int = 0) -> tuple[Any, Any]:
    """Sort keys and their values, stably, starting at bit ``first_bit``.

    Parameters
    ----------
    backend : Backend
    key : (k,) array of uint64
        The keys. High bits that all keys share cost nothing.
    value : (k,) array
        The value of each key.
    first_bit : int
        The lowest bit to sort by.

    Returns
    -------
    key, value : (k,) arrays
        New arrays, or the arguments if there was nothing to sort.
    """
    if not key.size:
        return key, value
    last_bit = (int(key.min()) ^ int(key.max())).bit_length()
    digit_bits = backend.tuning.radix_digit_bits
    for bit in range(first_bit, last_bit, digit_bits):
        digits = 1 << min(digit_bits, last_bit - bit)
        into = backend.empty_worklist(key.size, (key.dtype, value.dtype))
        backend.emit_grouped(emit_by_digit, key.size, into, digits, key, value, U64(bit), U64(digits - 1))
        key, value = into
    return key, value


def emit_by_digit(i, key, value, bit, mask):
    """Emit element i, grouped by a digit of its key."""
    return True, (key[i] >> bit) & mask, key[i], value[i]
