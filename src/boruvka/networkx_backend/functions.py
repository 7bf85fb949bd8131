"""The backend as NetworkX loads it: conversion, and the functions that replace its own.

Results and their order are the same as of NetworkX's Kruskal, whose sort is stable. Edges are numbered as in
``G.edges``, and the forest is unique by (weight, index), so sorting its edges by weight gives the edges that
NetworkX yields. Weights that no NumPy type holds exactly (fractions, long decimals, integers beyond 64 bits)
and weights that are not numbers are left to NetworkX.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
from networkx.algorithms import approximation
from networkx.algorithms.tree import branchings, mst
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph
from boruvka.graph.validation import edge_weights
from boruvka.interop.networkx import Edges, read_edges
from boruvka.networkx_backend.info import ARBORESCENCES, COMPONENTS
from boruvka.trees import arborescence, steiner
from boruvka.trees.minimum_spanning import minimum_spanning_forest
from boruvka.trees.path_maxima import sort_edges

PAYS_FROM = 200
"""With this many edges the backend is faster than NetworkX: as fast with 100, twice as fast with 1000."""


class ConvertedGraph:
    """A NetworkX graph and the list of its edges, which NetworkX caches until the graph changes.

    Only methods of the graph add or remove edges, and these clear the cache. Attributes can be changed
    without a method, so weights are read again in each call.
    """

    __networkx_backend__ = "boruvka"

    def __init__(self, graph: nx.Graph):
        self.graph = graph
        self._edges: Edges | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a copy is asked for these before it has a graph
            raise AttributeError(name)
        return getattr(self.graph, name)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.graph)

    def edge_list(self) -> Edges:
        """List the edges. Those of a view are not cached, as changes of its graph do not clear its cache."""
        if self._edges is not None:
            return self._edges
        edges = read_edges(self.graph)
        if not hasattr(self.graph, "_graph"):
            self._edges = edges
        return edges


# The interface of a NetworkX backend


def convert_from_nx(graph: nx.Graph, **_: Any) -> ConvertedGraph:
    """Convert a NetworkX graph."""
    return ConvertedGraph(graph)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Convert a graph back to NetworkX; results of the functions below need no conversion."""
    return result.graph if isinstance(result, ConvertedGraph) else result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether a function supports its arguments, or why not."""
    graph = args[0] if args else kwargs["G"]
    method = args[3] if len(args) > 3 else kwargs.get("method")
    if name == "steiner_tree" and method not in (None, "mehlhorn"):
        return "only Mehlhorn's method runs here"
    if graph.is_directed() and name in ("kruskal_mst_edges", "prim_mst_edges", "partition_spanning_tree"):
        return "NetworkX has rules of its own for directed graphs"
    if not graph.is_directed() and name in ARBORESCENCES:
        return "NetworkX has rules of its own for undirected graphs"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return whether a function, with the conversion, is faster here than in NetworkX, or why not."""
    graph = args[0] if args else kwargs["G"]
    kept = getattr(graph, "__networkx_cache__", None)
    if name in COMPONENTS and not (kept or {}).get("backends", {}).get("boruvka"):
        return "converting the graph takes longer than searching it"
    if kept is None and name in ("kruskal_mst_edges", "partition_spanning_tree"):
        return "SpanningTreeIterator solves one graph many times, and keeps no conversion"
    stored = sum(map(len, graph._adj.values()))  # both ends of an undirected edge store it
    if stored < 2 * PAYS_FROM and name not in ARBORESCENCES:
        return "the graph is small"
    return True


# Spanning forests


def _spanning_edges(
    minimum, G, algorithm="kruskal", weight="weight", keys=True, data=True, ignore_nan=False
) -> Iterator[tuple[Any, ...]]:
    _check_algorithm(G, algorithm)
    return kruskal_mst_edges(G, minimum, weight, keys, data, ignore_nan)


def _spanning_tree(minimum, G, weight="weight", algorithm="kruskal", ignore_nan=False) -> nx.Graph:
    _check_algorithm(G, algorithm)
    return partition_spanning_tree(G, minimum, weight, None, ignore_nan)


minimum_spanning_edges = partial(_spanning_edges, True)
maximum_spanning_edges = partial(_spanning_edges, False)
minimum_spanning_tree = partial(_spanning_tree, True)
maximum_spanning_tree = partial(_spanning_tree, False)


def partition_spanning_tree(
    G, minimum=True, weight="weight", partition="partition", ignore_nan=False
) -> nx.Graph:
    """Replace ``networkx.partition_spanning_tree``; without a partition, the trees of the other functions."""
    tree = G.graph.__class__()
    tree.graph.update(G.graph.graph)
    tree.add_nodes_from(G.graph.nodes.items())
    tree.add_edges_from(kruskal_mst_edges(G, minimum, weight, True, True, ignore_nan, partition))
    return tree


