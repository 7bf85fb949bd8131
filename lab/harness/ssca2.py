"""SSCA#2 graphs: cliques of random size, and edges between them that become rarer with distance.

Source: D. Bader, K. Madduri, Design and Implementation of the HPCS Graph Analysis Benchmark on Symmetric
Multiprocessors, HiPC 2005, and their suite GTgraph, which has the same defaults.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka import Graph
from boruvka.generators.edges import make_weights

PROBABILITY = 0.5
"""Probability of an edge to another clique at the smallest distance."""
MAX_PARALLEL = 3
"""The number of parallel edges of a pair is uniform from 1 to this."""


def ssca2(
    scale: int = 14,
    max_clique: int | None = None,
    seed: int = 0,
    weights: str = "uniform",
    dtype: str = "float32",
) -> Graph:
    """Generate a graph of 2**scale vertices with permuted labels.

    Parameters
    ----------
    scale : int
    max_clique : int, optional
        Sizes of cliques are uniform from 1 to this; 2**(scale / 3) by default.
    seed : int
    weights, dtype : str
        As for `boruvka.generators`.
    """
    n = 2**scale
    rng = np.random.default_rng(seed)
    clique = cliques(n, max_clique or int(2 ** (scale / 3) + 1e-9), rng)
    u, v = np.concatenate([pairs_inside(clique, rng), pairs_between(clique, scale, rng)], axis=1)
    labels = rng.permutation(n).astype(np.uint32)
    return Graph(n, labels[u], labels[v], make_weights(weights, dtype, u.size, seed))


def cliques(n: int, largest: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw the number of the clique of each vertex; the vertices of a clique are consecutive."""
    return np.repeat(np.arange(n), rng.integers(1, largest + 1, n))[:n]


def pairs_inside(clique: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """List every pair of a clique, each with one or more parallel edges."""
    vertex = np.arange(clique.size)
    smaller = vertex - np.searchsorted(clique, clique)  # smaller vertices of the same clique
    v = np.repeat(vertex, smaller)
    u = v - 1 - (np.arange(v.size) - np.repeat(np.cumsum(smaller) - smaller, smaller))
    return np.repeat([u, v], rng.integers(1, MAX_PARALLEL + 1, v.size), axis=1)


def pairs_between(clique: NDArray[np.int64], scale: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Let each vertex draw a vertex at a distance of about 2**t, for t = 1, 2, ...

    If that is in another clique, each of their parallel edges exists with ``PROBABILITY / 2**(t - 1)``.
    """
    vertex = np.arange(clique.size)
    found = [np.empty((2, 0), np.int64)]
    for t in range(1, scale):
        other = (vertex + 2**t + rng.integers(0, 2 ** (t - 1), vertex.size)) % vertex.size
        edges = rng.binomial(rng.integers(1, MAX_PARALLEL + 1, vertex.size), PROBABILITY / 2 ** (t - 1))
        edges[clique == clique[other]] = 0
        found.append(np.repeat([vertex, other], edges, axis=1))
    return np.concatenate(found, axis=1)
