"""NetworkX: convert a forest to a NetworkX graph, and a NetworkX graph to a graph."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain, compress
from operator import methodcaller
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError, shown, shown_names
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.interop.data_frames import SourceTable
from boruvka.interop.exports import edge_attributes
from boruvka.interop.geopandas import with_lines
from boruvka.interop.python_values import attribute_name, attribute_weights, read_directions
from boruvka.runtime.arguments import did_you_mean
from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    import networkx


def to_networkx(forest: EdgeSet) -> networkx.Graph[Any]:
    """Implement `Forest.to_networkx`."""
    library = require("networkx", "networkx")
    result = library.DiGraph() if forest.is_directed else library.Graph()
    nodes = forest.graph.name_of(forest.vertices).tolist()
    result.add_nodes_from(nodes if forest.graph.names is None else map(_node, nodes))
    u, v = (forest.graph.name_of(ends).tolist() for ends in (forest.u, forest.v))
    columns = edge_attributes(forest)
    attributes = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    result.add_edges_from(zip(u, v, attributes, strict=True))
    return result


def _node(name: Hashable) -> Hashable:
    """Return a name that can be a node; NetworkX would read a pair that has no hash as a node with a dict."""
    try:
        if name is not None and (hash(name) or True):
            return name
    except (TypeError, ValueError):
        pass
    raise GraphError(f"the vertex {shown(name)} cannot be a node of NetworkX: rename it by graph.with_names")


def graph_from(
    g: networkx.Graph[Any],
    weight: str = "weight",
    default: float | None = None,
    directed: bool = False,
    missing: str = "error",
) -> Graph:
    """Make a graph from a NetworkX graph.

    Edges are numbered in the order of ``g.edges``; parallel edges of a multigraph are all kept. Weights
    become one NumPy array of integers of at most 64 bits or of floats, and are never rounded.

    Parameters
    ----------
    g : networkx.Graph or networkx.MultiGraph
        An undirected graph with any nodes.
    weight : str
        The attribute that holds the weight; by default ``length`` of streets from OSMnx.
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
        The nodes are the names of its vertices, unless they are 0, 1, 2 and so on.

    Raises
    ------
    GraphError
        An edge has no weight, or no type holds all weights exactly.
    GraphTypeError
        The argument is not a NetworkX graph, or weights are neither integers nor floats.
    MissingExtraError
        NetworkX is not installed.

    Warns
    -----
    GraphWarning
        Edges are left out, or the graph is directed.

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
    advice = read_directions(g, directed)
    attribute_name(weight)
    edges, crs = read_edges(g), g.graph.get("crs")
    is_default = isinstance(weight, str) and weight == "weight"
    if is_default and crs is not None and not any(weight in each for each in edges.attributes):
        weight = "length"  # of streets from OSMnx
    values = [attributes.get(weight) for attributes in edges.attributes]
    names = None if edges.nodes == list(range(len(edges.nodes))) else edges.nodes
    first = next(iter(edges.attributes), {})
    known = [name for name in first if isinstance(name, str) and weight not in first]
    listed = f"; it has {shown_names(known)}" if known else ""
    advice = (did_you_mean(weight, known) or listed) + advice
    kept, w = attribute_weights(values, weight, default, (edges.u, edges.v), names, advice, missing)
    graph = Graph.from_edges(edges.u[kept], edges.v[kept], w, n=len(edges.nodes), names=names)
    return with_attributes(graph, g.nodes.values(), edges.attributes, kept, crs)


def with_attributes(
    graph: Graph, nodes: Iterable[Any], edges: Sequence[Any], rows: NDArray[np.int64], crs: Any = None
) -> Graph:
    """Return the graph with attributes of vertices and edges: places, and the table of its edges.

    Places are the attributes x and y, or pos, if all nodes have them. With a reference system, as of OSMnx,
    edges are then lines, with the shapes in the attribute geometry, if geopandas is installed. ``rows`` are
    the edges that have a weight.
    """
    names = [name for name in dict.fromkeys(chain.from_iterable(edges)) if name != "weight"]
    columns = {name: np.fromiter((x.get(name) for x in edges), object, len(edges)) for name in names}
    graph = graph.annotated(table=SourceTable(columns, list(graph.annotations.columns), rows))
    places = [data.get("pos", (data.get("x"), data.get("y"))) for data in nodes]
    try:
        array = np.array(places, np.float64)
    except (TypeError, ValueError):  # a node has none
        return graph
    if array.shape != (graph.n, 2) or not graph.n or np.isnan(array).any():
        return graph
    graph = graph.with_coordinates(array)
    return graph if crs is None or find_spec("geopandas") is None else with_lines(graph, crs)


class Edges(NamedTuple):
    """The nodes of a NetworkX graph, and its edges in the order of ``g.edges``."""

    nodes: list[Hashable]
    u: NDArray[np.int64]
    v: NDArray[np.int64]
    """The ends, as positions of nodes."""
    keys: list[Hashable] | None
    """The keys of a multigraph."""
    attributes: list[dict[Any, Any]]
    """The attribute dictionaries of the graph, not copies."""


def read_edges(g: networkx.Graph[Any]) -> Edges:
    """List the edges of a NetworkX graph.

    ``g.edges`` would make a tuple of each edge, which takes several times as long.

    Parameters
    ----------
    g : networkx.Graph or networkx.MultiGraph
        The graph.

    Returns
    -------
    Edges
    """
    neighbours: Mapping[Hashable, Mapping[Hashable, Any]] = g._adj  # g.adj would wrap each dictionary
    if hasattr(g, "_graph"):  # a view of another graph, which filters; some of its lengths are wrong
        neighbours = {node: dict(others.items()) for node, others in neighbours.items()}
    nodes = list(neighbours)
    degrees = np.fromiter(map(len, neighbours.values()), np.int64, len(nodes))
    u = np.repeat(np.arange(len(nodes)), degrees)
    v = _positions(neighbours)
    # Both ends of an undirected edge store it; g.edges lists it at the node that comes first.
    first = (u <= v) | g.is_directed()
    u, v = u[first], v[first]
    stored = list(compress(_values(neighbours.values()), first.tolist()))
    if not g.is_multigraph():
        return Edges(nodes, u, v, None, stored)
    parallel = np.fromiter(map(len, stored), np.int64, len(stored))
    u, v = np.repeat(u, parallel), np.repeat(v, parallel)
    return Edges(nodes, u, v, list(chain.from_iterable(stored)), list(_values(stored)))


def _values(mappings: Any) -> Any:
    """Iterate over the values of several mappings."""
    return chain.from_iterable(map(methodcaller("values"), mappings))


def _positions(neighbours: Mapping[Any, Mapping[Any, Any]]) -> NDArray[np.int64]:
    """Return the positions, in the list of nodes, of the neighbours of all nodes."""
    others = chain.from_iterable(neighbours.values())
    if _are_small_integers(neighbours):  # as in most graphs: an array is three times as fast as a dictionary
        nodes = np.fromiter(neighbours, np.int64)
        position = np.empty(nodes.max() + 1, np.int64)
        position[nodes] = np.arange(nodes.size)
        return position[np.fromiter(others, np.int64)]
    index = {node: i for i, node in enumerate(neighbours)}
    return np.fromiter(map(index.__getitem__, others), np.int64)


def _are_small_integers(nodes: Collection[Any]) -> bool:
    if not nodes or not all(type(node) is int for node in nodes):
        return False
    return min(nodes) >= 0 and max(nodes) < 4 * len(nodes)
