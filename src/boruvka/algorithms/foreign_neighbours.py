"""The lightest edge from a point to another component: from the list of its neighbours, or from the tree.

A point is a row of the kd-tree. A *foreign neighbour* of a row is a row of another component. The first
foreign neighbour in a row's list is its nearest one, unless an unlisted row is at most as far:
``unlisted_bound`` is a lower bound of the weights of such unlisted pairs. The tree is searched only from rows
whose bound is at most the weight of the lightest known edge of their component.

Edges of one component are compared by weight, here, and edges of equal weight by `pair_key`.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.primitives import Operator
from boruvka.graph.points.kd_tree import (
    ONE,
    U64,
    Stack,
    box_rdist,
    first_row,
    row_rdist,
    rows_near,
    rows_within,
    traversal_operator,
)
from boruvka.graph.points.neighbors import leaves_of
from boruvka.graph.points.search_metric import SearchMetric
from boruvka.kernels.kernel_functions import atomic_min, trailing_zeros
from boruvka.operators.boruvka_round import break_cycle, relabel_to_root

MIXED = np.uint32(0xFFFFFFFF)
"""Component of a node that has points of several components."""
INFINITE = U64(0x7FF << 52)
"""The bits of infinity: the weight of a component for which no edge is known."""
HALF = U64(32)


class PointState(NamedTuple):
    """State of the points, in the order of the tree; updated in every round."""

    component: Any
    """(n,) array of uint32."""
    unlisted_bound: Any
    """(n,) array of float64."""
    first_foreign: Any
    """(n,) array of uint8 or uint32: number of leading neighbours in the list in the row's own component."""
    weight: Any
    """(n,) array of float64: weight of the lightest known edge to a foreign neighbour, else infinite."""
    foreign_row: Any
    """(n,) array of uint32: that foreign neighbour, else a row of the same component."""
    core: Any
    """(n,) array of float64: core distances; empty where weights are plain distances."""
    is_tied: Any
    """(1,) array of bool: whether an index decided between edges of equal weight. It is only ever set."""


class NodeState(NamedTuple):
    """State of the nodes of the tree, and of the leaves."""

    component: Any
    """(2 * leaves,) array of uint32: the component of all their rows, or `MIXED`."""
    least_core: Any
    """(2 * leaves,) array of float64: least reduced distances of their core distances; empty without
    core distances."""
    has_edges: Any
    """(leaves,) array of bool: a row has a known edge to a foreign neighbour, or may have one in its list."""
    unlisted_bound: Any
    """(leaves,) array of float64: the least bound of their rows."""


def bits_of(weight):
    """Return the bits of a weight, which sort as weights do: they are not negative."""
    return np.float64(weight).view(np.uint64)


def weight_from(bits):
    """Return the weight that has these bits."""
    return U64(bits).view(np.float64)


def pair_key(r, s, vertex):
    """Return a number that sorts as the edges of a complete graph do: by smaller vertex, then by larger."""
    i, j = U64(vertex[r]), U64(vertex[s])
    return (min(i, j) << HALF) | max(i, j)


def keep_lighter(r, s, weight, rows, vertex):
    """Keep the edge between row r and its foreign neighbour s if it precedes the one kept."""
    if weight == rows.weight[r] and s != rows.foreign_row[r]:
        rows.is_tied[0] = True
        if pair_key(r, s, vertex) < pair_key(r, rows.foreign_row[r], vertex):
            rows.foreign_row[r] = s
    elif weight < rows.weight[r]:
        rows.weight[r], rows.foreign_row[r] = weight, s


@functools.cache
def weigh_operator(metric: SearchMetric, has_cores: bool) -> Operator:
    """Make the function that computes the weight of the edge between two rows."""
    norm, key_of, weight_of = metric.norm, metric.key, metric.weight

    def weigh(r, s, tree, points, core):
        rdist = row_rdist(r, s, tree, norm)
        return weight_of(key_of(rdist, tree.vertex[r], tree.vertex[s], points))

    def weigh_with_cores(r, s, tree, points, core):
        return max(weigh(r, s, tree, points, core), max(core[r], core[s]))

    return weigh_with_cores if has_cores else weigh


@functools.cache
def over_leaves(operator: Operator) -> Operator:
    """Make the operator that runs ``operator(leaf, tree, *arrays)`` for a range of leaves."""

    def run(here, ranges, tree, *arrays):
        begin, end = leaves_of(here, ranges, tree)
        for leaf in range(begin, end):
            operator(leaf, tree, *arrays)

    run.__name__ = run.__qualname__ = f"{operator.__name__}_of_range"
    return run


