"""Backends run operators: threads of this machine, a GPU, or the Python interpreter; the choice among them.

The primitives that they all implement are in `boruvka.backends.primitives`. Compiled backends make kernels of
operators (`boruvka.kernels`).
"""

from __future__ import annotations

import functools
from importlib.util import find_spec
from typing import Any

from boruvka.backends.primitives import Backend
from boruvka.errors import BackendError, BackendWarning, OptionError, warn

__all__ = ["BACKENDS", "Backend", "best_backend", "bytes_on_gpu", "check_fits", "get_backend", "why_not"]

BACKENDS = ("threads", "cuda", "interpreted")


def why_not(name: str) -> str | None:
    """Return the reason why one of `BACKENDS` cannot run here, or None if it can."""
    if name != "cuda":
        return None
    try:
        from boruvka.backends.cuda import backend
    except ImportError as error:
        return str(error)
    return backend.why_not()


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
    kind: type[Backend]
    if name == "threads":
        from boruvka.backends.threads import Threads as kind
    elif name == "cuda":
        from boruvka.backends.cuda.backend import Cuda as kind
    elif name == "interpreted":
        kind = Backend
    else:
        raise OptionError(f"unknown backend {name!r}; there are {', '.join(BACKENDS)} and auto")
    return kind(threads)


@functools.cache
def has_gpu() -> bool:
    """Return whether there is a GPU; nothing large is imported where CuPy is not installed."""
    if find_spec("cupy") is None:
        return False
    try:
        from boruvka.backends.cuda.compiler import IS_SIMULATED, has_device
    except ImportError:  # no numba-cuda
        return False
    return not IS_SIMULATED and has_device()


def best_backend(graph: Any) -> str:
    """Choose a backend for a graph.

    Parameters
    ----------
    graph : Graph
        A graph with an edge list.

    Returns
    -------
    str
        "cuda" if the graph fits a GPU and is there already or is large, else "threads".

    Warns
    -----
    BackendWarning
        The graph does not fit the memory of the GPU.
    """
    if not (graph.is_on_device or (graph.m >= Backend.tuning.gpu_pays_from and has_gpu())):
        return "threads"
    try:
        check_fits(graph)
    except BackendError as error:
        warn(f"{error}; the threads of the host are used instead", BackendWarning)
        return "threads"
    return "cuda"


def check_fits(graph: Any) -> None:
    """Raise a `BackendError` if a graph does not fit the free memory of the GPU."""
    from boruvka.backends.cuda.arrays import free_bytes

    needed, free = bytes_on_gpu(graph), free_bytes()
    if needed > free:
        raise BackendError(
            f"the graph needs {needed / 1e9:.1f} GB on the GPU, where {free / 1e9:.1f} GB are free"
        )


def bytes_on_gpu(graph: Any) -> int:
    """Estimate the bytes that the default algorithm allocates on a GPU, including the graph.

    An edge needs its ends and weight, two flags, and an element of two worklists (one is made from the
    other) unless the filter drops it: few edges of a dense graph are in a worklist. A vertex needs its
    parent, the best key, the chosen edge, and its component numbers of all rounds.
    """
    n, m, id_bytes, weight_bytes = graph.n, graph.m, graph.u.dtype.itemsize, graph.dtype.itemsize
    in_worklist = min(m, 2 * n + m // 4)
    element = 2 * id_bytes + 8 + (8 if weight_bytes == 8 else 0)
    copied = 0 if graph.is_on_device else 2 * id_bytes + weight_bytes
    return m * (copied + 2) + 2 * in_worklist * element + n * (16 + 4 * id_bytes)
