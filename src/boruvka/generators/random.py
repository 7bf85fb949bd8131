"""Uniform random graphs: every edge joins two vertices chosen at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.generators import weights as edge_weights
from boruvka.generators.counter_rng import ONE, below, key
from boruvka.generators.parallel_chunks import in_chunks, kernel
from boruvka.generators.weights import Kind, Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments as checks


def random(
    n: int = 1 << 16,
    m: int | None = None,
    *,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Make a uniform random graph of ``n`` vertices and ``m`` edges.

    The ends of an edge are a pair of different vertices, all pairs equally likely. Pairs are drawn
    with repetition, as in the generators of the literature on spanning trees: there are no self-loops,
    and about ``m * m / n**2`` edges are parallel to an earlier one.

    Parameters
    ----------
    n : int
        Number of vertices; 2 or more.
    m : int, optional
        Number of edges; nine a vertex unless given.
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
    random_edges : a slice of the edges.

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
    """Make the edges ``start`` to ``stop - 1`` of a uniform random graph, and nothing else of it.

    Parameters
    ----------
    start, stop : int, optional
        The slice; all edges unless given.
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
        As for `random`; only the slice must fit into memory.
    """
    n = checks.integer("n", n, 2)
    m = 9 * n if m is None else checks.integer("m", m, 0)
    seed = checks.seed(seed)
    start, stop = checks.part(start, stop, m)
    checks.fits(f"n={n}, m={m}", n, stop - start, edge_weights.weight_type(weights, dtype))

    w = edge_weights.make(weights, dtype, m, seed, start, stop)
    u, v = np.empty(stop - start, checks.ids(n)), np.empty(stop - start, checks.ids(n))
    ends = key(seed, "random ends")
    in_chunks(lambda first, last: different_ends(u, v, start, first, last, ends, n), start, stop)
    return u, v, w


@kernel
def different_ends(u, v, start, first, last, ends, n):
    """Draw one end of all vertices and the other of the rest."""
    for i in range(first, last):
        one = below(ends, i << ONE, n)
        other = below(ends, (i << ONE) | ONE, n - ONE)
        u[i - start] = one
        v[i - start] = other + np.uint64(other >= one)
