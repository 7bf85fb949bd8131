"""Prim's algorithm on a few thousand points: one loop on one thread, whose inner loops are vectorised.

Idea: the tree grows by the point that is nearest to it. Each point outside keeps its lightest edge to the
tree, which only the newest point of the tree can change: every distance is computed once, for many points at
a time. Points outside are kept together, so that these loops run over whole arrays without a branch.

Roots are slow, so reduced distances are compared (see `boruvka.graph.points.search_metric`), except where two
are so close that their weights may be equal: then weights are compared, and of equal ones the indices.

Source: R. C. Prim, Shortest connection networks and some generalizations, 1957; E. W. Dijkstra, A note on two
problems in connexion with graphs, 1959.

Why it is right: the next edge is the lightest that leaves the tree (cut property). Of the edges from one
point outside to two points of the tree, the one to the smaller point has the smaller index.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.building_blocks.edge_list import ImplicitEdges
from boruvka.algorithms.foreign_neighbours import bits_of, weight_from
from boruvka.algorithms.kd_tree_boruvka import check
from boruvka.algorithms.registry import algorithm
from boruvka.backends.primitives import Backend, Operator
from boruvka.graph.points.search_metric import (
    SEARCH_METRICS,
    SearchMetric,
    add_difference,
    difference_of,
    identity,
)
from boruvka.operators.sort_keys import NONE, U64
from boruvka.runtime.round_log import RoundLog

ZERO, ONE, TWO = U64(0), U64(1), U64(2)
METRICS = [metric for metric in SEARCH_METRICS.values() if not metric.needs_points]
BELOW, ABOVE = 1.0 - 2.0**-48, 1.0 + 2.0**-48
"""Reduced distances that differ by these factors have different weights: their roots are several roundings
apart."""


@algorithm(
    "point-prim",
    source="Prim 1957; Dijkstra 1959",
    complexity="O(n²)",
    use="up to a few thousand points: Euclidean, Manhattan, Chebyshev distances",
    implicit_graphs="points, as Graph.from_points(points, metric) makes them",
)
def point_prim(implicit_edges: ImplicitEdges, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning tree of points.

    Raises
    ------
    GraphError
        A coordinate is not finite, or distances overflow.
    OptionError
        The graph has no points or another metric, or a maximum spanning forest is wanted.
    """
    graph = check(implicit_edges, "point-prim", METRICS)
    n, metric = graph.n, graph.pairs.search_metric
    round_log.begin("points", n, graph.m)
    with round_log.step("join"):
        core, d = graph.source.core, graph.points.shape[1]
        x = np.zeros((max(d + d % 2, 2), n))
        x[:d] = graph.points.T
        length = np.full(len(x), np.inf)
        length[:d] = np.inf if graph.box is None else graph.box
        vertex, key, nearest = np.arange(n, dtype=U64), np.full(n, np.inf), np.full(n, NONE)
        outside = Outside(x, vertex, core.copy(), key, nearest, np.empty(n), length)
        edges = np.empty(max(n - 1, 0), U64)
        backend.for_each_in_order(grow_operator(metric, core.size > 0), edges.size, outside, edges)
        edges.sort()
    return edges.view(np.int64)


class Outside(NamedTuple):
    """The points outside the tree, at the first positions; the newest point of the tree is after them."""

    x: Any
    """(d, n) array of float64: their coordinates, with a row of zeros if their number is odd."""
    vertex: Any
    """(n,) array of uint64: the numbers of the points."""
    core: Any
    """(n,) array of float64: core distances; empty where weights are plain distances."""
    key: Any
    """(n,) array of float64: the reduced distance of the lightest edge of each to the tree; with core
    distances its weight."""
    nearest: Any
    """(n,) array of uint64: the point of the tree at the end of that edge."""
    distance: Any
    """(n,) array of float64: keys of the edges to the newest point of the tree."""
    length: Any
    """(d,) array of float64: lengths of the periodic box, infinite along an open axis."""


