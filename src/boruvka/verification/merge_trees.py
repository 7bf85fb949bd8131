"""The order of the edges of a forest, and the heaviest edge on the path between two vertices.

The edges are sorted by (weight, index); their positions in that order are *ranks*. Trees are merged along
them in that order, as by Kruskal: the root of the smaller tree gets the root of the larger as its parent, and
keeps the rank of the edge. No path is shortened, so ranks ascend from a vertex to its root. The first t edges
connect two vertices exactly if steps of ranks below t lead from both to the same vertex. So if the step of
the lower rank is taken, of one or the other, until they meet, the last step has the rank of the heaviest edge
on the path between them. A step at least doubles the tree, so there are at most 2 log2(n) steps.

Source: the union of trees by size, R. E. Tarjan, Data structures and network algorithms, 1983, chapter 2.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch

MERGES_AT_ONCE = 1 << 20
"""Merges of one kernel call, a fraction of a second; between calls Ctrl-C is handled."""
AHEAD = np.uint64(32)
"""Number of edges between the prefetch of what a loop reads for an edge and its use."""
HALF, LOW_HALF = np.uint64(32), np.uint64(2**32 - 1)
"""Position of the rank in a step, and mask of the parent."""


class MergeTrees(NamedTuple):
    """The trees of a forest, merged along its f edges."""

    step: NDArray[np.uint64]
    """Rank of the edge that merged each vertex with its parent, in the high half, and the parent; f and the
    vertex itself for roots."""
    weights: NDArray[Any]
    """Weight of the edge of each rank, in 64 bits."""
    edges: NDArray[np.int64]
    """Index in the graph of the edge of each rank."""

    def renumbered(self, vertices: NDArray[Any]) -> MergeTrees:
        """Return the trees with other numbers of vertices: the place of each in a list of all."""
        number = np.empty_like(self.step)
        number[vertices] = np.arange(vertices.size, dtype=np.uint64)
        step = self.step[vertices]
        return self._replace(step=step & ~LOW_HALF | number[step & LOW_HALF])

    def path_ranks(self, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.int64]:
        """Find the rank of the heaviest edge on the path between the vertices of each pair.

        It is -1 for a vertex and itself, and f for vertices of two trees.
        """
        ranks, unfinished = np.full(u.size, -1), np.flatnonzero(u != v)
        _climb(u.astype(np.uint32), v.astype(np.uint32), self.step, unfinished, ranks)
        return ranks

    def roots(self, t: int) -> NDArray[np.uint32]:
        """Find the root of each vertex in the trees of the first t edges."""
        root = np.empty(self.step.size, np.uint32)
        _store_roots(np.uint64(t), self.step, root)
        return root

    def edge_of_rank(self, rank: int) -> int:
        """Return the edge that has a rank, -1 for none."""
        return int(self.edges[rank]) if rank < self.edges.size else -1


def merge_trees(
    n: int, edges: NDArray[np.int64], u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], maximum: bool
) -> MergeTrees | int:
    """Merge the trees of n vertices along edges.

    Parameters
    ----------
    n : int
        Number of vertices.
    edges : (f,) array of int64
        Indices of the edges in the graph, ascending.
    u, v, w : (f,) arrays
        Their ends and weights.
    maximum : bool
        Whether the heaviest edge comes first.

    Returns
    -------
    MergeTrees or int
        The trees; or the position of the first edge, in the order of ranks, that closes a cycle.

    Raises
    ------
    GraphError
        There are more than 2**32 vertices.
    """
    if max(n, w.size) > 2**32:
        raise GraphError(f"forests of up to 2**32 vertices are verified, not {max(n, w.size)}")
    order = edge_order(w, maximum)
    u, v, size = u[order], v[order], np.ones(n, np.uint32)
    step = np.arange(n, dtype=np.uint64) | np.uint64(order.size) << HALF
    for first in range(0, order.size, MERGES_AT_ONCE):
        last = min(first + MERGES_AT_ONCE, order.size)
        cycle = _merge(np.uint64(first), np.uint64(last), u, v, step, size)
        if cycle >= 0:
            return int(order[cycle])
    return MergeTrees(step, widened(w)[order], edges[order])


def edge_order(w: NDArray[Any], maximum: bool) -> NDArray[np.int64]:
    """Sort edges by (weight, index): return their positions in that order.

    Different weights are numbered in their order. The number of the weight of an edge and its position are
    one integer, by which the edges are sorted.
    """
    order = np.argsort(w)  # equal weights in any order
    w, keys = w[order], np.zeros(order.size, np.uint64)
    np.cumsum(w[1:] != w[:-1], dtype=np.uint64, out=keys[1:])
    if maximum:
        np.subtract(keys[-1:], keys, out=keys)
    keys <<= HALF
    keys |= order.view(np.uint64)
    keys.sort()
    keys &= LOW_HALF
    return keys.view(np.int64)


def widened(w: NDArray[Any]) -> NDArray[Any]:
    """Convert weights to 64 bits, exactly: kernels are compiled for three types only."""
    return w.astype({"i": np.int64, "u": np.uint64, "f": np.float64}[w.dtype.kind], copy=False)


@kernel
def _merge(first, last, u, v, step, size):
    """Merge trees along a range of ranks; return the rank of the first edge that closes a cycle, or -1."""
    for k in range(first, last):
        if k + AHEAD < np.uint64(u.size):
            prefetch(step, np.uint64(u[k + AHEAD]))
            prefetch(step, np.uint64(v[k + AHEAD]))
        a, b = _root(np.uint64(u[k]), step), _root(np.uint64(v[k]), step)
        if a == b:
            return np.int64(k)
        if size[a] > size[b]:
            a, b = b, a
        step[a] = k << HALF | b
        size[b] += size[a]
    return np.int64(-1)


def _root(x, step):
    """Find the root of a vertex."""
    while step[x] & LOW_HALF != x:
        x = step[x] & LOW_HALF
    return x


@kernel
def _store_roots(t, step, root):
    """Store the vertex to which steps of ranks below t lead from each vertex."""
    for x in range(np.uint64(root.size)):
        y = x
        while step[y] >> HALF < t:
            y = step[y] & LOW_HALF
        root[x] = y


def path_rank(a, b, step):
    """Find the rank of the heaviest edge on the path between two vertices: see `MergeTrees.path_ranks`."""
    lower, upper, rank = step[a], step[b], np.int64(-1)
    while a != b:
        if lower > upper:
            a, b, lower, upper = b, a, upper, lower
        rank = np.int64(lower >> HALF)
        if lower & LOW_HALF == a:  # both are roots
            break
        a = lower & LOW_HALF
        lower = step[a]
    return rank


@kernel
def _climb(a, b, step, unfinished, ranks):
    """Take a step for each pair of vertices that have not met, until all have.

    This is `path_rank` without branches that depend on a pair, which would be mispredicted.
    """
    count = np.uint64(unfinished.size)
    while count:
        left = np.uint64(0)
        for c in range(count):
            k = np.uint64(unfinished[c])
            x, y = np.uint64(a[k]), np.uint64(b[k])
            step_x, step_y = step[x], step[y]
            lower = min(step_x, step_y)
            first = x if step_x < step_y else y
            other = y if step_x < step_y else x
            up = lower & LOW_HALF
            ranks[k], a[k], b[k] = lower >> HALF, up, other
            unfinished[left] = k
            left += np.uint64((up != other) & (up != first))  # neither the same nor two roots
        count = left
