"""Borůvka's algorithm with vertices distributed among ranks: four strategies that find roots differently.

Idea: a rank owns a block of vertices and gets all arcs that leave them, so each edge is sent twice. In each
round a rank finds the lightest of its arcs for each component, the owner of the component's root chooses
among those of all ranks, and the components find their new roots (see
`boruvka.distributed.partitioned_components`).

Source: "Distribution by Vertices" of S. Anzalone, M. Marti, M. Kamm, H. L. Hannesdóttir, Š. Hrabec,
Efficient Parallelization of Borůvka's Minimum Spanning Tree Algorithm, ETH Zürich, after S. Chung, A. Condon,
ICPP 1996. Beyond the source: it returns the forest, of any graph on any number of ranks.

Why it is right: see `boruvka.algorithms.boruvka`; all arcs of a component are proposed to one owner. A
component finds out that the other one chose the same edge by a query of its choice.

What a rank sends, with 64-bit keys and 32-bit ends: at the start, each of its edges twice, 40 m / P bytes (56
where keys hold no index); then in each round as much as `boruvka.distributed.filter_boruvka.by_vertices`. A
rank holds n / P vertices, the arcs that leave them, and a number for each vertex that these lead to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.protocol import Backend, Segments, WorkList, size_of
from boruvka.distributed import operators as op
from boruvka.distributed import root_finding
from boruvka.distributed.communicator import Communicator
from boruvka.distributed.lightest_edges import ARC_TO_POSITION
from boruvka.distributed.local_edges import LocalEdges, compact_vertices
from boruvka.distributed.local_forest import concatenate_segments
from boruvka.distributed.partitioned_components import PartitionedComponents
from boruvka.distributed.root_finding import FindRoots
from boruvka.distributed.vertex_partition import VertexPartition

__all__ = ["iterative", "pointer_jumping", "supervertex", "union_find"]


class PartitionedArcs(PartitionedComponents):
    """Components with a worklist of arcs: (tail, ends_xor, key, holder), and index where keys hold none."""

    select = ARC_TO_POSITION

    def holders(self, worklist: WorkList, positions: NDArray[Any]) -> NDArray[np.uint32]:
        """Return the ranks that hold the edges of the arcs at these positions."""
        return worklist[3][positions]

    def touched(self, proposing: NDArray[np.int64]) -> Any:
        """Return all components, because some occur as heads only."""
        return slice(None)

    def relabel_edges(self, segments: Segments, worklist: WorkList, label: NDArray[Any]) -> Segments:
        """Keep the arcs that join two of the new components, with these as ends."""
        *arc, edge_id = self.columns(worklist)
        arrays = *arc, worklist[3], edge_id, label
        return self.backend.emit(op.contract_arc, segments, worklist, *arrays)


def rounds(
    local: LocalEdges, communicator: Communicator, backend: Backend, find_roots: FindRoots
) -> PartitionedComponents:
    """Distribute the arcs, and do rounds until none is left."""
    round_log, partition = (
        communicator.round_log,
        VertexPartition(local.n, communicator.size, communicator.rank),
    )
    round_log.begin("distribute", local.n, local.graph.m)
    with round_log.step("distribute"):
        end, ends_xor, *keys = concatenate_segments(*local.full_worklist(backend))
        u, v = np.concatenate([end, end ^ ends_xor]), np.concatenate([end ^ ends_xor, end])
        keys = [np.concatenate([column, column]) for column in keys]
        holder = np.full(u.size, communicator.rank, np.uint32)
        owner = partition.owner(u)
    u, v, key, holder, *index = communicator.exchange((u, v, keys[0], holder, *keys[1:]), owner)
    with round_log.step("distribute"):
        vertices, tail, head = compact_vertices(local.n, u, v, backend)
        worklist = [tail, tail ^ head, key, holder, *index]
        segments = backend.split(tail.size)
    forest = PartitionedArcs(local, vertices, communicator, backend, find_roots)
    while communicator.any(size_of(segments) > 0):
        segments = forest.round(segments, worklist)
    forest.return_choices()
    return forest


def union_find(local: LocalEdges, communicator: Communicator, backend: Backend) -> PartitionedComponents:
    """Find roots by union-find, alike on every rank."""
    return rounds(local, communicator, backend, root_finding.union_find)


def iterative(local: LocalEdges, communicator: Communicator, backend: Backend) -> PartitionedComponents:
    """Find roots by resolving vertices from the roots outwards."""
    return rounds(local, communicator, backend, root_finding.iterative)


def pointer_jumping(local: LocalEdges, communicator: Communicator, backend: Backend) -> PartitionedComponents:
    """Find roots by pointer jumping."""
    return rounds(local, communicator, backend, root_finding.pointer_jumping)


def supervertex(local: LocalEdges, communicator: Communicator, backend: Backend) -> PartitionedComponents:
    """Find roots by pointer jumping with supervertices."""
    return rounds(local, communicator, backend, root_finding.supervertex)
