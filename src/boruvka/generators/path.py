"""Paths: the largest possible diameter."""

from __future__ import annotations

import numpy as np

from boruvka.generators.limits import check_memory, check_seed
from boruvka.generators.weights import Kind, Type, make_weights, weight_type
from boruvka.graph.abstract_graph import vertex_dtype
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments


def path(n: int = 1 << 16, *, seed: int = 0, weights: Kind = "uniform", dtype: Type = "float32") -> Graph:
    """Generate a path: 0 is joined to 1, 1 to 2, ..., n - 2 to n - 1.

    Parameters
    ----------
    n : int
        Number of vertices; 2 or more.
    seed : int
        The same seed makes the same weights.
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
    """
    n = arguments.integer("n", n, 2)
    seed = check_seed(seed)
    check_memory({"n": n}, n, n - 1, weight_type(weights, dtype))
    w = make_weights(weights, dtype, n - 1, seed)
    ids = np.arange(n, dtype=vertex_dtype(n))
    return Graph(n, ids[:-1], ids[1:], w)
