"""Hints for the compiler, which change no result. Backends without a use for them run the bodies here."""


def prefetch(array, i):
    """Fetch an element into the cache."""


def unvectorised(x):
    """Return an integer, and keep the loop around it from being vectorised.

    Vectorised reads at random addresses are gather instructions, which take three times as long as single
    reads.
    """
    return x
