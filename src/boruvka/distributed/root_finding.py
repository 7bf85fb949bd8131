"""Roots of hooked components, where each rank knows the parents of its own block: four algorithms.

Every component points to its parent; a root points to itself. Each function returns the root of each
component of the block. A rank queries the owner of a component for its parent.

Source: sections 2 and 3 of S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec, Efficient
Parallelization of Borůvka's Minimum Spanning Tree Algorithm, ETH Zürich; S. Chung, A. Condon, Parallel
Implementation of Borůvka's Minimum Spanning Tree Algorithm, ICPP 1996.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.distributed.communicator import VertexOwners
from boruvka.distributed.vertices import VertexPartition
from boruvka.operators.counter_rng import random_bits, stream_key
from boruvka.operators.union_find import make_set, store_root, union_by_rank

Ids = NDArray[Any]
FindRoots = Callable[[VertexOwners, Ids], Ids]
"""``find_roots(owners, parent)`` returns the root of each vertex of the block, given its parent."""

SUPERVERTEX_EVERY = 4
"""One vertex in so many is a supervertex, on average."""


def union_find(owners: VertexOwners, parent: Ids) -> Ids:
    """Send all pointers to all ranks; each rank merges all components by union-find.

    Every rank receives all pointers of the round, and has arrays for n vertices.
    """
    communicator, backend, partition = owners
    itself = partition.vertices(parent.dtype)
    hooked = parent != itself
    components, parents = communicator.gather((itself[hooked], parent[hooked]))
    with communicator.round_log.step("merge"):
        tree, rank = backend.empty(partition.n, parent.dtype), backend.zeros(partition.n, np.uint8)
        backend.for_each(make_set, partition.n, tree)
        backend.for_each_in_order(union_pair, components.size, components, parents, tree, rank)
        root = backend.empty(partition.n, parent.dtype)
        backend.for_each(store_root, partition.n, tree, root)
        return root[partition.first : partition.first + partition.size]


def union_pair(i, components, parents, tree, rank):
    """Merge the i-th component with its parent."""
    union_by_rank(components[i], parents[i], tree, rank)


def iterative(owners: VertexOwners, parent: Ids) -> Ids:
    """Resolve vertices from the roots outwards: a vertex whose parent is resolved takes the parent's root.

    There are as many iterations as the longest path has edges between ranks. In each, a rank queries the
    parents of its unresolved vertices.
    """
    communicator, _, partition = owners
    root, resolved = parent.copy(), parent == partition.vertices(parent.dtype)
    unknown = parent.dtype.type(np.iinfo(parent.dtype).max)
    while communicator.any(not resolved.all()):
        left = np.flatnonzero(~resolved)
        found = owners.query_values(parent[left], np.where(resolved, root, unknown))
        with communicator.round_log.step("merge"):
            known = found != unknown
            root[left[known]], resolved[left[known]] = found[known], True
            resolve_locally(partition, parent, root, resolved)
    return root


def resolve_locally(partition: VertexPartition, parent: Ids, root: Ids, resolved: NDArray[np.bool_]) -> None:
    """Resolve all vertices of the block that need no communication."""
    left = np.flatnonzero(~resolved)
    left = left[partition.owner(parent[left]) == partition.rank]
    while left.size:
        above = partition.position(parent[left])
        known = resolved[above]
        if not known.any():
            return
        root[left[known]], resolved[left[known]] = root[above[known]], True
        left = left[~known]


def pointer_jumping(owners: VertexOwners, parent: Ids) -> Ids:
    """Replace the parent of each vertex by its grandparent until all are roots (pointer doubling)."""
    root = parent.copy()
    left = np.flatnonzero(root != owners.partition.vertices(parent.dtype))
    jump(owners, root, left, lambda x: root[owners.partition.position(x)])
    return root


def supervertex(owners: VertexOwners, parent: Ids) -> Ids:
    """Jump to the next supervertex, find the roots of supervertices likewise, and jump once more.

    Supervertices are drawn at random. Jumps stop at them, so paths are shorter.
    """
    communicator, _, partition = owners
    root = parent.copy()
    left = np.flatnonzero(root != partition.vertices(parent.dtype))
    levels: list[NDArray[np.int64]] = []
    while communicator.any(left.size > 0):
        is_super = np.zeros(root.size, bool)
        key = stream_key(len(levels), "supervertices")
        draws = random_bits(key, left.astype(np.uint64) + np.uint64(partition.first))
        is_super[left[draws % np.uint64(SUPERVERTEX_EVERY) == 0]] = True
        jump_to_supervertices(owners, root, left, is_super)
        levels.append(left[~is_super[left]])
        left = left[is_super[left]]
    for rest in reversed(levels):
        root[rest] = owners.query_values(root[rest], root)
    return root


def jump_to_supervertices(
    owners: VertexOwners, root: Ids, left: NDArray[np.int64], is_super: NDArray[np.bool_]
) -> None:
    """Jump until each vertex points to a root or a supervertex."""

    def next_of(x: Ids) -> Ids:
        position = owners.partition.position(x)
        return np.where(is_super[position], x, root[position])

    jump(owners, root, left, next_of)


def jump(owners: VertexOwners, root: Ids, left: NDArray[np.int64], next_of: Callable[[Ids], Ids]) -> None:
    """Replace ``root[left]`` by ``next_of`` of it until nothing changes on any rank."""
    while owners.communicator.any(left.size > 0):
        above = owners.query(root[left], next_of)
        with owners.communicator.round_log.step("merge"):
            moved = above != root[left]
            root[left] = above
            left = left[moved]
