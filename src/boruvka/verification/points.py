"""The search for a pair of points that should replace an edge of the forest, without comparing all pairs.

Points are grouped into blocks of nearby points. The blocks are the leaves of a balanced binary tree. The
positions of the points of two nodes in leaf order (see `boruvka.verification.leaf_order`) are in one
interval, and the heaviest edge in it is the heaviest on any path between them. If their boxes are farther
apart than that, no pair of them is lighter than its path.

The solver `kd_tree_boruvka` is not trusted: paths, boxes and bounds are found here. Only the order of the
points comes from the kd-tree code of the solver. It affects the speed of the search, not its result.

Source: the cycle property, as in `boruvka.verification.edges`; two nodes at a time, after W. B. March,
P. Ram, A. G. Gray, Fast Euclidean minimum spanning tree, KDD 2010.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka import backends
from boruvka.graph.distance_graph import DistanceGraph, PairSource
from boruvka.graph.points.kd_tree import build, first_row
from boruvka.graph.points.search_metric import SearchMetric, add_difference
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.team import map_in_order
from boruvka.runtime.processors import processors
from boruvka.runtime.progress import report
from boruvka.verification.leaf_order import ONE, LeafOrder, RangeMaxima, range_max, range_maxima

ZERO = np.uint64(0)
BLOCKS_AT_ONCE = 256
"""Blocks of one kernel call."""
STACK = 128
"""Maximum number of pending nodes: two for each level."""
TINY = 1e-100
"""If every coordinate is 0 or has at least this magnitude, points that differ have a positive distance."""
TOWARDS_ZERO = 1.0 - 2.0**-40
"""Factor that reduces a lower bound by more than its rounding error."""
TWO = np.uint64(2)


class OrderedPoints(NamedTuple):
    """The points in the order of the tree, with their positions in leaf order."""

    vertex: NDArray[Any]
    """The point of each row."""
    position: NDArray[Any]
    """Its position in leaf order."""
    coordinates: NDArray[np.float64]
    """(n, d) array: the points in the space that is searched."""
    source: PairSource
    """The points as they were given, and core distances."""


class PointTree(NamedTuple):
    """A binary tree over the rows of points. Node 1 is the root; the last half of the nodes are blocks."""

    start: NDArray[np.uint64]
    """First row of each block, then the number of rows."""
    lower: NDArray[np.float64]
    """(nodes, d) array: the lower corner of the box of each node."""
    upper: NDArray[np.float64]
    """Its upper corner."""
    low: NDArray[Any]
    """First position in leaf order of the points of each node."""
    high: NDArray[Any]
    """Last position."""
    core: NDArray[np.float64]
    """Smallest core distance of each node; empty where weights are plain distances."""


class RankedEdges(NamedTuple):
    """The edges of the forest by rank, then an entry for pairs that no path connects."""

    weights: NDArray[Any]
    """Their weights, then infinity."""
    pair: NDArray[np.uint64]
    """Their row * n + column, which sorts as indices do, then the largest number."""
    table: RangeMaxima
    """Their merge ranks."""


def find_better_pair(
    graph: DistanceGraph, edges: NDArray[np.int64], leaves: LeafOrder
) -> tuple[int, int] | None:
    """Find a pair of points that precedes an edge on the path between them.

    Parameters
    ----------
    graph : DistanceGraph
        Points that a kd-tree can search.
    edges : (f,) array of int64
        The edges of the forest, ascending.
    leaves : LeafOrder
        The leaf order of the forest.

    Returns
    -------
    (int, int) or None
        The pair as an edge of the graph, and the edge on the path that it should replace, or -1 if there is
        no path.
    """
    metric: SearchMetric = graph.search_metric  # type: ignore[assignment]
    u, v, _ = graph.take(edges[leaves.order])
    pair = np.append(u * np.uint64(graph.n) + v, np.uint64(2**64 - 1))
    ranked = RankedEdges(np.append(leaves.weights, np.inf), pair, range_maxima(leaves.merge_rank))
    kept = np.arange(graph.n)
    if leaves.weights.size and leaves.weights[0] == 0:
        kept = without_duplicates(np.asarray(graph.points, np.float64), graph.source.core, pair)
    points, tree = build_tree(graph, metric, kept, leaves.position)
    find = _finder(graph.pair_weight, metric, graph.min_samples is not None)
    blocks = tree.start.size - 1

    def check(first: int) -> tuple[int, int]:
        last = min(first + BLOCKS_AT_ONCE, blocks)
        stack = np.empty(STACK, np.uint64)
        return find(np.uint64(first), np.uint64(last), np.uint64(graph.n), stack, tree, points, ranked)

    found = map_in_order(check, range(0, blocks, BLOCKS_AT_ONCE), processors())
    for done, (better, rank) in enumerate(found, 1):
        if rank >= 0:
            row, column = divmod(better, graph.n)
            edge = int(graph.edges_at(np.array([row]), np.array([column]))[0])
            return edge, int(edges[leaves.order[rank]]) if rank < edges.size else -1
        report("verify", graph.m * min(done * BLOCKS_AT_ONCE, blocks) // blocks, graph.m, "edges")
    return None


def without_duplicates(
    points: NDArray[np.float64], core: NDArray[Any], pair: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Return the points that must be checked.

    A duplicate that an edge of weight 0 joins to the first equal point is not checked. Each of its pairs
    weighs as much as the same pair of the first point, comes later in the order, and its path is longer by at
    most that edge.
    """
    everything = np.arange(len(points))
    if ((np.abs(points) < TINY) & (points != 0)).any():  # points that differ may have the distance 0
        return everything
    order = np.lexsort(points.T + 0.0)  # a stable sort; not -0.0, which would sort apart
    differs = np.append(True, (points[order[1:]] != points[order[:-1]]).any(axis=1))
    first = np.empty_like(order)
    first[order] = order[np.maximum.accumulate(np.where(differs, everything, 0))]
    duplicate = first != everything
    if core.size:
        duplicate &= core == 0
    duplicate &= np.isin(
        first.astype(np.uint64) * np.uint64(len(points)) + everything.astype(np.uint64), pair
    )
    return np.flatnonzero(~duplicate)


