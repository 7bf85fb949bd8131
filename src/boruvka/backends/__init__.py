"""Backends run operators: threads of this machine, a GPU, or the Python interpreter.

The primitives that they all implement are in `boruvka.backends.primitives`. Compiled backends make kernels of
operators (`boruvka.kernels`).
"""

from __future__ import annotations

import functools
from importlib import import_module

from boruvka.backends.primitives import Backend
from boruvka.errors import OptionError

__all__ = ["BACKENDS", "MODULES", "Backend", "get_backend", "why_not"]

BACKENDS = {
    "threads": ("boruvka.backends.threads", "Threads"),
    "cuda": ("boruvka.backends.cuda.backend", "Cuda"),
    "interpreted": ("boruvka.backends.primitives", "Backend"),
}
MODULES = {name: module for name, (module, _) in BACKENDS.items()} | {"mpi": "boruvka.distributed.mpi"}
"""The module to import for each backend, and for MPI ranks."""


def why_not(name: str) -> str | None:
    """Return the reason why a backend cannot run here, or None if it can.

    Parameters
    ----------
    name : str
        One of ``MODULES``.

    Returns
    -------
    str or None
    """
    try:
        module = import_module(MODULES[name])
    except ImportError as error:
        return str(error)
    return module.why_not() if hasattr(module, "why_not") else None


@functools.cache
def get_backend(name: str, threads: int) -> Backend:
    """Get a backend by name.

    Parameters
    ----------
    name : str
        One of ``BACKENDS``.
    threads : int
        Number of threads that it may use.

    Returns
    -------
    Backend

    Raises
    ------
    OptionError
        No backend has this name.
    BackendError
        The backend cannot run here.
    MissingExtraError
        The libraries of the backend are not installed.
    """
    try:
        module, class_name = BACKENDS[name]
    except KeyError:
        raise OptionError(f"unknown backend {name!r}; there are {', '.join(BACKENDS)} and auto") from None
    return getattr(import_module(module), class_name)(threads)
