"""The search for a pair of points that should replace an edge of the forest, without looking at all pairs.

Points are taken in blocks of neighbours, and blocks in pairs up to all points: the nodes of a binary tree.
The positions of the points of two nodes in the line (see `boruvka.forest.path_maxima`) are in one interval,
and the heaviest edge in it is the heaviest on any path between them. If their boxes are farther apart than
that, no pair of them is lighter than its path.

The solver `kd_tree_boruvka` is not trusted: paths, boxes and bounds are found here. Only the order of the
points is that of its tree, and any order would do: it says how fast the search is, not what it finds.

Source: the cycle property, as in `boruvka.forest.verify_edge_list`; two nodes at a time, after W. B. March,
P. Ram, A. G. Gray, Fast Euclidean minimum spanning tree, KDD 2010.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.forest.path_maxima import ONE, ZERO, IntervalMaxima, Line, highest_gap, interval_maxima
from boruvka.forest.verify_edge_list import in_threads
from boruvka.graph.distance_graph import DistanceGraph, PairSource
from boruvka.graph.points.kd_tree import build, first_row
from boruvka.graph.points.point_index import tree_pays
from boruvka.graph.points.search_metric import SearchMetric, add_difference
from boruvka.kernels.kernel import Kernel
from boruvka.runtime.processors import processors
from boruvka.runtime.progress import report

BLOCKS_AT_ONCE = 256
"""Blocks of one kernel call."""
STACK = 128
"""More than the nodes that can wait for a visit."""
FEWEST_COPIES = 32
"""Fewest equal points that are left out: all pairs of fewer are soon compared."""
TINY = 1e-100
"""The distance of two points is not 0 if a coordinate differs, and none is smaller than this but 0."""
TOWARDS_ZERO = 1.0 - 2.0**-40
"""What is multiplied to a lower bound, for more than rounding can change."""
TWO = np.uint64(2)


class Nodes(NamedTuple):
    """The nodes of a binary tree over rows of points: node 1 is the root, and the last half are blocks."""

    start: NDArray[np.uint64]
    """First row of each block, then the number of rows."""
    box: NDArray[np.float64]
    """Lower and upper corner of each node."""
    low: NDArray[Any]
    """First position in the line of the points of each node."""
    high: NDArray[Any]
    """The last one."""
    core: NDArray[np.float64]
    """Smallest core distance of each node; empty where weights are plain distances."""


class Rows(NamedTuple):
    """What is known of the points by row."""

    vertex: NDArray[Any]
    """The point of each row."""
    position: NDArray[Any]
    """Its position in the line."""
    coordinates: NDArray[np.float64]
    """(d, n) array: the points as the search takes them."""
    source: PairSource
    """The points as they were given, and core distances."""


class Ranks(NamedTuple):
    """The edges of the forest by rank, with which pairs are compared."""

    weights: NDArray[Any]
    """Weight of the edge of each rank, then infinity for pairs that no path connects."""
    pair: NDArray[np.uint64]
    """Its row * n + column, then the largest number."""
    maxima: IntervalMaxima


def searched_points(graph: DistanceGraph, maximum: bool) -> NDArray[np.float64] | None:
    """Return the points as the search takes them; None if it is impossible, or slower than all pairs."""
    if maximum or graph.search_metric is None or not tree_pays(graph):
        return None
    return graph.search_metric.embed(np.ascontiguousarray(graph.points, np.float64))


def find_better_pair_of_points(
    graph: DistanceGraph,
    points: NDArray[np.float64],
    line: Line,
    pair: NDArray[np.uint64],
    weights: NDArray[Any],
) -> tuple[int, int] | None:
    """Find a pair of points that precedes an edge on the path between them.

    Parameters
    ----------
    graph : DistanceGraph
    points : (n, d) array
        What `searched_points` returns.
    line : Line
        The vertices in a line.
    pair, weights : arrays
        The edge of each rank, as `Ranks` has them.

    Returns
    -------
    (int, int) or None
        The pair as row * n + column, and the rank of the edge that it should replace.
    """
    metric: SearchMetric = graph.search_metric  # type: ignore[assignment]
    kept = np.arange(graph.n)
    if (weights[: FEWEST_COPIES - 1] == 0).all():
        kept = without_copies(np.asarray(graph.points, np.float64), graph.source.core, pair)
    rows, nodes = build_nodes(graph, points, kept, line.position)
    ranks = Ranks(weights, pair, interval_maxima(line.gap))
    find = _finder(graph.pair_weight, metric, graph.min_samples is not None)
    most_rows = int(np.diff(nodes.start).max())
    blocks = nodes.start.size - 1

    def check(first: int) -> tuple[int, int]:
        last = min(first + BLOCKS_AT_ONCE, blocks)
        scratch = np.empty(STACK, np.uint64), np.empty(most_rows)
        return find(np.uint64(first), np.uint64(last), np.uint64(graph.n), *scratch, nodes, rows, ranks)

    for done, (better, rank) in enumerate(in_threads(check, range(0, blocks, BLOCKS_AT_ONCE)), 1):
        if rank >= 0:
            return better, rank
        report("verify", graph.m * min(done * BLOCKS_AT_ONCE, blocks) // blocks, graph.m, "edges")
    return None


def without_copies(
    points: NDArray[np.float64], core: NDArray[Any], pair: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Return the points that must be looked at.

    A point that equals an earlier one, and is joined to it by an edge of weight 0, need not: an edge from it
    is as heavy as that from the other, comes later, and its path is at most this edge longer.
    """
    n = np.uint64(len(points))
    everything = np.arange(len(points))
    if ((np.abs(points) < TINY) & (points != 0)).any():  # points that differ may have the distance 0
        return everything
    order = np.lexsort((everything, *(points.T + 0.0)))  # not -0.0, which would sort apart
    differs = np.append(True, (points[order[1:]] != points[order[:-1]]).any(axis=1))
    starts = np.flatnonzero(differs)
    sizes = np.diff(np.append(starts, len(points)))
    if sizes.max() < FEWEST_COPIES:
        return everything
    first, size = np.repeat(order[starts], sizes), np.repeat(sizes, sizes)
    copy = (order != first) & (size >= FEWEST_COPIES)
    if core.size:
        copy &= core[order] == 0
    copy[copy] = np.isin(first[copy].astype(np.uint64) * n + order[copy].astype(np.uint64), pair)
    kept = np.ones(len(points), bool)
    kept[order[copy]] = False
    return np.flatnonzero(kept)


