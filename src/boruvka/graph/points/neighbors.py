"""The nearest neighbours of every point, found a leaf of the kd-tree at a time, and core distances."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.primitives import Backend, Operator
from boruvka.graph.points.kd_tree import (
    ONE,
    STACK_ARRAYS,
    STEP,
    U64,
    ZERO,
    KdTree,
    Stack,
    box_rdist,
    first_row,
    row_rdist,
    rows_near,
    rows_within,
    traversal_operator,
)
from boruvka.graph.points.search_metric import SearchMetric
from boruvka.kernels.kernel_functions import LANES, insert_in_lanes, trailing_zeros

RANGES_OF_A_THREAD = 16
"""Maximum number of leaf ranges per thread; several balance the load."""
LIGHT_RANGES_OF_A_THREAD = 2
"""Maximum number of leaf ranges per thread, where a range is little work."""
LEAVES_OF_A_RANGE = {1: 128, 2: 128, 3: 128}
"""Minimum number of leaves of a range by the number of dimensions: in late rounds, little is done in most
leaves, and starting a kernel takes as long as some of them."""
LEAVES_OF_A_RANGE_ELSE = 64
"""Minimum number in more dimensions, where a leaf is more work."""


class Neighbours(NamedTuple):
    """The nearest neighbours of the rows of a tree, in order."""

    row: Any
    """(n * k,) array of uint32: k rows for each."""
    last: Any
    """(n,) array of float64: the distance of the last one, a lower bound of the pairs that are not listed."""
    k: np.uint64


class Lists(NamedTuple):
    """The lists of a leaf while it is compared with others: scratch arrays of a thread.

    A list is sorted by key, and padded to whole vectors. The elements before it are minus infinity.
    """

    key: Any
    row: Any
    bound: Any
    """For each list, an upper bound of the reduced distances of rows that can still enter it."""
    stride: np.uint64


def ranges_of_leaves(tree: KdTree, backend: Backend, most: int = RANGES_OF_A_THREAD) -> int:
    """Return the number of ranges of leaves for `leaves_of`, at most ``most`` per thread."""
    fewest = LEAVES_OF_A_RANGE.get(tree.d, LEAVES_OF_A_RANGE_ELSE)
    return max(min(tree.leaves // fewest, most * backend.threads), 1)


def most_rows(tree: KdTree) -> int:
    """Return an upper bound of the number of rows of a leaf."""
    return 1 + (int(tree.n) >> int(tree.height))


def bounds_array(tree: KdTree) -> tuple[int, Any]:
    """Return a scratch array with a bound for each row of a leaf."""
    return most_rows(tree) + LANES, np.float64


def leaves_of(k, ranges, tree):
    """Return the first leaf of the k-th range, and the one after its last."""
    leaves = ONE << tree.height
    return (k * leaves) // ranges, ((k + ONE) * leaves) // ranges


def find_neighbours(
    tree: KdTree, points: Any, metric: SearchMetric, k: int, backend: Backend, copies: Any, samples: int
) -> tuple[Neighbours, Any]:
    """Find the k nearest neighbours of every row, and its core distance.

    Parameters
    ----------
    tree : KdTree
        Of more than ``k`` points.
    points : (n, d) array of float64
        The points as they were given, for a metric that needs them.
    metric : SearchMetric
    k : int
        At least ``samples - 1`` unless all other rows are listed; 0 if there are none.
    backend : Backend
    copies : array of uint32
        Number of equal points that each point represents; empty if all points are in the tree.
    samples : int
        Rank of the core distance: the distance to the ``samples``-th nearest point, where the point itself is
        the first.

    Returns
    -------
    Neighbours
    (n,) array of float64
        Core distances of rows, empty where there is nothing to find (``samples`` below 2).
    """
    n = int(tree.n)
    found = Neighbours(backend.empty(n * k, np.uint32), backend.empty(n, np.float64), U64(k))
    core = backend.empty(n if samples > 1 else 0, np.float64)
    width = most_rows(tree)
    if not k:
        core.fill(0)
        return found, core
    ranges = ranges_of_leaves(tree, backend)
    list_range, room = list_operator(metric), width * (k + 2 * LANES)
    local = [*STACK_ARRAYS, (room, np.float64), (room, np.uint32), bounds_array(tree)]
    counts = U64(samples), copies
    backend.for_each_block(list_range, ranges, local, U64(ranges), tree, points, found, counts, core)
    return found, core


@functools.cache
def list_operator(metric: SearchMetric) -> Operator:
    """Make the operator that lists the neighbours of a range of leaves."""
    norm, key_of, weight = metric.norm, metric.key, metric.weight
    rdist_bound_of_key = metric.rdist_bound_of_key

    def visit(leaf, bound, other, tree, points, lists, found):
        """Insert the rows of another leaf into the lists of a leaf; return a bound of all lists."""
        first, start = first_row(leaf, tree), first_row(other, tree)
        count, others = first_row(leaf + ONE, tree) - first, first_row(other + ONE, tree) - start
        near = rows_near(first, count, (ONE << tree.height) + other, lists.bound, tree, norm)
        while near:
            i = U64(trailing_zeros(near))
            near &= near - ONE
            r, t = first + i, i * lists.stride + STEP
            hits = rows_within(r, start, others, lists.bound[i], tree, norm)
            if leaf == other:
                hits &= ~(ONE << i)
            while hits:
                s = start + U64(trailing_zeros(hits))
                hits &= hits - ONE
                rdist = row_rdist(r, s, tree, norm)
                insert(key_of(rdist, tree.vertex[r], tree.vertex[s], points), s, t, lists)
            lists.bound[i] = rdist_bound_of_key(lists.key[t + found.k - ONE])
        farthest = lists.bound[ZERO]
        for k in range(ONE, count):
            farthest = max(farthest, lists.bound[k])
        return farthest

    def is_pruned(v, leaf, points, lists, found):
        return False

    def min_rdist(a, b, tree, points, lists, found):
        return box_rdist(a, b, tree, norm)

    traverse = traversal_operator(visit, is_pruned, min_rdist)

    def list_range(here, node, rdist, key, row, bound, ranges, tree, points, found, counts, core):
        """List the neighbours of the range ``here`` of leaves."""
        start, stop = leaves_of(here, ranges, tree)
        lists = Lists(key, row, bound, STEP * ((found.k + STEP - ONE) // STEP) + STEP)
        for leaf in range(start, stop):
            first, last = first_row(leaf, tree), first_row(leaf + ONE, tree)
            for t in range((last - first) * lists.stride):
                key[t] = -np.inf if t % lists.stride < STEP else np.inf
            for i in range(last - first):
                bound[i] = np.inf
            farthest = visit(leaf, np.inf, leaf, tree, points, lists, found)
            traverse(leaf, farthest, Stack(node, rdist), tree, points, lists, found)
            for r in range(first, last):
                t = (r - first) * lists.stride + STEP
                for k in range(found.k):
                    found.row[r * found.k + k] = row[t + k]
                found.last[r] = weight(key[t + found.k - ONE])
                if core.size:
                    core[r] = weight(core_key(r, t, counts, tree, lists))

    return list_range


def insert(key, s, t, lists):
    """Insert row s into the sorted list that starts at t."""
    first = t + lists.stride - STEP
    while first > t:
        first -= STEP
        insert_in_lanes(lists.key, lists.row, first, key, s)


def core_key(r, t, counts, tree, lists):
    """Return the key of the neighbour at the core distance of row r; its list starts at t."""
    samples, copies = counts
    here = U64(copies[tree.vertex[r]]) if copies.size else ONE
    if here >= samples:
        return 0.0
    while True:
        here += U64(copies[tree.vertex[lists.row[t]]]) if copies.size else ONE
        if here >= samples:
            return lists.key[t]
        t += ONE
