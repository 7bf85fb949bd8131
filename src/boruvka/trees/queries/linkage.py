"""Single-linkage clustering of a forest: the linkage matrix.

At height h, single linkage puts two vertices into one cluster exactly if a path of edges of weight h or
less connects them. If such a path exists, the path in the minimum spanning forest is one [1]_. The edges of
the forest, in the order (weight, index), are therefore the merges of single linkage. A forest without its
heaviest edges is a cut: `boruvka.trees.queries.cuts`.

.. [1] J. C. Gower, G. J. S. Ross, "Minimum spanning trees and single linkage cluster analysis",
       Journal of the Royal Statistical Society C 18 (1969), 54-64.
"""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.kernels.kernel import kernel
from boruvka.kernels.kernel_functions import prefetch
from boruvka.kernels.team import map_parts
from boruvka.runtime.processors import processors
from boruvka.trees.path_maxima import AHEAD, ONE, UNIONS_AT_ONCE, union_in_order
from boruvka.trees.structure import Structure

__all__ = ["linkage"]


def linkage(structure: Structure, edge_text: Callable[[int], str]) -> NDArray[np.float64]:
    """Implement `Forest.linkage`; ``edge_text`` is what messages call the edge at a place."""
    if structure.maximum:
        raise GraphError("a maximum spanning forest has no linkage matrix: heights are distances and rise")
    if (components := structure.n - structure.size) != 1:
        raise GraphError(
            f"a linkage matrix needs one component, this forest has {components}; "
            "connect them by heavier edges, or take clusters from cut or cut_at"
        )
    if structure.w.size and structure.w.min() < 0:
        i = int(np.argmin(structure.w))
        raise GraphError(
            f"a linkage matrix needs distances, but edge {edge_text(i)} has the weight {structure.w[i]}; cut "
            "and cut_at take negative weights"
        )
    places, weights = structure.by_weight
    if structure.w.dtype.itemsize > 8:
        weights = structure.w[places]
    tree, cycle = _linkage(structure.n, places, structure.u, structure.v, weights)
    if cycle >= 0:
        raise structure.cycle_at(places[cycle])
    return tree


def linkage_of_tree(u: NDArray[Any], v: NDArray[Any], w: NDArray[Any]) -> NDArray[np.float64]:
    """Compute the linkage matrix of a spanning tree from its edges, sorted by weight."""
    return _linkage(w.size + 1, np.arange(w.size), u, v, w)[0]


def _linkage(
    n: int, order: NDArray[Any], u: NDArray[Any], v: NDArray[Any], weights: NDArray[Any]
) -> tuple[NDArray[np.float64], int]:
    """Merge clusters along edges with sorted weights; find the first edge that closes a cycle, else -1."""
    with np.errstate(over="ignore"):  # longdouble beyond the range of float64 becomes infinite
        heights = weights.astype(np.float64, copy=False)
    tree = np.empty((order.size, 4))
    clusters = np.empty(2 * n, np.uint32 if n < 2**31 else np.uint64)
    clusters[::2], clusters[1::2] = np.arange(n), 1

    def merge(first: int, last: int, unions: tuple[NDArray[Any], ...]) -> None:
        _merge(np.uint64(first), np.uint64(last), *unions[1:3], heights, clusters, tree)

    if order.size <= UNIONS_AT_ONCE or processors() < 2:
        return tree, union_in_order(n, order, u, v, merge)[0]
    done: SimpleQueue[Any] = SimpleQueue()

    def unite() -> int:
        try:
            return union_in_order(n, order, u, v, lambda *part: done.put(part))[0]
        finally:
            done.put(None)

    def merge_what_is_done() -> None:
        for part in iter(done.get, None):
            merge(*part)

    return tree, map_parts(lambda work: work(), [unite, merge_what_is_done], 2)[0]


@kernel
def _merge(first, last, small, large, heights, clusters, tree):
    """Store the merges of a range of unions. ``clusters`` holds the cluster of each root, and its size."""
    n = np.uint64(small.size + 1)
    for k in range(first, last):
        if k + AHEAD < small.size:
            prefetch(clusters, np.uint64(small[k + AHEAD]) + np.uint64(small[k + AHEAD]))
            prefetch(clusters, np.uint64(large[k + AHEAD]) + np.uint64(large[k + AHEAD]))
        i, j = np.uint64(small[k]), np.uint64(large[k])
        i, j = i + i, j + j
        a, b = np.uint64(clusters[i]), np.uint64(clusters[j])
        size = clusters[i + ONE] + clusters[j + ONE]
        clusters[j], clusters[j + ONE] = n + k, size
        tree[k, 0], tree[k, 1] = min(a, b), max(a, b)
        tree[k, 2], tree[k, 3] = heights[k], size
