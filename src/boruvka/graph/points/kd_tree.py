"""A balanced kd-tree as arrays: points in the order of its leaves, and a box for each node.

Idea: the root is node 1, and node v has the children 2v and 2v + 1. The rows of a node on level l start at
(v - 2^l) n / 2^l, so the leaves have nearly the same number of rows, and no pointers are stored. A node is
split at the median of the coordinate in which its points extend furthest.

Source: J. L. Bentley, Multidimensional binary search trees used for associative searching, 1975; splits after
J. H. Friedman, J. L. Bentley, R. A. Finkel, An algorithm for finding best matches in logarithmic expected
time, 1977; selection: C. A. R. Hoare, Algorithm 65: FIND, 1961.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator, Segments
from boruvka.graph.points.search_metric import add_difference, difference_of, least_difference
from boruvka.kernels.kernel_arguments import Constant
from boruvka.kernels.kernel_functions import LANES, lanes_near_box, lanes_within

U64 = np.uint64
ZERO, ONE, TWO = U64(0), U64(1), U64(2)
COMPILED_DIMENSIONS = 1, 2, 3, 5, 10, 16, 32
"""Numbers of coordinates with machine code of their own. Points with another number get coordinates that
are 0."""
WIDEST_LEAF = {1: 24, 2: 24, 3: 24, 4: 32}
"""Maximum number of rows of a leaf by the number of dimensions."""
WIDEST_LEAF_ELSE = 60
"""Maximum number of rows in more dimensions, where boxes prune little, and whole leaves are compared fast. A
word must have a bit for each row."""
SUBTREE = 1 << 12
"""Maximum number of rows of a subtree that one thread splits, in its cache."""
LEVELS_IN_ORDER = 11
"""Number of levels whose nodes one thread visits in one call; on a level there are too few for several."""
SAMPLE = U64(64)
"""Size of the sample of rows that estimates the coordinate of a split, and its median."""
STACK = 128
"""Upper bound of the number of pending nodes: two for each level."""
STEP = U64(LANES)


class KdTree(NamedTuple):
    """A tree over the rows 0 to n - 1; kernels take it as it is."""

    coordinates: Any
    """(d, n + LANES) array of float64: the points in the order of leaves, then anything."""
    vertex: Any
    """(n,) array of uint32: the point of each row."""
    box: Any
    """(2 * leaves, 2 d) array of float64: the lower and the upper corner of each node. Row 0 is not a node:
    it has the corners of the periodic box, which are zeros and its lengths."""
    n: np.uint64
    height: np.uint64
    d: Constant
    """Number of coordinates."""

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return 1 << int(self.height)


def first_row(leaf, tree):
    """Return the first row of a leaf; the first row of leaf ``leaves`` is n."""
    return (leaf * tree.n) >> tree.height


def build(
    points: NDArray[np.float64],
    vertex: NDArray[np.uint32],
    backend: Backend,
    box: NDArray[np.float64] | None = None,
) -> KdTree:
    """Build the tree of at least one point.

    Parameters
    ----------
    points : (n, d) array of float64
        Finite numbers.
    vertex : (n,) array of uint32
        The numbers of the points.
    backend : Backend
    box : (d,) array of float64, optional
        The lengths of a periodic box.
    """
    n, given = points.shape
    d = next((d for d in COMPILED_DIMENSIONS if d >= given), given)
    if d > given:  # a coordinate that is 0 everywhere changes no distance, and no sum
        points = np.column_stack([points, np.zeros((n, d - given))])
    height = 0
    while n > widest_leaf(d) << height:
        height += 1
    tree = KdTree(
        backend.empty(d * (n + LANES), np.float64).reshape(d, n + LANES),
        backend.empty(n, np.uint32),
        backend.empty((2 << height) * 2 * d, np.float64).reshape(2 << height, 2 * d),
        U64(n),
        U64(height),
        Constant(d),
    )
    tree.box[0] = np.repeat([0.0, np.inf], d)
    if box is not None:
        tree.box[0, d : d + given] = box
    rows = np.empty((n, d))  # not in kept memory: nothing later is of this size
    backend.for_each(copy_row, n, points, vertex, rows, tree.vertex)
    sample = [(int(SAMPLE), np.float64)]
    top = 0
    while top < height and n >> top > SUBTREE:
        backend.for_each_block(split_node, 1 << top, sample, U64(top), rows, tree)
        top += 1
    backend.for_each_block(finish_subtree, 1 << top, sample, U64(top), rows, tree)
    tree.coordinates[:, n:] = 0
    pull_up(join_boxes, top, backend, tree.box)
    return tree


def widest_leaf(d: int) -> int:
    """Return the maximum number of rows of a leaf."""
    return WIDEST_LEAF.get(d, WIDEST_LEAF_ELSE)


def pull_up(join: Any, top: int, backend: Backend, *arrays: Any) -> None:
    """Run ``join(v, *arrays)`` for all nodes above a level, children first."""
    in_order = min(top, LEVELS_IN_ORDER) if backend.is_cpu else 0
    for level in reversed(range(in_order, top)):
        backend.for_each(join, Segments.of((1 << level, 2 << level)), *arrays)
    backend.for_each_in_order(descending(join), (1 << in_order) - 1, U64(1 << in_order), *arrays)


@functools.cache
def descending(join: Operator) -> Operator:
    """Make the operator that visits the nodes above a level from the last to the first."""

    def join_next(i, end, *arrays):
        join(end - ONE - i, *arrays)

    join_next.__name__ = f"{join.__name__}_descending"
    return join_next


def copy_row(i, points, vertex, rows, numbers):
    """Copy point i."""
    for q in range(U64(points.shape[1])):
        rows[i, q] = points[i, q]
    numbers[i] = vertex[i]


def split_node(p, sample, level, rows, tree):
    """Split the p-th node of a level at the median of a coordinate."""
    first, last = (p * tree.n) >> level, ((p + ONE) * tree.n) >> level
    middle = ((TWO * p + ONE) * tree.n) >> (level + ONE)
    q = widest_coordinate(first, last, rows, tree.d)
    select(first, last, middle, q, rows, tree.vertex, sample, tree.d)


def finish_subtree(p, sample, top, rows, tree):
    """Split all nodes below the p-th node of level ``top``, store its rows, and find the boxes."""
    for level in range(top, tree.height):
        for k in range(ONE << (level - top)):
            split_node((p << (level - top)) + k, sample, level, rows, tree)
    below = ONE << (tree.height - top)
    for leaf in range(p * below, (p + ONE) * below):
        store_leaf(leaf, rows, tree)
    for down in range(tree.height - top):
        level = tree.height - ONE - down
        for k in range(ONE << (level - top)):
            join_boxes((ONE << level) + (p << (level - top)) + k, tree.box)


def widest_coordinate(first, last, rows, d):
    """Find the coordinate in which (a sample of) some rows extend furthest."""
    best: Any = ZERO
    step, widest = max(ONE, (last - first) // SAMPLE), -1.0
    for q in range(U64(d)):
        low = high = rows[first, q]
        for i in range(first, last, step):
            x = rows[i, q]
            low, high = min(low, x), max(high, x)
        if high - low > widest:
            best, widest = q, high - low
    return best


def select(first, last, k, q, rows, vertex, sample, d):
    """Partially sort rows by coordinate q (quickselect): row k is then in its sorted position."""
    low, high = first, last
    while high - low > ONE:
        pivot = pivot_for(low, high, k, q, rows, sample)
        middle = low
        for i in range(low, high):  # without a branch, which would be mispredicted
            is_less = U64(rows[i, q] < pivot)
            swap(i, middle, rows, vertex, d)
            middle += is_less
        if middle == low:  # the pivot is the smallest: skip all that equal it
            for i in range(low, high):
                is_equal = U64(rows[i, q] == pivot)
                swap(i, middle, rows, vertex, d)
                middle += is_equal
            if k < middle:
                return
        low, high = (low, middle) if k < middle else (middle, high)


def pivot_for(low, high, k, q, rows, sample):
    """Estimate the value of row k: the median of three rows, or a quantile of a sample of many."""
    size = high - low
    if size < U64(16) * SAMPLE:
        a, b, c = rows[low, q], rows[low + size // TWO, q], rows[high - ONE, q]
        return max(min(a, b), min(max(a, b), c))
    step = size // SAMPLE
    for s in range(SAMPLE):  # insertion sort
        t: Any = s
        x = rows[low + s * step, q]
        while t and sample[t - ONE] > x:
            sample[t] = sample[t - ONE]
            t -= ONE
        sample[t] = x
    return sample[((k - low) * SAMPLE) // size]


def swap(i, j, rows, vertex, d):
    """Swap two rows."""
    for q in range(U64(d)):
        x = rows[i, q]
        rows[i, q] = rows[j, q]
        rows[j, q] = x
    v = vertex[i]
    vertex[i] = vertex[j]
    vertex[j] = v


def store_leaf(leaf, rows, tree):
    """Store the coordinates of a leaf and its box."""
    first, last = first_row(leaf, tree), first_row(leaf + ONE, tree)
    v = (ONE << tree.height) + leaf
    for q in range(U64(tree.d)):
        low = high = rows[first, q]
        for r in range(first, last):
            x = rows[r, q]
            tree.coordinates[q, r] = x
            low, high = min(low, x), max(high, x)
        tree.box[v, q], tree.box[v, U64(tree.d) + q] = low, high


def join_boxes(v, box):
    """Make the box of a node from the boxes of its children."""
    d = U64(box.shape[1]) // TWO
    for q in range(d):
        box[v, q] = min(box[TWO * v, q], box[TWO * v + ONE, q])
        box[v, d + q] = max(box[TWO * v, d + q], box[TWO * v + ONE, d + q])


# Reduced distances, summed in the order of the coordinates


def box_rdist(a, b, tree, norm):
    """Return a lower bound of the reduced distances between two nodes."""
    box, d, total = tree.box, tree.d, 0.0
    for q in range(d):
        t = least_difference(box[a, q], box[a, d + q], box[b, q], box[b, d + q], box[ZERO, d + q], norm)
        total = add_difference(total, t, norm)
    return total


def row_rdist(r, s, tree, norm):
    """Return the reduced distance of two points."""
    coordinates, d, total = tree.coordinates, tree.d, 0.0
    for q in range(d):
        t = difference_of(coordinates[q, r], coordinates[q, s], tree.box[ZERO, d + q], norm)
        total = add_difference(total, t, norm)
    return total


# Traversal from a leaf to the leaves that may hold something nearer than a bound: up to the root, and at each
# step down into the other child, the nearer node first. Nodes that are too far, or need no visit, are pruned.
# The bound shrinks with what is found on the way.


class Stack(NamedTuple):
    """Stack of nodes to visit, with their reduced distances; scratch arrays of a thread."""

    node: Any
    rdist: Any


STACK_ARRAYS = [(STACK, np.uint64), (STACK, np.float64)]
"""The scratch arrays of a `Stack`, as `Backend.for_each_block` takes them."""


@functools.cache
def traversal_operator(visit: Operator, is_pruned: Operator, min_rdist: Operator) -> Operator:
    """Make the function that traverses the tree from a leaf.

    ``visit(leaf, bound, other, tree, *state)`` compares the rows of a leaf with the rows of another, and
    returns the new bound: nodes at a smaller reduced distance are visited.
    ``is_pruned(v, leaf, *state)`` returns whether node v needs no visit, and
    ``min_rdist(v, w, tree, *state)`` a lower bound of the reduced distances between two nodes.
    """

    def traverse(leaf, bound, stack, tree, *state):
        """Visit leaves; return the least reduced distance of a node too far, or 0 if a leaf was visited."""
        leaves = ONE << tree.height
        here = v = leaves + leaf
        escape = np.inf
        while v > ONE:
            stack.node[0], stack.rdist[0] = v ^ ONE, min_rdist(here, v ^ ONE, tree, *state)
            v >>= ONE
            top = ONE
            while top:
                top -= ONE
                node, rdist = stack.node[top], stack.rdist[top]
                if rdist >= bound:
                    escape = min(escape, rdist)
                elif not is_pruned(node, leaf, *state):
                    if node >= leaves:
                        bound, escape = visit(leaf, bound, node - leaves, tree, *state), 0.0
                    else:
                        near, far = TWO * node, TWO * node + ONE
                        x = min_rdist(here, near, tree, *state)
                        y = min_rdist(here, far, tree, *state)
                        if y < x:
                            near, far = far, near
                        stack.node[top], stack.rdist[top] = far, max(x, y)
                        stack.node[top + ONE], stack.rdist[top + ONE] = near, min(x, y)
                        top += TWO
        return escape

    return traverse


def rows_near(first, count, b, bounds, tree, norm):
    """Return a bit for each of ``count`` rows: 1 if node b is nearer than the bound of the row."""
    bits = ZERO
    for k in range(ZERO, count, STEP):
        bits |= lanes_near_box(tree.coordinates, first + k, tree.box, b, bounds, k, tree.d, norm) << k
    return bits & ((ONE << count) - ONE)


def rows_within(row, first, count, bound, tree, norm):
    """Return a bit for each of ``count`` rows: 1 if it is within a bound of the given row."""
    bits = ZERO
    for k in range(ZERO, count, STEP):
        bits |= lanes_within(tree.coordinates, row, first + k, bound, tree.box, tree.d, norm) << k
    return bits & ((ONE << count) - ONE)
