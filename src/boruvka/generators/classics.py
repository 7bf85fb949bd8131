"""Complete graphs, stars and paths: every pair, the largest degree, and the largest diameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.generators.edges import check_memory, check_seed, write_range
from boruvka.generators.weights import Kind, Type, make_weights, weight_type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments


def complete(n: int = 1024, *, seed: int = 0, weights: Kind = "uniform", dtype: Type = "float32") -> Graph:
    """Generate a complete graph: (0, 1), (0, 2), ..., (n - 2, n - 1).

    Parameters
    ----------
    n : int
        Number of vertices; 2 or more.
    seed : int
        The same seed makes the same weights.
    weights : str
        Kind of the weights: uniform, distinct, integers_8, integers_1000 or constant.
    dtype : str
        Type of the weights.

    Returns
    -------
    Graph

    Raises
    ------
    OptionError
        An argument is out of its range, or the graph does not fit into memory.

    References
    ----------
    With uniform weights, the graph of Frieze: "On the value of a random minimum spanning tree
    problem", Discrete Appl. Math. 10, 1985. In the limit, the tree weighs zeta(3) = 1.202...
    """

    def write(u, v, start, first, last):
        i = np.arange(first, last)
        row = np.searchsorted(begins, i, side="right") - 1
        u[i] = row
        v[i] = i - begins[row] + row + 1

    n = arguments.integer("n", n, 2)
    begins = np.cumsum(np.arange(n, 1, -1)) - np.arange(n, 1, -1) - np.arange(n - 1)
    return _made(write, n, n * (n - 1) // 2, seed, weights, dtype)


def star(n: int = 1 << 16, *, seed: int = 0, weights: Kind = "uniform", dtype: Type = "float32") -> Graph:
    """Generate a star: vertex 0 is joined to 1, 2, ..., n - 1.

    Parameters
    ----------
    n : int
        Number of vertices; 2 or more.
    seed : int
        The same seed makes the same weights.
    weights : str
        Kind of the weights: uniform, distinct, integers_8, integers_1000 or constant.
    dtype : str
        Type of the weights.

    Returns
    -------
    Graph

    Raises
    ------
    OptionError
        An argument is out of its range, or the graph does not fit into memory.
    """

    def write(u, v, start, first, last):
        u[first:last] = 0
        v[first:last] = np.arange(first + 1, last + 1)

    n = arguments.integer("n", n, 2)
    return _made(write, n, n - 1, seed, weights, dtype)


def path(n: int = 1 << 16, *, seed: int = 0, weights: Kind = "uniform", dtype: Type = "float32") -> Graph:
    """Generate a path: 0 is joined to 1, 1 to 2, ..., n - 2 to n - 1.

    Parameters
    ----------
    n : int
        Number of vertices; 2 or more.
    seed : int
        The same seed makes the same weights.
    weights : str
        Kind of the weights: uniform, distinct, integers_8, integers_1000 or constant.
    dtype : str
        Type of the weights.

    Returns
    -------
    Graph

    Raises
    ------
    OptionError
        An argument is out of its range, or the graph does not fit into memory.
    """

    def write(u, v, start, first, last):
        u[first:last] = np.arange(first, last)
        v[first:last] = np.arange(first + 1, last + 1)

    n = arguments.integer("n", n, 2)
    return _made(write, n, n - 1, seed, weights, dtype)


def _made(write: Callable[..., None], n: int, m: int, seed: Any, weights: Any, dtype: Any) -> Graph:
    """Make a graph whose edges ``first`` to ``last - 1`` a function writes."""
    seed = check_seed(seed)
    check_memory({"n": n}, n, m, weight_type(weights, dtype))
    return Graph(n, *write_range(write, n, 0, m), make_weights(weights, dtype, m, seed))
