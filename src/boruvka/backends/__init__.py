"""Places where operators run, all with the protocol of `boruvka.backends.base.Backend`."""

from __future__ import annotations

import functools
from importlib import import_module

from boruvka.backends.base import Backend
from boruvka.errors import OptionError

__all__ = ["BACKENDS", "Backend", "get_backend"]

BACKENDS = {
    "threads": ("boruvka.backends.threads", "Threads"),
    "cuda": ("boruvka.backends.cuda", "Cuda"),
    "interpreted": ("boruvka.backends.interpreted", "Interpreted"),
}


@functools.cache
def get_backend(name: str, threads: int) -> Backend:
    """Get a backend by name.

    Parameters
    ----------
    name : str
        One of ``BACKENDS``.
    threads : int
        Number of threads it may use.

    Returns
    -------
    Backend

    Raises
    ------
    OptionError
        There is no backend of this name.
    """
    try:
        module, class_name = BACKENDS[name]
    except KeyError:
        raise OptionError(f"unknown backend {name!r}; there are {', '.join(BACKENDS)} and auto") from None
    return getattr(import_module(module), class_name)(threads)
