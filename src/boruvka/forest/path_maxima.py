"""The heaviest edge on the path between two vertices of a forest, as the maximum of an interval.

The edges of the forest are sorted by (weight, index); their positions in that order are *ranks*. They are
united in that order, and each union puts the vertices of the smaller tree behind those of the larger. So
every tree that ever exists is an interval of one line of all vertices. The *gap* before a vertex of the
line is the rank of the edge that joined it to the vertices before it. On the path between two vertices, the
edge that was united last joined their two trees, so its rank is the maximum of the gaps between them.

Source: E. D. Demaine, G. M. Landau, O. Weimann, On Cartesian trees and range minimum queries, 2009: the
heaviest edge of a path by range minima, after the edges are sorted. The line is the order of the leaves in
the dendrogram of single linkage. Maxima of intervals are found by blocks and a sparse table of their
maxima, after M. A. Bender, M. Farach-Colton, The LCA problem revisited, 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch

BLOCK_BITS = np.uint64(6)
"""Blocks of 64 vertices of the line."""
UNIONS_AT_ONCE = 1 << 20
"""Unions of one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
ENDS_AHEAD, PARENTS_AHEAD, GRANDPARENTS_AHEAD = np.uint64(48), np.uint64(32), np.uint64(16)
"""How many edges ahead their ends, the parents of these, and the parents of those are prefetched."""
AHEAD = np.uint64(32)
"""The same for loops with one random access."""
HALF_AHEAD = np.uint64(16)
"""The same for the second of two random accesses, which depends on the first."""
ZERO, ONE = np.uint64(0), np.uint64(1)
SIGN = np.int64(-(2**63))


class Line(NamedTuple):
    """The vertices of a forest in a line, and the edges of the forest by rank.

    Ranks and positions are int32, or int64 for 2**31 vertices and more.
    """

    position: NDArray[Any]
    """Position of each vertex."""
    gap: NDArray[Any]
    """Rank of the edge that joined a position to those before it; the number of edges where a tree begins."""
    weights: NDArray[Any]
    """Weight of the edge of each rank, in 64 bits."""
    order: NDArray[Any]
    """Place of the edge of each rank in the list of the edges of the forest."""


class IntervalMaxima(NamedTuple):
    """Maxima of the gaps in each interval."""

    gap: NDArray[Any]
    from_begin: NDArray[Any]
    """Maximum from the begin of a block up to a position."""
    to_end: NDArray[Any]
    """Maximum from a position to the end of its block."""
    table: NDArray[Any]
    """In row j, the maximum of 2**j blocks, from each block on."""


def line_up(
    n: int, u: NDArray[Any], v: NDArray[Any], order: NDArray[Any], weights: NDArray[Any]
) -> Line | int:
    """Put the vertices of a forest in a line.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : (f,) arrays
        The ends of the edges of the forest.
    order, weights : (f,) arrays
        The order of its edges, and their weights in that order: what `sort_edges` returns.

    Returns
    -------
    Line or int
        The line; or the place of the first edge, in the order of ranks, that closes a cycle.
    """
    order = order.astype(np.promote_types(order.dtype, id_type(n)), copy=False)
    cycle, unions = unite_all(n, order, u, v)
    if cycle >= 0:
        return int(order[cycle])
    position, gap = np.empty(n, order.dtype), np.empty(n, order.dtype)
    _lay_out(*unions, position, gap)
    return Line(position, gap, weights, order)


def is_forest(n: int, u: NDArray[Any], v: NDArray[Any]) -> bool:
    """Return whether edges close no cycle, without sorting them."""
    return unite_all(n, np.arange(u.size, dtype=id_type(n)), u, v)[0] < 0


def id_type(n: int) -> type[np.signedinteger]:
    """Return the type of ranks and positions: int32 while they fit, else int64."""
    return np.int32 if n < 2**31 else np.int64


def interval_maxima(gap: NDArray[Any]) -> IntervalMaxima:
    """Prepare the maxima of intervals."""
    blocks = (gap.size >> int(BLOCK_BITS)) + 1
    table = np.zeros((blocks.bit_length(), blocks), gap.dtype)
    from_begin, to_end = np.empty_like(gap), np.empty_like(gap)
    _block_maxima(gap, from_begin, to_end, table[0])
    for j in range(len(table) - 1):
        step = 1 << j
        np.maximum(table[j, :-step], table[j, step:], out=table[j + 1, :-step])
    return IntervalMaxima(gap, from_begin, to_end, table)


def widened(w: NDArray[Any]) -> NDArray[Any]:
    """Convert weights to 64 bits, exactly: kernels are compiled for three types only.

    Long doubles, which Numba has no type for, become dense integers in the same order.
    """
    if w.dtype.itemsize > 8:
        return np.unique(w, return_inverse=True)[1]
    return w.astype({"i": np.int64, "u": np.uint64, "f": np.float64}[w.dtype.kind], copy=False)