def build_tree(
    graph: DistanceGraph, metric: SearchMetric, kept: NDArray[np.int64], position: NDArray[Any]
) -> tuple[OrderedPoints, PointTree]:
    """Build the tree of the points in ``kept``, whose positions in leaf order are known."""
    searched = metric.embed(np.ascontiguousarray(graph.points, np.float64))
    kd_tree = build(searched[kept], kept.astype(np.uint32), backends.get_backend("threads", processors()))
    vertex, leaves = kd_tree.vertex, kd_tree.leaves
    if not np.array_equal(np.sort(vertex), kept):
        raise AssertionError("the rows of the tree are not the points")
    core = graph.source.core
    core = core[vertex].astype(np.float64) if core.size else np.empty(0)
    source = PairSource(np.ascontiguousarray(graph.source.points[vertex]), core)
    points = OrderedPoints(vertex, position[vertex], searched[vertex], source)
    start = first_row(np.arange(leaves + 1, dtype=np.uint64), kd_tree)

    def of_nodes(values: NDArray[Any], join: np.ufunc) -> NDArray[Any]:
        """Join the values of the rows of each block, and then those of the children of each node."""
        nodes = np.zeros((2 * leaves, *values.shape[1:]), values.dtype)
        nodes[leaves:] = join.reduceat(values, start[:-1].astype(np.int64))
        for level in reversed(range(int(kd_tree.height))):
            children = nodes[2 << level : 4 << level]
            nodes[1 << level : 2 << level] = join(children[::2], children[1::2])
        return nodes

    x, position = points.coordinates, points.position
    lower, upper = of_nodes(x, np.minimum), of_nodes(x, np.maximum)
    low, high = of_nodes(position, np.minimum), of_nodes(position, np.maximum)
    return points, PointTree(
        start, lower, upper, low, high, of_nodes(core, np.minimum) if core.size else core
    )


