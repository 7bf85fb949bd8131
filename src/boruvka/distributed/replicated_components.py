"""Components that every rank knows: they choose by one minimum over the ranks, and merge everywhere alike."""

from __future__ import annotations

from typing import Any

from boruvka.algorithms.boruvka import columns_of
from boruvka.algorithms.building_blocks.components import Components
from boruvka.backends.protocol import Backend, Segments, WorkList, size_of
from boruvka.distributed import operators as op
from boruvka.distributed.communicator import World
from boruvka.distributed.lightest_edges import ENDS, lightest
from boruvka.distributed.local_edges import Share
from boruvka.distributed.local_solve import gapless, joined
from boruvka.operators import boruvka_round as operators
from boruvka.operators.sort_keys import NONE

__all__ = ["Replicated"]


class Replicated(Components):
    """The components of all vertices, on every rank.

    Parameters
    ----------
    share : Share
    world : World
    backend : Backend
    """

    def __init__(self, share: Share, world: World, backend: Backend):
        super().__init__(share.n, share.graph.u.dtype, backend, world.round_log)
        self.share, self.world = share, world

    def renamed(self, segments: Segments, work: WorkList, number: Any) -> Segments:
        """List in ``work`` the edges that join two of the new components."""
        return self.backend.emit(operators.contract_worklist, segments, work, *columns_of(work), number)

    def round(self, segments: Segments, work: WorkList) -> Segments:
        """Let every component join the one that its lightest edge leads to; list what joins two new ones."""
        edges, n, backend = columns_of(work), self.components, self.backend
        self.round_log.begin("round", n, size_of(segments))
        wide, agree = self.share.order.wide, self.world.minimum
        choice, other = lightest(self.round_log, backend, segments, edges, n, ENDS, wide=wide, agree=agree)
        with self.round_log.step("merge"):
            self.share.add(backend, choice)
            backend.for_each(op.hang, n, choice, other, self.parent)
            backend.for_each(op.break_cycle, n, choice, self.parent)
        label = self.relabel(choice, NONE)
        with self.round_log.step("contract"):
            return self.renamed(segments, work, label)

    def gather(self, segments: Segments, work: WorkList) -> None:
        """Send all edges to all ranks; every rank joins what they connect, alone."""
        self.round_log.begin("finish", self.components, size_of(segments))
        edges = self.world.gather(gapless(segments, work))
        with self.round_log.step("merge"):
            forest, tree = joined(edges, self.components, self.share.order, self.backend)
            self.share.add(self.backend, forest[-1])
            self.finish(tree.astype(self.ids), self.components - forest[0].size)

    def labels(self) -> Any:
        """Find what became of each vertex since the trace began; what is whole lives again."""
        return self.end_relabelling()
