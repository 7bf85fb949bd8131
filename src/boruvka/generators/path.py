"""Paths: the largest diameter there is."""

from __future__ import annotations

import numpy as np

from boruvka.generators import weights as edge_weights
from boruvka.generators.weights import Kind, Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments as checks


def path(n: int = 1 << 16, *, seed: int = 0, weights: Kind = "uniform", dtype: Type = "float32") -> Graph:
    """Make a path: 0 is joined to 1, 1 to 2, ..., n - 2 to n - 1.

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
    n = checks.integer("n", n, 2)
    seed = checks.seed(seed)
    checks.fits(f"n={n}", n, n - 1, edge_weights.weight_type(weights, dtype))
    w = edge_weights.make(weights, dtype, n - 1, seed)
    ids = np.arange(n, dtype=checks.ids(n))
    return Graph(n, ids[:-1], ids[1:], w)
