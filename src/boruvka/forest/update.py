"""The forest of a graph with more edges, from the forest without them.

Only edges on paths between ends of new edges can leave the forest. In the line of `path_maxima`, the ends of
the new edges divide the vertices into intervals. Between two neighbours of these ends, the heaviest edge of
the path is the highest gap; these *path edges* connect the ends exactly as the forest does up to any weight.
So the forest of path edges and new edges says all: path edges that it leaves out leave the forest, and new
edges that it holds join it.

Source: the path edges are the compressed path trees of D. Anderson, G. E. Blelloch, K. Tangwongsan,
Work-efficient batch-incremental minimum spanning trees with applications to the sliding-window model, 2020,
found in the line instead of a tree of clusters.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boruvka.backends.kernel import kernel
from boruvka.forest.path_maxima import path_maxima, sort_edges
from boruvka.graph.extended_graph import ExtendedGraph

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["update"]

NEW_EDGES_PER_VERTEX = 1 / 8
"""New edges, for each vertex, up to which the line of an earlier forest still serves."""


def update(forest: Forest, u: ArrayLike, v: ArrayLike, w: ArrayLike, n: int | None = None) -> Forest:
    """Find the forest of a graph after k edges are added to it, without solving the graph again.

    The first call prepares the forest in O(n log n), as `Forest.bottleneck` does. Then an update takes
    O(k log k), and a copy of the indices of the forest. Updates of the result use what is prepared, until
    many edges have been added.

    Parameters
    ----------
    forest : Forest
        A minimum or maximum spanning forest of its graph.
    u, v, w : (k,) array_like
        The ends and the weight of each new edge. Weights are converted to the type of the graph, if that
        holds them exactly.
    n : int, optional
        Number of vertices of the larger graph; by default one more than the largest id.

    Returns
    -------
    Forest
        The same edges that `minimum_spanning_forest` finds in the larger graph, whose edges are those of the
        old graph and then, from index m on, the new ones. The arrays of the old graph are not copied.

    Raises
    ------
    GraphError, GraphTypeError
        As for `Graph`; or the type of the graph holds a weight not exactly; or n is fewer than before.

    Examples
    --------
    >>> import boruvka
    >>> forest = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [5, 2, 7]))
    >>> larger = forest.update([0, 2], [2, 3], [4, 9])
    >>> larger.edges, larger.weight
    (array([1, 3, 4]), 15)
    """
    begin = time.perf_counter()
    graph = ExtendedGraph(forest.graph, u, v, w, n)
    before = _prepared(forest)
    removed, added = _exchange(before, graph)
    edges = np.concatenate([np.delete(before.edges, removed), added])
    seconds = time.perf_counter() - begin
    updated = type(forest)(graph, edges, forest.maximum, "update", "threads", seconds=seconds)
    vars(updated)["_before"] = before
    return updated


def _prepared(forest: Forest) -> Forest:
    """Choose the forest whose line is used: an earlier one, unless many edges have been added since."""
    before = forest._before
    if before is None or "_line" in vars(forest):
        return forest
    new = forest.graph.m - before.graph.m
    return before if new <= NEW_EDGES_PER_VERTEX * before.n else forest


def _exchange(forest: Forest, graph: ExtendedGraph) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Find the places of the edges that leave a forest, and the indices of the new edges that join it."""
    m = forest.graph.m
    u, v, w = graph.between(m, graph.m)
    ends, where = np.unique(np.concatenate([u, v]), return_inverse=True)
    line, maxima = forest._line
    known = ends < forest.n  # other vertices are new
    by_position = np.argsort(line.position[ends[known]])
    number = np.arange(ends.size)
    number[by_position] = np.arange(by_position.size)
    in_line = ends[known][by_position]
    ranks = np.empty(max(in_line.size - 1, 0), line.gap.dtype)
    path_maxima(in_line[:-1], in_line[1:], line.position, maxima, ranks)
    left = np.flatnonzero(ranks < len(forest))
    places = line.order[ranks[left]]
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
    """Choose the edges that connect two trees, in order: union-find with path halving."""
    for k in range(order.size):
        i = np.uint64(order[k])
        x, y = a[i], b[i]
        while x != parent[x]:
            parent[x] = parent[parent[x]]
            x = parent[x]
        while y != parent[y]:
            parent[y] = parent[parent[y]]
            y = parent[y]
        parent[max(x, y)] = min(x, y)
        chosen[i] = x != y
