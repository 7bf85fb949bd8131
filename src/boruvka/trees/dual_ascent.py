"""Lower bounds of Steiner trees, by dual ascent: sets of vertices pay for the arcs that enter them.

Each edge is two arcs. A tree leads from a root along arcs into every set that holds a terminal, but not the
root. A set pays some amount, which is taken off the costs of all arcs that enter it. No arc has a negative
cost at the end, so what all sets paid together is at most the weight of the lightest tree [1]_.

Around a terminal, all vertices below a distance of the root's side are such a set: the search of the shortest
paths to the terminal finds them in their order. It ends where the root is reached; where another terminal is,
which has still to be connected, for this one is then connected with it; or where the set has become large,
as small sets are entered by few arcs and should pay first [2]_ [3]_. Then the limit is doubled.

A terminal with a prize pays no more than this. Without a root, trees begin at the first of their vertices in
the order of descending prizes. To enter the others costs what the vertices before them have left of their
prizes, which a tree that begins later loses.

Amounts are integers, and costs and prizes are rounded down, so the bound holds exactly.

.. [1] R. T. Wong, A dual ascent approach for Steiner tree problems on a directed graph, Mathematical
       Programming 28 (1984), 271-287.
.. [2] T. Polzin, S. Vahdati Daneshmand, Improved algorithms for the Steiner problem in networks, Discrete
       Applied Mathematics 112 (2001), 263-300.
.. [3] T. Pajor, E. Uchoa, R. F. Werneck, A robust and scalable algorithm for the Steiner problem in graphs,
       Mathematical Programming Computation 10 (2018), 69-118.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.adjacency import adjacency
from boruvka.graph.connected_components import label_components
from boruvka.graph.exact import float_below
from boruvka.graph.graph import Graph
from boruvka.kernels.kernel import kernel
from boruvka.trees.radix_heap import insert, remove_first

ONE = np.uint64(1)
BITS = 60
"""All prizes together are below 2**BITS units."""
FAR = 2**61
"""More than all costs and prizes, in units."""
SMALLEST = 3
"""The search around a terminal ends at a set with 2**SMALLEST ends of edges at first."""
WORK = 300
"""Maximum number of visits of each edge and vertex, on average."""
NONE, ACTIVE, WAITING, SPENT, CONNECTED = range(5)
"""States of vertices: not a terminal, or one that pays, that may be connected with another, whose prize is
spent, or that is connected with the root."""


def lower_bound(
    graph: Graph,
    prizes: NDArray[Any],
    roots: NDArray[np.int64] | None,
    total: int | float,
    leaves: NDArray[np.int64] | None = None,
) -> int | float:
    """Return a lower bound of the weight of a tree and the prizes that it misses.

    Parameters
    ----------
    graph : Graph
        The graph, whose weights are 0 or more.
    prizes : (n,) array
        The prize of each vertex; inf for terminals that must be connected.
    roots : (k,) array of int64, or None
        The root; or one in each component of the graph that has terminals. None if a tree may be anywhere.
    total : int or float
        The weight of a tree and the prizes that it misses. The bound is not above.
    leaves : (k,) array of int64, optional
        Vertices other than roots that must be leaves: no arc begins there.
    """
    n = graph.n
    unit = int(np.frexp(min(float(total), np.finfo(float).max))[1]) + n.bit_length() - BITS
    most = 2.0 ** (BITS - n.bit_length())
    cost, budget = (in_units(x, unit, most) for x in (graph.w, prizes))
    label = label_components(n, graph.u, graph.v)
    order = np.lexsort((-budget, label))
    begin = np.flatnonzero(np.diff(label[order], prepend=-1))
    is_anywhere = roots is None
    if roots is None:
        roots = order[begin]
        entry = budget[roots][label]
    else:
        entry = np.full(n, FAR)
    has_root = np.zeros(begin.size, bool)
    has_root[label[roots]] = True
    prize, given = budget.copy(), np.zeros(n, np.int64)
    entry[roots] = budget[roots] = 0
    state = np.where((budget > 0) & has_root[label], ACTIVE, NONE)
    terminals, joined = np.flatnonzero(state), np.arange(n)
    lists = adjacency(n, graph.u, graph.v)
    rest, slots, distance = cost[lists.edge], 2 * graph.m + n, np.full(n, FAR)
    if leaves is not None:
        rest[np.isin(lists.neighbour, np.setdiff1d(leaves, roots))] = most
    heap = np.empty(slots, np.uint64), np.empty(slots, np.int64), np.empty(slots, np.int64), np.full(64, -1)
    near = distance, distance.view(np.uint64), np.empty(n, np.int64)
    amounts, states, work = (rest, entry, budget), (state, joined), WORK * slots
    while work > 0 and (state == ACTIVE).any():
        for k in range(SMALLEST, max(slots.bit_length(), SMALLEST) + 1):
            work = _ascend(
                lists.offsets, lists.neighbour, amounts, terminals, states, 2**k, heap, near, work - n
            )
            if is_anywhere:
                left = np.where(state == CONNECTED, budget - given, 0)
                given += left
                before = np.cumsum(left[order]) - left[order]
                entry[order] += before - before[begin][label[order]]
        _settle(state, joined)
    paid = prize - budget
    paid[roots] = 0
    paid, missed = (np.add.reduceat(x[order], begin) for x in (paid, prize))
    bound = np.where(has_root, paid, missed).sum()
    if is_anywhere:  # all prizes outside of one component are missed
        bound = missed.sum() - (missed - paid).max()
    is_whole = graph.dtype.kind in "iu" and (
        prizes.dtype.kind in "iu" or bool(np.isin(prizes, [0, np.inf]).all())
    )
    return min(number_below(int(bound) * Fraction(2) ** unit, is_whole), total)


def relative_gap(bound: int | float, total: int | float) -> float:
    """Return the share of a total that is above a lower bound."""
    return 1 - bound / total if total > bound else 0.0


def in_units(x: NDArray[Any], unit: int, most: float) -> NDArray[np.int64]:
    """Return numbers of 0 or more in units of 2**unit, rounded down, and at most some number."""
    with np.errstate(over="ignore"):
        return np.minimum(np.ldexp(float_below(x), -unit), most).astype(np.int64)


def _settle(state: NDArray[np.int64], joined: NDArray[np.int64]) -> None:
    """Find out which waiting terminals are connected; others are active again."""
    while (joined[joined] != joined).any():
        joined[:] = joined[joined]
    waiting = state == WAITING
    state[waiting] = np.where(state[joined] == SPENT, ACTIVE, CONNECTED)[waiting]
    joined[:] = np.arange(joined.size)


def number_below(bound: Fraction, is_whole: bool) -> int | float:
    """Return a lower bound of totals, rounded up to an integer if they are whole, or down to a float."""
    if is_whole:
        return ceil(bound)
    nearest = float(min(bound, Fraction(np.finfo(float).max)))
    return float(np.nextafter(nearest, 0)) if nearest > bound else nearest


@kernel
def _ascend(offsets, neighbour, amounts, terminals, states, limit, heap, near, work):
    """Let the sets around each active terminal pay, until they have more ends of edges than a limit.

    ``rest`` has the costs that are left, of the arc to the vertex of a slot from its neighbour; ``joined``
    gets the terminal that a waiting one meets. Return the work that is left.
    """
    rest, entry, budget = amounts
    state, joined = states
    keys, nodes, following, heads = heap
    distance, bits, seen = near
    for i in range(terminals.size):
        t = terminals[i]
        if state[t] != ACTIVE:
            continue
        amount, state[t], reached, ends = budget[t], SPENT, np.int64(0), np.int64(0)
        filled, last, size, count = np.uint64(0), np.uint64(0), np.uint64(0), 1
        heads[:] = -1
        distance[t], seen[0] = 0, t
        keys[size], nodes[size] = 0, t
        filled = insert(keys, following, heads, filled, size, last)
        size += ONE
        while filled:
            slot, filled, last = remove_first(keys, nodes, bits, following, heads, filled, last)
            if slot < 0:
                continue
            x = nodes[slot]
            d = distance[x]
            if d >= amount:
                break
            if state[x] == ACTIVE:
                amount, state[t], joined[t] = d, WAITING, x
                break
            more = offsets[x + 1] - offsets[x]
            if work < 0 or (d > reached and max(ends, more) > limit):
                amount, state[t] = d, SPENT if work < 0 else ACTIVE
                break
            reached = d
            if d + entry[x] <= amount:
                amount, state[t] = d + entry[x], CONNECTED
            ends += more
            work -= more
            for k in range(offsets[x], offsets[x + 1]):
                y, reach = np.int64(neighbour[k]), d + rest[k]
                if reach < min(distance[y], amount):
                    if distance[y] == FAR:
                        seen[count] = y
                        count += 1
                    distance[y] = reach
                    keys[size], nodes[size] = bits[y], y
                    filled = insert(keys, following, heads, filled, size, last)
                    size += ONE
        for j in range(count):
            x = seen[j]
            d = distance[x]
            if d < amount:
                entry[x] -= amount - d
                for k in range(offsets[x], offsets[x + 1]):
                    rest[k] -= max(min(distance[neighbour[k]], amount) - d, 0)
        for j in range(count):
            distance[seen[j]] = FAR
        budget[t] -= amount
    return work