def kruskal_mst_edges(
    G, minimum=True, weight="weight", keys=True, data=True, ignore_nan=False, partition=None
) -> Iterator[tuple[Any, ...]]:
    """Replace ``kruskal_mst_edges`` of ``networkx.algorithms.tree.mst``, and Prim's and Borůvka's."""
    edges = G.edge_list()
    weights = _exact_weights([attributes.get(weight, 1) for attributes in edges.attributes])
    if weights is None:
        yield from mst.kruskal_mst_edges(
            G.graph, minimum, weight, keys, data, ignore_nan, partition, backend="networkx"
        )
        return
    candidates = _without_nan(edges, weights, ignore_nan)
    if partition is None:
        chosen = _forest(edges, weights, candidates, minimum)
    else:
        chosen = _forest_of_partition(edges, weights, candidates, partition, minimum)
    yield from _edge_tuples(edges, chosen, keys, data)


prim_mst_edges = boruvka_mst_edges = kruskal_mst_edges


def _check_algorithm(G: ConvertedGraph, algorithm: str) -> None:
    """Check the arguments that NetworkX checks before it yields the first edge."""
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    if algorithm not in mst.ALGORITHMS:
        raise ValueError(f"{algorithm} is not a valid choice for an algorithm.")
    if G.is_multigraph() and mst.ALGORITHMS[algorithm] is mst.boruvka_mst_edges:
        raise nx.NetworkXNotImplemented("not implemented for multigraph type")


def _edge_tuples(
    edges: Edges, indices: NDArray[np.int64], keys: bool = True, data: bool = False
) -> Iterator[tuple[Any, ...]]:
    """Iterate over edges as NetworkX yields them: both ends, the key in a multigraph, the attributes."""
    found = indices.tolist()
    columns: list[list[Any]] = [
        [edges.nodes[i] for i in ends[indices].tolist()] for ends in (edges.u, edges.v)
    ]
    if keys and edges.keys is not None:
        columns.append([edges.keys[i] for i in found])
    if data:
        columns.append([edges.attributes[i] for i in found])
    return zip(*columns, strict=True)


def _exact_weights(values: list[Any]) -> NDArray[Any] | None:
    """Convert weights to an array; None where they are not numbers, or no type holds all of them exactly."""
    try:
        return edge_weights(values)
    except (GraphError, GraphTypeError):
        return None


def _without_nan(edges: Edges, weights: NDArray[Any], ignore_nan: bool) -> NDArray[np.int64]:
    """Return the indices of edges whose weight is a number; raise NetworkX's error unless NaN is ignored."""
    is_nan = np.isnan(weights)
    if is_nan.any() and not ignore_nan:
        i = int(np.argmax(is_nan))
        edge = next(_edge_tuples(edges, np.array([i]), data=True))
        raise ValueError(f"NaN found as an edge weight. Edge {edge}")
    return np.flatnonzero(~is_nan)


def _forest(
    edges: Edges, weights: NDArray[Any], candidates: NDArray[np.int64], minimum: bool
) -> NDArray[np.int64]:
    """Find the forest of edges, in the order of a stable sort by weight."""
    graph = Graph(len(edges.nodes), edges.u[candidates], edges.v[candidates], weights[candidates])
    forest = minimum_spanning_forest(graph, maximum=not minimum)
    order, _ = sort_edges(forest.w, maximum=not minimum)
    return candidates[forest.edges[order]]


def _forest_of_partition(
    edges: Edges, weights: NDArray[Any], candidates: NDArray[np.int64], partition: Any, minimum: bool
) -> NDArray[np.int64]:
    """Find the forest with all included edges that close no cycle, completed by the best open edges."""
    included, excluded = (mask[candidates] for mask in _masks(edges, partition))
    forced = candidates[included]
    ends = edges.u[forced], edges.v[forced]
    forest = minimum_spanning_forest((*ends, np.zeros(forced.size), len(edges.nodes)))
    contracted = edges._replace(u=forest.labels[edges.u], v=forest.labels[edges.v])
    open_edges = candidates[~(included | excluded)]
    best = _forest(contracted, weights, open_edges, minimum)
    return np.concatenate([forced[forest.edges], best])


def _masks(edges: Edges, partition: Any) -> Iterator[NDArray[np.bool_]]:
    """Return masks of the included and of the excluded edges."""
    states = [attributes.get(partition) for attributes in edges.attributes]
    for wanted in mst.EdgePartition.INCLUDED, mst.EdgePartition.EXCLUDED:
        yield np.array([state is wanted for state in states], bool)


# Steiner trees


