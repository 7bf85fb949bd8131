"""The walk from a leaf of a kd-tree to the leaves that may hold something nearer than a bound.

The walk goes up from the leaf to the root. At each step it descends into the other child, the nearer node
first, and leaves out nodes that are too far or need no visit. What it finds on the way shrinks the bound.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.primitives import Operator
from boruvka.graph.points.kd_tree import ONE, TWO, U64, ZERO
from boruvka.kernels.kernel_functions import LANES, lanes_near_box, lanes_within

STACK = 128
"""More than the nodes that can wait for a visit: two for each level."""
STEP = U64(LANES)


class Stack(NamedTuple):
    """Nodes that wait for a visit, and how far each is: scratch arrays of a thread."""

    node: Any
    separation: Any


STACK_ARRAYS = [(STACK, np.uint64), (STACK, np.float64)]
"""The scratch arrays of a `Stack`, as `Backend.for_each_block` takes them."""


@functools.cache
def walk_operator(visit: Operator, skips: Operator, separate: Operator) -> Operator:
    """Make the function that walks from a leaf.

    ``visit(leaf, bound, other, tree, *state)`` compares the rows of a leaf with those of another, and returns
    the new bound: whatever is at a smaller separation is visited.
    ``skips(v, leaf, *state)`` returns whether node v needs no visit, and ``separate(v, w, tree, *state)``
    the least separation of two nodes.
    """

    def walk(leaf, bound, stack, tree, *state):
        """Visit leaves; return the least separation of what was too far, or 0 if any leaf was visited."""
        leaves = ONE << tree.height
        here = v = leaves + leaf
        escape = np.inf
        while v > ONE:
            stack.node[0], stack.separation[0] = v ^ ONE, separate(here, v ^ ONE, tree, *state)
            v >>= ONE
            top = ONE
            while top:
                top -= ONE
                node, separation = stack.node[top], stack.separation[top]
                if separation >= bound:
                    escape = min(escape, separation)
                elif not skips(node, leaf, *state):
                    if node >= leaves:
                        bound, escape = visit(leaf, bound, node - leaves, tree, *state), 0.0
                    else:
                        near, far = TWO * node, TWO * node + ONE
                        x = separate(here, near, tree, *state)
                        y = separate(here, far, tree, *state)
                        if y < x:
                            near, far = far, near
                        stack.node[top], stack.separation[top] = far, max(x, y)
                        stack.node[top + ONE], stack.separation[top + ONE] = near, min(x, y)
                        top += TWO
        return escape

    return walk


def rows_near(first, count, b, bounds, tree, d, norm):
    """Return a bit for each of some rows to which node b is nearer than its bound."""
    bits = ZERO
    for k in range(ZERO, count, STEP):
        bits |= lanes_near_box(tree.coordinates, first + k, tree.box, b, bounds, k, d, norm) << k
    return bits & ((ONE << count) - ONE)


def rows_within(row, first, count, bound, coordinates, d, norm):
    """Return a bit for each of some rows that is within a bound of one row."""
    bits = ZERO
    for k in range(ZERO, count, STEP):
        bits |= lanes_within(coordinates, row, first + k, bound, d, norm) << k
    return bits & ((ONE << count) - ONE)
