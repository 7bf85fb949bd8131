"""Components known to every rank: an all-reduce finds their lightest edges, and all ranks merge alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.components import Components
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.algorithms.filter_boruvka import mark_outside_largest, most_frequent
from boruvka.distributed.lightest_edges import lightest_edges
from boruvka.distributed.local_edges import LocalEdges, forest_and_labels
from boruvka.operators import boruvka_round as round_ops
from boruvka.operators.sort_keys import NONE


class ReplicatedComponents(Components):
    """The components of all vertices, on every rank.

    Parameters
    ----------
    local : LocalEdges
    communicator : Communicator
    backend : Backend
    """

    def __init__(self, local: LocalEdges):
        super().__init__(local.n, local.graph.u.dtype, local.backend, local.communicator.round_log)
        self.local, self.communicator = local, local.communicator
        self._label: Any = None

    def number_vertices(self, edges: EdgeView) -> EdgeView:
        """Return edges as they are: vertices are the components of the first round."""
        return edges

    def outside_largest(self) -> NDArray[np.uint64]:
        """Return one bit for each vertex: whether it is outside the largest component; all become active."""
        self._label = label = self.end_relabelling()
        with self.round_log.step("filter"):
            outside = self.backend.empty((self.local.n + 63) // 64, np.uint64)
            largest = most_frequent(label, self.backend) if label.size else 0
            self.backend.for_each(mark_outside_largest, outside.size, label, largest, outside)
        return outside

    def relabel_heavy(self, edges: EdgeView) -> EdgeView:
        """Keep the edges that join two components, with these as ends."""
        with self.round_log.step("filter"):
            return edges.contracted(self._label)

    def round(self, edges: EdgeView) -> EdgeView:
        """Do one round; return the edges that are left.

        A rank sends a key and an end for each component, and an index where keys hold none.
        """
        n, backend, lack_index = self.n_components, self.backend, self.local.sort_keys.keys_lack_index
        self.round_log.begin("round", n, edges.count)
        all_reduce_min = self.communicator.all_reduce_min
        choice, other = lightest_edges(edges, n, lack_index, self.round_log, all_reduce_min)
        with self.round_log.step("merge"):
            self.local.add_to_forest(choice)
            backend.for_each(hook, n, choice, other, self.parent)
            backend.for_each(round_ops.break_cycle, n, choice, self.parent)
        label = self.relabel(choice, NONE)
        with self.round_log.step("contract"):
            return edges.contracted(label)

    def solve_replicated(self, edges: EdgeView) -> None:
        """Send all edges to all ranks; every rank finds the rest of the forest."""
        self.round_log.begin("finish", self.n_components, edges.count)
        columns = self.communicator.gather(edges.columns_without_gaps())
        with self.round_log.step("merge"):
            forest, tree = forest_and_labels(columns, self.n_components, self.local)
            self.local.add_to_forest(forest[-1])
            self.finish(tree.astype(self.ids), self.n_components - forest[0].size)


def hook(c, choice, other, parent):
    """Hook component c onto the one that its choice leads to; a component without a choice is a root."""
    parent[c] = other[c] if choice[c] != NONE else c
