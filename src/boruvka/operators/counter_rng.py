"""A counter-based random number generator: random numbers are a hash of (seed, stream, index).

There is no state: draw ``index`` of a stream is the same in whatever order draws are made, so threads and
MPI ranks generate their parts of a graph independently. A key is a hash of (seed, stream). From the key and
the index, two rounds of the finaliser of SplitMix64 [1]_, `mix`, make 64 bits. With a single round, all
streams would be shifts of one sequence.

The functions of unsigned 64-bit numbers below are called in compiled loops, and also work on NumPy arrays.
Every constant is a ``uint64``, because Numba makes a float of ``uint64 + int64``.

.. [1] G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Consecutive multiples of it are well-spread inputs: 2**64 divided by the golden ratio."""
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
ONE = np.uint64(1)
LOW = np.uint64(0xFFFFFFFF)
KEPT_UP_TO = 4096
"""Maximum number of samples of `sample_below` that are kept for the next call."""
S11, S27, S30, S31, S32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))


def mix(x):
    """Map 64 bits, or an array of them, to 64 bits, one to one: every bit depends on every bit."""
    x = (x ^ (x >> S30)) * FIRST
    x = (x ^ (x >> S27)) * SECOND
    return x ^ (x >> S31)


def stream_key(seed: int, stream: str) -> np.uint64:
    """Compute the key of a stream: a cryptographic hash of the seed and the name of the stream."""
    import hashlib  # takes milliseconds, and a small solve draws nothing

    digest = hashlib.blake2b(f"{seed} {stream}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))


def random_bits(key: Any, index: Any) -> Any:
    """Draw 64 random bits."""
    return mix(mix(index + key) ^ key)


def random_unit(key: Any, index: Any) -> Any:
    """Draw a float from [0, 1), a multiple of 2**-53."""
    return (random_bits(key, index) >> S11) * 2.0**-53


def random_below(key: Any, index: Any, count: Any) -> Any:
    """Draw an integer from 0 to ``count - 1``, with a bias of less than count / 2**64.

    It is the high word of the 128-bit product of 64 random bits and the count.
    """
    x = random_bits(key, index)
    x_low, x_high = x & LOW, x >> S32
    count_low, count_high = count & LOW, count >> S32
    middle = x_high * count_low + ((x_low * count_low) >> S32)
    carry = (x_low * count_high + (middle & LOW)) >> S32
    return x_high * count_high + (middle >> S32) + carry


def random_event(key: Any, index: Any, limit: Any) -> Any:
    """Draw true with probability ``limit / 2**53``."""
    return (random_bits(key, index) >> S11) < limit


def bit_width(size: int) -> np.uint64:
    """Count the bits of the numbers below ``size``, the ``width`` of `permuted`."""
    return np.uint64(max(size - 1, 0).bit_length())


def permuted(key: Any, index: Any, size: Any, width: Any) -> Any:
    """Map ``index`` by a random permutation of ``[0, size)``, which is not stored; for compiled code only.

    Four rounds of a Feistel network on ``width`` bits (Luby, Rackoff: "How to construct pseudorandom
    permutations from pseudorandom functions", SIAM J. Comput. 17, 1988), whose halves may differ by a
    bit. A result outside the range is mapped again until it is inside (Black, Rogaway: "Ciphers with
    arbitrary finite domains", CT-RSA 2002).
    """
    half = width >> ONE
    low_mask = (ONE << half) - ONE
    high_mask = (ONE << (width - half)) - ONE
    x = index
    while True:
        low, high = x & low_mask, x >> half
        high ^= mix(low + key) & high_mask
        low ^= mix(high + key + GOLDEN) & low_mask
        high ^= mix(low + key + GOLDEN + GOLDEN) & high_mask
        low ^= mix(high + key + GOLDEN + GOLDEN + GOLDEN) & low_mask
        x = (high << half) | low
        if x < size:
            return x


def sample_below(size: int, count: int, seed: int = 0) -> NDArray[np.int64]:
    """Draw numbers below a size, the same in every process.

    Parameters
    ----------
    size : int
        At least 1.
    count : int
        Number of samples.
    seed : int
        A number from 0; each gives another sample.

    Returns
    -------
    (count,) array of int64

    Notes
    -----
    SplitMix64 makes the numbers. Importing NumPy's generators would take longer than many a solve.
    """
    below_one = _below_one if count <= KEPT_UP_TO else _below_one.__wrapped__
    return np.minimum(below_one(count, seed) * size, size - 1).astype(np.int64)


@functools.lru_cache(maxsize=8)
def _below_one(count: int, seed: int) -> NDArray[np.float64]:
    x = mix((np.arange(count, dtype=np.uint64) + np.uint64(seed * count)) * GOLDEN)
    return (x >> S11) * 2.0**-53
