"""Random spanning trees by eliminating vertices, however different the weights are.

Idea: vertex x, whose edges have the weights c_1 ... c_k with the sum c, is replaced by edges between its
neighbours, of weight c_i * c_j / c. Take a random tree of this smaller graph, with probabilities proportional
to products of weights, and leave out its edges that replaced x. The rest has the same distribution as a
random tree of the larger graph without its edges at x: if k parts with sums s_1 ... s_k are left, the edges
that join them through x sum to s_1 * ... * s_k, and those that replaced x to the same divided by c
(Cayley's formula with weights). From each part, the tree has one edge to x, chosen in proportion to the
weights. So all vertices are eliminated, those with few neighbours first, and come back in reverse order.

Elimination only adds, multiplies and divides, here by logarithms. So no range of weights is too wide.

Source: the star-mesh transformation (A. Rosen, 1924). Random trees of such smaller graphs: D. Durfee, R.
Kyng, J. Peebles, A. B. Rao, S. Sachdeva, Sampling random spanning trees faster than matrix multiplication,
STOC 2017.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel
from boruvka.operators.counter_rng import mix

MOST_ENTRIES = 1 << 24
"""Maximum number of entries of the lists of neighbors, of 32 bytes each."""
MOST_STEPS = 1 << 30
"""Maximum number of steps in all, some ten seconds."""
VERTICES_AT_ONCE = 1 << 10
"""Vertices of one kernel call; between calls Ctrl-C is handled."""
CUT = -2
"""Value in place of the parent of a vertex whose edge to its parent has just been removed."""
FREE, DONE, STEPS = range(3)
"""Counts: entries in use, vertices eliminated, steps."""


class _Lists(NamedTuple):
    """The neighbors of each vertex, as linked lists of entries, so that elimination can add some.

    Attributes
    ----------
    first : (n,) array
        The first entry of each vertex; -1 where there is none.
    following : array
        For each entry the next one of the same vertex; -1 at the end.
    to, weight : arrays
        The neighbor, and the logarithm of the weight of the edge.
    maker : array
        The vertex whose elimination first made this edge, -1 for an edge of the input.
    """

    first: NDArray[np.int64]
    following: NDArray[np.int64]
    to: NDArray[np.int64]
    weight: NDArray[np.float64]
    maker: NDArray[np.int64]


class _Tree(NamedTuple):
    """A forest with roots.

    Attributes
    ----------
    parent : (n,) array
        The parent of each vertex, -1 of roots.
    up, made : (n,) arrays
        The logarithm of the weight of the edge to the parent in the graph of this time, and its maker.
    """

    parent: NDArray[np.int64]
    up: NDArray[np.float64]
    made: NDArray[np.int64]


class _Star(NamedTuple):
    """The neighbors of a vertex that comes back, in the order of its list.

    Attributes
    ----------
    entry : array
        Their entries.
    group : array
        The part of the forest that each is in: equal numbers for one part.
    where : array
        The vertex that the search from each has reached; later whether the root of each part was cut off.
    best, sum : arrays
        For each part the neighbor that is chosen, -1 while there is none; and the logarithm of the sum of the
        weights to it.
    seen : (n,) array
        For each vertex of the graph, the neighbor whose search has been there, -1 for none.
    visited : array
        The vertices that searches have been at.
    """

    entry: NDArray[np.int64]
    group: NDArray[np.int64]
    where: NDArray[np.int64]
    best: NDArray[np.int64]
    visited: NDArray[np.int64]
    sum: NDArray[np.float64]
    seen: NDArray[np.int64]


def tree_by_elimination(
    n: int, u: NDArray[Any], v: NDArray[Any], log_weight: NDArray[np.float64], seed: int
) -> NDArray[np.int64] | None:
    """Choose a spanning tree of each component; probabilities are proportional to products of weights.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : (m,) arrays of integers
        The ends of each edge; none is a loop.
    log_weight : (m,) array of float64
        The natural logarithm of each weight.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    (f,) array of int64, or None
        The edges, in no order; None if it takes too many steps, or too much memory.
    """
    # The largest weight with Gumbel noise is at each edge with a probability in proportion to its weight.
    noisy = log_weight + np.random.default_rng(seed).gumbel(size=u.size)
    low, high = np.sort(np.stack([u, v]).astype(np.int64), axis=0)
    order = np.lexsort((-noisy, high, low))  # the first of parallel edges represents them
    pair = (low * n + high)[order]
    bounds = np.flatnonzero(np.diff(pair, prepend=-1))
    chosen, pair = order[bounds], pair[bounds]
    weight = np.logaddexp.reduceat(log_weight[order], bounds) if pair.size else log_weight
    lists, counts = _lists_of(n, low[chosen], high[chosen], weight)
    eliminated = _eliminate_all(lists, counts)
    parent = None if eliminated is None else _restore_all(eliminated, lists, counts, seed)
    if parent is None:
        return None
    x = np.flatnonzero(parent >= 0)
    return chosen[np.searchsorted(pair, np.minimum(x, parent[x]) * n + np.maximum(x, parent[x]))]


def _lists_of(
    n: int, low: NDArray[np.int64], high: NDArray[np.int64], weight: NDArray[np.float64]
) -> tuple[_Lists, NDArray[np.int64]]:
    """Make the lists of neighbors, with room for more, and the counts."""
    begin = np.concatenate([low, high])
    room = max(begin.size, min(2 * n * n, MOST_ENTRIES))  # the system provides only pages that are written
    to, following, maker, weights = (np.empty(room, kind) for kind in (np.int64, np.int64, np.int64, float))
    to[: begin.size], weights[: begin.size] = np.concatenate([high, low]), np.tile(weight, 2)
    maker[: begin.size] = -1
    lists = _Lists(np.full(n, -1), following, to, weights, maker)
    _link(begin, lists.first, following)
    return lists, np.array([begin.size, 0, 0])


def _eliminate_all(lists: _Lists, counts: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Eliminate all vertices, the ones of few neighbors first; return their order, None if it takes too much.

    A pass eliminates the vertices of at most so many neighbors, and the next pass vertices of one more.
    """
    n = lists.first.size
    degree = np.bincount(lists.to[: counts[FREE]], minlength=n)
    is_gone, mark = np.zeros(n, bool), np.full(n, -1)
    order, star = np.empty((2, n), np.int64)
    left, most = np.arange(n), -1
    while left.size:
        most = max(most + 1, degree[left].min())
        for first in range(0, left.size, VERTICES_AT_ONCE):
            some = left[first : first + VERTICES_AT_ONCE]
            suffices = _eliminate(some, most, lists, degree, is_gone, star, mark, order, counts)
            if not suffices or counts[STEPS] > MOST_STEPS:
                return None
        left = left[~is_gone[left]]
    return order


