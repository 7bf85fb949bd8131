"""What several threads may do to one element: the bodies here are the interpreted ones.

A backend binds these names to what its machine has. On one thread the bodies run as they stand, and
compiled they have no branch: an unconditional store of a minimum takes a third of the time of a
comparison that is mispredicted half the time.
"""


def atomic_min(a, i, x):
    """Put the smaller of a[i] and x into a[i]."""
    a[i] = min(a[i], x)


def atomic_add(a, i, x):
    """Add x to a[i], and return what was there before."""
    before = a[i]
    a[i] = before + x
    return before


def atomic_swap_if(a, i, expected, x):
    """Put x into a[i] if the expected value is there; return whether it was (compare and swap)."""
    if a[i] != expected:
        return False
    a[i] = x
    return True
