"""Shared by the conversions: weights for libraries that lack some types, node ids with gaps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.graph import Graph


def at_most_64_bits(w: NDArray[Any]) -> NDArray[Any]:
    """Round ``longdouble`` to float64, infinite beyond its range; return any other type as it is."""
    if w.dtype.char != "g":
        return w
    with np.errstate(over="ignore"):
        return w.astype(np.float64)


def python_weights(w: NDArray[Any]) -> list[Any]:
    """Convert weights to a list of Python ints or floats."""
    return at_most_64_bits(w).tolist()


def renumber(nodes: NDArray[np.int64], u: NDArray[np.int64], v: NDArray[np.int64], w: Any) -> Graph:
    """Make a graph of edges between nodes of ascending ids, which become names unless they are 0 to n - 1."""
    n = nodes.size
    if not n or nodes[-1] == n - 1:
        return Graph(n, u, v, w)
    return Graph.from_edges(np.searchsorted(nodes, u), np.searchsorted(nodes, v), w, n, nodes)
