"""Uniform random graphs: every edge joins two vertices chosen at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.generators.counter_rng import ONE, random_below, stream_key
from boruvka.generators.limits import check_memory, check_range, check_seed
from boruvka.generators.parallel_chunks import kernel, map_chunks
from boruvka.generators.weights import Kind, Type, make_weights, weight_type
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.graph.graph import Graph
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
        Kind of the weights: uniform, distinct, few, thousand or equal.
    dtype : str
        Type of the weights.

    Returns
    -------
    Graph

    Raises
    ------
    OptionError
        An argument is out of its range, or the graph does not fit into memory.

    See Also
    --------
    random_edges : a range of the edges.

    References
    ----------
    The model G(n, m) of Erdős, Rényi: "On random graphs I", Publ. Math. Debrecen 6, 1959, with
    repetition as in the "random" generator of GTgraph (Bader, Madduri, 2006).
    """
    u, v, w = random_edges(n, m, seed, weights=weights, dtype=dtype)
    return Graph(n, u, v, w)


def random_edges(
    n: int = 1 << 16,
    m: int | None = None,
    seed: int = 0,
    start: int = 0,
    stop: int | None = None,
    *,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.unsignedinteger], NDArray[Any]]:
    """Generate only the edges ``start`` to ``stop - 1`` of a uniform random graph.

    Parameters
    ----------
    start, stop : int, optional
        The range of edges; all edges by default.
    n, m, seed, weights, dtype
        As for `random`.

    Returns
    -------
    u, v : (stop - start,) array of uint32, or uint64 where n exceeds 2**32
        The ends.
    w : (stop - start,) array
        The weights.

    Raises
    ------
    OptionError
        As for `random`; only these edges must fit into memory.
    """
    n = arguments.integer("n", n, 2)
    m = 9 * n if m is None else arguments.integer("m", m, 0)
    seed = check_seed(seed)
    start, stop = check_range(start, stop, m)
    check_memory({"n": n, "m": m}, n, stop - start, weight_type(weights, dtype))

    w = make_weights(weights, dtype, m, seed, start, stop)
    u, v = np.empty(stop - start, vertex_dtype(n)), np.empty(stop - start, vertex_dtype(n))
    key = stream_key(seed, "random ends")
    map_chunks(lambda first, last: random_pairs(u, v, start, first, last, key, n), start, stop)
    return u, v, w


@kernel
def random_pairs(u, v, start, first, last, key, n):
    """Draw the first end of each edge from all vertices, and the second from the others."""
    for i in range(first, last):
        one = random_below(key, i << ONE, n)
        other = random_below(key, (i << ONE) | ONE, n - ONE)
        u[i - start] = one
        v[i - start] = other + np.uint64(other >= one)
