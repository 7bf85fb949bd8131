"""The finaliser of SplitMix64, which makes random bits of any number.

Source: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
"""

import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Consecutive multiples of it are well-spread inputs: 2**64 divided by the golden ratio."""
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31 = np.uint64(27), np.uint64(30), np.uint64(31)


def mix(x):
    """Map 64 bits, or an array of them, to 64 bits, one to one: every bit depends on every bit."""
    x = (x ^ (x >> S30)) * FIRST
    x = (x ^ (x >> S27)) * SECOND
    return x ^ (x >> S31)