def build_nodes(
    graph: DistanceGraph, searched: NDArray[np.float64], kept: NDArray[np.int64], position: NDArray[Any]
) -> tuple[Rows, Nodes]:
    """Build the tree of some points."""
    from boruvka.backends import get_backend

    tree = build(searched[kept], kept.astype(np.uint32), get_backend("threads", processors()))
    vertex = tree.vertex
    if not np.array_equal(np.sort(vertex), kept):
        raise AssertionError("the rows of the tree are not the points")
    leaves, d = tree.leaves, searched.shape[1]
    points, core = graph.source
    core = core[vertex].astype(np.float64) if core.size else np.empty(0)
    source = PairSource(np.ascontiguousarray(points[vertex]), core)
    rows = Rows(vertex, position[vertex], np.ascontiguousarray(searched[vertex].T), source)
    start = first_row(np.arange(leaves + 1, dtype=np.uint64), tree)
    low, high = (np.empty(2 * leaves, position.dtype) for _ in range(2))
    nodes = Nodes(start, np.empty((2 * leaves, 2 * d)), low, high, np.empty(2 * leaves if core.size else 0))
    columns: list[tuple[Any, Any, np.ufunc]] = [
        (nodes.low, rows.position, np.minimum),
        (nodes.high, rows.position, np.maximum),
    ]
    for q, x in enumerate(rows.coordinates):
        columns += [(nodes.box[:, q], x, np.minimum), (nodes.box[:, d + q], x, np.maximum)]
    if core.size:
        columns.append((nodes.core, core, np.minimum))
    for column, values, join in columns:
        column[leaves:] = join.reduceat(values, start[:-1].astype(np.int64))
        for level in reversed(range(int(tree.height))):
            below = column[2 << level : 4 << level]
            column[1 << level : 2 << level] = join(below[::2], below[1::2])
    return rows, nodes


