"""Traversal of a kd-tree from a leaf, to the leaves that may hold something nearer than a bound.

It goes up from the leaf to the root. At each step it descends into the other child, the nearer node first,
and prunes nodes that are too far or need no visit. The bound shrinks with what is found on the way.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.primitives import Operator
from boruvka.graph.points.kd_tree import ONE, TWO, U64, ZERO
from boruvka.kernels.kernel_functions import LANES, lanes_near_box, lanes_within

STACK = 128
"""Upper bound of the number of pending nodes: two for each level."""
STEP = U64(LANES)


class Stack(NamedTuple):
    """Stack of nodes to visit, with their reduced distances; scratch arrays of a thread."""

    node: Any
    rdist: Any


STACK_ARRAYS = [(STACK, np.uint64), (STACK, np.float64)]
"""The scratch arrays of a `Stack`, as `Backend.for_each_block` takes them."""


@functools.cache
def traversal_operator(visit: Operator, is_pruned: Operator, min_rdist: Operator) -> Operator:
    """Make the function that traverses the tree from a leaf.

    ``visit(leaf, bound, other, tree, *state)`` compares the rows of a leaf with those of another, and returns
    the new bound: nodes at a smaller reduced distance are visited.
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


def rows_near(first, count, b, bounds, tree, d, norm):
    """Return a bit for each of ``count`` rows: 1 if node b is nearer than the bound of the row."""
    bits = ZERO
    for k in range(ZERO, count, STEP):
        bits |= lanes_near_box(tree.coordinates, first + k, tree.box, b, bounds, k, d, norm) << k
    return bits & ((ONE << count) - ONE)


def rows_within(row, first, count, bound, coordinates, d, norm):
    """Return a bit for each of ``count`` rows: 1 if it is within a bound of the given row."""
    bits = ZERO
    for k in range(ZERO, count, STEP):
        bits |= lanes_within(coordinates, row, first + k, bound, d, norm) << k
    return bits & ((ONE << count) - ONE)