def _restore_all(
    order: NDArray[np.int64], lists: _Lists, counts: NDArray[np.int64], seed: int
) -> NDArray[np.int64] | None:
    """Bring the vertices back in reverse order; return the parent of each in a tree, or None as above."""
    n = order.size
    tree = _Tree(np.full(n, -1), np.zeros(n), np.full(n, -1))
    entry, group, where, best, visited = np.empty((5, n), np.int64)
    star = _Star(entry, group, where, best, visited, np.empty(n), np.full(n, -1))
    random = np.array([seed], np.uint64)
    for last in range(n, 0, -VERTICES_AT_ONCE):
        _restore(order[max(last - VERTICES_AT_ONCE, 0) : last], lists, tree, star, random, counts)
        if counts[STEPS] > MOST_STEPS:
            return None
    return tree.parent


@kernel
def _link(begin, first, following):
    for e in range(begin.size):
        following[e] = first[begin[e]]
        first[begin[e]] = e


@kernel
def _eliminate(vertices, most, lists, degree, is_gone, star, mark, order, counts):
    """Eliminate those vertices that have at most so many neighbors; return whether memory suffices."""
    first, following, to, weight, maker = lists
    for k in range(vertices.size):
        x = vertices[k]
        if degree[x] > most:
            continue
        if counts[FREE] + degree[x] * (degree[x] - 1) > to.size:
            return False
        counts[STEPS] += _drop_eliminated(x, lists, is_gone)
        is_gone[x] = True
        order[counts[DONE]] = x
        counts[DONE] += 1
        count, total = 0, -math.inf
        e = first[x]
        while e >= 0:
            star[count] = e
            count += 1
            total = _log_sum(total, weight[e])
            e = following[e]
        for a in range(count):
            i = to[star[a]]
            counts[STEPS] += count + _drop_eliminated(i, lists, is_gone)
            degree[i] -= 1
            e = first[i]
            while e >= 0:
                mark[to[e]] = e
                e = following[e]
            for b in range(count):
                j = to[star[b]]
                if i == j:
                    continue
                new = weight[star[a]] + weight[star[b]] - total
                e = mark[j]
                if e >= 0:
                    weight[e] = _log_sum(weight[e], new)
                    continue
                e = counts[FREE]
                counts[FREE] += 1
                to[e], weight[e], maker[e], following[e] = j, new, x, first[i]
                first[i] = e
                degree[i] += 1
            e = first[i]
            while e >= 0:
                mark[to[e]] = -1
                e = following[e]
    return True


