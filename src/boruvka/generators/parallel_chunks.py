"""Compiled loops over ranges of edges or vertices, on all processors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import compiler
from boruvka.generators import counter_rng as counter
from boruvka.runtime.processors import processors

CHUNK = 1 << 17


@functools.cache
def _known_to_numba() -> None:
    from numba.extending import register_jitable

    for function in counter.INLINED:
        register_jitable(function)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a loop as `boruvka.backends.kernel_cache.kernel` does; it may call the functions of `counter`.

    Whole numbers are passed as ``uint64``, the type of all arithmetic in these loops.
    """
    compiled = compiler.kernel(function)

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        _known_to_numba()
        return compiled(*(np.uint64(a) if type(a) is int else a for a in arguments))

    return call


def in_chunks(work: Callable[[int, int], Any], start: int, stop: int, chunk: int = CHUNK) -> list[Any]:
    """Call ``work(first, last)`` for consecutive chunks of a range, on all processors.

    Parameters
    ----------
    work : callable
        Calls a kernel that releases the GIL. It is called once with an empty range beforehand, so that
        the kernel is compiled by one thread.
    start, stop : int
        The range.
    chunk : int
        Indices a call.

    Returns
    -------
    list
        What the calls returned, in the order of the chunks.
    """
    firsts = range(start, stop, chunk)
    threads = min(processors(), len(firsts))
    if threads < 2:
        return [work(first, min(first + chunk, stop)) for first in firsts]
    work(start, start)
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda first: work(first, min(first + chunk, stop)), firsts))


def offsets(counts: list[int]) -> NDArray[np.uint64]:
    """Sum counts before each chunk; the last entry is the total."""
    sums = np.zeros(len(counts) + 1, np.uint64)
    np.cumsum(np.array(counts, np.uint64), out=sums[1:])
    return sums
