"""The order of the edges of a forest, and the heaviest edge on a path as the maximum of a range.

The edges are sorted by (weight, index); their positions in that order are *ranks*. Trees are lists of
vertices: each edge, in order, appends the list of one tree to that of another. In the final lists, the *merge
rank* of a vertex is the rank of the edge that appended it, with all that followed it, to those before. The
heaviest edge on the path between two vertices is the one that joined their lists, and so the largest merge
rank after the first of them and up to the second. Lists are not stored: from the last edge to the first, an
appended list begins where the other one began, after as many vertices as that had.

`boruvka.forest.path_maxima` uses the same property for queries, streams and updates, by other code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch

__all__ = [
    *("LeafOrder", "RangeMaxima", "leaf_order", "path_maxima", "range_max", "range_maxima"),
    *("sorted_edges", "widened"),
]

AT_ONCE = 1 << 20
"""Edges or vertices of one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
AHEAD = np.uint64(24)
"""Number of edges between the fetch of their ends into the cache and their use."""
ABOVE, SIZE = range(2)
"""Columns of a vertex: the first vertex of its list, or one nearer to it; and the size of the list."""
ONE, BLOCK_BITS = np.uint64(1), np.uint64(5)
BLOCK = 32
"""Positions whose maxima are prepared together."""


class LeafOrder(NamedTuple):
    """Positions of the vertices of a forest, their merge ranks, and its edges by rank."""

    position: NDArray[Any]
    """Position of each vertex."""
    merge_rank: NDArray[Any]
    """Merge rank of each position; the number of edges at the start of a tree."""
    weights: NDArray[Any]
    """Weight of the edge of each rank, in 64 bits."""
    order: NDArray[np.int64]
    """Position of the edge of each rank in the list of the edges of the forest."""


def widened(w: NDArray[Any]) -> NDArray[Any]:
    """Convert weights to 64 bits, exactly: kernels are compiled for three types only; long doubles stay."""
    if w.dtype.itemsize > 8:
        return w
    return w.astype({"i": np.int64, "u": np.uint64, "f": np.float64}[w.dtype.kind], copy=False)