def _drop_eliminated(x, lists, is_gone):
    """Take eliminated vertices from the list of a vertex; return its former length."""
    length, before, e = 0, np.int64(-1), lists.first[x]
    while e >= 0:
        length += 1
        if not is_gone[lists.to[e]]:
            before = e
        elif before < 0:
            lists.first[x] = lists.following[e]
        else:
            lists.following[before] = lists.following[e]
        e = lists.following[e]
    return length


@kernel
def _restore(vertices, lists, tree, star, random, counts):
    """Bring vertices back, the last first, and choose their edges in the tree."""
    first, following, to, weight, maker = lists
    parent, up, made = tree
    entry, seen = star.entry, star.seen
    for back in range(vertices.size):
        x = vertices[vertices.size - 1 - back]
        count, total = 0, -math.inf
        e = first[x]
        while e >= 0:
            entry[count], seen[to[e]] = e, count
            star.group[count], star.best[count], star.sum[count] = count, -1, -math.inf
            count += 1
            total = _log_sum(total, weight[e])
            e = following[e]
        cuts = 0
        for a in range(count):
            i = to[entry[a]]
            j = parent[i]
            if j < 0 or seen[j] < 0:
                continue
            share = weight[entry[a]] + weight[entry[seen[j]]] - total - up[i]
            if made[i] == x or _random_unit(random) < math.exp(share):
                parent[i] = CUT
                cuts += 1
            else:
                up[i] += math.log1p(-math.exp(share))
        counts[STEPS] += count + _find_parts(star, count, cuts + 1, to, parent)
        for a in range(count):
            star.where[a] = 0
        for a in range(count):
            g = star.group[a]
            if parent[to[entry[a]]] == CUT:
                star.where[g] = CUT
            star.sum[g] = _log_sum(star.sum[g], weight[entry[a]])
            if _random_unit(random) < math.exp(weight[entry[a]] - star.sum[g]):
                star.best[g] = a
        for g in range(count):
            if star.best[g] < 0:
                continue
            e = entry[star.best[g]]
            i = to[e]
            if star.where[g] == CUT:
                counts[STEPS] += _make_root(i, parent, up, made)
                parent[i], up[i], made[i] = x, weight[e], maker[e]
            else:
                parent[x], up[x], made[x] = i, weight[e], maker[e]


def _find_parts(star, count, parts, to, parent):
    """Give neighbors the same group if they are in one part of the forest; the number of parts is known.

    Paths from all of them go up by turns, and join the groups of those that meet. Return the number of steps.
    """
    group, where, seen = star.group, star.where, star.seen
    steps, groups = 0, count
    for a in range(count):
        where[a] = to[star.entry[a]]
    if parts == 1:
        for a in range(count):
            group[a] = 0
        groups = 1
    while groups > parts:
        for a in range(count):
            if where[a] < 0 or groups == parts:
                continue
            y = parent[where[a]]
            where[a] = y
            if y < 0:
                continue
            if seen[y] < 0:
                seen[y] = a
                star.visited[steps] = y
                steps += 1
                continue
            where[a] = -1
            old, new = group[a], group[seen[y]]
            if old != new:
                groups -= 1
                for b in range(count):
                    if group[b] == old:
                        group[b] = new
    for a in range(count):
        seen[to[star.entry[a]]] = -1
    for k in range(steps):
        seen[star.visited[k]] = -1
    return steps


def _make_root(i, parent, up, made):
    """Make a vertex the root of its part, which was cut off; return the length of the path to the old one."""
    length, x, below, below_up, below_made = 0, i, np.int64(-1), 0.0, np.int64(-1)
    while x >= 0:
        above, above_up, above_made = parent[x], up[x], made[x]
        parent[x], up[x], made[x] = below, below_up, below_made
        x, below, below_up, below_made = above, x, above_up, above_made
        length += 1
    return length


def _log_sum(a, b):
    """Return the logarithm of a sum from the logarithms of its parts."""
    larger, smaller = max(a, b), min(a, b)
    return larger if smaller == -math.inf else larger + math.log1p(math.exp(smaller - larger))


def _random_unit(random):
    """Draw a float from [0, 1)."""
    random[0] += np.uint64(1)
    return np.float64(mix(random[0]) >> np.uint64(11)) * 2.0**-53
