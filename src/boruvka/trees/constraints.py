"""Forests with edges that must be in them, and without others.

Required edges are contracted, and excluded ones left out; the forest of what is left completes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError, GraphTypeError
from boruvka.graph.abstract_graph import AbstractGraph, ImplicitGraph
from boruvka.graph.edge_sets import edge_mask
from boruvka.graph.graph import Graph
from boruvka.graph.labelled_values import in_edge_order
from boruvka.graph.masked_graph import MaskedGraph
from boruvka.graph.vertex_names import ends_text
from boruvka.trees.forest import Forest

__all__ = ["constrained_forest"]


def constrained_forest(
    graph: AbstractGraph, required: Any, excluded: Any, solve: Callable[[Graph], Forest]
) -> Forest:
    """Find the best forest that has all required edges and no excluded one.

    Parameters
    ----------
    graph : AbstractGraph
        The graph.
    required, excluded : array_like or None
        Edges, as `boruvka.graph.edge_sets.edge_mask` takes them.
    solve : callable
        Finds the forest of a graph.

    Raises
    ------
    GraphError, GraphTypeError
        Required edges close a cycle, an edge is both, or there is no such edge.
    """
    n, (u, v, w) = graph.n, _edges_of(graph)
    is_required, is_excluded = (
        edge_mask("required", in_edge_order(graph, "required", required), w.size),
        edge_mask("excluded", in_edge_order(graph, "excluded", excluded), w.size),
    )
    if (is_required & is_excluded).any():
        raise GraphError(f"edge {np.argmax(is_required & is_excluded)} is both required and excluded")
    given = np.flatnonzero(is_required)
    if is_required[graph.removed].any():
        i = graph.removed[is_required[graph.removed]][0]
        raise GraphError(f"edge {i} is required, but it was removed from the graph, or excluded")
    contracted = solve(Graph(n, u[given], v[given], np.zeros(given.size, np.uint8)))
    if len(contracted) < given.size:
        left = np.ones(given.size, bool)
        left[contracted.edges] = False
        i = given[np.argmax(left)]
        ends = ends_text(graph.names, u[i], v[i], graph.first_id)
        raise GraphError(f"required edge {i} {ends} closes a cycle with required edges before it")
    rest, labels = np.flatnonzero(~(is_required | is_excluded)), contracted.labels
    found = solve(Graph(contracted.n_components, labels[u[rest]], labels[v[rest]], w[rest]))
    edges = np.sort(np.concatenate([given, rest[found.edges]]))
    if is_excluded.any():
        graph = MaskedGraph(graph, np.flatnonzero(is_excluded))
    about = (found.maximum, found.algorithm, found.backend, found.threads, found.rounds)
    return Forest(graph, edges, *about, contracted.seconds + found.seconds, given)


def _edges_of(graph: AbstractGraph) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the edges of a graph; all pairs of points become a list."""
    if graph.is_on_device:
        raise GraphTypeError("required and excluded are for graphs on the host: copy the arrays first")
    if isinstance(graph, ImplicitGraph):
        return graph.edge_slice(0, graph.m)
    return graph.u, graph.v, graph.w
