"""The forest of a graph with more edges, from the forest without them.

Only edges on paths between ends of new edges can leave the forest. For each two consecutive ends in leaf
order (see `boruvka.forest.path_maxima`), take the heaviest edge on the path between them. At every weight
threshold, these *path edges* connect the ends exactly as the forest does. The minimum spanning forest of the
path edges and the new edges therefore determines the update: path edges outside it are removed, and new edges
in it are added.

Source: the path edges are the compressed path trees of D. Anderson, G. E. Blelloch, K. Tangwongsan,
Work-efficient batch-incremental minimum spanning trees with applications to the sliding-window model, 2020,
found in leaf order instead of a tree of clusters.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.forest.path_maxima import path_maxima, sort_edges
from boruvka.graph.abstract_graph import AbstractGraph
from boruvka.graph.extended_graph import ExtendedGraph
from boruvka.graph.graph import to_host
from boruvka.graph.numbering import number_names
from boruvka.interop.as_graph import as_graph, as_graph_with_names
from boruvka.kernels.kernel import kernel
from boruvka.operators.union_find import union

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["update"]

NEW_EDGES_PER_VERTEX = 1 / 8
"""Maximum number of new edges per vertex for which the leaf order of an earlier forest is used."""


def update(forest: Forest, new_edges: Any) -> Forest:
    """Implement `Forest.update`."""
    start = time.perf_counter()
    known = {}
    if forest.graph.names is None:
        new = to_host(as_graph(new_edges))
        if new.names is not None:
            raise GraphError(
                "vertices of the new edges have names, and those of the graph have none: give numbers, or "
                "solve graph.with_names(...)"
            )
        graph = ExtendedGraph(forest.graph, new.u, new.v, new.w, max(forest.n, new.n))
    else:
        graph, known["_number_of_name"] = _with_new_names(forest, to_host(as_graph_with_names(new_edges)))
    before = _prepared(forest)
    removed, added = _exchange(before, graph)
    edges = np.concatenate([np.delete(before.edges, removed), added])
    seconds = time.perf_counter() - start
    updated = type(forest)(graph, edges, forest.maximum, "update", "threads", seconds=seconds)
    vars(updated).update(known, _before=before)
    return updated


def _with_new_names(forest: Forest, new: AbstractGraph) -> tuple[ExtendedGraph, dict[Hashable, int]]:
    """Add edges between named vertices to a graph; return it, and the number of each name."""
    u, v, names = (new.u, new.v, new.names) if new.names is not None else number_names(new.u, new.v)
    numbers = forest._number_of_name
    listed = names.tolist()
    unknown = [name for name in listed if name not in numbers]
    if unknown:
        numbers = numbers | dict(zip(unknown, range(forest.n, forest.n + len(unknown)), strict=True))
    place = np.fromiter(map(numbers.__getitem__, listed), np.int64, len(listed))
    old = forest.graph.name_of(slice(None))
    joined = np.fromiter(numbers, object, len(numbers)) if unknown else old
    if unknown and old.dtype.kind in "iu" and all(type(name) is int for name in unknown):
        with suppress(OverflowError):
            joined = joined.astype(old.dtype)
    return ExtendedGraph(forest.graph, place[u], place[v], new.w, len(numbers), joined), numbers


def _prepared(forest: Forest) -> Forest:
    """Choose the forest whose leaf order is used: an earlier one, unless many edges have been added since."""
    before = forest._before
    if before is None or "_leaf_order" in vars(forest):
        return forest
    new = forest.graph.m - before.graph.m
    return before if new <= NEW_EDGES_PER_VERTEX * before.n else forest


def _exchange(forest: Forest, graph: ExtendedGraph) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Find the positions of the edges that leave a forest, and the indices of the new edges that join it."""
    m = forest.graph.m
    u, v, w = graph.edge_slice(m, graph.m)
    ends, where = np.unique(np.concatenate([u, v]), return_inverse=True)
    leaves, table = forest._leaf_order
    known = ends < forest.n  # other vertices are new
    by_position = np.argsort(leaves.position[ends[known]])
    number = np.arange(ends.size)
    number[by_position] = np.arange(by_position.size)
    in_order = ends[known][by_position]
    ranks = np.empty(max(in_order.size - 1, 0), leaves.position.dtype)
    path_maxima(in_order[:-1], in_order[1:], leaves.position, table, ranks)
    left = np.flatnonzero(ranks < len(forest))
    places = leaves.order[ranks[left]]
    by_index = np.argsort(places)
    left, places = left[by_index], places[by_index]

    first, second = number[where].reshape(2, -1)
    a, b = np.concatenate([left, first]), np.concatenate([left + 1, second])
    order, _ = sort_edges(np.concatenate([forest.w[places], w]), forest.maximum)
    chosen = np.zeros(order.size, bool)
    _kruskal(order, a.astype(np.uint64), b.astype(np.uint64), np.arange(ends.size, dtype=np.uint64), chosen)
    return places[~chosen[: places.size]], m + np.flatnonzero(chosen[places.size :])


@kernel
def _kruskal(order, a, b, parent, chosen):
    """Choose the edges that connect two trees, in order."""
    for k in range(order.size):
        i = np.uint64(order[k])
        chosen[i] = union(a[i], b[i], parent)
