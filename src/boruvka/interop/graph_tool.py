"""graph-tool: convert a forest to a graph of graph-tool, and such a graph to a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.graph import Graph
from boruvka.interop.shared import at_most_64_bits, renumber
from boruvka.runtime.extras import require

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["graph_from", "to_graph_tool"]


def to_graph_tool(forest: Forest) -> Any:
    """Convert a forest to a graph of graph-tool.

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    graph_tool.Graph
        All n vertices, and the edges in ascending order of index, with the edge property ``weight`` (double).

    Raises
    ------
    MissingExtraError
        graph-tool is not installed; it is on conda and apt, not on PyPI.
    """
    result = require("graph_tool", "graph-tool").Graph(directed=False)
    result.add_vertex(forest.n)
    weight = result.new_edge_property("double")
    rows = np.column_stack([forest.u, forest.v, at_most_64_bits(forest.w).astype(np.float64)])
    result.add_edge_list(rows, eprops=[weight])
    result.ep["weight"] = weight
    return result


def graph_from(g: Any, weight: Any = "weight") -> Graph:
    """Make a graph from a graph of graph-tool; edges are numbered in the order of ``g.edge_index``.

    `Forest.edge_mask` is then what ``graph_tool.topology.min_spanning_tree`` returns, as an array.

    Parameters
    ----------
    g : graph_tool.Graph
        An undirected graph; a filter is respected.
    weight : str or EdgePropertyMap
        The weights, or the name of an internal property that holds them.

    Returns
    -------
    Graph
        If a filter hides vertices, the names of the others are their indices.

    Raises
    ------
    GraphError
        There is no such property, or a weight is NaN.
    GraphTypeError
        The graph is directed, or weights are neither integers nor floats.
    """
    if g.is_directed():
        raise GraphTypeError(
            "expected an undirected graph; if direction does not matter: g.set_directed(False)"
        )
    if isinstance(weight, str):
        if weight not in g.ep:
            raise GraphError(
                f"edges have no property {weight!r}; boruvka.as_graph(g, weight=...) takes another"
            )
        weight = g.ep[weight]
    u, v, index = g.get_edges([g.edge_index]).reshape(-1, 3).astype(np.int64).T
    order = np.argsort(index)
    return renumber(np.sort(g.get_vertices()), u[order], v[order], np.array(weight.a)[index[order]])
