"""The order of the edges of a forest, and the heaviest edge on a path as the maximum of a range.

The edges are sorted by (weight, index); their positions in that order are *ranks*. Trees are lists of
vertices: each edge, in order, appends the list of one tree to that of another. In the final lists, the *merge
rank* of a vertex is the rank of the edge that appended it, with all that followed it, to those before. The
heaviest edge on the path between two vertices is the one that joined their lists, and so the largest merge
rank after the first of them and up to the second.

`boruvka.forest.path_maxima` uses the same property for queries, streams and updates, by other code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel

__all__ = ["LeafOrder", "leaf_order", "path_maxima", "range_max", "range_max_tree", "sorted_edges", "widened"]

AT_ONCE = 1 << 20
"""Edges or vertices of one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
ONE = np.uint64(1)


class LeafOrder(NamedTuple):
    """Positions of the vertices of a forest, their merge ranks, and its edges by rank."""

    position: NDArray[np.int64]
    """Position of each vertex."""
    merge_rank: NDArray[np.int64]
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
    above, size, last = np.arange(n), np.ones(n, np.int64), np.arange(n)
    following, joined_by = np.full(n, -1), np.full(n, order.size)
    for start in range(0, order.size, AT_ONCE):
        here = order[start : start + AT_ONCE]
        cycle = _append_lists(here, start, u, v, above, size, last, following, joined_by)
        if cycle >= 0:
            return int(here[cycle])
    position, merge_rank, state = np.empty(n, np.int64), np.empty(n, np.int64), np.array([0, -1, 0])
    while _number_vertices(above, following, joined_by, position, merge_rank, state, AT_ONCE):
        pass
    return LeafOrder(position, merge_rank, weights, order)


@kernel
def _append_lists(order, start, u, v, above, size, last, following, joined_by):
    """Append lists along edges; return the place of the first edge that closes a cycle, or -1.

    ``above`` leads from each vertex to the first one of its list; ``size`` and ``last`` are those of a list.
    """
    for k in range(order.size):
        a, b = _first_of(np.int64(u[order[k]]), above), _first_of(np.int64(v[order[k]]), above)
        if a == b:
            return np.int64(k)
        if size[a] < size[b]:
            a, b = b, a
        following[last[a]], joined_by[b] = b, start + k
        last[a], above[b] = last[b], a
        size[a] += size[b]
    return np.int64(-1)


def _first_of(x, above):
    """Return the first vertex of a list; halve the way to it."""
    while above[x] != x:
        above[x] = above[above[x]]
        x = above[x]
    return x


@kernel
def _number_vertices(above, following, joined_by, position, merge_rank, state, steps):
    """Number the vertices of all lists, one after the other; return whether steps ran out before the end.

    ``state`` is the next vertex that may be the first of a list, the current vertex, and its position.
    """
    begin, x, p = state[0], state[1], state[2]
    while x >= 0 or begin < above.size:
        if steps == 0:
            state[0], state[1], state[2] = begin, x, p
            return True
        steps -= 1
        if x < 0:
            if above[begin] == begin:
                x = begin
            begin += 1
        if x >= 0:
            position[x], merge_rank[p] = p, joined_by[x]
            p += 1
            x = following[x]
    return False


def range_max_tree(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Build a binary tree: node i has the larger of the nodes 2 i and 2 i + 1, and leaves are values."""
    leaves = 1 << max(values.size - 1, 0).bit_length()
    tree = np.zeros(2 * leaves, np.int64)
    tree[leaves : leaves + values.size] = values
    while leaves > 1:
        leaves //= 2
        below = tree[2 * leaves : 4 * leaves]
        np.maximum(below[::2], below[1::2], out=tree[leaves : 2 * leaves])
    return tree


def range_max(first, last, tree):
    """Return the maximum of the values from ``first`` to ``last``, both included."""
    a, b = (np.uint64(tree.size) >> ONE) + first, (np.uint64(tree.size) >> ONE) + last
    highest = max(tree[a], tree[b])
    while (a >> ONE) != (b >> ONE):
        if not a & ONE:
            highest = max(highest, tree[a + ONE])
        if b & ONE:
            highest = max(highest, tree[b - ONE])
        a, b = a >> ONE, b >> ONE
    return highest


@kernel
def path_maxima(u, v, position, tree, ranks):
    """Store the rank of the heaviest edge on the path between the vertices of each pair.

    The rank is -1 for a vertex and itself, and the number of edges for vertices of two trees.
    """
    for k in range(u.size):
        a, b = np.uint64(position[np.uint64(u[k])]), np.uint64(position[np.uint64(v[k])])
        ranks[k] = range_max(min(a, b) + ONE, max(a, b), tree) if a != b else -1