@functools.cache
def _finder(pair_weight: Callable[[Any, Any, Any], Any], metric: SearchMetric, has_cores: bool) -> Kernel:
    """Make the kernel that compares the points of some blocks with those of all blocks from there on."""
    norm, least, reach = metric.norm, metric.min_weight, metric.rdist_bound

    def heaviest_between(low, high, ranks):
        """Return the weight of the heaviest edge on any path between positions of an interval."""
        if low == high:
            return np.inf
        return ranks.weights[highest_gap(np.uint64(low) + ONE, np.uint64(high), ranks.maxima)]

    def bound_of_nodes(a, b, nodes, d):
        """Return a lower bound of the weights of pairs of points in two nodes."""
        total = 0.0
        for q in range(d):
            gap = max(nodes.box[b, q] - nodes.box[a, d + q], nodes.box[a, q] - nodes.box[b, d + q])
            total = add_difference(total, max(gap, 0.0), norm)
        bound = least(total) * TOWARDS_ZERO
        return max(bound, max(nodes.core[a], nodes.core[b])) if has_cores else bound

    def bound_of_row(r, b, nodes, rows, d):
        """Return a lower bound of the weights of pairs of a row and the points of a node."""
        total = 0.0
        for q in range(d):
            x = rows.coordinates[q, r]
            gap = max(nodes.box[b, q] - x, x - nodes.box[b, d + q])
            total = add_difference(total, max(gap, 0.0), norm)
        bound = least(total) * TOWARDS_ZERO
        return max(bound, max(rows.source.core[r], nodes.core[b])) if has_cores else bound

    def compare_row(r, first, last, reached, n, rdist, rows, ranks):
        """Compare a row with others; return a better pair and the rank of the edge, -1 for none."""
        for s in range(first, last):
            rdist[s - first] = 0.0
        for q in range(np.uint64(rows.coordinates.shape[0])):
            x = rows.coordinates[q, r]
            for s in range(first, last):
                t = rows.coordinates[q, s] - x
                rdist[s - first] = add_difference(rdist[s - first], t, norm)
        i, here = np.uint64(rows.vertex[r]), np.uint64(rows.position[r])
        for s in range(first, last):
            if rdist[s - first] > reached:
                continue
            j, there = np.uint64(rows.vertex[s]), np.uint64(rows.position[s])
            low: Any = min(here, there)
            rank = highest_gap(low + ONE, max(here, there), ranks.maxima)
            # Distances are computed as the graph does it: first the point with the smaller number.
            w = pair_weight(r, s, rows.source) if i < j else pair_weight(s, r, rows.source)
            if w <= ranks.weights[rank]:
                pair = min(i, j) * n + max(i, j)
                if w < ranks.weights[rank] or pair < ranks.pair[rank]:
                    return pair, np.int64(rank)
        return ZERO, np.int64(-1)

    def compare(a, b, heaviest, n, rdist, nodes, rows, ranks):
        """Compare the points of two blocks, as `compare_row` does."""
        leaves, d = np.uint64(nodes.start.size) - ONE, np.uint64(rows.coordinates.shape[0])
        v = leaves + b
        for r in range(nodes.start[a], nodes.start[a + ONE]):
            bound = 0.0 if a == b else bound_of_row(r, v, nodes, rows, d)
            if bound > heaviest:
                continue
            p: Any = rows.position[r]
            here = heaviest_between(min(p, nodes.low[v]), max(p, nodes.high[v]), ranks)
            if bound > here:
                continue
            reached = reach(here) * (2.0 - TOWARDS_ZERO)
            first = max(nodes.start[b], r + ONE)
            pair, rank = compare_row(r, first, nodes.start[b + ONE], reached, n, rdist, rows, ranks)
            if rank >= 0:
                return pair, rank
        return ZERO, np.int64(-1)

    def find(first, last, n, stack, rdist, nodes, rows, ranks):
        leaves, d = np.uint64(nodes.start.size) - ONE, np.uint64(rows.coordinates.shape[0])
        for a in range(first, last):
            here = v = leaves + a
            stack[0] = here
            top = ONE
            while v > ONE:  # the nodes behind this block
                if not v & ONE:
                    stack[top] = v + ONE
                    top += ONE
                v >>= ONE
            while top:
                top -= ONE
                v = stack[top]
                low, high = min(nodes.low[here], nodes.low[v]), max(nodes.high[here], nodes.high[v])
                heaviest = heaviest_between(low, high, ranks)
                if v != here and bound_of_nodes(here, v, nodes, d) > heaviest:
                    continue
                if v >= leaves:
                    pair, rank = compare(a, v - leaves, heaviest, n, rdist, nodes, rows, ranks)
                    if rank >= 0:
                        return pair, rank
                else:
                    stack[top], stack[top + ONE] = TWO * v + ONE, TWO * v
                    top += TWO
        return ZERO, np.int64(-1)

    return Kernel(find, f"find_in_blocks_{pair_weight.__name__}")
