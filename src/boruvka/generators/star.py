"""Stars: the largest degree there is, and one round for Borůvka's algorithm."""

from __future__ import annotations

import numpy as np

from boruvka.generators import weights as edge_weights
from boruvka.generators.weights import Kind, Type
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments as checks


def star(n: int = 1 << 16, *, seed: int = 0, weights: Kind = "uniform", dtype: Type = "float32") -> Graph:
    """Make a star: vertex 0 is joined to 1, 2, ..., n - 1.

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
    return Graph(n, np.zeros(n - 1, checks.ids(n)), np.arange(1, n, dtype=checks.ids(n)), w)
