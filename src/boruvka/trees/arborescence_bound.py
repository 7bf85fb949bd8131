"""A lower bound on the weight of arborescences, by nested sets of vertices with a value each.

Every arborescence enters each set that does not hold its root: a single vertex once, a larger set at least
once. If the values of the sets that an arc enters add up to its weight or less, and larger sets have values
of 0 or more, then an arborescence weighs at least the sum of the values of all sets but those that hold its
root. An arborescence of that weight is optimal, however it and the values were found.

Source: J. Edmonds, Optimum branchings, Journal of Research of the National Bureau of Standards 71B (1967),
233-240.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.graph import Graph
from boruvka.trees.forest import Forest
from boruvka.trees.queries.paths import heaviest_on_paths

__all__ = ["is_arborescence", "lower_bound", "scaled_integers"]


def is_arborescence(graph: Graph, root: int, parent_edge: NDArray[np.int64]) -> bool:
    """Return whether arcs, one into each vertex but the root, lead from the root to every vertex."""
    n, arcs = graph.n, np.asarray(parent_edge)
    if arcs.shape != (n,) or arcs.dtype.kind not in "iu" or not 0 <= root < n:
        return False
    others = np.flatnonzero(np.arange(n) != root)
    arcs = arcs[others]
    if parent_edge[root] != -1 or not ((arcs >= 0) & (arcs < graph.m)).all():
        return False
    above = np.full(n, root)
    above[others] = graph.u[arcs]
    for _ in range(n.bit_length()):
        above = above[above]
    return bool((graph.v[arcs] == others).all() and (above == root).all())


def scaled_integers(w: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Return finite weights as an array of Python integers, in units of 2**unit, and the unit."""
    if w.dtype.kind in "iu":
        return w.astype(object), 0
    bits = np.finfo(w.dtype).nmant + 2
    mantissa, exponent = np.frexp(w if w.dtype.itemsize > 8 else w.astype(np.float64))
    unit = int(exponent.min(initial=0)) - bits
    whole = np.fromiter(map(int, np.ldexp(mantissa, bits).tolist()), object, w.size)
    return whole << (exponent - bits - unit).astype(object), unit


def lower_bound(
    graph: Graph,
    w: NDArray[Any],
    up: NDArray[np.int64],
    values: NDArray[Any],
    root: int,
    is_for_any_root: bool,
) -> int | None:
    """Return a weight that no arborescence is below, or None if the values prove nothing.

    Parameters
    ----------
    graph : Graph
        Its arcs go from u to v.
    w : (m,) array of Python integers
        The weights.
    up : array of int64
        The smallest set around each set, which has a larger number, or -1; the first n sets are the vertices.
    values : array of Python integers
        The value of each set.
    root : int
        The root of the arborescence.
    is_for_any_root : bool
        Whether the bound is for arborescences of any root, or only of this one.
    """
    n, numbers = graph.n, np.arange(up.size)
    are_nested = up.size >= n and ((up == -1) | ((up > numbers) & (up >= n) & (up < up.size))).all()
    if not are_nested or np.setdiff1d(numbers[n:], up).size or (values[n:] < 0).any():
        return None
    total, outermost = values.tolist(), numbers.tolist()  # of the sets around each set, and itself
    for x, outer in zip(reversed(range(up.size)), reversed(up.tolist()), strict=True):
        if outer >= 0:
            total[x] += total[outer]
            outermost[x] = outermost[outer]
    around = np.array([*total, 0], object)
    entered = around[graph.v] - around[_smallest_common_sets(graph, up)]
    limits = (graph.u != graph.v) & (is_for_any_root | (graph.v != root))
    if (entered > w)[limits].any():
        return None
    is_root = np.arange(n) == root
    if is_for_any_root:
        is_root = np.array(outermost[:n]) == outermost[root]
        if (is_root[graph.v] & ~is_root[graph.u]).any():  # else all roots are there
            is_root[:] = True
    return sum(values.tolist()) - max(around[:n][is_root])


def _smallest_common_sets(graph: Graph, up: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the smallest set that holds both ends of each arc, unless it is a loop; -1 if there is none."""
    inside = np.flatnonzero(up >= 0)
    # It has the largest number on the way between them.
    nesting = Forest(Graph(up.size, inside, up[inside], up[inside]), np.arange(inside.size)).structure
    edges, common = heaviest_on_paths(nesting, graph.u, graph.v)
    return np.where(edges >= 0, common, -1)
