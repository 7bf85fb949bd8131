"""What a rank does alone: its own forest takes the place of its edges.

Why it is right: the heaviest edge of a cycle is in no minimum spanning forest (cycle property), and a
cycle of a rank's own edges is one of the whole graph. At most as many edges survive as there are
components, of parallel ones the lightest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.registry import algorithm_for
from boruvka.backends.protocol import Backend, Segments, WorkList
from boruvka.forest.round_log import RoundLog
from boruvka.graph.graph import Graph
from boruvka.operators.sort_keys import SortKeys

__all__ = ["forest_of", "gapless", "joined", "survivors"]


def forest_of(graph: Graph, maximum: bool, backend: Backend) -> NDArray[np.int64]:
    """Find the forest of a graph that is on this rank, by the algorithm that suits it."""
    return algorithm_for("auto", graph).run(EdgeList.of(graph, maximum, backend), backend, RoundLog())


def gapless(segments: Segments, work: WorkList) -> list[NDArray[Any]]:
    """Give what segments hold of a list as a list without gaps."""
    parts = [[column[int(first) : int(last)] for column in work] for first, last in segments]
    if len(parts) == 1:
        return parts[0]
    return [np.concatenate(columns) for columns in zip(*parts, strict=True)]


def survivors(
    work: Sequence[NDArray[Any]], components: int, order: SortKeys, backend: Backend
) -> list[NDArray[Any]]:
    """Keep the edges of a list without gaps, in the order of their indices, that are in its forest."""
    end, ends_xor, key = work[:3]
    ranks = np.right_shift(key, order.packing.index_bits)  # of equal ones the place in the list decides
    kept = forest_of(Graph(components, end, np.bitwise_xor(end, ends_xor), ranks), False, backend)
    return [column[kept] for column in work]


def joined(
    work: Sequence[NDArray[Any]], components: int, order: SortKeys, backend: Backend
) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
    """Find the forest of a list in any order, and number the trees that it makes of the components."""
    from boruvka.graph.connected_components import label_components

    by_index = np.argsort(work[-1] & order.index_mask, kind="stable")
    forest = survivors([column[by_index] for column in work], components, order, backend)
    return forest, label_components(components, forest[0], np.bitwise_xor(forest[0], forest[1]))