@functools.cache
def _finder(pair_weight: Callable[[Any, Any, Any], Any], metric: SearchMetric, has_cores: bool) -> Kernel:
    """Make the kernel that compares the points of a range of blocks with those of these and later blocks."""
    norm, least = metric.norm, metric.min_weight

    def heaviest_between(low, high, ranked):
        """Return the weight of the heaviest edge on any path between positions of an interval."""
        if low == high:
            return np.inf
        return ranked.weights[range_max(np.uint64(low) + ONE, np.uint64(high), ranked.table)]

    def least_weight(a_lower, a_upper, b_lower, b_upper):
        """Return a lower bound of the distances of points in two boxes."""
        total = 0.0
        for q in range(np.uint64(a_lower.size)):
            gap = max(b_lower[q] - a_upper[q], a_lower[q] - b_upper[q])
            total = add_difference(total, max(gap, 0.0), norm)
        return least(total) * TOWARDS_ZERO

    def compare(a, b, heaviest, n, tree, points, ranked):
        """Compare the points of two blocks; return a better pair and the rank of the edge, -1 for none."""
        v = np.uint64(tree.start.size) - ONE + b
        for r in range(tree.start[a], tree.start[a + ONE]):
            x, bound = points.coordinates[r], 0.0
            if a != b:
                bound = least_weight(x, x, tree.lower[v], tree.upper[v])
                if has_cores:
                    bound = max(bound, max(points.source.core[r], tree.core[v]))
            if bound > heaviest:
                continue
            i, p = np.uint64(points.vertex[r]), points.position[r]
            heaviest_of_row = heaviest_between(min(p, tree.low[v]), max(p, tree.high[v]), ranked)
            if bound > heaviest_of_row:
                continue
            for s in range(max(tree.start[b], r + ONE), tree.start[b + ONE]):
                j = np.uint64(points.vertex[s])
                # Distances are computed as the graph does it: first the point with the smaller number.
                w = pair_weight(r, s, points.source) if i < j else pair_weight(s, r, points.source)
                if w > heaviest_of_row:
                    continue
                q = points.position[s]
                rank = range_max(np.uint64(min(p, q)) + ONE, np.uint64(max(p, q)), ranked.table)
                pair = min(i, j) * n + max(i, j)
                if w < ranked.weights[rank] or (w == ranked.weights[rank] and pair < ranked.pair[rank]):
                    return pair, np.int64(rank)
        return ZERO, np.int64(-1)

    def find(first, last, n, stack, tree, points, ranked):
        leaves = np.uint64(tree.start.size) - ONE
        for a in range(first, last):
            here = v = leaves + a
            stack[0] = here
            top = ONE
            while v > ONE:  # the nodes after this block
                if not v & ONE:
                    stack[top] = v + ONE
                    top += ONE
                v >>= ONE
            while top:
                top -= ONE
                v = stack[top]
                low, high = min(tree.low[here], tree.low[v]), max(tree.high[here], tree.high[v])
                heaviest = heaviest_between(low, high, ranked)
                bound = least_weight(tree.lower[here], tree.upper[here], tree.lower[v], tree.upper[v])
                if has_cores:
                    bound = max(bound, max(tree.core[here], tree.core[v]))
                if bound > heaviest:
                    continue
                if v >= leaves:
                    pair, rank = compare(a, v - leaves, heaviest, n, tree, points, ranked)
                    if rank >= 0:
                        return pair, rank
                else:
                    stack[top], stack[top + ONE] = TWO * v + ONE, TWO * v
                    top += TWO
        return ZERO, np.int64(-1)

    return Kernel(find, f"find_in_blocks_{pair_weight.__name__}")
