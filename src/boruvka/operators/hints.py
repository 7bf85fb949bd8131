"""Hints for the compiler, which change no result. Backends without a use for them run the bodies here."""


def prefetch(array, i):
    """Fetch an element into the cache."""


def unvectorised(x):
    """Return an integer, and keep the loop around it from being vectorised.

    Where elements are read at random addresses, vector instructions gather them, and that takes three times
    as long as one read after the other.
    """
    return x
