"""How loops are compiled; Numba is imported when the first of them is called.

Kernels allocate nothing, so they are compiled without reference counting: with it, an operator that
indexes an array inside a branch runs up to 30 times slower. They release the GIL.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def jit(function: Callable[..., Any], name: str | None = None) -> Callable[..., Any]:
    """Compile a function when it is first called with a combination of types.

    Parameters
    ----------
    function : callable
        A loop over arrays that allocates nothing.
    name : str, optional
        Its name in the cache, for people.

    Returns
    -------
    callable
        Numba's dispatcher.
    """
    from boruvka.backends.numba_internals import compile_kernel

    module = function.__module__.rpartition(".")[2]
    return compile_kernel(function, name or f"{module}.{function.__qualname__}")


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a sequential loop so that it is compiled, and Numba imported, when it is first called."""
    compiled: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*arguments):
        nonlocal compiled
        if compiled is None:
            compiled = jit(function)
        return compiled(*arguments)

    return call
