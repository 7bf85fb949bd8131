"""Core distances of points: from a kd-tree, or for other metrics from all distances."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.primitives import Backend, Operator
from boruvka.errors import GraphError
from boruvka.graph.mutual_reachability import kth_smallest
from boruvka.graph.points.point_index import PointIndex, tree_pays
from boruvka.operators.sort_keys import U64
from boruvka.runtime.processors import processors

if TYPE_CHECKING:
    from boruvka.graph.distance_graph import DistanceGraph

ROWS_OF_A_BLOCK = 64


def find_core_distances(graph: DistanceGraph, samples: int) -> NDArray[Any]:
    """Find the distance of each point to its ``samples``-th nearest point, itself included.

    Raises
    ------
    GraphError
        A distance is NaN or negative.
    """
    from boruvka.backends import get_backend

    backend = get_backend("threads", processors())
    if not tree_pays(graph):
        return core_distances_of_all_pairs(graph, samples, backend)
    if samples == 1:  # the distance of a point to itself, which the index does not keep
        return np.zeros(graph.n)
    PointIndex(graph, backend)  # it stores them in the graph
    return graph.core_distances


def core_distances_of_all_pairs(graph: DistanceGraph, samples: int, backend: Backend) -> NDArray[Any]:
    """Find core distances from all distances, in quadratic time."""
    n = graph.n
    core, wrong = np.empty(n, graph.dtype), np.full(n, n, np.uint64)
    arrays = graph.points, U64(samples), core, wrong
    blocks = -(-n // ROWS_OF_A_BLOCK)
    backend.for_each_block(core_operator(graph.distance), blocks, [(n, graph.dtype)], *arrays)
    if (wrong < n).any():
        i = int(np.argmax(wrong < n))
        raise GraphError(
            f"the distance of points {i} and {wrong[i]} is NaN or negative: core distances are not defined"
        )
    return core


@functools.cache
def core_operator(distance: Callable[[Any, Any], Any]) -> Operator:
    """Make the operator that finds the core distances of a block of points."""

    def find(b, row, points, samples, core, wrong):
        n, first = U64(core.size), U64(b) * U64(ROWS_OF_A_BLOCK)
        for i in range(first, min(n, first + U64(ROWS_OF_A_BLOCK))):
            for j in range(n):
                row[j] = 0
                if i != j:
                    row[j] = d = distance(points[min(i, j)], points[max(i, j)])
                    if not d >= 0:
                        wrong[i] = min(wrong[i], j)
            core[i] = kth_smallest(row, np.int64(0), np.int64(n), np.int64(samples))

    find.__name__ = find.__qualname__ = f"core_distances_{distance.__name__}"
    return find