@functools.cache
def grow_operator(metric: SearchMetric, has_cores: bool) -> Operator:
    """Make the operator that adds a point to the tree, which begins with the last point."""
    norm, root = metric.norm, metric.weight
    weight = identity if has_cores else root

    def grow(step, outside, edges):
        """Store the index of the lightest edge that leaves the tree, and move its point into the tree."""
        left = U64(edges.size) - step
        for q in range(ZERO, U64(outside.x.shape[0]), TWO):
            add_two_coordinates(q, left, outside)
        if has_cores:
            raise_to_cores(left, outside)
        if has_cores or compare_keys(left, outside):
            compare_weights(left, outside)
        y = lightest(left, outside)
        edges[step] = edge_at(y, outside)
        swap(y, left - ONE, outside)

    def add_two_coordinates(q, left, outside):
        """Add the differences in two coordinates to the reduced distances from the newest point."""
        x, distance = outside.x, outside.distance
        a, b = x[q, left], x[q + ONE, left]
        first, second = outside.length[q], outside.length[q + ONE]
        for y in range(left):
            t = difference_of(a, x[q, y], first, norm)
            total = add_difference(distance[y] if q else 0.0, t, norm)
            distance[y] = add_difference(total, difference_of(b, x[q + ONE, y], second, norm), norm)

    def raise_to_cores(left, outside):
        """Replace reduced distances by weights: mutual reachability distances."""
        core, distance = outside.core, outside.distance
        newest = core[left]
        for y in range(left):
            distance[y] = max(root(distance[y]), max(newest, core[y]))

    def compare_keys(left, outside):
        """Keep the edges that are certainly lighter; return how many may be as light as those kept."""
        key, nearest, newest, close = outside.key, outside.nearest, outside.vertex[left], ZERO
        for y in range(left):
            best, distance, end = key[y], outside.distance[y], nearest[y]
            is_less = distance < best * BELOW
            close += U64(distance <= best * ABOVE) - U64(is_less)
            key[y], nearest[y] = (distance if is_less else best), (newest if is_less else end)
        return close

    def compare_weights(left, outside):
        """Keep the edges that precede those kept: by weight, then by the point of the tree."""
        key, nearest, newest = outside.key, outside.nearest, outside.vertex[left]
        for y in range(left):
            best, distance, end = key[y], outside.distance[y], nearest[y]
            old, w = weight(best), weight(distance)
            precedes = (w < old) | ((w == old) & (newest < end))
            key[y], nearest[y] = (distance if precedes else best), (newest if precedes else end)

    def lightest(left, outside):
        """Find the position of the point outside whose edge to the tree is the first of all."""
        key = outside.key
        low = NONE
        for y in range(left):
            low = min(low, bits_of(key[y]))
        bound = weight_from(low) * ABOVE
        close: Any = ZERO
        last: Any = ZERO
        for y in range(left):
            is_close = key[y] <= bound
            close += U64(is_close)
            last = max(last, y if is_close else ZERO)
        if close > ONE:
            w, first = weight(weight_from(low)), NONE
            for y in range(left):
                edge, is_tied = edge_at(y, outside), weight(key[y]) == w
                first = min(first, edge if is_tied else NONE)
            for y in range(left):
                last = y if edge_at(y, outside) == first else last
        return last

    grow.__name__ = grow.__qualname__ = f"grow_{metric.name}{'_with_cores' if has_cores else ''}"
    return grow


def edge_at(y, outside):
    """Return the index of the edge of position y, as `PointPairs.edges_at` computes it."""
    n, i, j = U64(outside.vertex.size), outside.vertex[y], outside.nearest[y]
    i, j = min(i, j), max(i, j)
    return i * (n - ONE) - (i * i - i) // TWO + j - i - ONE


def swap(y, z, outside):
    """Swap the points at two positions; the edge of the second one's point is not needed any more."""
    x, vertex, core, key, nearest, _, _ = outside
    for q in range(U64(x.shape[0])):
        x[q, y], x[q, z] = x[q, z], x[q, y]
    vertex[y], vertex[z] = vertex[z], vertex[y]
    if core.size:
        core[y], core[z] = core[z], core[y]
    key[y], nearest[y] = key[z], nearest[z]
