"""Are the arguments allowed, and will the graph fit into memory: asked before anything is allocated."""

from __future__ import annotations

import math
import operator
import os
from typing import Any

import numpy as np

from boruvka.errors import OptionError

LARGEST = 2**62


def integer(name: str, value: Any, low: int, high: int = LARGEST) -> int:
    """Return an argument that must be an integer from ``low`` to ``high``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        allowed = f"{low} or more" if high == LARGEST else f"from {low} to {high}"
        raise OptionError(f"{name} must be an integer {allowed}, got {value!r}")
    return number


def real(name: str, value: Any, low: float, high: float) -> float:
    """Return an argument that must be a number from ``low`` to ``high``."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not low <= number <= high:
        raise OptionError(f"{name} must be a number from {low:g} to {high:g}, got {value!r}")
    return number


def choice(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Return an argument that must be one of a few words."""
    if value not in allowed:
        raise OptionError(f"{name} must be one of {', '.join(allowed)}; got {value!r}")
    return value


def seed(value: Any) -> int:
    """Return a seed: any integer from 0."""
    return integer("seed", value, 0)


def part(start: Any, stop: Any, m: int) -> tuple[int, int]:
    """Return a slice of the edges; without ``stop`` it goes to the last edge."""
    start = integer("start", start, 0, m)
    return start, m if stop is None else integer("stop", stop, start, m)


def ids(n: int) -> type[np.unsignedinteger]:
    """Choose the type of vertex ids, as `boruvka.Graph` does."""
    return np.uint32 if n <= 2**32 else np.uint64


def memory() -> int:
    """Read how many bytes of memory this machine has; a very large number where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 2**63


def fits(what: str, n: int, m: int, dtype: np.dtype[Any], extra: int = 0) -> None:
    """Refuse a graph that is larger than the memory of this machine.

    Parameters
    ----------
    what : str
        The arguments that make it so large, for the message.
    n, m : int
        Vertices and (expected) edges.
    dtype : numpy.dtype
        The type of the weights.
    extra : int
        Bytes needed besides the edges.
    """
    needed = m * (2 * np.dtype(ids(n)).itemsize + dtype.itemsize) + extra
    if needed > memory():
        raise OptionError(
            f"{what}: {m} edges of {n} vertices need {needed / 2**30:.4g} GiB, "
            f"and this machine has {memory() / 2**30:.4g} GiB of memory"
        )
