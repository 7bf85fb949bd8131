"""Collapsed branches: vertices that light edges join become one vertex, as programs that draw trees do it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.columns import read_only
from boruvka.graph.connected_components import label_components
from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.graph.names import name_array
from boruvka.graph.profiles import Profiles
from boruvka.graph.validation import pair_keys
from boruvka.trees.queries.single_linkage import is_within, read_height


def collapsed_graph(edges: EdgeSet, height: float | str, maximum: bool) -> Graph:
    """Make the graph of the edges that are left after those up to a height are collapsed.

    Parameters
    ----------
    edges : EdgeSet
        The edges of a forest or of a network.
    height : number or str
        The weight of the heaviest edges that are collapsed, or of the lightest if ``maximum``.
    maximum : bool
        Whether heavy edges were wanted.

    Returns
    -------
    Graph
        A vertex for each group, with the name of its first member, in the order of these; ``profiles`` has
        the members, and ``annotations.members`` those that each edge joins. It has only edges of ``edges``;
        of those between the same groups, the first.
    """
    graph = edges.graph
    is_light = is_within(edges.w, read_height(height, graph.annotations.pairs), maximum)
    labels = label_components(graph.n, edges.u[is_light], edges.v[is_light])
    first, n = np.unique(labels, return_index=True)[1], int(labels.max(initial=-1)) + 1
    u, v = labels[edges.u], labels[edges.v]
    kept = np.sort(np.unique(pair_keys(n, u, v), return_index=True)[1])
    kept = kept[u[kept] != v[kept]]
    names = None if graph.names is None and n == graph.n else graph.shown_id(first).tolist()
    left = Graph.from_edges(u[kept], v[kept], edges.w[kept], n=n, names=names)
    members = graph.annotations.members
    if members is not None:
        members = members[edges.edges[kept]]
    elif n < graph.n:
        members = np.column_stack([graph.shown_id(ends[kept]) for ends in (edges.u, edges.v)])
    places, facts = graph.coordinates, graph.annotations
    return left.annotated(
        id_column=graph.annotations.id_column,
        first_id=graph.first_id if names is None else 0,
        coordinates=None if places is None else read_only(places[first]),
        system=graph.system,
        left_out=graph.annotations.left_out,
        profiles=read_only(_members(graph, labels)),
        members=members,
        keep=facts.keep,
        table=facts.of_edges(edges.edges[kept]).table if facts.keep else None,
    )


def _members(graph: Graph, labels: NDArray[np.int64]) -> Profiles:
    """Return the members of groups: vertices, or the profiles that these were made from."""
    group, names = labels, graph.shown_id(np.arange(graph.n))
    if graph.profiles is not None and graph.profiles.names is not None:
        group, names = labels[graph.profiles.vertex_of], graph.profiles.names
    first, sizes = np.unique(group, return_index=True, return_counts=True)[1:]
    return Profiles(group, sizes, first, name_array(names, group.size))
