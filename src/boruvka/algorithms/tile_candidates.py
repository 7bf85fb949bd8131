"""Pairs of a tile that may be in its forest, from bounds of their distances.

Idea: Prim's algorithm finds a tree of the upper bounds. If the lower bound of a pair is above all upper
bounds on the path between its points in the tree, it is heavier than every pair on that path, and is in no
forest (cycle property). All other pairs are candidates, whose weights are computed: a few more than the tree
has.

When a vertex joins the tree, the largest bound on its path to an earlier vertex is the largest that was taken
since that vertex joined: before, no lighter pair left the tree.

Source: R. C. Prim, Shortest connection networks and some generalizations, 1957; the bounds are those of
`boruvka.graph.points.distance_bounds`.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from boruvka.backends.primitives import Operator
from boruvka.graph.points.distance_blocks import BLOCK, four_distances_of
from boruvka.graph.points.distance_bounds import (
    INFINITE,
    PITCH,
    DistanceBounds,
    bound_block,
    bound_of,
    lowered,
)
from boruvka.kernels.kernel_functions import load_word, trailing_zeros
from boruvka.operators.sort_keys import NONE, U64, weight_key

ROOM = U64(4) * BLOCK
"""Candidates of a tile, of which a tree has fewer than half; a tile with more is solved by distances."""
U32 = np.uint32
NOTHING = U32(0xFFFFFFFF)
OUTSIDE = np.float32(-np.inf)
"""Path of a vertex that is not in the tree."""
ZERO, ONE, TWO, THREE, EIGHT = map(U64, (0, 1, 2, 3, 8))
SCRATCH = [
    (int(BLOCK * PITCH), np.float32),
    (int(BLOCK), np.float32),
    (int(BLOCK), np.uint8),
    (int(TWO * BLOCK), np.uint32),
    (int(TWO * BLOCK), np.float32),
]
"""The (size, type) of the arrays of a `Tree`."""


class BoundedTiles:
    """Lists the candidates of each tile, and computes their weights.

    Parameters
    ----------
    distance : callable
    bounds : DistanceBounds
    exact : ExactTiles
        Finds the forest of a tile of this size that has too many candidates.
    """

    size, room = int(BLOCK), int(ROOM)

    def __init__(self, distance: Any, bounds: DistanceBounds, exact: Any):
        self.n, self.exact, self.backend = U64(exact.n), exact, exact.backend
        self.weigh = weigh_four(distance)
        points, core, _, packing, _ = exact.source
        self.source, self.bounds = (points, core, packing), bounds
        self.core_bound = self.backend.zeros(bounds.error.size, np.float32)
        self.backend.for_each(store_bound(distance), exact.n, core, bounds.scale, self.core_bound)

    def solve(self, row: Any, column: Any) -> tuple[Any, Any]:
        """Find pairs that hold the forests of tiles, and their weight keys."""
        backend, room = self.backend, self.room * row.size
        tiles = CandidateTiles(
            row, column, self.n, backend.empty(room, np.uint64), backend.zeros(row.size, bool)
        )
        backend.for_each_block(list_candidates, row.size, SCRATCH, tiles, self.bounds, self.core_bound)
        pair = tiles.pair[tiles.pair != NONE]
        key = backend.empty(pair.size, np.uint64)
        backend.for_each(self.weigh, -(-pair.size // 4), self.n, pair, *self.source, key)
        if not tiles.has_more.any():
            return pair, key
        more_pair, more_key = self.exact.solve(row[tiles.has_more], column[tiles.has_more])
        return np.concatenate([pair, more_pair]), np.concatenate([key, more_key])


@functools.cache
def store_bound(distance: Any) -> Operator:
    """Make the operator that bounds core distances."""
    bound = bound_of(distance)

    def store(i, core, scale, core_bound):
        core_bound[i] = bound(core[i], scale) if core[i] > 0 else np.float32(0.0)

    store.__name__ = store.__qualname__ = f"store_{bound.__name__}"
    return store


@functools.cache
def weigh_four(distance: Any) -> Operator:
    """Make the operator that computes the weight keys of four pairs."""
    measure = four_distances_of(distance)

    def weigh(k, n, pair, points, core, packing, key):
        last, k = U64(pair.size) - ONE, U64(4) * k
        p0, p1, p2, p3 = (
            pair[k],
            pair[min(k + ONE, last)],
            pair[min(k + TWO, last)],
            pair[min(k + THREE, last)],
        )
        rows, columns = (p0 // n, p1 // n, p2 // n, p3 // n), (p0 % n, p1 % n, p2 % n, p3 % n)
        w0, w1, w2, w3 = measure(rows, columns, points)
        store_key(k, w0, rows[0], columns[0], core, packing, key)
        store_key(min(k + ONE, last), w1, rows[1], columns[1], core, packing, key)
        store_key(min(k + TWO, last), w2, rows[2], columns[2], core, packing, key)
        store_key(min(k + THREE, last), w3, rows[3], columns[3], core, packing, key)

    weigh.__name__ = weigh.__qualname__ = f"weigh_{measure.__name__}"
    return weigh


def store_key(k, distance, i, j, core, packing, key):
    """Store the weight key of a pair."""
    weight = max(distance, max(core[i], core[j]))
    key[k] = weight_key(np.float64(weight).view(np.uint64), packing)


class Tree(NamedTuple):
    """A growing tree of a tile: its vertices are the rows, then the columns unless these are the same."""

    upper: Any
    """Upper bounds of all pairs."""
    row: Any
    """Upper bounds of the pairs of the newest vertex."""
    near: Any
    """For each of these pairs, 1 if it may be in the forest, else 0."""
    best: Any
    """The bits of the smallest bound of each vertex outside the tree; `NOTHING` for the others."""
    path: Any
    """The largest bound on the path from each vertex of the tree to the newest one."""


class CandidateTiles(NamedTuple):
    """The tiles of a batch, and arrays for their candidates."""

    row: Any
    """Block of rows of each tile."""
    column: Any
    """Block of columns of each tile."""
    n: np.uint64
    pair: Any
    """Pairs i * n + j, with `ROOM` in each tile; NONE where there is none."""
    has_more: Any
    """Whether a tile has more of them than room: it keeps none."""


def list_candidates(t, upper, row, near, best, path, tiles, bounds, core):
    """Store the candidates of tile t; ``core`` are bounds of core distances, 0 where there are none."""
    tree = Tree(upper, row, near, best, path)
    top, left, n = tiles.row[t] * BLOCK, tiles.column[t] * BLOCK, tiles.n
    offset = BLOCK if top != left else ZERO
    vertices = offset + min(BLOCK, n - left)  # only the last block is not full
    bound_block(tiles.row[t], tiles.column[t], bounds, upper)
    for x in range(ZERO if offset else BLOCK):
        upper[x * PITCH + x] = INFINITE
    for z in range(TWO * BLOCK):
        best[z], path[z] = NOTHING, OUTSIDE
    first = slot = ROOM * t
    newest, taken = ZERO, np.float32(0.0)
    for _ in range(vertices):
        for z in range(TWO * BLOCK):
            path[z] = max(path[z], taken) if path[z] >= 0 else path[z]
        best[newest], path[newest] = NOTHING, np.float32(0.0)
        here, begin, there = top + newest, offset, left
        if newest < offset or not offset:
            copy_row(newest, tree)
        else:
            here, begin, there = left + newest - offset, ZERO, top
            copy_column(newest - offset, tree)
        compare_row(here, begin, there, tree, bounds, core)
        for k in range(ZERO, BLOCK, EIGHT):
            flags = load_word(near, k)
            while flags:
                other = there + k + (trailing_zeros(flags) >> U64(3))
                flags &= flags - ONE
                if slot < first + ROOM:
                    tiles.pair[slot] = min(here, other) * n + max(here, other)
                slot += ONE
        newest, bits = nearest(best)
        taken = np.uint32(bits).view(np.float32)
    tiles.has_more[t] = slot > first + ROOM
    for k in range(first if tiles.has_more[t] else slot, first + ROOM):
        tiles.pair[k] = NONE


def nearest(best):
    """Return the vertex that is nearest to the tree, and the bits of its bound."""
    least = vertex = NOTHING
    for z in range(TWO * BLOCK):
        least = min(least, best[z])
    for z in range(TWO * BLOCK):
        vertex = min(vertex, U32(z) if best[z] == least else NOTHING)
    return U64(vertex), least


def copy_row(x, tree):
    """Copy the bounds of a row of the tile."""
    for k in range(BLOCK):
        tree.row[k] = tree.upper[x * PITCH + k]


def copy_column(y, tree):
    """Copy the bounds of a column of the tile."""
    for k in range(BLOCK):
        tree.row[k] = tree.upper[k * PITCH + y]


def compare_row(here, begin, there, tree, bounds, core):
    """Compare the pairs of the newest vertex, point ``here``, with the tree and with what others have.

    The others are vertices from ``begin``, and points from ``there``.
    """
    row, best, path, own_core, own_error = tree.row, tree.best, tree.path, core[here], bounds.error[here]
    for k in range(BLOCK):
        z, j = begin + k, there + k
        upper = max(row[k], max(own_core, core[j]))
        key = np.float32(upper).view(np.uint32)
        tree.near[k] = np.uint8(lowered(upper, own_error + bounds.error[j]) <= path[z])
        best[z] = min(best[z], key) if path[z] < 0 else NOTHING
