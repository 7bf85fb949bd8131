"""The heaviest edge on the path between two vertices of a forest, as the maximum of a range.

The edges of the forest are sorted by (weight, index); their positions in that order are *ranks*. Kruskal's
algorithm merges trees in that order, and each merge places the vertices of the smaller tree after the
vertices of the larger. The result is a leaf order of the dendrogram: every intermediate tree is a contiguous
interval. The *merge rank* of a position is the rank of the edge that joined its vertex to those before it.
The heaviest edge on the path between two vertices is the one that merged their trees, so its rank is the
maximum of the merge ranks between their positions.

Source: E. D. Demaine, G. M. Landau, O. Weimann, On Cartesian trees and range minimum queries, 2009: path
queries as range minima, after the edges are sorted. Range maxima are found by blocks and a sparse table of
their maxima, after M. A. Bender, M. Farach-Colton, The LCA problem revisited, 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import get_backend
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.operators.sort_keys import U64, edge_key, packing_of, weight_key_range
from boruvka.runtime.processors import processors

BLOCK_BITS = np.uint64(6)
"""Range maxima are precomputed in blocks of 64 positions."""
UNIONS_AT_ONCE = 1 << 20
"""Unions of one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
ENDS_AHEAD, PARENTS_AHEAD, GRANDPARENTS_AHEAD = np.uint64(48), np.uint64(32), np.uint64(16)
"""Number of edges between the prefetch of ends, of their parents and of their grandparents, and their use."""
AHEAD = np.uint64(32)
"""Number of edges between the prefetch and the use of a value, in loops with one random access."""
HALF_AHEAD = np.uint64(16)
"""Number of edges between the prefetch and the use of a value that depends on a value read before."""
ZERO, ONE = np.uint64(0), np.uint64(1)


class LeafOrder(NamedTuple):
    """Leaf order of the dendrogram of a forest, its merge ranks, and its edges sorted by rank.

    Ranks and positions are int32, or int64 for 2**31 vertices and more.
    """

    position: NDArray[Any]
    """Position of each vertex."""
    merge_rank: NDArray[Any]
    """Merge rank of each position; the number of edges at the start of a tree."""
    order: NDArray[Any]
    """Position of the edge of each rank in the list of the edges of the forest."""


class RangeMaxTable(NamedTuple):
    """The merge ranks, prepared for `range_max`."""

    merge_rank: NDArray[Any]
    prefix_max: NDArray[Any]
    """Maximum from the start of a block to each position."""
    suffix_max: NDArray[Any]
    """Maximum from each position to the end of its block."""
    sparse_table: NDArray[Any]
    """In row j, the maximum of 2**j blocks, starting at each block."""


def leaf_order(n: int, u: NDArray[Any], v: NDArray[Any], order: NDArray[Any]) -> LeafOrder | int:
    """Compute the leaf order and the merge ranks of a forest.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : (f,) arrays
        Ends of the edges of the forest.
    order : (f,) array
        The order of its edges, as `sort_edges` returns it.

    Returns
    -------
    LeafOrder or int
        The leaf order; or the position of the first edge, in the order of ranks, that closes a cycle.
    """
    order = order.astype(np.promote_types(order.dtype, id_type(n)), copy=False)
    cycle, unions = union_in_order(n, order, u, v)
    if cycle >= 0:
        return int(order[cycle])
    position, merge_rank = np.empty(n, order.dtype), np.empty(n, order.dtype)
    _assign_positions(*unions, position, merge_rank)
    return LeafOrder(position, merge_rank, order)


def id_type(n: int) -> type[np.signedinteger]:
    """Return the type of ranks and positions: int32 while they fit, else int64."""
    return np.int32 if n < 2**31 else np.int64


def range_max_table(merge_rank: NDArray[Any]) -> RangeMaxTable:
    """Prepare range maxima."""
    size = 1 << int(BLOCK_BITS)
    padding = np.zeros(size - merge_rank.size % size, merge_rank.dtype)  # at least one: no block is empty
    blocks = np.append(merge_rank, padding).reshape(-1, size)
    prefix_max = np.maximum.accumulate(blocks, axis=1)
    suffix_max = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1]
    sparse_table = np.zeros((len(blocks).bit_length(), len(blocks)), merge_rank.dtype)
    sparse_table[0] = prefix_max[:, -1]
    for j in range(len(sparse_table) - 1):
        step = 1 << j
        np.maximum(sparse_table[j, :-step], sparse_table[j, step:], out=sparse_table[j + 1, :-step])
    return RangeMaxTable(merge_rank, prefix_max.ravel(), suffix_max.ravel(), sparse_table)


# Order of the edges


