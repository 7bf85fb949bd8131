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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel
from boruvka.operators.counter_rng import mix

__all__ = ["tree_by_elimination"]

MOST_ENTRIES = 1 << 24
"""Entries of the lists of neighbours, of 32 bytes each."""
MOST_STEPS = 1 << 30
"""Steps in all, some ten seconds."""
STEPS_AT_ONCE = 1 << 24
"""Steps of one kernel call; between calls Ctrl-C is handled."""
CUT = -2
"""Value in place of the parent of a vertex whose edge to its parent has just been removed."""
DONE, PAUSED, FULL = range(3)
ELIMINATED, FREE, STACK, DEGREE, STEPS = range(5)
"""State: vertices eliminated, entries in use, vertices on the stack, degree up to which they are eliminated,
steps."""


def tree_by_elimination(
    n: int, u: NDArray[Any], v: NDArray[Any], log_weight: NDArray[np.float64], state: NDArray[np.uint64]
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
    state : (1,) array of uint64
        State of the random numbers, which changes.

    Returns
    -------
    (f,) array of int64, or None
        The edges, in no order; None if it takes too many steps, or too much memory.
    """
    ends = np.sort(np.stack([u, v]).astype(np.int64), axis=0)
    by_pair = np.lexsort(ends[::-1])
    low, high = ends[:, by_pair]
    is_first = np.append(True, (low[1:] != low[:-1]) | (high[1:] != high[:-1]))[: low.size]
    bounds = np.append(np.flatnonzero(is_first), low.size)
    low, high, log_weight = low[is_first], high[is_first], log_weight[by_pair]
    lists = _Lists(n, low, high, np.logaddexp.reduceat(log_weight, bounds[:-1]) if low.size else log_weight)
    if not lists.eliminate():
        return None
    parent = lists.restore(state)
    if parent is None:
        return None
    x = np.flatnonzero(parent >= 0)
    key = np.minimum(x, parent[x]) * n + np.maximum(x, parent[x])
    chosen = np.empty(x.size, np.int64)
    _choose_parallel(np.searchsorted(low * n + high, key), bounds, log_weight, state, chosen)
    return by_pair[chosen]


class _Lists:
    """The neighbours of each vertex, as linked lists of entries, so that elimination can add some."""

    def __init__(self, n: int, low: NDArray[Any], high: NDArray[Any], log_weight: NDArray[np.float64]):
        self.n = n
        begin = np.concatenate([low, high])
        self.degree = np.bincount(begin, minlength=n)
        size = begin.size
        self.to, self.weight = np.concatenate([high, low]), np.tile(log_weight, 2)
        self.next, self.maker = np.empty(size, np.int64), np.full(size, -1)
        self.first = np.full(n, -1)
        _link(begin, self.first, self.next)
        self.order = np.empty(n, np.int64)
        self.state = np.zeros(5, np.int64)
        self.state[FREE] = size

    def eliminate(self) -> bool:
        """Eliminate all vertices; return whether steps and memory sufficed."""
        is_gone, on_stack, stack = np.zeros(self.n, bool), np.zeros(self.n, bool), np.empty(self.n, np.int64)
        mark, star = np.full(self.n, -1), np.empty(self.n, np.int64)
        while self.state[STEPS] < MOST_STEPS:
            entries = self.first, self.next, self.to, self.weight, self.maker
            how = _eliminate(
                *entries, self.degree, self.order, is_gone, on_stack, stack, mark, star, self.state,
                self.state[STEPS] + STEPS_AT_ONCE,
            )  # fmt: skip
            if how == DONE:
                return True
            if how == FULL and not self._make_room():
                return False
        return False

    def restore(self, state: NDArray[np.uint64]) -> NDArray[np.int64] | None:
        """Bring the vertices back in reverse order; return the parent of each in a tree, -1 of roots."""
        n, steps = self.n, self.state
        parent, up, made = np.full(n, -1), np.zeros(n), np.full(n, -1)
        work = [np.empty(n, np.int64) for _ in range(5)]
        seen, sums = np.full(n, -1), np.empty(n)
        while steps[STEPS] < MOST_STEPS:
            entries = self.first, self.next, self.to, self.weight, self.maker
            limit = steps[STEPS] + STEPS_AT_ONCE
            if (
                _restore(*entries, self.order, parent, up, made, seen, sums, *work, steps, state, limit)
                == DONE
            ):
                return parent
        return None

    def _make_room(self) -> bool:
        size = self.to.size
        more = max(size, 1 << 10)
        for name in "to", "weight", "next", "maker":
            array = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.empty(more, array.dtype)]))
        return size + more <= MOST_ENTRIES


@kernel
def _link(begin, first, following):
    for e in range(begin.size):
        following[e] = first[begin[e]]
        first[begin[e]] = e


@kernel
def _eliminate(
    first, following, to, weight, maker, degree, order, is_gone, on_stack, stack, mark, star, state, limit
):
    """Eliminate vertices, of small degree first, until none is left, steps run out, or lists are full."""
    while state[ELIMINATED] < order.size:
        if state[STACK] == 0:
            least = order.size
            for x in range(order.size):
                if not is_gone[x]:
                    least = min(least, degree[x])
            state[DEGREE] = least
            state[STEPS] += order.size
            for x in range(order.size):
                if not is_gone[x] and degree[x] <= state[DEGREE]:
                    on_stack[x] = True
                    stack[state[STACK]] = x
                    state[STACK] += 1
        x = stack[state[STACK] - 1]
        k = degree[x]
        if not is_gone[x] and k <= state[DEGREE]:
            if state[STEPS] >= limit:
                return PAUSED
            if state[FREE] + k * (k - 1) > to.size:
                return FULL
        state[STACK] -= 1
        on_stack[x] = False
        if is_gone[x] or k > state[DEGREE]:
            continue
        state[STEPS] += _collect(x, first, following, to, is_gone)
        is_gone[x] = True
        order[state[ELIMINATED]] = x
        state[ELIMINATED] += 1
        count, total = 0, -math.inf
        e = first[x]
        while e >= 0:
            star[count] = e
            count += 1
            total = _log_sum(total, weight[e])
            e = following[e]
        for a in range(count):
            i = to[star[a]]
            state[STEPS] += count + _collect(i, first, following, to, is_gone)
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
                e = state[FREE]
                state[FREE] += 1
                to[e], weight[e], maker[e], following[e] = j, new, x, first[i]
                first[i] = e
                degree[i] += 1
            e = first[i]
            while e >= 0:
                mark[to[e]] = -1
                e = following[e]
            if degree[i] <= state[DEGREE] and not on_stack[i]:
                on_stack[i] = True
                stack[state[STACK]] = i
                state[STACK] += 1
    return DONE


def _collect(x, first, following, to, is_gone):
    """Take eliminated vertices from the list of a vertex; return its former length."""
    length, before, e = 0, np.int64(-1), first[x]
    while e >= 0:
        length += 1
        if not is_gone[to[e]]:
            before = e
        elif before < 0:
            first[x] = following[e]
        else:
            following[before] = following[e]
        e = following[e]
    return length


@kernel
def _restore(
    first, following, to, weight, maker, order, parent, up, made, seen, sums, star, group, best, visited,
    where, state, random, limit,
):  # fmt: skip
    """Bring vertices back until all are there, or steps run out.

    ``up`` is the logarithm of the weight of the edge to the parent in the graph of this time. ``made`` is the
    vertex whose elimination first made this edge, -1 for an edge of the input.
    """
    while state[ELIMINATED] > 0:
        if state[STEPS] >= limit:
            return PAUSED
        state[ELIMINATED] -= 1
        x = order[state[ELIMINATED]]
        count, total = 0, -math.inf
        e = first[x]
        while e >= 0:
            star[count] = e
            seen[to[e]] = count
            count += 1
            total = _log_sum(total, weight[e])
            e = following[e]
        cuts = 0
        for a in range(count):
            i = to[star[a]]
            group[a], best[a], sums[a] = a, -1, -math.inf
            j = parent[i]
            if j < 0 or seen[j] < 0:
                continue
            part = weight[star[a]] + weight[star[seen[j]]] - total - up[i]
            if made[i] == x or _random_unit(random) < math.exp(part):
                parent[i] = CUT
                cuts += 1
            else:
                up[i] += math.log1p(-math.exp(part))
        state[STEPS] += count + _find_parts(star, count, cuts + 1, to, parent, seen, group, visited, where)
        for a in range(count):
            where[a] = 0
        for a in range(count):
            g = group[a]
            if parent[to[star[a]]] == CUT:
                where[g] = CUT
            sums[g] = _log_sum(sums[g], weight[star[a]])
            if _random_unit(random) < math.exp(weight[star[a]] - sums[g]):
                best[g] = a
        for g in range(count):
            if best[g] < 0:
                continue
            e = star[best[g]]
            i = to[e]
            if where[g] == CUT:
                state[STEPS] += _make_root(i, parent, up, made)
                parent[i], up[i], made[i] = x, weight[e], maker[e]
            else:
                parent[x], up[x], made[x] = i, weight[e], maker[e]
    return DONE


def _find_parts(star, count, parts, to, parent, seen, group, visited, where):
    """Give vertices the same group if they are in one part of the forest; the number of parts is known.

    Paths from all of them go up by turns, and join the groups of those that meet. Return the number of steps.
    """
    steps, groups = 0, count
    for a in range(count):
        where[a] = to[star[a]]
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
                visited[steps] = y
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
        seen[to[star[a]]] = -1
    for k in range(steps):
        seen[visited[k]] = -1
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


@kernel
def _choose_parallel(pairs, bounds, log_weight, random, chosen):
    """Choose one of the parallel edges of each pair."""
    for k in range(pairs.size):
        total = -math.inf
        for i in range(bounds[pairs[k]], bounds[pairs[k] + 1]):
            total = _log_sum(total, log_weight[i])
            if _random_unit(random) < math.exp(log_weight[i] - total):
                chosen[k] = i


def _log_sum(a, b):
    """Return the logarithm of a sum from the logarithms of its parts."""
    larger, smaller = max(a, b), min(a, b)
    return larger if smaller == -math.inf else larger + math.log1p(math.exp(smaller - larger))


def _random_unit(random):
    """Draw a float from [0, 1)."""
    random[0] += np.uint64(1)
    return np.float64(mix(random[0]) >> np.uint64(11)) * 2.0**-53
