"""Borůvka's algorithm with the vertices dealt to ranks, as document 5 has it; four ways to merge.

Idea: a rank owns a block of vertices and gets all arcs that leave them; so each edge is sent twice. In each
round a rank finds the lightest of its arcs for each component, the owner of the component's root chooses
among those of all ranks, and the components that were chosen find their roots (`partitioned_components`).

Source: "Distribution by Vertices" of S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec,
Efficient Parallelization of Borůvka's Minimum Spanning Tree Algorithm, ETH Zürich (document 5), after
S. Chung, A. Condon, ICPP 1996. Beyond the document: it returns the forest, of any graph on any number of
ranks.

Why it is right: see `boruvka.algorithms.boruvka`; all arcs of a component are offered to one place. What
two components chose both is seen by asking the other for its choice.

What a rank sends, as 64-bit keys and 32-bit ends: to begin, each of its edges twice, 40 m / P bytes (56
where keys hold no index); then in each round what `filter_boruvka.by_vertices` does. A rank
holds n / P vertices, the arcs that leave them, and a number for each vertex that these lead to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.protocol import Backend, Segments, WorkList, size_of
from boruvka.distributed import operators as op
from boruvka.distributed.communicator import World
from boruvka.distributed.lightest_edges import ARCS
from boruvka.distributed.local_edges import Share, compact
from boruvka.distributed.local_solve import gapless
from boruvka.distributed.partitioned_components import Dealt, FindRoots
from boruvka.distributed.root_finding import by_iterating, by_jumping, by_supervertices, by_union_find
from boruvka.distributed.vertex_partition import Blocks

__all__ = ["iterative", "pointer_jumping", "supervertex", "union_find"]


class Arcs(Dealt):
    """Lists hold arcs, (tail, ends_xor, key, home) and name where keys hold no index."""

    look = ARCS

    def home(self, work: WorkList, place: NDArray[Any]) -> NDArray[np.uint32]:
        """Tell which ranks passed the edges of listed arcs."""
        return work[3][place]

    def ends(self, choosing: NDArray[np.int64]) -> Any:
        """Tell which of the rank's components are ends of listed arcs: some are heads only, so take all."""
        return slice(None)

    def renamed(self, segments: Segments, work: WorkList, number: NDArray[Any]) -> Segments:
        """List in ``work`` the arcs that join two of the new components."""
        *edge, name = self.edges(work)
        return self.backend.emit(op.contract_arc, segments, work, *edge, work[3], name, number)


def rounds(share: Share, world: World, backend: Backend, find_roots: FindRoots) -> Dealt:
    """Deal the arcs, and do rounds until none is left."""
    round_log, blocks = world.round_log, Blocks(share.n, world.size, world.rank)
    round_log.begin("distribute", share.n, share.graph.m)
    with round_log.step("distribute"):
        end, ends_xor, *names = gapless(*share.listed(backend))
        u, v = np.concatenate([end, end ^ ends_xor]), np.concatenate([end ^ ends_xor, end])
        names = [np.concatenate([column, column]) for column in names]
        home = np.full(u.size, world.rank, np.uint32)
        owner = blocks.owner(u)
    u, v, key, home, *name = world.exchange((u, v, names[0], home, *names[1:]), owner)
    with round_log.step("distribute"):
        vertices, tail, head = compact(share.n, u, v)
        work = [tail, tail ^ head, key, home, *name]
        segments = backend.split(tail.size)
    forest = Arcs(share, vertices, world, backend, find_roots)
    while world.any(size_of(segments) > 0):
        segments = forest.round(segments, work)
    forest.deliver()
    return forest


def union_find(share: Share, world: World, backend: Backend) -> Dealt:
    """Merge by union-find, alike on every rank."""
    return rounds(share, world, backend, by_union_find)


def iterative(share: Share, world: World, backend: Backend) -> Dealt:
    """Merge by fixing vertices from the roots outwards."""
    return rounds(share, world, backend, by_iterating)


def pointer_jumping(share: Share, world: World, backend: Backend) -> Dealt:
    """Merge by pointer jumping."""
    return rounds(share, world, backend, by_jumping)


def supervertex(share: Share, world: World, backend: Backend) -> Dealt:
    """Merge by pointer jumping with supervertices."""
    return rounds(share, world, backend, by_supervertices)
