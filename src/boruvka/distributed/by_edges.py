"""Borůvka's algorithm with the edges dealt to ranks, as document 5 has it; three ways to merge.

Idea: every rank knows the component of every vertex. Each finds the lightest of its own edges that leaves
each component, a minimum over the ranks finds the lightest of all, and every rank merges all components in
the same way.

Source: S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec, Efficient Parallelization of
Borůvka's Minimum Spanning Tree Algorithm, ETH Zürich, "Distribution by Edges" (document 5). Beyond the
document: it returns the forest, of any graph on any number of ranks.

Why it is right: see `boruvka.algorithms.boruvka`. All ranks hold the same choices, so they merge alike.

What a rank sends in a round: an end and a key for each of n vertices, twice, in 4 log2(P) messages; 24 n
bytes, 40 n where keys hold no index. There are at most log2(n) rounds. A rank holds m / P edges and
arrays for n vertices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.boruvka import columns_of
from boruvka.algorithms.building_blocks.lightest_edge import has_choice
from boruvka.algorithms.building_blocks.union_find import is_root, make_set, pointer_jump, store_root, union
from boruvka.backends.protocol import Backend, size_of
from boruvka.distributed import operators as op
from boruvka.distributed.communicator import World
from boruvka.distributed.lightest_edges import LABELLED, lightest
from boruvka.distributed.local_edges import Share
from boruvka.operators.sort_keys import NONE

__all__ = ["pointer_jumping", "union_find", "union_find_reduced"]


class Merger(Protocol):
    """How components merge along what they chose."""

    label: NDArray[Any]
    """The component of each vertex."""

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        """Join components with the others that they chose."""


class UnionFind:
    """Union by rank; then each vertex notes its root."""

    def __init__(self, backend: Backend, n: int, ids: Any):
        self.backend, self.label = backend, backend.empty(n, ids)
        self.parent, self.rank = backend.empty(n, ids), backend.zeros(n, np.uint8)
        for array in (self.label, self.parent):
            backend.for_each(make_set, n, array)

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        n = self.label.size
        self.backend.for_each_in_order(join, n, choice, other, self.parent, self.rank)
        self.backend.for_each(store_root, n, self.parent, self.label)


class PointerJumping:
    """Hang each component under the one that it chose, and double the pointers until all point to roots."""

    def __init__(self, backend: Backend, n: int, ids: Any):
        self.backend, self.label = backend, backend.empty(n, ids)
        backend.for_each(make_set, n, self.label)

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        n = self.label.size
        self.backend.for_each(op.hang_root, n, choice, other, self.label)
        self.backend.for_each(op.break_cycle, n, choice, self.label)
        while self.backend.count(pointer_jump, n, self.label):
            pass


def join(c, choice, other, parent, rank):
    """Join component c with the one that it chose, if any."""
    if choice[c] != NONE:
        union(c, other[c], parent, rank)


def rounds(
    share: Share,
    world: World,
    backend: Backend,
    make_merger: Callable[[Backend, int, Any], Merger],
    *,
    reduced: bool = False,
) -> None:
    """Do rounds until no component finds an edge.

    ``reduced`` drops edges whose ends have met; without it every round looks at all edges.
    """
    n, round_log, wide = share.n, world.round_log, share.order.wide
    round_log.begin("distribute", n, share.graph.m)
    with round_log.step("distribute"):
        segments, work = share.listed(backend)
        merger = make_merger(backend, n, share.graph.u.dtype)
    while True:
        round_log.begin("round", backend.count(is_root, n, merger.label), size_of(segments))
        edges = (*columns_of(work), merger.label)
        choice, other = lightest(
            round_log, backend, segments, edges, n, LABELLED, wide=wide, agree=world.minimum
        )
        with round_log.step("merge"):
            if not backend.count(has_choice, n, choice):
                return
            share.add(backend, choice)
            merger.merge(choice, other)
        if reduced:
            with round_log.step("reduce"):
                edges = (*columns_of(work), merger.label)
                segments = backend.emit(op.stay_labelled, segments, work, *edges)


def union_find(share: Share, world: World, backend: Backend) -> None:
    """Merge by union-find."""
    rounds(share, world, backend, UnionFind)


def union_find_reduced(share: Share, world: World, backend: Backend) -> None:
    """Merge by union-find, and drop edges whose ends have met."""
    rounds(share, world, backend, UnionFind, reduced=True)


def pointer_jumping(share: Share, world: World, backend: Backend) -> None:
    """Merge by pointer jumping."""
    rounds(share, world, backend, PointerJumping)
