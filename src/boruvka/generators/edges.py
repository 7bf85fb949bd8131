"""Ends and weights of generated edges, for all families: checks of arguments, and loops on all processors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.graph.validation import vertex_dtype
from boruvka.kernels.kernel import kernel as compiled_kernel
from boruvka.kernels.team import map_parts
from boruvka.operators.counter_rng import bit_width, permuted, random_below, random_unit, stream_key
from boruvka.runtime import arguments
from boruvka.runtime.arguments import argument
from boruvka.runtime.processors import memory_size, processors

CHUNK = 1 << 17

Kind = Literal["uniform", "distinct", "integers_8", "integers_1000", "constant"]
Type = Literal["float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]

KINDS: tuple[str, ...] = get_args(Kind)
TYPES: tuple[str, ...] = get_args(Type)
RANGES = {"integers_8": 8, "integers_1000": 1000}


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
            f"{needed / 2**30:.4g} GiB, and this process may have {memory_size() / 2**30:.4g} GiB of memory"
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


def weight_type(kind: Any, dtype: Any) -> np.dtype[Any]:
    """Check the kind and the type of weights.

    Parameters
    ----------
    kind : str
        A `Kind`.
    dtype : str
        A `Type`, or anything that NumPy converts to one.

    Returns
    -------
    numpy.dtype

    Raises
    ------
    OptionError
        There is no such kind or type, or the type cannot hold the weights of that kind.
    """
    arguments.one_of("weights", kind, KINDS)
    try:
        name = np.dtype(dtype).name
    except (TypeError, ValueError, SyntaxError):
        name = dtype
    chosen = np.dtype(arguments.one_of("dtype", name, TYPES))
    if RANGES.get(kind, 1) > _distinct_values(chosen):
        raise OptionError(
            f"{argument('weights', kind)}: 1 to {RANGES[kind]}, which {argument('dtype', name)} cannot hold"
        )
    return chosen


def make_weights(
    kind: str, dtype: Any, m: int, seed: int, start: int = 0, stop: int | None = None
) -> NDArray[Any]:
    """Generate the weights of edges ``start`` to ``stop - 1`` of ``m``.

    Parameters
    ----------
    kind : str
        ``uniform``: floats from [0, 1), multiples of 2**-24 or 2**-53; integers from 0 to the largest of
        the type, which is excluded. ``distinct``: a random permutation of 0 to ``m - 1``. ``integers_8``:
        whole numbers from 1 to 8, so that there are many ties. ``integers_1000``: whole numbers from 1 to
        1000, as in GPU papers that pack a weight and a vertex into 32 bits. ``constant``: all 1.
    dtype : str or numpy.dtype
        The type.
    m : int
        Number of edges of the graph.
    seed : int
        The seed.
    start, stop : int, optional
        The range of edges; all edges by default.

    Returns
    -------
    (stop - start,) array

    Raises
    ------
    OptionError
        There is no such kind or type, or the type cannot hold ``m`` distinct weights.
    """
    chosen = weight_type(kind, dtype)
    stop = m if stop is None else stop
    if kind == "distinct" and m > _distinct_values(chosen):
        raise OptionError(
            f"{argument('weights', 'distinct')}: 0 to m - 1, and {argument('dtype', chosen.name)} holds only "
            f"{_distinct_values(chosen)} of them exactly; this graph has m = {m} edges"
        )
    w = np.empty(stop - start, chosen)
    key = stream_key(seed, "weights")
    # No weight is negative: viewed as unsigned, half as many kernels are compiled.
    out = w if chosen.kind == "f" else w.view(f"u{chosen.itemsize}")
    if kind == "constant":
        w.fill(1)
    elif kind == "distinct":
        map_chunks(lambda i, j: permuted_numbers(out, start, i, j, key, m, bit_width(m)), start, stop)
    elif kind in RANGES:
        map_chunks(lambda i, j: whole_numbers(out, start, i, j, key, 1, RANGES[kind]), start, stop)
    elif chosen.kind == "f":
        digits = float(2 ** (np.finfo(chosen).nmant + 1))
        map_chunks(lambda i, j: unit_numbers(out, start, i, j, key, digits), start, stop)
    else:
        largest = int(np.iinfo(chosen).max)
        map_chunks(lambda i, j: whole_numbers(out, start, i, j, key, 0, largest), start, stop)
    return w


def _distinct_values(dtype: np.dtype[Any]) -> int:
    """Count the consecutive whole numbers from 0 that a type holds exactly."""
    if dtype.kind == "f":
        return 2 ** (int(np.finfo(dtype).nmant) + 1)
    return int(np.iinfo(dtype).max) + 1


@kernel
def unit_numbers(out, start, first, last, key, digits):
    """Draw from [0, 1), rounded down to what the type holds so that 1 is never reached."""
    for i in range(first, last):
        out[i - start] = np.floor(random_unit(key, i) * digits) / digits


@kernel
def whole_numbers(out, start, first, last, key, low, count):
    """Draw from ``low`` to ``low + count - 1``."""
    for i in range(first, last):
        out[i - start] = low + random_below(key, i, count)


@kernel
def permuted_numbers(out, start, first, last, key, size, width):
    """Draw from 0 to ``size - 1`` without repetition."""
    for i in range(first, last):
        out[i - start] = permuted(key, i, size, width)
