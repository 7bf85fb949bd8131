"""Round decimal numbers of up to 19 digits to the nearest double, in compiled code.

Source: D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51
(2021), algorithm 1, after W. Clinger, "How to read floating point numbers accurately" (1990).
Subnormal and infinite results, and the few products that leave the rounding open, are left to the caller.
"""

from __future__ import annotations

import itertools

import numpy as np

from boruvka.kernels.kernel_functions import leading_zeros

SMALLEST_EXPONENT, LARGEST_EXPONENT = -342, 308
"""Powers of ten for which a number of up to 19 digits may be a finite double other than 0."""


def _powers_of_five() -> np.ndarray:
    """Return the leading 128 bits of 5**q for each exponent q, high word first.

    They are truncated, except that reciprocals which the algorithm takes as exact (q >= -27) are rounded up.
    """
    powers = list(itertools.accumulate(range(-SMALLEST_EXPONENT), lambda power, _: 5 * power, initial=1))
    words = []
    for q in range(SMALLEST_EXPONENT, LARGEST_EXPONENT + 1):
        power = powers[abs(q)]
        bits = power.bit_length()
        if q < 0:
            scale = bits + 127 if q >= -27 else 2 * bits + 128
            power = (1 << scale) // power + 1
            bits = power.bit_length()
        leading = power >> (bits - 128) if bits > 128 else power << (128 - bits)
        words.append((leading >> 64, leading & (2**64 - 1)))
    return np.array(words, np.uint64)


POWERS_OF_FIVE = _powers_of_five()
POWERS_OF_TEN = 10.0 ** np.arange(23)
"""All powers of ten that are exact doubles."""

_ZERO, _ONE, _HALF = np.uint64(0), np.uint64(1), np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
_EXACT_UP_TO = np.uint64(1 << 53)


def _product(a, b):
    """Return the 128 bits of a * b: high word, low word."""
    a1, a0, b1, b0 = a >> _HALF, a & _LOW_HALF, b >> _HALF, b & _LOW_HALF
    low, middle = a0 * b0, a1 * b0
    cross = (low >> _HALF) + (middle & _LOW_HALF) + a0 * b1
    return a1 * b1 + (middle >> _HALF) + (cross >> _HALF), (cross << _HALF) | (low & _LOW_HALF)


def double_bits(mantissa, exponent):
    """Round mantissa * 10**exponent to a double.

    Parameters
    ----------
    mantissa : uint64
        All digits, as an integer.
    exponent : int64
        The power of ten.

    Returns
    -------
    uint64
        The bits of the double, sign clear.
    bool
        False if the caller must find the answer in another way.
    """
    if mantissa == _ZERO:
        return _ZERO, True
    if mantissa <= _EXACT_UP_TO and -22 <= exponent <= 22:
        double = np.float64(mantissa)
        double = double / POWERS_OF_TEN[-exponent] if exponent < 0 else double * POWERS_OF_TEN[exponent]
        return np.float64(double).view(np.uint64), True
    if exponent < SMALLEST_EXPONENT or exponent > LARGEST_EXPONENT:
        return _ZERO, False

    zeros = np.uint64(leading_zeros(mantissa))
    mantissa <<= zeros
    row = exponent - SMALLEST_EXPONENT
    high, low = _product(mantissa, POWERS_OF_FIVE[row, 0])
    if high & np.uint64(0x1FF) == np.uint64(0x1FF):
        carry, _ = _product(mantissa, POWERS_OF_FIVE[row, 1])
        low += carry
        if low < carry:
            high += _ONE
    if low == _ALL_ONES and not -27 <= exponent <= 55:
        return _ZERO, False
    upper = high >> np.uint64(63)
    shift = upper + np.uint64(9)
    rounded = high >> shift
    power = ((217706 * exponent) >> 16) + 63 + 1023 + np.int64(upper) - np.int64(zeros)
    if power <= 0:
        return _ZERO, False
    halfway = low <= _ONE and -4 <= exponent <= 23 and rounded & np.uint64(3) == _ONE
    if halfway and rounded << shift == high:
        rounded &= ~_ONE
    rounded = (rounded + (rounded & _ONE)) >> _ONE
    if rounded >> np.uint64(53):
        rounded >>= _ONE
        power += 1
    if power >= 2047:
        return _ZERO, False
    return (rounded & np.uint64((1 << 52) - 1)) | (np.uint64(power) << np.uint64(52)), True
