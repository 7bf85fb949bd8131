"""Complete graphs: every pair of vertices is joined."""

from __future__ import annotations

import numpy as np

from boruvka.generators.counter_rng import ONE
from boruvka.generators.limits import check_memory, check_seed
from boruvka.generators.parallel_chunks import kernel, map_chunks
from boruvka.generators.weights import Kind, Type, make_weights, weight_type
from boruvka.graph.abstract_graph import vertex_dtype
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

    References
    ----------
    With uniform weights, the graph of Frieze: "On the value of a random minimum spanning tree
    problem", Discrete Appl. Math. 10, 1985. In the limit, the tree weighs zeta(3) = 1.202...
    """
    n = arguments.integer("n", n, 2)
    seed = check_seed(seed)
    m = n * (n - 1) // 2
    check_memory({"n": n}, n, m, weight_type(weights, dtype))
    w = make_weights(weights, dtype, m, seed)
    u, v = np.empty(m, vertex_dtype(n)), np.empty(m, vertex_dtype(n))
    map_chunks(lambda first, last: upper_rows(u, v, first, last, n), 0, n, 64)
    return Graph(n, u, v, w)


@kernel
def upper_rows(u, v, first, last, n):
    """Write the pairs whose smaller vertex is in a range."""
    for row in range(first, last):
        slot = row * n - row * (row + ONE) // np.uint64(2)
        for column in range(row + ONE, n):
            u[slot] = row
            v[slot] = column
            slot += ONE