@functools.cache
def propose_operator(metric: SearchMetric, has_cores: bool) -> Operator:
    """Make the operator that proposes the lightest known edge of each row of a leaf to its component."""
    weigh = weigh_operator(metric, has_cores)

    def find_listed(r, c, tree, points, neighbours, rows):
        """Find the lightest edge from row r to a listed foreign neighbour; ``first_foreign`` advances."""
        first, last = r * neighbours.k + U64(rows.first_foreign[r]), (r + ONE) * neighbours.k
        while first < last and rows.component[neighbours.row[first]] == c:
            first += ONE
        rows.first_foreign[r] = first - r * neighbours.k
        rows.weight[r], rows.foreign_row[r] = np.inf, r
        for t in range(first, last):
            s = neighbours.row[t]
            if rows.component[s] != c:
                weight = weigh(r, s, tree, points, rows.core)
                if weight > rows.weight[r] and not has_cores:
                    break
                keep_lighter(r, s, weight, rows, tree.vertex)

    def propose_known(leaf, tree, points, neighbours, rows, nodes, best):
        if not nodes.has_edges[leaf]:
            return
        has_edges = False
        for r in range(first_row(leaf, tree), first_row(leaf + ONE, tree)):
            c = rows.component[r]
            if rows.component[rows.foreign_row[r]] == c:
                find_listed(r, c, tree, points, neighbours, rows)
            if rows.weight[r] < np.inf:
                atomic_min(best, c, bits_of(rows.weight[r]))
                has_edges = True
        nodes.has_edges[leaf] = has_edges

    propose_known.__name__ = propose_known.__qualname__ = f"propose_{metric.name}"
    return propose_known


