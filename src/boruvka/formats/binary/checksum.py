"""The CRC-32 of data, computed from those of its pieces.

A CRC is a polynomial over GF(2) modulo a fixed one; the highest bit is the coefficient of x**0. Appending
a zero byte multiplies it by x**8. Source: zlib, ``crc32_combine``.
"""

from __future__ import annotations

import functools

__all__ = ["join_crc32"]

_MODULUS = 0xEDB88320
_ONE, _BYTE = 1 << 31, 1 << 23
"""x**0 and x**8."""


def join_crc32(first: int, second: int, size: int) -> int:
    """Return the CRC-32 of two pieces in sequence; ``size`` is the number of bytes of the second."""
    return _multiply(first, _zeros(size)) ^ second


@functools.lru_cache(4)
def _zeros(size: int) -> int:
    """Return x**(8 * size): the factor by which ``size`` zero bytes multiply a CRC."""
    power, square = _ONE, _BYTE
    while size:
        if size & 1:
            power = _multiply(power, square)
        square = _multiply(square, square)
        size >>= 1
    return power


def _multiply(a: int, b: int) -> int:
    product = 0
    while a:
        if a & _ONE:
            product ^= b
        a = a << 1 & 0xFFFFFFFF
        b = b >> 1 ^ (_MODULUS if b & 1 else 0)
    return product
