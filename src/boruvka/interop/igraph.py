"""igraph: convert a forest to an igraph graph, and an igraph graph to a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boruvka.errors import GraphTypeError
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.interop.exports import edge_attributes
from boruvka.interop.python_values import attribute_weights, columns_of, read_directions
from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    import igraph


def to_igraph(forest: EdgeSet) -> igraph.Graph:
    """Implement `Forest.to_igraph`."""
    igraph = require("igraph", "igraph")
    names = forest.graph.names
    return igraph.Graph(
        n=forest.n,
        directed=forest.is_directed,
        edges=np.column_stack([forest.u, forest.v]).astype(np.int64),
        vertex_attrs={} if names is None else {"name": names.tolist()},
        edge_attrs=edge_attributes(forest),
    )


def graph_from(
    g: igraph.Graph,
    weight: str = "weight",
    default: float | None = None,
    directed: bool = False,
    missing: str = "error",
) -> Graph:
    """Make a graph from an igraph graph; vertices and edges keep their indices, and their attribute ``name``.

    Parameters
    ----------
    g : igraph.Graph
        An undirected graph.
    weight : str
        The edge attribute that holds the weight.
    default : number, optional
        The weight of edges whose attribute is missing, None or NaN; by default they are an error.
    directed : bool
        Take a directed graph without a warning: edge i goes from u[i] to v[i], as
        `minimum_spanning_arborescence` needs it.
    missing : str
        The rule for edges without a weight: "error", or "drop" to leave them out; edges are then numbered
        without them.

    Returns
    -------
    Graph

    Raises
    ------
    GraphError
        An edge has no weight, or no type holds all weights exactly.
    GraphTypeError
        The argument is not an igraph graph, or weights are neither integers nor floats.
    MissingExtraError
        igraph is not installed.

    Warns
    -----
    GraphWarning
        Edges are left out, or the graph is directed.
    """
    if not isinstance(g, require("igraph", "igraph").Graph):
        raise GraphTypeError(f"expected an igraph graph, got {type(g).__name__}")
    advice, edges = read_directions(g, directed), g.get_edgelist()
    u, v = columns_of(edges) or np.array(edges, np.int64).reshape(-1, 2).T
    names = g.vs["name"] if "name" in g.vs.attributes() else None
    has_weights = isinstance(weight, str) and weight in g.es.attributes()
    values = g.es[weight] if has_weights else [None] * u.size
    kept, w = attribute_weights(values, weight, default, (u, v), names, advice, missing)
    return Graph.from_edges(u[kept], v[kept], w, n=g.vcount(), names=names)
