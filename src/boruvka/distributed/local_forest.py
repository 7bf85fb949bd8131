"""The minimum spanning forest of the edges of one rank, which can replace these edges.

Why it is right: the heaviest edge of a cycle is in no minimum spanning forest (cycle property), and a cycle
of edges of one rank is a cycle of the whole graph. Fewer edges are left than there are components; of
parallel edges, only the lightest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.building_blocks.edge_list import EdgeList
from boruvka.algorithms.building_blocks.worklist import EdgeView
from boruvka.algorithms.run import algorithm_for
from boruvka.backends.primitives import Backend
from boruvka.distributed.vertices import is_ascending
from boruvka.graph.connected_components import label_components
from boruvka.graph.graph import Graph
from boruvka.operators.sort_keys import SortKeys
from boruvka.runtime.round_log import RoundLog

__all__ = ["columns_without_gaps", "forest_and_labels", "forest_of_graph", "forest_of_worklist"]


def forest_of_graph(graph: Graph, maximum: bool, backend: Backend) -> NDArray[np.int64]:
    """Find the edges of the forest of a graph on this rank, by the algorithm that suits it."""
    return algorithm_for("auto", graph, backend).run(
        EdgeList.of(graph, maximum, backend), backend, RoundLog()
    )


def columns_without_gaps(edges: EdgeView) -> list[NDArray[Any]]:
    """Return the columns of worklist edges without the gaps between their segments."""
    return [edges.segments.taken_from(column) for column in edges.into.columns]


def forest_of_worklist(
    columns: Sequence[NDArray[Any]], components: int, sort_keys: SortKeys, backend: Backend
) -> list[NDArray[Any]]:
    """Keep the edges of a worklist, without gaps and ordered by index, that are in its forest."""
    end, ends_xor, key = columns[:3]
    weight_key = np.right_shift(key, sort_keys.packing.index_bits)  # the position breaks ties, as the index
    graph = Graph(components, end, np.bitwise_xor(end, ends_xor), weight_key)
    kept = forest_of_graph(graph, False, backend)
    return [column[kept] for column in columns]


def forest_and_labels(
    columns: Sequence[NDArray[Any]], components: int, sort_keys: SortKeys, backend: Backend
) -> tuple[list[NDArray[Any]], NDArray[np.int64]]:
    """Keep the edges of a worklist in any order that are in its forest; number the tree of each component."""
    index = columns[-1] & sort_keys.index_mask
    if not is_ascending(index):
        by_index = np.argsort(index, kind="stable")
        columns = [column[by_index] for column in columns]
    forest = forest_of_worklist(columns, components, sort_keys, backend)
    return forest, label_components(components, forest[0], np.bitwise_xor(forest[0], forest[1]))
