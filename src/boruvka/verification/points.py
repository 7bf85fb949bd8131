"""The search for a pair of points that should replace an edge of the forest, without comparing all pairs.

Points are grouped into blocks of nearby points. The blocks are the leaves of a balanced binary tree. The
heaviest edge on any path between points of a node is on the path between two consecutive ones. The heaviest
on any path between two nodes is such an edge, or on the path between their first points. If their boxes are
farther apart than its weight, no pair of them is lighter than its path.

The solver `kd_tree_boruvka` is not trusted: paths, boxes and bounds are found here. Two things are shared
with it. The order of the points comes from its kd-tree code; it affects the speed of the search, not its
result. And `boruvka.graph.points.search_metric` says which differences of coordinates bound a distance from
below.

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
from boruvka.graph.graph import DistanceGraph
from boruvka.graph.points.kd_tree import build, first_row
from boruvka.graph.points.point_pairs import PairSource
from boruvka.graph.points.search_metric import SearchMetric, add_difference, least_difference
from boruvka.kernels.kernel import Kernel
from boruvka.kernels.team import map_in_order
from boruvka.runtime.progress import report
from boruvka.verification.merge_trees import MergeTrees, path_rank

BLOCKS_AT_ONCE = 256
"""Blocks of one kernel call."""
STACK = 128
"""Maximum number of pending nodes: two for each level."""
TINY = 1e-100
"""If every coordinate is 0 or has at least this magnitude, points that differ have a positive distance."""
TOWARDS_ZERO = 1.0 - 2.0**-40
"""Factor that reduces a lower bound by more than its rounding error."""
ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class OrderedPoints(NamedTuple):
    """The points in the order of the tree."""

    vertex: NDArray[Any]
    """The point of each row."""
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
    first: NDArray[np.uint64]
    """First row of each node."""
    inside: NDArray[np.int64]
    """Highest rank of an edge on a path between two points of each node, -1 for one point."""
    core: NDArray[np.float64]
    """Smallest core distance of each node; empty where weights are plain distances."""
    length: NDArray[np.float64]
    """(d,) array: lengths of the periodic box, infinite along an open axis."""


class RankedEdges(NamedTuple):
    """The edges of the forest by rank, then an entry for pairs that no path connects."""

    weights: NDArray[Any]
    """Their weights, then infinity."""
    pair: NDArray[np.uint64]
    """Their row * n + column, which sorts as indices do, then the largest number."""
    step: NDArray[np.uint64]
    """The steps of its trees; its vertices are the rows of points."""


def find_better_pair(
    graph: DistanceGraph, trees: MergeTrees, threads: int, by_weight: bool = False
) -> tuple[int, int] | None:
    """Find a pair of points that precedes an edge on the path between them.

    Parameters
    ----------
    graph : DistanceGraph
        Points that a kd-tree can search.
    trees : MergeTrees
        The forest.
    threads : int
        Number of threads.
    by_weight : bool
        Whether a pair of equal weight does not precede an edge.

    Returns
    -------
    (int, int) or None
        The pair as an edge of the graph, and the edge on the path that it should replace, or -1 if there is
        no path.
    """
    metric: SearchMetric = graph.pairs.search_metric  # type: ignore[assignment]
    u, v, _ = graph.take(trees.edges)
    pair = np.append(u * np.uint64(graph.n) + v, np.uint64(2**64 - 1))
    kept = np.arange(graph.n)
    if trees.weights.size and trees.weights[0] == 0:
        kept = without_duplicates(np.asarray(graph.points, np.float64), graph.source.core, pair)
    if by_weight:
        pair[:-1] = 0  # no pair is smaller
    points, tree, trees = build_tree(graph, metric, kept, trees, threads)
    ranked = RankedEdges(np.append(trees.weights, np.inf), pair, trees.step)
    find = _finder(graph.pair_weight, metric, graph.min_samples is not None)
    blocks = tree.start.size - 1

    def check(first: int) -> tuple[int, int]:
        last = min(first + BLOCKS_AT_ONCE, blocks)
        stack = np.empty(STACK, np.uint64)
        return find(np.uint64(first), np.uint64(last), np.uint64(graph.n), stack, tree, points, ranked)

    found = map_in_order(check, range(0, blocks, BLOCKS_AT_ONCE), threads)
    for done, (better, rank) in enumerate(found, 1):
        if rank >= 0:
            row, column = divmod(better, graph.n)
            edge = int(graph.edges_at(np.array([row]), np.array([column]))[0])
            return edge, trees.edge_of_rank(rank)
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
    graph: DistanceGraph, metric: SearchMetric, kept: NDArray[np.int64], trees: MergeTrees, threads: int
) -> tuple[OrderedPoints, PointTree, MergeTrees]:
    """Build the tree of the points in ``kept``; return it with the trees of the forest, numbered by rows.

    Points that are not kept have the last numbers.
    """
    searched = metric.embed(np.ascontiguousarray(graph.points, np.float64))
    kd_tree = build(searched[kept], kept.astype(np.uint32), backends.get_backend("threads", threads))
    vertex, leaves = kd_tree.vertex, kd_tree.leaves
    if not np.array_equal(np.sort(vertex), kept):
        raise AssertionError("the rows of the tree are not the points")
    core = graph.source.core
    core = core[vertex].astype(np.float64) if core.size else np.empty(0)
    source = PairSource(np.ascontiguousarray(graph.source.points[vertex]), core)
    points = OrderedPoints(vertex, searched[vertex], source)
    start = first_row(np.arange(leaves + 1, dtype=np.uint64), kd_tree)
    trees = trees.renumbered(np.append(vertex, np.delete(np.arange(graph.n), kept)))

    def of_nodes(values: NDArray[Any], join: np.ufunc) -> NDArray[Any]:
        """Join the values of the rows of each block, and then the values of the children of each node."""
        nodes = np.zeros((2 * leaves, *values.shape[1:]), values.dtype)
        nodes[leaves:] = join.reduceat(values, start[:-1].astype(np.int64))
        for level in reversed(range(int(kd_tree.height))):
            children = nodes[2 << level : 4 << level]
            nodes[1 << level : 2 << level] = join(children[::2], children[1::2])
        return nodes

    rows = np.arange(vertex.size, dtype=np.uint64)
    to_previous = np.append(-1, trees.path_ranks(rows[:-1], rows[1:]))
    and_before = of_nodes(to_previous, np.maximum)  # the path to the row before the node counts, too
    to_previous[start[:-1]] = -1
    inside = of_nodes(to_previous, np.maximum)
    for level in reversed(range(int(kd_tree.height))):
        left, right = inside[2 << level : 4 << level : 2], and_before[(2 << level) + 1 : 4 << level : 2]
        inside[1 << level : 2 << level] = np.maximum(left, right)
    x = points.coordinates
    lower, upper = of_nodes(x, np.minimum), of_nodes(x, np.maximum)
    core = of_nodes(core, np.minimum) if core.size else core
    length = np.full(x.shape[1], np.inf) if graph.box is None else graph.box
    return points, PointTree(start, lower, upper, of_nodes(rows, np.minimum), inside, core, length), trees


@functools.cache
def _finder(pair_weight: Callable[[Any, Any, Any], Any], metric: SearchMetric, has_cores: bool) -> Kernel:
    """Make the kernel that compares points of a range of blocks with points of these and later blocks."""
    norm, least = metric.norm, metric.min_weight

    def heaviest(rank, ranked):
        """Return the weight of the edge of a rank; nothing is heavier than the edge of no pair."""
        return ranked.weights[np.uint64(rank)] if rank >= 0 else np.inf

    def least_weight(a_lower, a_upper, b_lower, b_upper, length):
        """Return a lower bound of the distances of points in two boxes."""
        total = 0.0
        for q in range(np.uint64(a_lower.size)):
            t = least_difference(a_lower[q], a_upper[q], b_lower[q], b_upper[q], length[q], norm)
            total = add_difference(total, t, norm)
        return least(total) * TOWARDS_ZERO

    def compare(a, b, highest, n, tree, points, ranked):
        """Compare the points of two blocks; return a better pair and the rank of the edge, -1 for none."""
        v = np.uint64(tree.start.size) - ONE + b
        for r in range(tree.start[a], tree.start[a + ONE]):
            x, bound, highest_of_row = points.coordinates[r], 0.0, highest
            if a != b:
                bound = least_weight(x, x, tree.lower[v], tree.upper[v], tree.length)
                if has_cores:
                    bound = max(bound, max(points.source.core[r], tree.core[v]))
                if bound > heaviest(highest, ranked):
                    continue
                highest_of_row = max(tree.inside[v], path_rank(r, tree.first[v], ranked.step))
            most = heaviest(highest_of_row, ranked)
            if bound > most:
                continue
            i = np.uint64(points.vertex[r])
            for s in range(max(tree.start[b], r + ONE), tree.start[b + ONE]):
                j = np.uint64(points.vertex[s])
                # Distances are computed as the graph does it: first the point with the smaller number.
                w = pair_weight(r, s, points.source) if i < j else pair_weight(s, r, points.source)
                if w > most:
                    continue
                rank = path_rank(r, s, ranked.step)
                k, pair = np.uint64(rank), min(i, j) * n + max(i, j)
                if w < ranked.weights[k] or (w == ranked.weights[k] and pair < ranked.pair[k]):
                    return pair, rank
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
                highest = max(tree.inside[here], tree.inside[v])
                highest = max(highest, path_rank(tree.first[here], tree.first[v], ranked.step))
                box = tree.lower[here], tree.upper[here]
                bound = least_weight(*box, tree.lower[v], tree.upper[v], tree.length)
                if has_cores:
                    bound = max(bound, max(tree.core[here], tree.core[v]))
                if bound > heaviest(highest, ranked):
                    continue
                if v >= leaves:
                    pair, rank = compare(a, v - leaves, highest, n, tree, points, ranked)
                    if rank >= 0:
                        return pair, rank
                else:
                    stack[top], stack[top + ONE] = TWO * v + ONE, TWO * v
                    top += TWO
        return ZERO, np.int64(-1)

    return Kernel(find)
