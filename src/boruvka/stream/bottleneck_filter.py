"""Edge filter with one byte per vertex, built from a forest: discards edges that cannot be in the result.

For each vertex of the forest, take the last edge, in the order (weight, index), on its path to the first
vertex of its tree. If an edge joins two vertices of one tree and comes after the path edges of both, it is
the last edge of a cycle. Such an edge is in no minimum spanning forest (cycle property). The filter divides
the edges of the forest into at most 255 levels. It stores the level of each vertex's edge in one byte, and
the last edge of each level.

The filter never drops an edge of the minimum spanning forest, whichever forest it was built from and in
whichever order edges are read, because it compares weight and index.

Source: the property is that of R. E. Tarjan, Data structures and network algorithms, 1983, chapter 6.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from boruvka.backends import get_backend
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.operators.sort_keys import NONE, U64, Packing, packing_of, weight_key
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.trees.path_maxima import AHEAD, ONE, ZERO, LeafOrder, leaf_order, sort_edges

LEVELS = 255
"""Maximum number of levels."""
UNBOUNDED = np.uint8(255)
"""Level of vertices without a bound (in small trees, or new): all their edges are kept."""
SAMPLE = 1 << 14
"""Approximate size of the sample of vertices that determines the level boundaries."""
NO_INDICES = np.empty(0, np.int64)
LARGE = 0.9
"""If one tree has at least this share of the vertices with an edge, the filter ignores all other trees."""


class BottleneckFilter(NamedTuple):
    """Per-vertex bounds on the edges that may be in the forest."""

    level: NDArray[np.uint8]
    """Level of the last edge on the path from each vertex to the first vertex of its tree."""
    level_key: NDArray[np.uint64]
    """Weight key of the last edge of each level."""
    level_index: NDArray[np.int64]
    """Its index."""
    tree: NDArray[Any]
    """The tree of each vertex; empty where one tree is large."""
    packing: Packing
    """The packing that makes keys of weights of the type."""
    dtype: np.dtype[Any]
    """The type of the weights."""

    def extended_to(self, n: int) -> BottleneckFilter:
        """Extend the filter to n vertices; all edges of the added vertices are kept."""
        more = n - self.level.size
        if more <= 0:
            return self
        level = np.append(self.level, np.full(more, UNBOUNDED))
        tree = np.append(self.tree, np.zeros(more, self.tree.dtype)) if self.tree.size else self.tree
        return self._replace(level=level, tree=tree)

    def surviving(
        self, index: int | NDArray[np.int64], u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], n: int = 0
    ) -> NDArray[np.uint32]:
        """Find the edges that the filter does not drop.

        Parameters
        ----------
        index : int or (k,) array of int64
            The index of the first edge, which the others follow, or of each.
        u, v, w : (k,) arrays
            The edges; weights are of the type of the filter.
        n : int
            Number of vertices, if there are more than when the filter was made.

        Returns
        -------
        array of uint32
            Their positions.
        """
        level, level_key, level_index, tree, packing, _ = self.extended_to(n)
        positions = np.empty(u.size, np.uint32)
        each = index if isinstance(index, np.ndarray) else NO_INDICES
        first = np.int64(0 if each is index else index)
        arrays = packing, level, level_key, level_index, tree, positions
        return positions[: _list_surviving(first, each, u, v, bits_of(w), *arrays)]


class DeviceFilter(BottleneckFilter):
    """A filter whose arrays are on the GPU: edges go there, and positions of edges come back."""

    __slots__ = ()

    @classmethod
    def of(cls, edge_filter: BottleneckFilter) -> Self:
        """Copy a filter to the GPU."""
        to_device = get_backend("cuda", 1).to_device
        return cls._make(to_device(x) if isinstance(x, np.ndarray) else x for x in edge_filter)

    def surviving(
        self, index: int | NDArray[np.int64], u: NDArray[Any], v: NDArray[Any], w: NDArray[Any], n: int = 0
    ) -> NDArray[np.uint32]:
        """Find the edges that the filter does not drop, as a `BottleneckFilter` on the host does."""
        backend = get_backend("cuda", 1)
        edges = map(backend.to_device, (NO_INDICES, u, v, bits_of(w)))
        arrays = self.level, self.level_key, self.level_index, self.tree
        found = backend.empty_worklist(u.size, [np.uint32])
        kept = backend.emit(
            _emit_surviving, backend.positions(u.size), found, np.int64(index), *edges, self.packing, *arrays
        )
        return backend.to_host(kept.taken_from(found[0]))


def build_filter(forest: IndexedEdges, n: int, maximum: bool) -> BottleneckFilter | None:
    """Make the filter of a forest; None if the forest has no edge.

    Parameters
    ----------
    forest : IndexedEdges
        Its edges.
    n : int
        Number of vertices.
    maximum : bool
        Whether the heaviest edge comes first.
    """
    if not forest.m:
        return None
    order = sort_edges(forest.w, maximum)[0]
    line = leaf_order(n, forest.u, forest.v, order)
    assert not isinstance(line, int), "a forest has no cycle"
    last_rank = np.empty_like(line.merge_rank)
    largest_tree = slice(*map(int, _find_last_ranks(line.merge_rank, U64(forest.m), last_rank)))
    one_is_large = largest_tree.stop - largest_tree.start >= LARGE * (forest.m + 1)
    looked_at = largest_tree if one_is_large else slice(0, n)
    steps = _steps(last_rank[looked_at], forest.m)
    ends = order[steps]
    level_key, level_index = np.full(256, NONE), np.full(256, np.iinfo(np.int64).max)
    packing = packing_of(forest.w.dtype, maximum)
    _store_keys(bits_of(forest.w[ends]), packing, level_key)
    level_index[: ends.size] = forest.indices[ends]
    level_of_rank, level = np.zeros(forest.m, np.uint8), np.empty(n, np.uint8)
    level_of_rank[steps[:-1] + 1] = 1
    np.cumsum(level_of_rank, out=level_of_rank)
    _store_levels(line.position, last_rank, level_of_rank, U64(looked_at.start), U64(looked_at.stop), level)
    tree = np.empty(0, line.position.dtype) if one_is_large else _trees(line, forest.m)
    return BottleneckFilter(level, level_key, level_index, tree, packing, forest.w.dtype)


def bits_of(w: NDArray[Any]) -> NDArray[Any]:
    """Return weights as the bits of which `weight_key` makes keys."""
    return w.view(f"u{w.dtype.itemsize}")


def _steps(last_rank: NDArray[Any], f: int) -> NDArray[Any]:
    """Choose the last rank of each level, such that levels have about as many vertices each."""
    sample = np.sort(last_rank[:: last_rank.size // SAMPLE + 1])
    quantiles = sample[np.arange(1, LEVELS) * sample.size // LEVELS]
    return np.unique(np.append(quantiles, f - 1))


def _trees(line: LeafOrder, f: int) -> NDArray[Any]:
    """Return for each vertex the first position of its tree in the leaf order."""
    positions = np.arange(line.merge_rank.size, dtype=line.merge_rank.dtype)
    positions[line.merge_rank != f] = 0
    return np.maximum.accumulate(positions, out=positions)[line.position]


@kernel
def _find_last_ranks(gap, f, last_rank):
    """Store the running maximum of the merge ranks from the start of each tree.

    Return where the largest tree begins and ends.
    """
    begin, highest, best, best_end = ZERO, gap[0], ZERO, ZERO
    for p in range(U64(gap.size)):
        if U64(gap[p]) == f:
            begin, highest = U64(p), gap.dtype.type(0)
        else:
            highest = max(highest, gap[p])
        last_rank[p] = highest
        if p + ONE - begin > best_end - best:
            best, best_end = begin, U64(p) + ONE
    return best, best_end


@kernel
def _store_keys(bits, packing, keys):
    """Store the weight keys of some weights."""
    for i in range(U64(bits.size)):
        keys[i] = weight_key(U64(bits[i]), packing)


@kernel
def _store_levels(position, last_rank, level_of_rank, first, last, level):
    """Store the level of each vertex: `UNBOUNDED` for those outside a part of the line."""
    for x in range(U64(position.size)):
        if x + AHEAD < U64(position.size):
            prefetch(last_rank, U64(position[x + AHEAD]))
        p = U64(position[x])
        level[x] = level_of_rank[U64(last_rank[p])] if first <= p < last else UNBOUNDED


@kernel
def _list_surviving(first, index, u, v, bits, packing, level, level_key, level_index, tree, positions):
    """List the edges that may be in the forest; return how many. Unpredictable branches are avoided."""
    count = ZERO
    for k in range(U64(u.size)):
        if k + AHEAD < U64(u.size):
            prefetch(level, U64(u[k + AHEAD]))
            prefetch(level, U64(v[k + AHEAD]))
        a, b = U64(u[k]), U64(v[k])
        key = weight_key(U64(bits[k]), packing)
        positions[count] = k
        count += may_be_in_forest(k, first, index, a, b, key, level, level_key, level_index, tree)
    return count


def _emit_surviving(k, first, index, u, v, bits, packing, level, level_key, level_index, tree):
    """Emit the position of an edge that may be in the forest; vertices without a level have no bound."""
    a, b = U64(u[k]), U64(v[k])
    if max(a, b) >= U64(level.size):
        return a != b, k
    key = weight_key(U64(bits[k]), packing)
    passes = may_be_in_forest(k, first, index, a, b, key, level, level_key, level_index, tree)
    return passes != U64(0), k


def may_be_in_forest(k, first, index, a, b, key, level, level_key, level_index, tree):
    """Return 1 for the k-th edge, from a to b, unless the filter drops it."""
    joined = U64(max(level[a], level[b]))
    passes = U64(key < level_key[joined])
    if key == level_key[joined]:
        edge = index[k] if index.size else first + np.int64(k)
        passes = U64(edge <= level_index[joined])
    if tree.size:
        passes |= U64(tree[a] != tree[b])
    return passes & U64(a != b)
