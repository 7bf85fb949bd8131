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

from boruvka.algorithms.boruvka import as_edges
from boruvka.algorithms.lightest import has_choice
from boruvka.algorithms.union_find import alone, is_root, jump, note_root, unite
from boruvka.backends.base import Backend, size_of
from boruvka.cluster import operators as op
from boruvka.cluster.choosing import LABELLED, lightest
from boruvka.cluster.share import Share
from boruvka.cluster.world import World
from boruvka.order import NONE

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
            backend.for_each(alone, n, array)

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        n = self.label.size
        self.backend.in_order(join, n, choice, other, self.parent, self.rank)
        self.backend.for_each(note_root, n, self.parent, self.label)


class PointerJumping:
    """Hang each component under the one that it chose, and double the pointers until all point to roots."""

    def __init__(self, backend: Backend, n: int, ids: Any):
        self.backend, self.label = backend, backend.empty(n, ids)
        backend.for_each(alone, n, self.label)

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        n = self.label.size
        self.backend.for_each(op.hang_root, n, choice, other, self.label)
        self.backend.for_each(op.break_cycle, n, choice, self.label)
        while self.backend.count(jump, n, self.label):
            pass


def join(c, choice, other, parent, rank):
    """Join component c with the one that it chose, if any."""
    if choice[c] != NONE:
        unite(c, other[c], parent, rank)


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
    n, journal, wide = share.n, world.journal, share.order.wide
    journal.begin("distribute", n, share.graph.m)
    with journal.step("distribute"):
        segments, work = share.listed(backend)
        merger = make_merger(backend, n, share.graph.u.dtype)
    while True:
        journal.begin("round", backend.count(is_root, n, merger.label), size_of(segments))
        edges = (*as_edges(work), merger.label)
        choice, other = lightest(
            journal, backend, segments, edges, n, LABELLED, wide=wide, agree=world.minimum
        )
        with journal.step("merge"):
            if not backend.count(has_choice, n, choice):
                return
            share.add(backend, choice)
            merger.merge(choice, other)
        if reduced:
            with journal.step("reduce"):
                edges = (*as_edges(work), merger.label)
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
