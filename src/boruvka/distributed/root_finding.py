"""Four ways for components to find their root, where each rank knows its own block of them.

Every component points to the one that it chose, a root to itself. What comes back is the root of each
component of the block. The pointers are ids; a rank asks the one that owns a component where that points.

Source: S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec, Efficient Parallelization of
Borůvka's Minimum Spanning Tree Algorithm, ETH Zürich, sections 2 and 3 (document 5); S. Chung, A. Condon,
Parallel Implementation of Borůvka's Minimum Spanning Tree Algorithm, ICPP 1996.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.union_find import make_set, store_root, union
from boruvka.backends.protocol import Backend
from boruvka.distributed.communicator import World
from boruvka.distributed.vertex_partition import Blocks
from boruvka.generators.counter_rng import random_bits, stream_key

__all__ = ["by_iterating", "by_jumping", "by_supervertices", "by_union_find"]

SPARE = 4
"""One vertex in so many is a supervertex."""


def by_union_find(
    world: World, backend: Backend, blocks: Blocks, parent: NDArray[np.unsignedinteger]
) -> NDArray[np.unsignedinteger]:
    """Tell every rank all pointers; each joins all components alone.

    Every rank gets all pointers of the round, and has arrays for n vertices.
    """
    itself = blocks.own(parent.dtype)
    moves = parent != itself
    components, others = world.gather((itself[moves], parent[moves]))
    with world.round_log.step("merge"):
        tree, rank = backend.empty(blocks.n, parent.dtype), backend.zeros(blocks.n, np.uint8)
        backend.for_each(make_set, blocks.n, tree)
        backend.for_each_in_order(join, components.size, components, others, tree, rank)
        root = backend.empty(blocks.n, parent.dtype)
        backend.for_each(store_root, blocks.n, tree, root)
        return root[blocks.first : blocks.first + blocks.size]


def join(i, components, others, parent, rank):
    """Join two components."""
    union(components[i], others[i], parent, rank)


def by_iterating(
    world: World, backend: Backend, blocks: Blocks, parent: NDArray[np.unsignedinteger]
) -> NDArray[np.unsignedinteger]:
    """Fix vertices from the roots outwards: one whose parent is fixed takes its root.

    As many iterations as the longest path has edges, but only for what hangs under other ranks' vertices,
    and each asks only for vertices that are not fixed yet.
    """
    root, fixed = parent.copy(), parent == blocks.own(parent.dtype)
    unknown = parent.dtype.type(np.iinfo(parent.dtype).max)

    def root_of(x: NDArray[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
        place = blocks.local(x)
        return np.where(fixed[place], root[place], unknown)

    while world.any(not fixed.all()):
        left = np.flatnonzero(~fixed)
        found = world.ask(blocks, parent[left], root_of)
        with world.round_log.step("merge"):
            known = found != unknown
            root[left[known]], fixed[left[known]] = found[known], True
            fix_here(blocks, parent, root, fixed)
    return root


def fix_here(
    blocks: Blocks,
    parent: NDArray[np.unsignedinteger],
    root: NDArray[np.unsignedinteger],
    fixed: NDArray[np.bool_],
) -> None:
    """Go on as far as that needs no message."""
    here = np.flatnonzero(~fixed)
    here = here[blocks.owner(parent[here]) == blocks.rank]
    while here.size:
        above = blocks.local(parent[here])
        known = fixed[above]
        if not known.any():
            return
        root[here[known]], fixed[here[known]] = root[above[known]], True
        here = here[~known]


def by_jumping(
    world: World, backend: Backend, blocks: Blocks, parent: NDArray[np.unsignedinteger]
) -> NDArray[np.unsignedinteger]:
    """Let each vertex point to where the one above it points, again and again (pointer doubling)."""
    root = parent.copy()
    itself = blocks.own(parent.dtype)
    left = np.flatnonzero(root != itself)
    while world.any(left.size > 0):
        above = world.ask(blocks, root[left], lambda x: root[blocks.local(x)])
        with world.round_log.step("merge"):
            moved = above != root[left]
            root[left] = above
            left = left[moved]
    return root


def by_supervertices(
    world: World, backend: Backend, blocks: Blocks, parent: NDArray[np.unsignedinteger]
) -> NDArray[np.unsignedinteger]:
    """Jump as far as a supervertex, find the roots of these in the same way, and jump once more.

    Supervertices are drawn at random. A jump doubles no path beyond one, so there are fewer of them.
    """
    root = parent.copy()
    left = np.flatnonzero(root != blocks.own(parent.dtype))
    levels: list[NDArray[np.int64]] = []
    while world.any(left.size > 0):
        is_super = np.zeros(root.size, bool)
        key = stream_key(len(levels), "supervertices")
        draws = random_bits(key, left.astype(np.uint64) + np.uint64(blocks.first))
        is_super[left[draws % np.uint64(SPARE) == 0]] = True
        jump_to_stops(world, blocks, root, left, is_super)
        levels.append(left[~is_super[left]])
        left = left[is_super[left]]
    for rest in reversed(levels):
        root[rest] = world.ask(blocks, root[rest], lambda x: root[blocks.local(x)])
    return root


def jump_to_stops(
    world: World,
    blocks: Blocks,
    root: NDArray[np.unsignedinteger],
    left: NDArray[np.int64],
    is_super: NDArray[np.bool_],
) -> None:
    """Let vertices jump until each points to a root or a supervertex."""

    def next_of(x: NDArray[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
        place = blocks.local(x)
        return np.where(is_super[place], x, root[place])

    while world.any(left.size > 0):
        above = world.ask(blocks, root[left], next_of)
        with world.round_log.step("merge"):
            moved = above != root[left]
            root[left] = above
            left = left[moved]
