"""Kronecker graphs as the Graph500 benchmark specifies them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.generators.rmat import rmat_edges
from boruvka.generators.weights import Kind, Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments

INITIATOR = {"a": 0.57, "b": 0.19, "c": 0.19, "d": 0.05}


def kronecker(
    scale: int = 16,
    edge_factor: int = 16,
    *,
    seed: int = 0,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> Graph:
    """Generate a Kronecker graph by the Graph500 specification.

    It has 2**scale vertices and edge_factor * 2**scale edges, the initiator 0.57, 0.19, 0.19, 0.05,
    permuted vertex labels and shuffled edges. Self-loops, parallel edges and isolated vertices (38% of
    the vertices at scale 20) occur and are kept, as the specification requires.

    Parameters
    ----------
    scale : int
        The graph has 2**scale vertices; 0 to 40.
    edge_factor : int
        Edges for each vertex; 16 in the specification.
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
    kronecker_edges : a range of the edges.

    References
    ----------
    Graph 500 Benchmarks 1 ("Search") and 2 ("Shortest Path"), version 2.0, section 3, "Generating the
    Edge List", https://graph500.org/?page_id=12. The random numbers are this package's own.
    """
    u, v, w = kronecker_edges(scale, edge_factor, seed, weights=weights, dtype=dtype)
    return Graph(2**scale, u, v, w)


def kronecker_edges(
    scale: int = 16,
    edge_factor: int = 16,
    seed: int = 0,
    start: int = 0,
    stop: int | None = None,
    *,
    weights: Kind = "uniform",
    dtype: Type = "float32",
) -> tuple[NDArray[np.unsignedinteger], NDArray[np.unsignedinteger], NDArray[Any]]:
    """Generate only the edges ``start`` to ``stop - 1`` of a Kronecker graph.

    Parameters
    ----------
    start, stop : int, optional
        The range of edges; all edges by default.
    scale, edge_factor, seed, weights, dtype
        As for `kronecker`.

    Returns
    -------
    u, v : (stop - start,) array of uint32, or uint64 where scale exceeds 32
        The ends.
    w : (stop - start,) array
        The weights.

    Raises
    ------
    OptionError
        As for `kronecker`; only these edges must fit into memory.
    """
    m = arguments.integer("edge_factor", edge_factor, 1, 2**20) << arguments.integer("scale", scale, 0, 40)
    return rmat_edges(scale, m, seed, start, stop, **INITIATOR, permute=True, weights=weights, dtype=dtype)