# The order of the edges


def sort_edges(w: NDArray[Any], maximum: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sort edges by (weight, index): return their places in that order, and their weights in 64 bits.

    What is sorted is a 64-bit number for each edge: its place in the low bits, and as many high bits of its
    weight as fit above. Where that drops bits of weights, near neighbours may be in the wrong order, and are
    exchanged.
    """
    w = widened(w)
    order = np.empty(w.size, id_type(w.size))
    if not w.size:
        return order, w
    place_bits = (w.size - 1).bit_length()
    kind = np.uint64("uif".index(w.dtype.kind))
    low, high = _range_of_keys(w.view(np.int64), kind)
    dropped = max((high - low).bit_length() + place_bits - 64, 0)
    packed = np.empty(w.size, np.uint64)
    origin = np.int64(high if maximum else low)
    shifts = np.uint64(dropped), np.uint64(place_bits)
    _pack(w.view(np.int64), kind, maximum, origin, *shifts, packed)
    packed.sort()
    weights = np.empty_like(w)
    if not _unpack(packed, np.uint64((1 << place_bits) - 1), w, maximum, order, weights):
        if maximum:  # from the heaviest; equal weights still ascend by index
            order[:] = w.size - 1 - np.argsort(w[::-1], kind="stable")[::-1]
        else:
            order[:] = np.argsort(w, kind="stable")
        np.take(w, order, out=weights)
    return order, weights


@kernel
def _range_of_keys(bits, kind):
    """Return the smallest and the largest sort key."""
    low = high = _key(bits[0], kind)
    for i in range(bits.size):
        key = _key(bits[i], kind)
        low, high = min(low, key), max(high, key)
    return low, high


@kernel
def _pack(bits, kind, maximum, origin, dropped, place_bits, packed):
    """Store the distance of each sort key from the first, without its last bits, and the edge's place."""
    for i in range(np.uint64(bits.size)):
        key = _key(bits[i], kind)
        distance = np.uint64(origin - key if maximum else key - origin)
        packed[i] = distance >> dropped << place_bits | i


def _key(b, kind):
    """Map the bits of a weight (kind 0: unsigned, 1: signed, 2: float) to an integer in the same order."""
    if kind == ZERO:
        return b ^ SIGN
    if kind == ONE:
        return b
    if b == SIGN:  # minus zero
        return np.int64(0)
    return b ^ ((b >> 63) & ~SIGN)


@kernel
def _unpack(packed, place_mask, w, maximum, order, weights):
    """Store places and weights in order; return whether that needed few exchanges of neighbours."""
    left = packed.size
    for k in range(np.uint64(packed.size)):
        if k + AHEAD < packed.size:
            prefetch(w, packed[k + AHEAD] & place_mask)
        i = packed[k] & place_mask
        x = w[i]
        slot = np.uint64(k)
        while slot > ZERO:
            y, j = weights[slot - ONE], order[slot - ONE]
            if (x > y if maximum else x < y) or (x == y and i < j):
                weights[slot], order[slot] = y, j
                slot -= ONE
                left -= 1
            else:
                break
        weights[slot], order[slot] = x, i
        if left < 0:
            return False
    return True


# Unions


def unite_all(
    n: int,
    order: NDArray[Any],
    u: NDArray[Any],
    v: NDArray[Any],
    then: Callable[[int, int, tuple[Any, ...]], Any] = lambda first, last, unions: None,
) -> tuple[int, tuple[Any, ...]]:
    """Unite trees by edges in order; return the rank of the first that closes a cycle, or -1; and unions.

    The unions are the arrays that `_unite` fills: the parents, and for each edge both roots and a size. As
    soon as those of ranks from ``first`` to ``last - 1`` are known, ``then(first, last, unions)`` is called.
    """
    parent = np.full(n, -1, order.dtype)
    unions = parent, *(np.empty(order.size, order.dtype) for _ in range(3))
    for first in range(0, order.size, UNIONS_AT_ONCE):
        last = min(first + UNIONS_AT_ONCE, order.size)
        cycle = _unite(np.uint64(first), np.uint64(last), order, u, v, *unions)
        if cycle >= 0:
            return cycle, unions
        then(first, last, unions)
    return -1, unions


@kernel
def _unite(first, last, order, u, v, parent, small, large, size):
    """Unite trees by edges in order; return the rank of the first that closes a cycle, or -1.

    The parent of a root is minus the size of its tree. For each edge are stored the root that was hooked, the
    root it was hooked onto, and the size of the tree of the latter.
    """
    for k in range(first, last):
        if k + ENDS_AHEAD < order.size:
            i = np.uint64(order[k + ENDS_AHEAD])
            prefetch(u, i)
            prefetch(v, i)
            i = np.uint64(order[k + PARENTS_AHEAD])
            prefetch(parent, np.uint64(u[i]))
            prefetch(parent, np.uint64(v[i]))
            i = np.uint64(order[k + GRANDPARENTS_AHEAD])
            prefetch(parent, _above(np.uint64(u[i]), parent))
            prefetch(parent, _above(np.uint64(v[i]), parent))
        i = np.uint64(order[k])
        a, b = _root(np.uint64(u[i]), parent), _root(np.uint64(v[i]), parent)
        if a == b:
            return np.int64(k)
        if parent[a] < parent[b]:
            a, b = b, a
        small[k], large[k], size[k] = a, b, -parent[b]
        parent[b] += parent[a]
        parent[a] = b
    return np.int64(-1)


def _above(x, parent):
    """Return the parent of a vertex, or a root itself."""
    y = parent[x]
    return x if y < 0 else np.uint64(y)


def _root(x, parent):
    """Find the root of a vertex, in at most log2(n) steps: the smaller tree hooks onto the larger."""
    y = parent[x]
    while y >= 0:
        x = np.uint64(y)
        y = parent[x]
    return x


@kernel
def _lay_out(parent, small, large, size, position, gap):
    """Store the position of each vertex, and the gaps: undo the unions from the last to the first.

    The positions of small roots replace the sizes.
    """
    p, f = np.int64(0), np.uint64(small.size)
    for x in range(np.uint64(parent.size)):
        if parent[x] < 0:
            position[x], gap[np.uint64(p)] = p, f
            p -= parent[x]
    for done in range(f):
        k = f - ONE - done
        if k >= AHEAD:
            prefetch(position, np.uint64(large[k - AHEAD]))
            prefetch(position, np.uint64(small[k - AHEAD]))
        size[k] += position[np.uint64(large[k])]
        position[np.uint64(small[k])] = size[k]
    for rank in range(f):  # a separate loop: the positions are now known in advance
        if rank + AHEAD < f:
            prefetch(gap, np.uint64(size[rank + AHEAD]))
        gap[np.uint64(size[rank])] = rank


# Maxima of intervals


@kernel
def _block_maxima(gap, from_begin, to_end, of_block):
    """Store the maxima of beginnings and ends of blocks, and of whole blocks."""
    size, n = ONE << BLOCK_BITS, np.uint64(gap.size)
    for first in range(ZERO, n, size):
        last = min(first + size, n)
        highest = gap[first]
        for p in range(first, last):
            highest = max(highest, gap[p])
            from_begin[p] = highest
        of_block[first >> BLOCK_BITS] = highest
        highest = gap[last - ONE]
        for back in range(ONE, last - first + ONE):
            highest = max(highest, gap[last - back])
            to_end[last - back] = highest


@kernel
def path_maxima(u, v, position, maxima, ranks):
    """Store the rank of the heaviest edge on the path between the vertices of each pair.

    The rank is -1 for a vertex and itself, and the number of edges for vertices of two trees.
    """
    size = np.uint64(u.size)
    for k in range(size):
        if k + AHEAD < size:
            prefetch(position, np.uint64(u[k + AHEAD]))
            prefetch(position, np.uint64(v[k + AHEAD]))
        if k + HALF_AHEAD < size:
            a, b = _interval(k + HALF_AHEAD, u, v, position)
            prefetch(maxima.to_end, a)
            prefetch(maxima.from_begin, b)
        a, b = _interval(k, u, v, position)
        ranks[k] = highest_gap(a + ONE, b, maxima) if a != b else -1


def _interval(k, u, v, position):
    """Return the positions of the vertices of a pair, the smaller one first."""
    a, b = np.uint64(position[np.uint64(u[k])]), np.uint64(position[np.uint64(v[k])])
    return min(a, b), max(a, b)


def highest_gap(first, last, maxima):
    """Find the maximum of the gaps from one position to another, both included; for kernels."""
    a, b = first >> BLOCK_BITS, last >> BLOCK_BITS
    if a == b:
        highest = maxima.gap[first]
        for p in range(first, last):
            highest = max(highest, maxima.gap[p + ONE])
        return highest
    highest = max(maxima.to_end[first], maxima.from_begin[last])
    blocks = b - a - ONE
    if blocks:
        row = floor_log2(blocks)
        highest = max(highest, maxima.table[row, a + ONE])
        highest = max(highest, maxima.table[row, b - (ONE << row)])
    return highest


def floor_log2(x):
    """Return the position of the highest bit, which is the exponent of the number as a float."""
    return (np.float64(x).view(np.uint64) >> np.uint64(52)) - np.uint64(1023)
