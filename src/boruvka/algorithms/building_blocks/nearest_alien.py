"""The lightest edge from a point to another component: from the list of its neighbours, or from the tree.

A point is a row of the kd-tree. An *alien* of a row is a row of another component. The first alien in a list
of neighbours is the nearest one unless a row that is not listed is no farther: ``low`` is a lower bound of
the weights of pairs of a row that are not listed and may be its lightest. Only rows whose bound is not above
the lightest edge known of their component are searched for in the tree.

Edges of one component are compared by weight, here; those of equal weight by `pair_key`.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.kernel_functions import trailing_zeros
from boruvka.backends.protocol import Operator
from boruvka.graph.points.geometry import Geometry
from boruvka.graph.points.kd_tree import ONE, U64, first_row, separation_of_boxes, separation_of_rows
from boruvka.graph.points.neighbours import leaves_of
from boruvka.graph.points.walk import Stack, rows_within, walk_operator
from boruvka.operators.atomics import atomic_min

MIXED = np.uint32(0xFFFFFFFF)
"""In place of a component: a node has points of several."""
INFINITE = U64(0x7FF << 52)
"""The bits of infinity: the weight of a component for which no edge is known."""
HALF = U64(32)


class Rows(NamedTuple):
    """What is known of the rows of the tree; arrays are changed from round to round."""

    component: Any
    """(n,) array of uint32."""
    low: Any
    """(n,) array of float64."""
    begin: Any
    """(n,) array of uint16: the neighbours before this one in the list are in the component."""
    weight: Any
    """(n,) array of float64: the weight of the lightest edge found to an alien, else infinite."""
    to: Any
    """(n,) array of uint32: that alien."""
    core: Any
    """(n,) array of float64: core distances; empty where weights are plain distances."""


class Nodes(NamedTuple):
    """What is known of the nodes of the tree."""

    component: Any
    """(2 * leaves,) array of uint32: the component of all their rows, or `MIXED`."""
    least_core: Any
    """(2 * leaves,) array of float64: the least separation that their core distances stand for; empty without
    core distances."""


def bits_of(weight):
    """Return the bits of a weight, which sort as weights do: they are not negative."""
    return np.float64(weight).view(np.uint64)


def weight_from(bits):
    """Return the weight that has these bits."""
    return U64(bits).view(np.float64)


def pair_key(r, s, vertex):
    """Return a number that sorts as the index of the edge between two rows, from its smaller vertex on."""
    i, j = U64(vertex[r]), U64(vertex[s])
    return (min(i, j) << HALF) | max(i, j)


def keep_lighter(r, s, weight, rows, vertex):
    """Keep the edge between row r and its alien s if it precedes the one kept."""
    if weight < rows.weight[r] or (
        weight == rows.weight[r] and pair_key(r, s, vertex) < pair_key(r, rows.to[r], vertex)
    ):
        rows.weight[r], rows.to[r] = weight, s


@functools.cache
def weigh_operator(geometry: Geometry, d: int, has_cores: bool) -> Operator:
    """Make the function that computes the weight of the edge between two rows."""
    norm, key_of, weight_of = geometry.norm, geometry.key, geometry.weight

    def weigh(r, s, tree, points, core):
        separation = separation_of_rows(r, s, tree.coordinates, d, norm)
        return weight_of(key_of(separation, tree.vertex[r], tree.vertex[s], points))

    def weigh_with_cores(r, s, tree, points, core):
        return max(weigh(r, s, tree, points, core), max(core[r], core[s]))

    return weigh_with_cores if has_cores else weigh


@functools.cache
def propose_operator(geometry: Geometry, d: int, has_cores: bool) -> Operator:
    """Make the operator that proposes the lightest listed edge of a row to its component."""
    weigh = weigh_operator(geometry, d, has_cores)

    def propose_listed(r, tree, points, neighbours, rows, best):
        """Find the lightest edge from row r to a listed alien; ``begin`` advances to the first one."""
        k, c = U64(rows.begin[r]), rows.component[r]
        first, last = r * neighbours.k + k, (r + ONE) * neighbours.k
        while first < last and rows.component[neighbours.row[first]] == c:
            first += ONE
        rows.begin[r] = first - r * neighbours.k
        rows.weight[r] = np.inf
        for t in range(first, last):
            s = neighbours.row[t]
            if rows.component[s] != c:
                weight = weigh(r, s, tree, points, rows.core)
                if weight > rows.weight[r] and not has_cores:
                    break
                keep_lighter(r, s, weight, rows, tree.vertex)
        if first < last:
            atomic_min(best, c, bits_of(rows.weight[r]))

    return propose_listed


@functools.cache
def search_operator(geometry: Geometry, d: int, has_cores: bool) -> Operator:
    """Make the operator that searches the tree from the rows of a block of leaves."""
    norm, reach, least = geometry.norm, geometry.reach, geometry.least
    weigh = weigh_operator(geometry, d, has_cores)

    def visit(leaf, lanes, other, tree, points, rows, nodes, best):
        """Compare rows of a leaf with those of another; return a bound of the edges that matter."""
        first, begin = first_row(leaf, tree), first_row(other, tree)
        count = first_row(other + ONE, tree) - begin
        heaviest = -1.0
        while lanes:
            r = first + U64(trailing_zeros(lanes))
            lanes &= lanes - ONE
            c = rows.component[r]
            bound = weight_from(best[c])
            if nodes.component[(ONE << tree.height) + other] != c:
                hits = rows_within(r, begin, count, reach(bound), tree.coordinates, d, norm)
                while hits:
                    s = begin + U64(trailing_zeros(hits))
                    hits &= hits - ONE
                    if rows.component[s] != c:
                        weight = weigh(r, s, tree, points, rows.core)
                        if weight <= bound:
                            keep_lighter(r, s, weight, rows, tree.vertex)
                            atomic_min(best, c, bits_of(weight))
                            bound = weight
            heaviest = max(heaviest, bound)
        return reach(heaviest)

    def skips(v, leaf, points, rows, nodes, best):
        """Return whether all of node v is in the component of a leaf, or too far from all else."""
        c = nodes.component[nodes.component.size // U64(2) + leaf]
        return c != MIXED and nodes.component[v] == c

    def separate(a, b, tree, points, rows, nodes, best):
        return separation_of_boxes(a, b, tree.box, d, norm)

    def separate_with_cores(a, b, tree, points, rows, nodes, best):
        return max(separation_of_boxes(a, b, tree.box, d, norm), nodes.least_core[b])

    walk = walk_operator(visit, skips, separate_with_cores if has_cores else separate)

    def search_leaf(leaf, stack, tree, points, rows, nodes, best):
        """Search from the rows of a leaf that may have a lighter edge than the lightest one known."""
        first, last = first_row(leaf, tree), first_row(leaf + ONE, tree)
        lanes, heaviest = U64(0), -1.0
        for r in range(first, last):
            bound = weight_from(best[rows.component[r]])
            if rows.low[r] <= bound:
                lanes |= ONE << (r - first)
                heaviest = max(heaviest, bound)
        if not lanes:
            return
        c = nodes.component[(ONE << tree.height) + leaf]
        bound = reach(heaviest)
        if c == MIXED:
            bound = visit(leaf, lanes, leaf, tree, points, rows, nodes, best)
        escape = walk(leaf, lanes, bound, stack, tree, points, rows, nodes, best)
        nearest = least(escape) if c != MIXED else 0.0
        for r in range(first, last):
            if (lanes >> (r - first)) & ONE:
                known = weight_from(best[rows.component[r]])
                rows.low[r] = max(rows.low[r], max(known, nearest))

    def search(b, node, separation, blocks, tree, points, rows, nodes, best):
        """Search from the b-th block of leaves."""
        begin, end = leaves_of(b, blocks, tree)
        for leaf in range(begin, end):
            search_leaf(leaf, Stack(node, separation), tree, points, rows, nodes, best)

    return search


def propose_pair(r, vertex, rows, best, chosen):
    """Propose the edge kept for row r to its component if it has the least weight: the first index wins."""
    c = rows.component[r]
    if bits_of(rows.weight[r]) == best[c]:
        atomic_min(chosen, c, pair_key(r, rows.to[r], vertex))


def hook_row(r, vertex, rows, best, chosen, parent):
    """Hook the component of row r onto that of its alien if it chose the edge between them."""
    c = rows.component[r]
    if bits_of(rows.weight[r]) == best[c] and pair_key(r, rows.to[r], vertex) == chosen[c]:
        parent[c] = rows.component[rows.to[r]]


def relabel_row(r, component, label):
    """Give row r the new number of its component."""
    component[r] = label[component[r]]


def label_leaf(leaf, tree, rows, component):
    """Find the component of a leaf."""
    first, last = first_row(leaf, tree), first_row(leaf + ONE, tree)
    c = common = rows.component[first]
    for r in range(first, last):
        common = common if rows.component[r] == c else MIXED
    component[(ONE << tree.height) + leaf] = common


def label_node(v, component):
    """Find the component of an inner node."""
    x, y = component[U64(2) * v], component[U64(2) * v + ONE]
    component[v] = x if x == y else MIXED
