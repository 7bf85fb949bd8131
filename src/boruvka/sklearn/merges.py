"""Merges of single linkage, in order, of a graph with any number of components.

The edges of the minimum spanning forest, from the lightest to the heaviest, are the merges (see
`boruvka.Forest.linkage`). Components then merge at an infinite distance, from the largest to the smallest:
so, seen from the root, those that are too small to be clusters leave first. An infinite distance counts as
missing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.connected_components import label_components
from boruvka.trees.forest import Forest
from boruvka.trees.path_maxima import sort_edges
from boruvka.trees.queries.single_linkage import linkage_of_tree


class Merges(NamedTuple):
    """A spanning tree: the ends and the height of each edge, sorted by height."""

    u: NDArray[Any]
    v: NDArray[Any]
    height: NDArray[np.float64]

    def linkage(self) -> NDArray[np.float64]:
        """Return the merges in the format of ``scipy.cluster.hierarchy``, see `boruvka.Forest.linkage`."""
        return linkage_of_tree(*self)

    def cut(self, count: int) -> NDArray[np.int64]:
        """Label points after the first ``count`` merges, in the order of each cluster's smallest point."""
        return label_components(self.height.size + 1, self.u[:count], self.v[:count])

    def count_below(self, height: float) -> int:
        """Count the merges below a height."""
        return int(np.searchsorted(self.height, height))


def merges_of(forest: Forest, factor: float = 1.0) -> tuple[Merges, int]:
    """List the merges of a minimum spanning forest, and count its components.

    Parameters
    ----------
    forest : Forest
        The forest.
    factor : float
        Weights are multiplied by it.
    """
    order, w = sort_edges(forest.w * factor, maximum=False)
    w = w[: np.searchsorted(w, np.inf)]
    u, v = forest.u[order[: w.size]], forest.v[order[: w.size]]
    missing = forest.n - 1 - w.size
    if missing:
        labels = label_components(forest.n, u, v)
        _, smallest, sizes = np.unique(labels, return_index=True, return_counts=True)
        ends = smallest[np.argsort(-sizes, kind="stable")].astype(u.dtype)
        u, v = np.concatenate([u, ends[:-1]]), np.concatenate([v, ends[1:]])
        w = np.concatenate([w, np.full(missing, np.inf)])
    return Merges(u, v, w), missing + 1
