"""Limits of the arguments of all generators: seeds, ranges of edges, and the memory of the machine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boruvka.errors import OptionError
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.runtime import arguments
from boruvka.runtime.argument_names import argument
from boruvka.runtime.processors import memory_size


def check_seed(seed: Any) -> int:
    """Check that a seed is a non-negative integer."""
    return arguments.integer("seed", seed, 0)


def check_range(start: Any, stop: Any, m: int) -> tuple[int, int]:
    """Check a range of m edges; without ``stop`` it ends with the last edge."""
    start = arguments.integer("start", start, 0, m)
    return start, m if stop is None else arguments.integer("stop", stop, start, m)


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