def sorted_edges(w: NDArray[Any], maximum: bool) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Sort edges by (weight, index), of a maximum the heaviest first; return positions and weights."""
    w = widened(w)
    order = np.argsort(w)
    if maximum:
        order = order[::-1]
    weights = w[order]
    differs = weights[1:] != weights[:-1]
    if not differs.all():  # edges of equal weights ascend
        group = np.append(0, np.cumsum(differs))[: w.size]
        order = np.sort(group * w.size + order) - group * w.size
        weights = w[order]
    return order, weights


def leaf_order(n: int, u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], maximum: bool) -> LeafOrder | int:
    """Compute positions and merge ranks.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v, w : (f,) arrays
        The edges of the forest, in the order of their indices.
    maximum : bool
        Whether the heaviest edge comes first.

    Returns
    -------
    LeafOrder or int
        The order; or the position of an edge that closes a cycle with others before it in the order.
    """
    order, weights = sorted_edges(w, maximum)
    ids = np.int32 if n < 2**31 else np.int64
    nodes = np.column_stack([np.arange(n, dtype=ids), np.ones(n, ids)])
    joins = np.empty((order.size, 3), ids)
    for start in range(0, order.size, AT_ONCE):
        here = order[start : start + AT_ONCE]
        cycle = _append_lists(u[here], v[here], nodes, nodes.reshape(-1), joins[start : start + AT_ONCE])
        if cycle >= 0:
            return int(here[cycle])
    position, merge_rank = np.empty(n, ids), np.full(n, order.size, ids)
    firsts = np.flatnonzero(nodes[:, ABOVE] == np.arange(n))
    sizes = nodes[firsts, SIZE]
    position[firsts] = np.cumsum(sizes) - sizes
    for stop in range(order.size, 0, -AT_ONCE):
        start = max(stop - AT_ONCE, 0)
        _place_lists(joins[start:stop], start, position, merge_rank)
    return LeafOrder(position, merge_rank, weights, order)


@kernel
def _append_lists(u, v, nodes, words, joins):
    """Append lists along edges; return the place of the first edge that closes a cycle, or -1.

    Of each edge, store the first vertices of the list that is appended and of the other one, and the size of
    the latter. ``words`` are the nodes in one dimension.
    """
    for k in range(u.size):
        if k + AHEAD < u.size:
            prefetch(words, np.uint64(2) * np.uint64(u[k + AHEAD]))
            prefetch(words, np.uint64(2) * np.uint64(v[k + AHEAD]))
        a, b = _first_of(np.uint64(u[k]), nodes), _first_of(np.uint64(v[k]), nodes)
        if a == b:
            return np.int64(k)
        if nodes[a, SIZE] < nodes[b, SIZE]:
            a, b = b, a
        joins[k, 0], joins[k, 1], joins[k, 2] = b, a, nodes[a, SIZE]
        nodes[b, ABOVE] = a
        nodes[a, SIZE] += nodes[b, SIZE]
    return np.int64(-1)


def _first_of(x, nodes):
    """Return the first vertex of a list, in at most log2(n) steps: the shorter list is appended."""
    y = np.uint64(nodes[x, ABOVE])
    while y != x:
        x = y
        y = np.uint64(nodes[x, ABOVE])
    return x


@kernel
def _place_lists(joins, start, position, merge_rank):
    """Store the positions of the first vertices of lists, from the last edge to the first."""
    for back in range(joins.shape[0]):
        k = np.uint64(joins.shape[0] - 1 - back)
        if k >= AHEAD:
            prefetch(position, np.uint64(joins[k - AHEAD, 0]))
            prefetch(position, np.uint64(joins[k - AHEAD, 1]))
        p = position[np.uint64(joins[k, 1])] + joins[k, 2]
        position[np.uint64(joins[k, 0])] = p
        merge_rank[np.uint64(p)] = start + np.int64(k)


class RangeMaxima(NamedTuple):
    """Values, and maxima of them from which that of a range is read."""

    values: NDArray[Any]
    from_start: NDArray[Any]
    """Maximum from the start of a block of 32 to each position."""
    to_end: NDArray[Any]
    """Maximum from each position to the end of its block."""
    of_blocks: NDArray[Any]
    """In row j, the maximum of the 2**j blocks from each block on."""
    exponent: NDArray[np.uint8]
    """The largest j such that 2**j is at most a number of blocks."""


def range_maxima(values: NDArray[Any]) -> RangeMaxima:
    """Prepare the maxima of ranges of values."""
    blocks = np.append(values, np.zeros(BLOCK - values.size % BLOCK, values.dtype)).reshape(-1, BLOCK)
    from_start = np.maximum.accumulate(blocks, axis=1)
    to_end = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1]
    rows = [from_start[:, -1].copy()]
    while (step := 1 << (len(rows) - 1)) < len(blocks):
        rows.append(rows[-1].copy())
        np.maximum(rows[-2][:-step], rows[-2][step:], out=rows[-1][:-step])
    exponent = np.frexp(np.arange(1.0, len(blocks) + 1))[1].astype(np.uint8) - np.uint8(1)
    exponent = np.append(np.uint8(0), exponent)
    return RangeMaxima(values, from_start.ravel(), to_end.ravel(), np.stack(rows), exponent)


def range_max(first, last, maxima):
    """Return the maximum of the values from ``first`` to ``last``, both included."""
    a, b = first >> BLOCK_BITS, last >> BLOCK_BITS
    if a == b:
        highest = maxima.values[first]
        for p in range(first, last):
            highest = max(highest, maxima.values[p + ONE])
        return highest
    highest = max(maxima.to_end[first], maxima.from_start[last])
    if b - a > ONE:
        j = np.uint64(maxima.exponent[b - a - ONE])
        highest = max(highest, maxima.of_blocks[j, a + ONE])
        highest = max(highest, maxima.of_blocks[j, b - (ONE << j)])
    return highest


@kernel
def path_maxima(u, v, position, maxima, ranks):
    """Store the rank of the heaviest edge on the path between the vertices of each pair.

    The rank is -1 for a vertex and itself, and the number of edges for vertices of two trees.
    """
    for k in range(np.uint64(u.size)):
        if k + AHEAD < u.size:
            prefetch(position, np.uint64(u[k + AHEAD]))
            prefetch(position, np.uint64(v[k + AHEAD]))
        a, b = np.uint64(position[np.uint64(u[k])]), np.uint64(position[np.uint64(v[k])])
        ranks[k] = range_max(min(a, b) + ONE, max(a, b), maxima) if a != b else -1
