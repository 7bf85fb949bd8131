"""NetworKit: convert a forest to a graph of NetworKit, and such a graph to a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.errors import GraphTypeError
from boruvka.graph.graph import Graph
from boruvka.interop.rows import columns_of
from boruvka.interop.shared import at_most_64_bits, renumber
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import networkit

    from boruvka.forest.forest import Forest

__all__ = ["graph_from", "to_networkit"]


def to_networkit(forest: Forest) -> networkit.Graph:
    """Convert a forest to a weighted graph of NetworKit.

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    networkit.Graph
        All n vertices and the edges; weights become float64, as NetworKit has no others.

    Raises
    ------
    MissingExtraError
        NetworKit is not installed.
    """
    weights = at_most_64_bits(forest.w).astype(np.float64)
    ends = forest.u.astype(np.int64), forest.v.astype(np.int64)
    library = require("networkit", "networkit")
    return library.GraphFromCoo((weights, ends), n=forest.n, weighted=True, directed=False)


def graph_from(g: networkit.Graph) -> Graph:
    """Make a graph from a graph of NetworKit; edges are numbered in the order of ``g.iterEdges()``.

    Parameters
    ----------
    g : networkit.Graph
        An undirected graph. If it is unweighted, every edge has weight 1, as NetworKit defines it.

    Returns
    -------
    Graph
        If nodes were removed, the ids of the others are the names of the vertices.

    Raises
    ------
    GraphError
        A weight is NaN.
    GraphTypeError
        The graph is directed.
    """
    if not hasattr(g, "iterEdgesWeights") or g.isDirected():
        raise GraphTypeError(
            "expected an undirected graph of NetworKit; if direction does not matter: "
            "networkit.graphtools.toUndirected(g)"
        )
    columns: Any = columns_of(g.iterEdgesWeights())
    u, v, w = columns or np.array(list(g.iterEdgesWeights()), np.float64).reshape(-1, 3).T
    nodes = np.fromiter(g.iterNodes(), np.int64, g.numberOfNodes())
    return renumber(nodes, u.astype(np.int64), v.astype(np.int64), w)
