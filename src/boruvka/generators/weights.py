"""The weights of generated edges: which kind, of which type; the same options for every family."""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.generators.counter_rng import below, key, shuffled, unit, width
from boruvka.generators.parallel_chunks import in_chunks, kernel
from boruvka.runtime import arguments as checks

Kind = Literal["uniform", "distinct", "few", "thousand", "equal"]
Type = Literal["float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]

KINDS: tuple[str, ...] = get_args(Kind)
TYPES: tuple[str, ...] = get_args(Type)
RANGES = {"few": 8, "thousand": 1000}


def weight_type(kind: Any, dtype: Any) -> np.dtype[Any]:
    """Check the two options, and return the type.

    Parameters
    ----------
    kind : str
        A `Kind`.
    dtype : str
        A `Type`, or anything that NumPy reads as one.

    Returns
    -------
    numpy.dtype

    Raises
    ------
    OptionError
        There is no such kind or type, or the type cannot hold the weights of that kind.
    """
    checks.choice("weights", kind, KINDS)
    try:
        name = np.dtype(dtype).name
    except (TypeError, ValueError):
        name = dtype
    chosen = np.dtype(checks.choice("dtype", name, TYPES))
    if RANGES.get(kind, 1) > _distinct_values(chosen):
        raise OptionError(f"weights={kind!r} are 1 to {RANGES[kind]}, which dtype={name!r} cannot hold")
    return chosen


def make(kind: str, dtype: Any, m: int, seed: int, start: int = 0, stop: int | None = None) -> NDArray[Any]:
    """Make the weights of edges ``start`` to ``stop - 1`` of ``m``.

    Parameters
    ----------
    kind : str
        ``uniform``: floats from [0, 1), multiples of 2**-24 or 2**-53; integers from 0 to the largest of
        the type, that one excluded. ``distinct``: a random permutation of 0 to ``m - 1``. ``few``: whole
        numbers from 1 to 8, so there are many ties. ``thousand``: whole numbers from 1 to 1000, the
        weights of GPU papers that pack a weight and a vertex into 32 bits. ``equal``: all 1.
    dtype : str or numpy.dtype
        The type.
    m : int
        Number of edges of the graph.
    seed : int
        The seed.
    start, stop : int, optional
        The slice; all edges unless given.

    Returns
    -------
    (stop - start,) array

    Raises
    ------
    OptionError
        No such kind or type, or the type cannot hold ``m`` distinct weights.
    """
    chosen = weight_type(kind, dtype)
    start, stop = checks.part(start, stop, m)
    if kind == "distinct" and m > _distinct_values(chosen):
        raise OptionError(
            f"weights='distinct' are 0 to m - 1, and dtype={chosen.name!r} holds only "
            f"{_distinct_values(chosen)} of them exactly; this graph has m = {m} edges"
        )
    w = np.empty(stop - start, chosen)
    stream = key(seed, "weights")
    # Whole numbers are not negative: seen as unsigned, half as many loops are compiled.
    out = w if chosen.kind == "f" else w.view(f"u{chosen.itemsize}")
    if kind == "equal":
        w.fill(1)
    elif kind == "distinct":
        in_chunks(lambda i, j: permuted_numbers(out, start, i, j, stream, m, width(m)), start, stop)
    elif kind in RANGES:
        in_chunks(lambda i, j: whole_numbers(out, start, i, j, stream, 1, RANGES[kind]), start, stop)
    elif chosen.kind == "f":
        digits = float(2 ** (np.finfo(chosen).nmant + 1))
        in_chunks(lambda i, j: unit_numbers(out, start, i, j, stream, digits), start, stop)
    else:
        largest = int(np.iinfo(chosen).max)
        in_chunks(lambda i, j: whole_numbers(out, start, i, j, stream, 0, largest), start, stop)
    return w


def _distinct_values(dtype: np.dtype[Any]) -> int:
    """Count the whole numbers from 0 that a type holds without a gap."""
    if dtype.kind == "f":
        return 2 ** (int(np.finfo(dtype).nmant) + 1)
    return int(np.iinfo(dtype).max) + 1


@kernel
def unit_numbers(out, start, first, last, stream, digits):
    """Draw from [0, 1), rounded down so that the type holds it and 1 is never reached."""
    for i in range(first, last):
        out[i - start] = np.floor(unit(stream, i) * digits) / digits


@kernel
def whole_numbers(out, start, first, last, stream, low, count):
    """Draw from ``low`` to ``low + count - 1``."""
    for i in range(first, last):
        out[i - start] = low + below(stream, i, count)


@kernel
def permuted_numbers(out, start, first, last, stream, size, width):
    """Draw from 0 to ``size - 1`` without repetition."""
    for i in range(first, last):
        out[i - start] = shuffled(stream, i, size, width)