def sort_edges(w: NDArray[Any], maximum: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """Sort edges by (weight, index); return their positions in that order, and the sorted 64-bit weights.

    Each edge is sorted by one 64-bit number: its position in the low bits, and as many high bits of its
    weight as fit above. If this truncates weights, an insertion sort corrects the order of nearly equal ones.
    """
    w = widened(w)
    order = np.empty(w.size, id_type(w.size))
    if not w.size:
        return order, w
    position_bits, packing = (w.size - 1).bit_length(), packing_of(w.dtype, maximum)
    smallest, largest = weight_key_range(w, packing)
    dropped = max((largest - smallest).bit_length() + position_bits - 63, 0)  # both ends are rounded down
    packing = packing._replace(
        shift=U64(dropped), min_key=U64(smallest >> dropped), index_bits=U64(position_bits)
    )
    packed, weights = np.empty(w.size, np.uint64), np.empty_like(w)
    _pack(w.view(np.uint64), packing, packed)
    get_backend("threads", processors()).sort(packed)
    if not _unpack(packed, np.uint64((1 << position_bits) - 1), w, maximum, order, weights):
        if maximum:  # from the heaviest; equal weights still ascend by index
            order[:] = w.size - 1 - np.argsort(w[::-1], kind="stable")[::-1]
        else:
            order[:] = np.argsort(w, kind="stable")
        np.take(w, order, out=weights)
    return order, weights


def widened(w: NDArray[Any]) -> NDArray[Any]:
    """Convert weights to 64 bits, exactly: kernels are compiled for three types only.

    Long doubles, which Numba has no type for, become dense integers in the same order.
    """
    if w.dtype.itemsize > 8:
        return np.unique(w, return_inverse=True)[1]
    return w.astype({"i": np.int64, "u": np.uint64, "f": np.float64}[w.dtype.kind], copy=False)


@kernel
def _pack(bits, packing, packed):
    """Store the key of each edge, which lacks the last bits of its weight."""
    for i in range(np.uint64(bits.size)):
        packed[i] = edge_key(i, bits, packing)


@kernel
def _unpack(packed, position_mask, w, maximum, order, weights):
    """Store positions and weights in order; return whether few exchanges of neighbours sufficed."""
    left = packed.size
    for k in range(np.uint64(packed.size)):
        if k + AHEAD < packed.size:
            prefetch(w, packed[k + AHEAD] & position_mask)
        i = packed[k] & position_mask
        x, slot = w[i], np.uint64(k)
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


def union_in_order(
    n: int,
    order: NDArray[Any],
    u: NDArray[Any],
    v: NDArray[Any],
    then: Callable[[int, int, tuple[Any, ...]], Any] = lambda first, last, unions: None,
) -> tuple[int, tuple[Any, ...]]:
    """Merge trees along the edges in order. Return the rank of the first edge that closes a cycle, or -1, and
    the unions.

    The unions are the arrays that `_union_range` fills. As soon as the unions of ranks ``first`` to ``last -
    1`` are known, ``then(first, last, unions)`` is called.
    """
    parent = np.full(n, -1, order.dtype)
    unions = parent, *(np.empty(order.size, order.dtype) for _ in range(3))
    for first in range(0, order.size, UNIONS_AT_ONCE):
        last = min(first + UNIONS_AT_ONCE, order.size)
        cycle = _union_range(np.uint64(first), np.uint64(last), order, u, v, *unions)
        if cycle >= 0:
            return cycle, unions
        then(first, last, unions)
    return -1, unions


@kernel
def _union_range(first, last, order, u, v, parent, small, large, size):
    """Merge trees along a range of edges; return the rank of the first that closes a cycle, or -1.

    The parent of a root is minus the size of its tree. For each edge, store the root that is hooked, the root
    that it is hooked onto, and the size of the tree of the latter.
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
def _assign_positions(parent, small, large, size, position, merge_rank):
    """Store positions and merge ranks, by undoing the unions from the last to the first.

    The sizes are overwritten with the positions of small roots.
    """
    p, f = np.int64(0), np.uint64(small.size)
    for x in range(np.uint64(parent.size)):
        if parent[x] < 0:
            position[x], merge_rank[np.uint64(p)] = p, f
            p -= parent[x]
    for done in range(f):
        k = f - ONE - done
        if k >= AHEAD:
            prefetch(position, np.uint64(large[k - AHEAD]))
            prefetch(position, np.uint64(small[k - AHEAD]))
        size[k] += position[np.uint64(large[k])]
        position[np.uint64(small[k])] = size[k]
    for rank in range(f):  # the positions are now known in advance, and are prefetched
        if rank + AHEAD < f:
            prefetch(merge_rank, np.uint64(size[rank + AHEAD]))
        merge_rank[np.uint64(size[rank])] = rank


# Range maxima


@kernel
def path_maxima(u, v, position, table, ranks):
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
            prefetch(table.suffix_max, a)
            prefetch(table.prefix_max, b)
        a, b = _interval(k, u, v, position)
        ranks[k] = range_max(a + ONE, b, table) if a != b else -1


def _interval(k, u, v, position):
    """Return the positions of the vertices of a pair, the smaller one first."""
    a, b = np.uint64(position[np.uint64(u[k])]), np.uint64(position[np.uint64(v[k])])
    return min(a, b), max(a, b)


def range_max(first, last, table):
    """Return the maximum merge rank of the positions from ``first`` to ``last``, both included."""
    a, b = first >> BLOCK_BITS, last >> BLOCK_BITS
    if a == b:
        highest = table.merge_rank[first]
        for p in range(first, last):
            highest = max(highest, table.merge_rank[p + ONE])
        return highest
    highest = max(table.suffix_max[first], table.prefix_max[last])
    blocks = b - a - ONE
    if blocks:
        row = floor_log2(blocks)
        highest = max(highest, table.sparse_table[row, a + ONE])
        highest = max(highest, table.sparse_table[row, b - (ONE << row)])
    return highest


def floor_log2(x):
    """Return the position of the highest set bit: the exponent of the number as a float."""
    return (np.float64(x).view(np.uint64) >> np.uint64(52)) - np.uint64(1023)
