"""NetworkX: convert a forest to a NetworkX graph, and a NetworkX graph to a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.graph import Graph
from boruvka.interop.shared import python_weights
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    import networkx

    from boruvka.forest.forest import Forest

__all__ = ["graph_from", "to_networkx"]


def to_networkx(forest: Forest) -> networkx.Graph:
    """Convert a forest to a NetworkX graph.

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    networkx.Graph
        The names of the vertices, else 0 to n - 1, isolated ones too. Edges have the attributes ``weight``,
        an int or a float (``longdouble`` is rounded to float64), and ``edge``, the index in the graph.

    Raises
    ------
    MissingExtraError
        NetworkX is not installed.
    """
    result = require("networkx", "networkx").Graph()
    names = forest.graph.names
    result.add_nodes_from(range(forest.n) if names is None else names.tolist())
    result.add_edges_from(
        (u, v, {"weight": weight, "edge": edge})
        for u, v, weight, edge in zip(
            forest.graph.name_of(forest.u).tolist(),
            forest.graph.name_of(forest.v).tolist(),
            python_weights(forest.w),
            forest.edges.tolist(),
            strict=True,
        )
    )
    return result


def graph_from(g: networkx.Graph, weight: str = "weight", default: float | None = None) -> Graph:
    """Make a graph from a NetworkX graph.

    Edges are numbered in the order of ``g.edges``; parallel edges of a multigraph are all kept. Weights
    become one NumPy array of integers of at most 64 bits or of floats, and are never rounded.

    Parameters
    ----------
    g : networkx.Graph or networkx.MultiGraph
        An undirected graph with any nodes.
    weight : str
        The attribute that holds the weight.
    default : number, optional
        The weight of edges whose attribute is missing or None; by default they are an error.

    Returns
    -------
    Graph
        The nodes are the names of its vertices, unless they are 0, 1, 2 and so on.

    Raises
    ------
    GraphError
        An edge has no weight, a weight is NaN, or no type holds all weights exactly.
    GraphTypeError
        The argument is not a NetworkX graph, it is directed, or weights are neither integers nor floats.
    MissingExtraError
        NetworkX is not installed.

    Examples
    --------
    >>> import networkx
    >>> import boruvka
    >>> g = networkx.Graph()
    >>> g.add_weighted_edges_from([("a", "b", 3), ("b", "c", 1), ("c", "a", 2)])
    >>> boruvka.minimum_spanning_forest(g).to_networkx().edges
    EdgeView([('a', 'c'), ('b', 'c')])
    """
    if not isinstance(g, require("networkx", "networkx").Graph):
        raise GraphTypeError(f"expected a NetworkX graph, got {type(g).__name__}")
    if g.is_directed():
        raise GraphTypeError("expected an undirected graph; if direction does not matter: g.to_undirected()")
    nodes = list(g)
    vertex = {node: i for i, node in enumerate(nodes)}
    ends: list[int] = []
    weights: list[Any] = []
    for a, b, value in g.edges(data=weight, default=default):
        if value is None:
            value = default
        if value is None:
            raise GraphError(
                f"edge {len(weights)} ({a!r}, {b!r}) has no attribute {weight!r}; "
                "boruvka.as_graph(g, weight=...) names another, default= gives a weight to such edges"
            )
        ends += vertex[a], vertex[b]
        weights.append(value)
    u, v = np.array(ends, np.int64).reshape(-1, 2).T
    graph = Graph.from_edges(u, v, weights, len(nodes))
    return graph if nodes == list(range(len(nodes))) else graph.with_names(nodes)
