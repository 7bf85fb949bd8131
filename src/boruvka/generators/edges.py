"""Checks of arguments, and loops over edges or vertices on all processors, for all families."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.graph.validation import vertex_dtype
from boruvka.kernels.kernel import kernel as compiled_kernel
from boruvka.kernels.team import map_parts
from boruvka.runtime import arguments
from boruvka.runtime.arguments import argument
from boruvka.runtime.processors import memory_size, processors

CHUNK = 1 << 17


def check_seed(seed: Any) -> int:
    """Check that a seed is a non-negative integer."""
    return arguments.integer("seed", seed, 0)


def check_memory(sizes: Mapping[str, float], n: int, m: int, dtype: np.dtype[Any], extra: int = 0) -> None:
    """Raise an `OptionError` if a graph is larger than the memory of this machine.

    Parameters
    ----------
    sizes : mapping
        The arguments that determine the size, for the message.
    n, m : int
        Vertices and (expected) edges.
    dtype : numpy.dtype
        The type of the weights.
    extra : int
        Bytes needed besides the edges.
    """
    needed = m * (2 * np.dtype(vertex_dtype(n)).itemsize + dtype.itemsize) + extra
    if needed > memory_size():
        raise OptionError(
            f"{', '.join(map(argument, sizes, sizes.values()))}: {m} edges of {n} vertices need "
            f"{needed / 2**30:.4g} GiB, and this machine has {memory_size() / 2**30:.4g} GiB of memory"
        )


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a loop as `boruvka.kernels.kernel.kernel` does.

    Integers are passed as uint64, the type of all arithmetic in these loops.
    """
    compiled = compiled_kernel(function)

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return compiled(*(np.uint64(x) if type(x) is int else x for x in arguments))

    return call


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


def write_range(
    write: Callable[..., Any], n: int, start: int, stop: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the ends (u, v) of edges ``start`` to ``stop - 1``.

    ``write(u, v, start, first, last)`` writes the ends of edges ``first`` to ``last - 1``; edge i is at index
    ``i - start``.
    """
    u, v = (np.empty(stop - start, vertex_dtype(n)) for _ in range(2))
    map_chunks(lambda first, last: write(u, v, start, first, last), start, stop)
    return u, v