def steiner_tree(G, terminal_nodes, weight="weight", method=None) -> nx.Graph:
    """Replace ``steiner_tree`` of ``networkx.algorithms.approximation``."""
    if G.is_directed():
        raise nx.NetworkXNotImplemented("not implemented for directed type")
    edges, nodes = G.edge_list(), list(terminal_nodes)
    for node in nodes:
        if node not in G.graph:
            raise nx.NodeNotFound(f"Node {node} not found in graph")
    weights, tree = _exact_weights([attributes.get(weight, 1) for attributes in edges.attributes]), None
    if nodes and weights is not None and (np.isfinite(weights) & (weights >= 0)).all():
        number = {node: i for i, node in enumerate(edges.nodes)}
        graph = Graph(len(edges.nodes), edges.u, edges.v, weights)
        tree = steiner.find_tree(graph, np.unique([number[node] for node in nodes]))
    if tree is None or tree.n_components > 1:
        return approximation.steiner_tree(G.graph, nodes, weight, method, backend="networkx")
    return G.graph.edge_subgraph(_edge_tuples(edges, tree.edges))


# Arborescences


def _arborescence(name: str, G, attr="weight", default=1, preserve_attrs=False, partition=None) -> nx.DiGraph:
    """Find an arborescence, or a branching: an arborescence of a root that has an arc of weight 0 to all.

    Included arcs are contracted: only the top of a tree of these takes another arc.
    """
    edges = G.edge_list()
    values = [attributes.get(attr, default) for attributes in edges.attributes]
    weights, n = _exact_weights(values), len(edges.nodes)
    if weights is None or not np.isfinite(weights).all():
        return getattr(branchings, name)(
            G.graph, attr, default, preserve_attrs, partition, backend="networkx"
        )
    if n == 0 and name != "maximum_branching":
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    included, excluded = _masks(edges, partition)
    try:
        trees = _included_trees(edges, included)
        is_top = np.ones(n, bool)
        is_top[edges.v[included]] = False
        u, v = trees[edges.u], trees[edges.v]
        candidates = np.flatnonzero(~excluded & is_top[edges.v] & (u != v))
        count = int(np.count_nonzero(is_top))
        chosen = _best_arcs(name, u[candidates], v[candidates], weights[candidates], count)
    except GraphError:
        raise nx.NetworkXException(f"No {name.replace('_', ' ')} in G.") from None
    result = G.graph.__class__()
    result.add_nodes_from(edges.nodes)
    for i in np.union1d(np.flatnonzero(included), candidates[chosen]).tolist():
        attributes = edges.attributes[i] if preserve_attrs else {}
        result.add_edge(edges.nodes[edges.u[i]], edges.nodes[edges.v[i]], **attributes | {attr: values[i]})
    return result


minimum_spanning_arborescence = partial(_arborescence, "minimum_spanning_arborescence")
maximum_spanning_arborescence = partial(_arborescence, "maximum_spanning_arborescence")
maximum_branching = partial(_arborescence, "maximum_branching")
"""Also what ``networkx.minimum_branching`` and ``minimal_branching`` call."""


def _included_trees(edges: Edges, included: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of the tree of included arcs that each node is in; an error if they form no trees."""
    u, v, n = edges.u[included], edges.v[included], len(edges.nodes)
    trees = label_components(n, u.astype(np.uint32), v.astype(np.uint32))
    if np.unique(v).size < v.size or trees.max(initial=-1) + 1 != n - v.size:
        raise GraphError("included arcs share their head or close a cycle")
    return trees


def _best_arcs(
    name: str, u: NDArray[np.int64], v: NDArray[np.int64], w: NDArray[Any], n: int
) -> NDArray[np.int64]:
    """Find the arcs of the best arborescence or branching, ascending."""
    artificial, root = 0, None
    if name == "maximum_branching":  # these arcs come first, so a tie leaves an arc of weight 0 out
        artificial, root = n, n
        u, v = np.concatenate([np.full(n, root), u]), np.concatenate([np.arange(n), v])
        w = np.concatenate([np.zeros(n, w.dtype), w])
    graph, maximum = Graph(n + (root is not None), u, v, w), not name.startswith("minimum")
    arcs = arborescence.minimum_spanning_arborescence(graph, root, maximum=maximum).edges
    return arcs[arcs >= artificial] - artificial


# Connected components


def connected_components(G) -> Iterator[set[Hashable]]:
    """Replace ``networkx.connected_components``."""
    labels, nodes = _labels(G), G.edge_list().nodes
    members = [nodes[i] for i in np.argsort(labels, kind="stable").tolist()]
    begin = 0
    for size in np.bincount(labels).tolist():
        yield set(members[begin : begin + size])
        begin += size


def number_connected_components(G) -> int:
    """Replace ``networkx.number_connected_components``."""
    return int(_labels(G).max(initial=-1)) + 1


def is_connected(G) -> bool:
    """Replace ``networkx.is_connected``."""
    if len(G.graph) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return number_connected_components(G) == 1


def _labels(G: ConvertedGraph) -> NDArray[np.int64]:
    edges = G.edge_list()
    return label_components(len(edges.nodes), edges.u.astype(np.uint32), edges.v.astype(np.uint32))
