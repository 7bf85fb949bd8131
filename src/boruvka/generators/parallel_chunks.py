"""Compiled loops over ranges of edges or vertices, in parallel on all processors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.kernel import kernel as compiled_kernel
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.runtime.processors import processors
from boruvka.runtime.thread_pool import map_parts

CHUNK = 1 << 17


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a loop as `boruvka.backends.kernel.kernel` does.

    Integers, also those in a named tuple, are passed as uint64, the type of all arithmetic in these loops.
    """
    compiled = compiled_kernel(function)

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return compiled(*map(_as_uint64, arguments))

    return call


def _as_uint64(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return type(argument)(*map(_as_uint64, argument))
    return np.uint64(argument) if type(argument) is int else argument


def map_chunks(work: Callable[[int, int], Any], start: int, stop: int, chunk: int = CHUNK) -> list[Any]:
    """Call ``work(first, last)`` for consecutive chunks of a range, in parallel.

    Parameters
    ----------
    work : callable
        Calls a kernel that releases the GIL. It is called once with an empty range beforehand, so that
        one thread alone compiles the kernel.
    start, stop : int
        The range.
    chunk : int
        Indices in a chunk.

    Returns
    -------
    list
        The results, in the order of the chunks.
    """
    firsts = range(start, stop, chunk)
    threads = min(processors(), len(firsts))
    if threads > 1:
        work(start, start)
    return map_parts(lambda first: work(first, min(first + chunk, stop)), firsts, threads)


WriteEdges = Callable[[NDArray[Any], NDArray[Any], Any, int, int], int]
"""``write(u, v, slot, first, last)`` writes the edges of vertices ``first`` to ``last - 1`` from ``slot`` on,
and returns their number. Where the arrays have no room, it only counts.
"""


def count_edges(write: WriteEdges, n: int, chunk: int = CHUNK) -> NDArray[np.uint64]:
    """Count the edges of n vertices.

    Returns
    -------
    (chunks + 1,) array of uint64
        The number of edges before each chunk of vertices; the last element is the number of all edges.
    """
    none = np.empty(0, vertex_dtype(n))
    counts = map_chunks(lambda first, last: write(none, none, 0, first, last), 0, n, chunk)
    begins = np.zeros(len(counts) + 1, np.uint64)
    np.cumsum(np.array(counts, np.uint64), out=begins[1:])
    return begins


def write_edges(
    write: WriteEdges, n: int, begins: NDArray[np.uint64], chunk: int = CHUNK
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Write the edges of n vertices that `count_edges` counted, and return their ends (u, v)."""
    u, v = (np.empty(int(begins[-1]), vertex_dtype(n)) for _ in range(2))
    map_chunks(lambda first, last: write(u, v, begins[first // chunk], first, last), 0, n, chunk)
    return u, v
