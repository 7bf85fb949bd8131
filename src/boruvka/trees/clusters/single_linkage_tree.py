"""Merges of single linkage of a graph with any number of components: in order, as a table, frame and picture.

The edges of the minimum spanning forest, from the lightest to the heaviest, are the merges (see
`boruvka.Forest.linkage`). Components then merge at an infinite distance, from the largest to the smallest:
so, seen from the root, those that are too small to be clusters leave first. An infinite distance counts as
missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import without_warnings
from boruvka.graph.connected_components import label_components
from boruvka.graph.labels import index_names
from boruvka.runtime.arguments import as_dendrogram, elsewhere
from boruvka.runtime.libraries import pd
from boruvka.trees.acyclic_edges import AcyclicEdges
from boruvka.trees.path_maxima import sort_edges
from boruvka.trees.queries.single_linkage import linkage_of_tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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


def merges_of(forest: AcyclicEdges, factor: float = 1.0) -> tuple[Merges, int]:
    """List the merges of a minimum spanning forest, and count its components.

    Parameters
    ----------
    forest : AcyclicEdges
        A minimum spanning forest.
    factor : float
        Weights are multiplied by it.
    """
    lengths = (forest.w * factor).astype(np.float64)
    order = sort_edges(lengths, maximum=False)[0]
    w = lengths[order]
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


@dataclass(frozen=True, eq=False)
class SingleLinkageTree:
    """The merges of points, from the lightest to the heaviest.

    Attributes
    ----------
    linkage : (n - 1, 4) array of float64
        The merges, in the format of ``scipy.cluster.hierarchy``: two clusters, their distance, and the number
        of points of both. The points are 0 to n - 1, merge i makes the cluster n + i.
    left_out : (k,) array of int64
        Points that are not finite: they merge last, and are not drawn.
    index : column, or index of pandas, optional
        The names of points in the drawing; by default these are numbers.
    unit : str
        The unit of the distances in the drawing.
    """

    linkage: NDArray[np.float64]
    left_out: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    index: Any = None
    unit: str = ""

    get_clusters = elsewhere("write model.dbscan_clustering(cut_distance, min_cluster_size)")

    def to_numpy(self) -> NDArray[np.float64]:
        """Return the merges as an array."""
        return self.linkage

    def to_pandas(self) -> pd.DataFrame:
        """Return the merges as a frame: parent, left_child, right_child, distance, size."""
        left, right, distance, size = self.linkage.T
        children = {"left_child": left.astype(np.int64), "right_child": right.astype(np.int64)}
        parent = np.arange(left.size) + left.size + 1
        columns = {"parent": parent, **children, "distance": distance, "size": size.astype(np.int64)}
        return pd.DataFrame(columns)

    @as_dendrogram
    def plot(
        self, *, leaves: int = 30, height: float | None = None, min_size: int = 1, ax: Axes | None = None
    ) -> Axes:
        """Draw the dendrogram of finite points, as `boruvka.Forest.plot_dendrogram` does."""
        from boruvka.trees.plotting.dendrogram import plot_dendrogram

        n, count = len(self.linkage) + 1, self.left_out.size
        rows, drawn = np.delete(np.arange(n), self.left_out), self.linkage[: n - 1 - count].copy()
        ends = drawn[:, :2]
        drawn[:, :2] = np.where(ends < n, np.searchsorted(rows, ends), ends - count)
        with without_warnings():  # of labels that are there twice
            names = index_names(self.index) or range(n)
        how: Any = {"leaves": leaves, "height": height, "min_size": min_size, "ax": ax, "left_out": count}
        how["weight"] = "distance" + f" ({self.unit})" * bool(self.unit)
        return plot_dendrogram(drawn, lambda i: str(names[rows[i]]), **how)
