"""What a rank does alone: its own forest takes the place of its edges.

Why it is right: the heaviest edge of a cycle is in no minimum spanning forest (cycle property), and a
cycle of a rank's own edges is one of the whole graph. At most n - 1 edges survive, of parallel ones the
lightest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms import algorithm_for
from boruvka.backends.base import Backend
from boruvka.cluster.share import Work, ends_of_list
from boruvka.graph import Graph
from boruvka.order import Order, order_of
from boruvka.rounds import Journal

__all__ = ["compact", "forest_of", "solve_here", "survivors"]


def forest_of(graph: Graph, maximum: bool, backend: Backend) -> NDArray[np.int64]:
    """Find the forest of a graph that is on this rank, by the algorithm that suits it."""
    return algorithm_for("auto", graph).run(graph, order_of(graph.w, maximum), backend, Journal())


def survivors(work: Work, components: int, order: Order, backend: Backend) -> Work:
    """Keep the edges of a list, in the order of their indices, that are in its forest."""
    ranks = np.right_shift(work[2], order.packing.index_bits)  # of equal ones the place in the list decides
    kept = forest_of(Graph(components, *ends_of_list(work), ranks), False, backend)
    return tuple(column[kept] for column in work)


def solve_here(work: Work, backend: Backend) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[np.int64]]:
    """Find the forest of a list in any order, alone.

    Returns
    -------
    (f,) array of int64
        Which edges of the list are in it.
    (c,) array, (c,) array of int64
        The vertices that occur in it, ascending, and the component of each.
    """
    from boruvka.components import label_components

    vertices, a, b = compact(*ends_of_list(work))
    lightest_first = np.lexsort((work[-1], work[2]))
    a, b = a[lightest_first], b[lightest_first]
    kept = forest_of(Graph(vertices.size, a, b, np.arange(a.size)), False, backend)
    return lightest_first[kept], vertices, label_components(vertices.size, a[kept], b[kept])


def compact(u: NDArray[Any], v: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Number the vertices that occur from 0: the vertices, and the ends by their numbers."""
    vertices, ends = np.unique(np.concatenate([u, v]), return_inverse=True)
    return vertices, ends[: u.size], ends[u.size :]
