"""Borůvka's algorithm with edges distributed among ranks: three strategies that merge differently.

Idea: every rank knows the component of every vertex. Each rank finds the lightest of its own edges that
leaves each component, an all-reduce finds the lightest of all ranks, and every rank merges all components
alike.

Source: "Distribution by Edges" of S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec, Efficient
Parallelization of Borůvka's Minimum Spanning Tree Algorithm, ETH Zürich. Beyond the source: it returns the
forest, of any graph on any number of ranks.

Why it is right: see `boruvka.algorithms.boruvka`. All ranks have the same choices, so they merge alike.

What a rank sends in a round: a key and an end for each of n vertices, twice, in 4 log2(P) messages; 24 n
bytes, or 40 n where keys hold no index. There are at most log2(n) rounds. A rank holds m / P edges and
arrays for n vertices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.boruvka import columns_of
from boruvka.algorithms.building_blocks.lightest_edge import has_choice
from boruvka.backends.protocol import Backend, size_of
from boruvka.distributed import operators as op
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.lightest_edges import LABELLED_TO_OTHER_END, lightest_edges
from boruvka.distributed.local_edges import LocalEdges
from boruvka.operators.sort_keys import NONE
from boruvka.operators.union_find import (
    is_root,
    make_set,
    pointer_jump,
    store_root,
    union_by_rank,
)

__all__ = ["pointer_jumping", "union_find", "union_find_reduced"]


class Merger(Protocol):
    """How components merge along their chosen edges."""

    label: NDArray[Any]
    """The component of each vertex."""

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        """Merge each component that made a choice with the other end of its edge."""


class UnionFind:
    """Union by rank; then the root of each vertex is stored as its label."""

    def __init__(self, backend: Backend, n: int, ids: Any):
        self.backend, self.label = backend, backend.empty(n, ids)
        self.parent, self.rank = backend.empty(n, ids), backend.zeros(n, np.uint8)
        for array in (self.label, self.parent):
            backend.for_each(make_set, n, array)

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        n = self.label.size
        self.backend.for_each_in_order(union_choice, n, choice, other, self.parent, self.rank)
        self.backend.for_each(store_root, n, self.parent, self.label)


class PointerJumping:
    """Hook each component onto the one that it chose, then jump until all vertices point to roots."""

    def __init__(self, backend: Backend, n: int, ids: Any):
        self.backend, self.label = backend, backend.empty(n, ids)
        backend.for_each(make_set, n, self.label)

    def merge(self, choice: NDArray[np.uint64], other: NDArray[Any]) -> None:
        n = self.label.size
        self.backend.for_each(op.hook_root, n, choice, other, self.label)
        self.backend.for_each(op.break_root_cycle, n, choice, self.label)
        while self.backend.count(pointer_jump, n, self.label):
            pass


def union_choice(c, choice, other, parent, rank):
    """Merge component c with the other end of its choice, if it has one."""
    if choice[c] != NONE:
        union_by_rank(c, other[c], parent, rank)


def rounds(
    local: LocalEdges,
    communicator: Communicator,
    backend: Backend,
    make_merger: Callable[[Backend, int, Any], Merger],
    *,
    reduced: bool = False,
) -> None:
    """Do rounds until no component has an edge.

    With ``reduced``, edges inside a component leave the worklist; otherwise every round reads all edges.
    """
    n, round_log, wide = local.n, communicator.round_log, local.sort_keys.wide
    all_reduce_min = communicator.all_reduce_min
    round_log.begin("distribute", n, local.graph.m)
    with round_log.step("distribute"):
        segments, worklist = local.full_worklist(backend)
        merger = make_merger(backend, n, local.graph.u.dtype)
    while True:
        round_log.begin("round", backend.count(is_root, n, merger.label), size_of(segments))
        edges = (*columns_of(worklist), merger.label)
        do = LABELLED_TO_OTHER_END
        choice, other = lightest_edges(
            round_log, backend, segments, edges, n, do, wide=wide, all_reduce_min=all_reduce_min
        )
        with round_log.step("merge"):
            if not backend.count(has_choice, n, choice):
                return
            local.add_to_forest(backend, choice)
            merger.merge(choice, other)
        if reduced:
            with round_log.step("reduce"):
                edges = (*columns_of(worklist), merger.label)
                segments = backend.emit(op.keep_labelled, segments, worklist, *edges)


def union_find(local: LocalEdges, communicator: Communicator, backend: Backend) -> None:
    """Merge by union-find."""
    rounds(local, communicator, backend, UnionFind)


def union_find_reduced(local: LocalEdges, communicator: Communicator, backend: Backend) -> None:
    """Merge by union-find, and remove the edges inside a component after each round."""
    rounds(local, communicator, backend, UnionFind, reduced=True)


def pointer_jumping(local: LocalEdges, communicator: Communicator, backend: Backend) -> None:
    """Merge by pointer jumping."""
    rounds(local, communicator, backend, PointerJumping)
