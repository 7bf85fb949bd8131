"""Uniform random graphs, and complete graphs, stars and paths: every pair, large degree, large diameter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from boruvka.generators.edges import Kind, Type, check_memory, kernel, make_weights, weight_type, write_range
from boruvka.graph.graph import Graph
from boruvka.operators.counter_rng import ONE, random_below, stream_key
from boruvka.runtime import arguments


def random(
    n: int = 1 << 16,
    m: int | None = None,
    *,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Generate a uniform random graph of ``n`` vertices and ``m`` edges.

    The ends of an edge are two different vertices; all pairs are equally likely. Pairs are drawn with
    repetition, as in the generators of the literature on spanning trees: there are no self-loops, and
    about ``m * m / n**2`` edges are parallel to an earlier one.

    Parameters
    ----------
    n : int
        Number of vertices; 2 or more.
    m : int, optional
        Number of edges; nine for each vertex by default.
    seed : int
        The same seed makes the same graph.
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
    The model G(n, m) of Erdős, Rényi: "On random graphs I", Publ. Math. Debrecen 6, 1959, with
    repetition as in the "random" generator of GTgraph (Bader, Madduri, 2006).
    """
    n = arguments.integer("n", n, 2)
    m = 9 * n if m is None else arguments.integer("m", m, 0)
    seed = arguments.integer("seed", seed, 0)
    check_memory({"n": n, "m": m}, n, m, weight_type(weights, dtype))
    w = make_weights(weights, dtype, m, seed)
    key = stream_key(seed, "random ends")
    u, v = write_range(lambda u, v, *indices: random_pairs(u, v, *indices, key, n), n, 0, m)
    return Graph(n, u, v, w)


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
    seed = arguments.integer("seed", seed, 0)
    check_memory({"n": n}, n, m, weight_type(weights, dtype))
    return Graph(n, *write_range(write, n, 0, m), make_weights(weights, dtype, m, seed))


@kernel
def random_pairs(u, v, start, first, last, key, n):
    """Draw the first end of each edge from all vertices, and the second from the others."""
    for i in range(first, last):
        one = random_below(key, i << ONE, n)
        other = random_below(key, (i << ONE) | ONE, n - ONE)
        u[i - start] = one
        v[i - start] = other + np.uint64(other >= one)