@functools.cache
def search_operator(metric: SearchMetric, has_cores: bool) -> Operator:
    """Make the operator that searches the tree from the rows of a range of leaves."""
    norm, reach, least = metric.norm, metric.rdist_bound, metric.min_weight
    weigh = weigh_operator(metric, has_cores)

    def refresh(first, count, rows, best, bounds):
        """Lower the bounds of a leaf to the lightest edges known; return the largest one."""
        farthest = -1.0
        for i in range(count):
            if bounds[i] >= 0.0:
                bounds[i] = reach(weight_from(best[rows.component[first + i]]))
                farthest = max(farthest, bounds[i])
        return farthest

    def visit(leaf, farthest, other, tree, points, rows, nodes, best, bounds):
        """Compare rows of two leaves; return the largest bound."""
        first, begin, v = first_row(leaf, tree), first_row(other, tree), (ONE << tree.height) + other
        count, others = first_row(leaf + ONE, tree) - first, first_row(other + ONE, tree) - begin
        near = rows_near(first, count, v, bounds, tree, norm)
        lighter = False
        while near:
            i = U64(trailing_zeros(near))
            near &= near - ONE
            r = first + i
            c = rows.component[r]
            if nodes.component[v] == c:
                continue
            known = weight_from(best[c])
            hits = rows_within(r, begin, others, reach(known), tree, norm)
            while hits:
                s = begin + U64(trailing_zeros(hits))
                hits &= hits - ONE
                if rows.component[s] != c:
                    weight = weigh(r, s, tree, points, rows.core)
                    if weight <= known:
                        keep_lighter(r, s, weight, rows, tree.vertex)
                        atomic_min(best, c, bits_of(weight))
                        known, lighter = weight, True
        if not lighter:
            return farthest
        nodes.has_edges[leaf] = True
        return refresh(first, count, rows, best, bounds)

    def is_pruned(v, leaf, points, rows, nodes, best, bounds):
        """Return whether all of node v is in the component of a leaf, or too far from all else."""
        c = nodes.component[nodes.component.size // U64(2) + leaf]
        return c != MIXED and nodes.component[v] == c

    def min_rdist(a, b, tree, points, rows, nodes, best, bounds):
        return box_rdist(a, b, tree, norm)

    def min_rdist_with_cores(a, b, tree, points, rows, nodes, best, bounds):
        return max(box_rdist(a, b, tree, norm), nodes.least_core[b])

    traverse = traversal_operator(visit, is_pruned, min_rdist_with_cores if has_cores else min_rdist)

    def search_leaf(leaf, stack, tree, points, rows, nodes, best, bounds):
        """Search from the rows of a leaf that may have a lighter edge than the lightest one known."""
        c = nodes.component[(ONE << tree.height) + leaf]
        if c != MIXED and nodes.unlisted_bound[leaf] > weight_from(best[c]):
            return
        first = first_row(leaf, tree)
        count = first_row(leaf + ONE, tree) - first
        searched = False
        for i in range(count):
            r = first + i
            needs = rows.unlisted_bound[r] <= weight_from(best[rows.component[r]])
            bounds[i] = 0.0 if needs else -1.0
            searched |= needs
        if not searched:
            return
        farthest = refresh(first, count, rows, best, bounds)
        if c == MIXED:
            farthest = visit(leaf, farthest, leaf, tree, points, rows, nodes, best, bounds)
        escape = traverse(leaf, farthest, stack, tree, points, rows, nodes, best, bounds)
        nearest = least(escape) if c != MIXED else 0.0
        low = np.inf
        for i in range(count):
            r = first + i
            if bounds[i] >= 0.0:
                searched_up_to = max(weight_from(best[rows.component[r]]), nearest)
                rows.unlisted_bound[r] = max(rows.unlisted_bound[r], searched_up_to)
            low = min(low, rows.unlisted_bound[r])
        nodes.unlisted_bound[leaf] = low

    def search(here, node, rdist, bounds, ranges, tree, points, rows, nodes, best):
        """Search from the range ``here`` of leaves."""
        begin, end = leaves_of(here, ranges, tree)
        for leaf in range(begin, end):
            search_leaf(leaf, Stack(node, rdist), tree, points, rows, nodes, best, bounds)

    return search


def propose_pairs(leaf, tree, rows, nodes, best, chosen):
    """Propose the known edges of the least weight of their component: the first index wins."""
    if nodes.has_edges[leaf]:
        for r in range(first_row(leaf, tree), first_row(leaf + ONE, tree)):
            c = rows.component[r]
            if bits_of(rows.weight[r]) == best[c]:
                atomic_min(chosen, c, pair_key(r, rows.foreign_row[r], tree.vertex))


def hook_rows(leaf, tree, rows, nodes, best, chosen, parent):
    """Hook the components of rows onto the components of their foreign neighbours, along the chosen edges."""
    if nodes.has_edges[leaf]:
        for r in range(first_row(leaf, tree), first_row(leaf + ONE, tree)):
            c, s = rows.component[r], rows.foreign_row[r]
            if bits_of(rows.weight[r]) == best[c]:
                if pair_key(r, s, tree.vertex) == chosen[c]:
                    parent[c] = rows.component[s]
                else:
                    rows.is_tied[0] = True


def relabel_rows(leaf, tree, rows, nodes, label):
    """Give the rows of a leaf the new numbers of their components, and find the component of the leaf."""
    first, last = first_row(leaf, tree), first_row(leaf + ONE, tree)
    c = common = label[rows.component[first]]
    for r in range(first, last):
        rows.component[r] = label[rows.component[r]]
        common = common if rows.component[r] == c else MIXED
    nodes.component[(ONE << tree.height) + leaf] = common


def label_node(v, component):
    """Find the component of an inner node."""
    x, y = component[U64(2) * v], component[U64(2) * v + ONE]
    component[v] = x if x == y else MIXED


def merge_components(_, tree, rows, nodes, best, chosen, parent, label, pairs, counts, none):
    """Do all of a round that follows the search; ``counts`` are the components, and the edges found.

    The compiler does not know the value of ``none``: see `boruvka.algorithms.kruskal.find_edges`.
    """
    components, leaves, found, roots = counts[0], ONE << tree.height, counts[1], U64(0)
    for c in range(components):
        chosen[c] = none
    for leaf in range(leaves):
        propose_pairs(leaf, tree, rows, nodes, best, chosen)
    for leaf in range(leaves):
        hook_rows(leaf, tree, rows, nodes, best, chosen, parent)
    for c in range(components):
        break_cycle(c, chosen, parent)
    for c in range(components):
        if parent[c] != c:
            pairs[found] = chosen[c]
            found += ONE
        else:
            label[c] = roots
            roots += ONE
    for c in range(components):
        relabel_to_root(c, parent, label)
    for leaf in range(leaves):
        relabel_rows(leaf, tree, rows, nodes, label)
    for v in range(ONE, leaves):
        label_node(leaves - v, nodes.component)
    counts[0], counts[1] = roots, found
