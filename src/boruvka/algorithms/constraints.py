"""Forests with edges that must be in them, and without others.

Required edges are contracted, and excluded ones left out; the forest of what is left completes them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.registry import ALGORITHMS
from boruvka.algorithms.run import DEFAULT, SolveOptions, solve_graph
from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.graph.connected_components import label_components
from boruvka.graph.derived_graphs import MaskedGraph
from boruvka.graph.graph import DistanceGraph, Graph
from boruvka.graph.labels import read_edges
from boruvka.graph.names import ends_text
from boruvka.graph.validation import best_first, first_entries, warn_of_copies
from boruvka.runtime.arguments import argument
from boruvka.runtime.round_log import SolveRecord


class ConstrainedSolution(NamedTuple):
    """The edges of a forest with required edges."""

    graph: Graph
    """The graph, without the excluded edges."""
    edges: NDArray[np.int64]
    """Indices of the edges, ascending."""
    record: SolveRecord
    required: NDArray[np.int64]
    """Indices of the required edges, ascending."""


def solve_constrained(
    graph: Graph, required: Any, excluded: Any, maximum: bool = False, options: SolveOptions = DEFAULT
) -> ConstrainedSolution:
    """Find the best forest that has all required edges and no excluded one.

    Parameters
    ----------
    graph : Graph
        The graph.
    required, excluded : array_like or None
        Edges, as `boruvka.graph.labels.read_edges` takes them.
    maximum : bool
        Whether the best forest is the heaviest.
    options : SolveOptions
        The way to solve the graph of the other edges.

    Raises
    ------
    GraphError, GraphTypeError
        Required edges close a cycle, an edge is both, or there is no such edge.
    OptionError
        The algorithm computes edges of points or matrices, and lists none.
    """
    algorithm = options.algorithm
    is_named = isinstance(algorithm, str) and algorithm != "auto" and algorithm in ALGORITHMS
    if is_named and ALGORITHMS[algorithm].needs_implicit_graph:
        raise OptionError(
            f"{algorithm} lists no edges, so none can be required or excluded: use "
            f"{argument('algorithm', 'auto')}"
        )
    n, (u, v, w) = graph.n, _edges_of(graph)
    required_edges = read_edges(graph, "required", required)
    excluded_edges = read_edges(graph, "excluded", excluded)
    if (both := np.intersect1d(required_edges, excluded_edges)).size:
        raise GraphError(f"edge {both[0]} is both required and excluded")
    if (gone := np.intersect1d(required_edges, graph.removed)).size:
        raise GraphError(f"edge {gone[0]} is required, but it was removed from the graph, or excluded")
    in_order = required_edges[best_first(w[required_edges], maximum)]
    is_first = first_entries(graph, in_order, u[in_order], v[in_order]) == np.arange(in_order.size)
    required_edges = np.sort(in_order[is_first])  # two entries of an edge of a matrix would close a cycle
    label = label_components(n, u[required_edges], v[required_edges])
    rest = np.delete(np.arange(w.size), excluded_edges)
    if label.max(initial=-1) + 1 > n - required_edges.size:
        # Find the first edge that joins no two components.
        kept = solve_graph(
            Graph(n, u[required_edges], v[required_edges], np.zeros(required_edges.size, np.uint8))
        ).edges
        i = np.delete(required_edges, kept)[0]
        ends = ends_text(graph.names, u[i], v[i], graph.first_id)
        raise GraphError(f"required edge {i} {ends} closes a cycle with required edges before it")
    # The required edges are self-loops here, which no algorithm chooses.
    contracted = Graph(n - required_edges.size, label[u[rest]], label[v[rest]], w[rest])
    found, record = solve_graph(contracted, maximum, options)
    edges = np.sort(np.concatenate([required_edges, rest[found]]))
    if excluded_edges.size:
        warn_of_copies(graph, excluded_edges, edges)
        graph = MaskedGraph(graph, excluded_edges)
    return ConstrainedSolution(graph, edges, record, required_edges)


def _edges_of(graph: Graph) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the edges of a graph; all pairs of points become a list."""
    if graph.is_on_device:
        raise GraphTypeError("required and excluded are for graphs on the host: copy the arrays first")
    if isinstance(graph, DistanceGraph):
        return graph.edges_in_range(0, graph.m)
    return graph.u, graph.v, graph.w
