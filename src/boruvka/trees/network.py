"""The minimum spanning network: all edges that are in at least one minimum spanning forest.

An edge is in one exactly if it weighs as much as the heaviest edge on the path between its ends in any of
them: then the two can be exchanged. So one forest suffices, with one path query for each edge.

Points in few dimensions are solved again, to know whether an index decided between edges of equal weight.
Where none did, as with most real coordinates, the tree is the network. Other points are compared block by
block. A block is consecutive rows of a kd-tree. By the triangle inequality, two points of two blocks are at
least as far apart as the first points, less the radii of the blocks. No edge on the path between two points
is heavier than the heaviest on the paths to the first points of their blocks, and on the path between these.
Pairs that are certainly heavier are left out.

Source: H.-J. Bandelt, P. Forster, A. Röhl, Median-joining networks for inferring intraspecific phylogenies,
1999; L. Excoffier, P. E. Smouse, Using allele frequencies and geographic subdivision to reconstruct gene
trees within a species, 1994.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.kd_tree_boruvka import find_pairs
from boruvka.algorithms.run import solve_graph
from boruvka.backends import Backend, get_backend
from boruvka.errors import GraphTypeError, warn, without_warnings
from boruvka.graph import distances
from boruvka.graph.graph import DistanceGraph, Graph
from boruvka.graph.points import kd_tree
from boruvka.graph.points.search_metric import SearchMetric
from boruvka.graph.validation import first_entries, pair_keys
from boruvka.runtime.processors import processors
from boruvka.runtime.round_log import RoundLog
from boruvka.trees.queries.paths import heaviest_on_paths
from boruvka.trees.queries.sensitivity import check_not_required, not_spanning, sensitivity
from boruvka.trees.selected_edges import SelectedEdges
from boruvka.trees.structure import Structure

EDGES_AT_ONCE, BLOCKS_AT_ONCE = 1 << 20, 1 << 8
BLOCK = 64
"""Number of points of a block."""
LOWER, UPPER = 1 - 1e-6, 1 + 1e-6
"""Factors by which bounds of distances are changed: much more than their rounding errors."""
SQUARED = distances.squared_euclidean, distances.periodic_squared_euclidean
"""Distances that are squares of those for which the triangle inequality holds."""


class Network(SelectedEdges):
    """A minimum (or maximum) spanning network: all edges that are in at least one such forest of a graph.

    It can be drawn, converted and written as the forest can. Tables have the columns ``alternative`` and
    ``in_every``.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (k,) array of int64
        Indices of the edges in the graph, ascending. It has only the first of the
        entries (i, j) and (j, i) of a matrix; other parallel edges are different edges.
    maximum : bool
        Whether it is made of maximum spanning forests.
    """

    _in_repr = "n", "edges", "n_components"

    @cached_property
    def alternatives(self) -> NDArray[np.bool_]:
        """(k,) array: whether each edge is not in the first forest; pictures show these edges by dashes."""
        graph = Graph.from_edges(self.u, self.v, self.w, n=self.n)
        return ~np.isin(np.arange(graph.m), solve_graph(graph, self.maximum)[0])

    @cached_property
    def in_every(self) -> NDArray[np.bool_]:
        """(k,) array: whether each edge is in every minimum spanning forest of the graph."""
        graph, first = Graph.from_edges(self.u, self.v, self.w, n=self.n), np.flatnonzero(~self.alternatives)
        structure = Structure(self.n, first, *graph.take(first), self.maximum, first[:0])
        with without_warnings():  # of copies of edges: `network` warned of them
            return sensitivity(graph, structure).in_every

    @property
    def edge_columns(self) -> dict[str, Any]:
        """More columns of the edges: also whether each is an alternative, and whether in every forest."""
        return super().edge_columns | {"alternative": self.alternatives, "in_every": self.in_every}

    def collapse_at(self, height: float | str) -> Network:
        """Make one vertex of the vertices that edges up to a height join, as `Forest.collapse_at` does.

        Parameters
        ----------
        height : number
            As for `Forest.collapse_at`.

        Returns
        -------
        Network
            The edges that are left, of a graph that has only these. Of edges between the same two groups,
            which have equal weights, it has the first.

        Raises
        ------
        OptionError
            The height is NaN or not a number.
        """
        from boruvka.trees.collapsed import collapsed_graph

        graph = collapsed_graph(self, height, self.maximum)
        return Network(graph, np.arange(graph.m), self.maximum)

    def _repr_html_(self) -> str:
        title = f"{'Maximum' if self.maximum else 'Minimum'} spanning network"
        return self._html_table(title, "vertices", self.n)


def network(graph: Graph, structure: Structure) -> Network:
    """Implement `Forest.network`, for a forest of a graph."""
    check_not_required(structure, "network")
    if graph.is_on_device:
        raise GraphTypeError("network needs a graph on the host: call forest.to_host().network()")
    graph.check()
    candidates = _all_edges(graph)
    is_tree = not structure.maximum and structure.size == graph.n - 1 > 0
    if is_tree and isinstance(graph, DistanceGraph) and (metric := graph.pairs.search_metric) is not None:
        backend = get_backend("threads", processors())
        _, is_only_tree = find_pairs(graph, backend, RoundLog())
        if is_only_tree:
            return Network(graph, structure.edges, structure.maximum)
        candidates = _near_pairs(graph, metric, structure, backend)
    found = [np.empty(0, np.int64)]
    for edges, u, v, w in candidates:
        heaviest, weights = heaviest_on_paths(structure, u, v)
        if (joins := (heaviest < 0) & (u != v)).any():
            raise not_spanning(graph, int(edges[np.argmax(joins)]))
        found.append(edges[(heaviest >= 0) & (w == weights)])
    edges = np.sort(np.concatenate(found))
    u, v, _ = graph.take(edges)
    is_first = first_entries(graph, edges, u, v) == np.arange(edges.size)
    keys = pair_keys(graph.n, u[is_first], v[is_first])
    if count := keys.size - np.unique(keys).size:
        warn(
            f"edges of the network ({count:,}) have the ends and the weight of another one, as in a list of "
            "each edge in both directions: leave them out, or more than one forest seems to be "
            f"{'maximum' if structure.maximum else 'minimum'}"
        )
    return Network(graph, edges[is_first], structure.maximum)


def _all_edges(graph: Graph) -> Iterator[tuple[NDArray[np.int64], Any, Any, Any]]:
    """Yield the indices, ends and weights of all edges, some at a time."""
    for start in range(0, graph.m, EDGES_AT_ONCE):
        stop = min(start + EDGES_AT_ONCE, graph.m)
        yield np.arange(start, stop), *graph.edges_in_range(start, stop)


def _near_pairs(
    graph: DistanceGraph, metric: SearchMetric, structure: Structure, backend: Backend
) -> Iterator[tuple[NDArray[np.int64], Any, Any, Any]]:
    """Yield, in the same form, the pairs of points that may be in the network."""
    root = np.sqrt if graph.distance in SQUARED else np.positive

    def distance(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.float64]:
        return root(graph.pairs.weights_at(a, b))

    def heaviest(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[Any]:
        return heaviest_on_paths(structure, a, b)[1]

    x = metric.embed(np.ascontiguousarray(graph.points, np.float64))
    rows = np.arange(graph.n, dtype=np.uint32)
    vertex = kd_tree.build(x, rows, backend, graph.box).vertex
    starts = np.arange(0, graph.n, BLOCK)
    first = vertex[starts]
    to_first = np.repeat(first, BLOCK)[: graph.n], vertex
    radius = np.maximum.reduceat(distance(*to_first), starts)
    inside = np.maximum.reduceat(heaviest(*to_first), starts)
    heaviest_of_all = structure.w.max()
    for a in range(first.size):
        row = np.arange(starts[a], min(starts[a] + BLOCK, graph.n))
        least = distance(np.full(first.size - a, first[a]), first[a:]) * LOWER
        least -= (radius[a] + radius[a:]) * UPPER
        near = a + np.flatnonzero(~(least > root(heaviest_of_all)))
        most = heaviest(np.full(near.size, first[a]), first[near])
        most = np.maximum(most, np.maximum(inside[a], inside[near]))
        near, most = near[is_near := ~(least[near - a] > root(most))], most[is_near]
        for start in range(0, near.size, BLOCKS_AT_ONCE):
            column = (starts[near[start : start + BLOCKS_AT_ONCE], None] + np.arange(BLOCK)).ravel()
            k, c = np.nonzero(row[:, None] < column[column < graph.n])
            i, j = vertex[row[k]], vertex[column[c]]
            i, j = np.minimum(i, j), np.maximum(i, j)  # the graph computes distances from the smaller one
            w = graph.weights_at(i, j)
            may = np.flatnonzero(w <= most[start + c // BLOCK])
            i, j = i[may], j[may]
            yield graph.edges_at(i.astype(np.int64), j.astype(np.int64)), i, j, w[may]
