"""Sorting of 64-bit numbers: a radix sort, the same on every processor.

NumPy's sort of 64-bit numbers takes four times as long on some processors with AVX-512 as without. Here the
digits of the highest bits that differ are sorted from the last to the first, and exchanges of neighbours do
the rest. Where these are too many, because values share their highest bits, all digits are sorted.

Positions are sorted by 64-bit values nearly as fast. A rank, and as many of the low bits of the value as fit
above it, are sorted as one number. Then the same is done with the other bits.

Source: least significant digit radix sort: H. H. Seward, Information sorting in the application of
electronic digital computers to business operations, 1954.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import Kernel
from boruvka.kernels.kernel_functions import leading_zeros, trailing_zeros

U64 = np.uint64
ZERO, ONE, BITS, NONE = U64(0), U64(1), U64(64), ~U64(0)
DIGIT_BITS, DIGITS_FIRST = U64(11), U64(2)
"""Bits of a digit, and digits that are sorted before neighbours are exchanged."""
WIDE_FROM, WIDE_DIGIT_BITS, WIDE_DIGITS_FIRST = U64(1 << 19), U64(10), U64(3)
"""Bits and digits for so many values and more, which leave the second cache: fewer lists, more digits."""
MAX_DIGITS = 1 << 11
"""Number of counts that a sort needs."""
MOVES_PER_VALUE = U64(4)
"""Maximum steps of an insertion sort per value, on average; with more, another sort is faster."""


def sort_range(first, last, count, zero, a, b, into_b):
    """Sort a range of ``a``, into itself or into the same range of ``b``; both are overwritten.

    ``count`` has an element for each of the `MAX_DIGITS` digits. The compiler does not know that ``zero`` is
    0: it would replace loops that store a known 0 by calls of the C library.
    """
    in_all, in_any = NONE, ZERO
    for k in range(first, last):
        in_all &= a[k]
        in_any |= a[k]
    is_wide = last - first >= WIDE_FROM
    bits = WIDE_DIGIT_BITS if is_wide else DIGIT_BITS
    low = U64(trailing_zeros((in_all ^ in_any) | (ONE << U64(63))))
    high = max(BITS - U64(leading_zeros((in_all ^ in_any) | ONE)), low)
    start = high - min(high - low, bits * (WIDE_DIGITS_FIRST if is_wide else DIGITS_FIRST))
    in_b = sort_digits(first, last, count, zero, a, b, start, high, bits)
    if start > low and not sort_neighbours(first, last, b if in_b else a):
        if in_b:
            copy_range(first, last, zero, b, a)
        in_b = sort_digits(first, last, count, zero, a, b, low, high, bits)
    if in_b and not into_b:
        copy_range(first, last, zero, b, a)
    if into_b and not in_b:
        copy_range(first, last, zero, a, b)


def sort_digits(first, last, count, zero, a, b, low, high, bits):
    """Sort by the bits from ``low`` to ``high``, a digit at a time; return whether the result is in ``b``."""
    in_b = False
    while low < high:
        taken = min(bits, high - low)
        mask = (ONE << taken) - ONE
        for d in range(mask + ONE):
            count[d] = zero
        for k in range(first, last):
            count[(a[k] >> low) & mask] += ONE
        before = first
        for d in range(mask + ONE):
            here = count[d]
            count[d] = before
            before += here
        for k in range(first, last):
            d = (a[k] >> low) & mask
            b[count[d]] = a[k]
            count[d] += ONE
        a, b, in_b = b, a, not in_b
        low += taken
    return in_b


def sort_neighbours(first, last, values):
    """Sort nearly sorted values by insertion; return False if it takes too many moves."""
    left = MOVES_PER_VALUE * (last - first)
    for k in range(first + ONE, last):
        x, j = values[k], U64(k)
        while j > first and values[j - ONE] > x:
            values[j] = values[j - ONE]
            j -= ONE
        values[j] = x
        if U64(k) - j > left:
            return False
        left -= U64(k) - j
    return True


def copy_range(first, last, zero, source, into):
    """Copy a range of values, in a loop that the compiler does not replace by a call of the C library."""
    for k in range(first, last):
        into[k] = source[k] ^ zero


SORT_RANGE = Kernel(sort_range)


def emit_by_high_bits(i, values, low, shift):
    """Emit value i, grouped by its high bits."""
    return True, (values[i] - low) >> shift, values[i]


def argsort(
    values: NDArray[np.uint64], for_each: Callable[..., None], sort: Callable[[NDArray[np.uint64]], None]
) -> NDArray[np.uint64]:
    """List the positions of values from the smallest to the largest, and of equal ones in order.

    Parameters
    ----------
    values : (m,) array of uint64
    for_each, sort : callable
        Those of a backend.
    """
    order = packed = np.arange(values.size, dtype=np.uint64)
    low, bits = values.min(initial=NONE), int(np.ptp(values)).bit_length() if values.size else 0
    position_bits = values.size.bit_length()
    for shift in range(0, bits, 64 - position_bits):
        packed = np.empty(values.size, np.uint64)
        for_each(pack, values.size, values, order, low, U64(shift), U64(position_bits), packed)
        sort(packed)
        for_each(unpack, values.size, packed, U64((1 << position_bits) - 1), order)
        order = packed
    return order


def pack(k, values, order, low, shift, position_bits, packed):
    """Store the bits of the k-th value that fit above its rank, and the rank."""
    packed[k] = (((values[order[k]] - low) >> shift) << position_bits) | U64(k)


def unpack(k, packed, rank_mask, order):
    """Replace a packed value by the position of the value that had its rank."""
    packed[k] = order[packed[k] & rank_mask]
