"""The condensed tree of HDBSCAN: clusters of single linkage that have at least ``min_cluster_size`` points.

Idea: from the root down, as the distance shrinks, a cluster of single linkage either loses points and small
clusters or splits into two that are large enough. Only such a split makes new clusters; everything else
leaves the cluster [1]_. A density is ``lambda = 1 / distance``. Merges are visited from the last to the
first, so a cluster comes before its parts, and one pass over the linkage matrix suffices.

Merges at equal distances are one merge of many parts, as [1]_ demands of edges of equal weight. So the tree
does not depend on the order of points. Ties are common, because core distances make many edges equal.
Libraries that split one part at a time differ there: a point between two clusters, which is noise here, joins
one of them.

.. [1] L. McInnes, J. Healy, "Accelerated hierarchical density based clustering", ICDM Workshops 2017,
       33-42: section II; R. J. G. B. Campello, D. Moulavi, J. Sander, PAKDD 2013, 160-172: algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import explaining
from boruvka.runtime.libraries import pd

if TYPE_CHECKING:
    from matplotlib.axes import Axes

IN_CLUSTER = -1.0
"""Stands for the departure density of a part that has not left its cluster."""


@dataclass(frozen=True, eq=False)
class CondensedTree:
    """The clusters of `boruvka.sklearn.HDBSCAN`, numbered from the root 0 so that parents come first.

    Attributes
    ----------
    parent : (clusters,) array of int64
        Parent of each cluster, -1 for the root.
    birth : (clusters,) array of float64
        Density at which each cluster splits from its parent, 0 for the root. A density is 1 / distance.
    size : (clusters,) array
        Number, or weight, of the points of each cluster at its birth.
    cluster : (n,) array of int64
        Last cluster of each point.
    departure : (n,) array of float64
        Density at which each point leaves it.
    weight : (n,) array
        Weight of each point, 1 by default.
    selected : (clusters,) array of bool
        Whether a cluster is selected.
    label : (clusters,) array of int64
        Label of each selected cluster in ``labels_``, -1 for other clusters.
    labelled : (clusters,) array
        Number, or weight, of the points with that label: fewer than ``size`` of the root, which
        ``allow_single_cluster`` may select, and from which noise leaves.
    left_out : (k,) array of int64
        Points that are not finite: they leave the root first, and are not drawn.
    """

    parent: NDArray[np.int64]
    birth: NDArray[np.float64]
    size: NDArray[Any]
    cluster: NDArray[np.int64]
    departure: NDArray[np.float64]
    weight: NDArray[Any]
    selected: NDArray[np.bool_]
    label: NDArray[np.int64]
    labelled: NDArray[Any]
    left_out: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def to_numpy(self) -> NDArray[np.void]:
        """Return the table of the ``hdbscan`` library: one row for each point and cluster but the root.

        Returns
        -------
        array of records
            Fields parent, child, lambda_val and child_size. The points are 0 to n - 1, the root is n, and
            other clusters follow. At the density lambda_val, the child leaves its parent.
        """
        n, clusters = self.cluster.size, self.parent.size
        sizes = self.size.dtype
        dtype = [("parent", np.int64), ("child", np.int64), ("lambda_val", float), ("child_size", sizes)]
        table = np.empty(n + clusters - 1, dtype)
        table["parent"] = np.concatenate([self.cluster, self.parent[1:]]) + n
        table["child"] = np.concatenate([np.arange(n), np.arange(n + 1, n + clusters)])
        table["lambda_val"] = np.concatenate([self.departure, self.birth[1:]])
        table["child_size"] = np.concatenate([self.weight, self.size[1:]])
        return table

    def to_pandas(self) -> pd.DataFrame:
        """Return the table of `to_numpy` as a frame."""
        return pd.DataFrame(self.to_numpy())

    def side_by_side(self, least: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Place the clusters on a line, beside the others of their parent and in the middle of it.

        Parameters
        ----------
        least : (clusters,) array
            Least width of each cluster; it is as wide as its parts if these are wider.

        Returns
        -------
        begin, width : (clusters,) arrays
        """
        width, parts, free = least.copy(), np.zeros_like(least), np.zeros_like(least)
        for c in range(width.size - 1, -1, -1):
            width[c] = max(width[c], parts[c])
            if c > 0:
                parts[self.parent[c]] += width[c]
        begin = np.zeros_like(least)
        for c in range(width.size):
            if c > 0:
                begin[c] = free[self.parent[c]]
                free[self.parent[c]] += width[c]
            free[c] = begin[c] + (width[c] - parts[c]) / 2
        return begin, width

    @explaining("plot", {"select_clusters": ": selected clusters are colored"})
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the clusters as columns that become narrower as points leave.

        Selected ones are colored, each with a line to its label in ``labels_`` and its number of points,
        below the drawing; if these do not fit side by side, only those of the largest clusters are there. A
        line above the drawing says so, and how many points that are not finite are left out.
        Parts of selected clusters are pale. Clusters have the colors of a map with ``colors=labels``;
        of more than 20, small ones are grey.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes for the drawing; by default the axes of a new figure, ``ax.figure``.
        """
        from boruvka.trees.plotting.dendrogram import plot_condensed_tree

        return plot_condensed_tree(self, ax)


def condense(
    linkage: NDArray[np.float64], min_cluster_size: int, weight: NDArray[Any], core: NDArray[np.float64]
) -> CondensedTree:
    """Condense a linkage matrix; no cluster of the tree is selected.

    Parameters
    ----------
    linkage : (n - 1, 4) array of float64
        Merges in the format of ``scipy.cluster.hierarchy``.
    min_cluster_size : int
        Least number of points of a cluster, at least 2.
    weight, core : (n,) arrays
        Number of equal points that each point stands for, and the distance at which these merge.
    """
    n = linkage.shape[0] + 1
    sizes, parts = np.append(weight, np.zeros(n - 1, weight.dtype)), np.zeros(n - 1, np.int64)
    _add_sizes(linkage, min_cluster_size, sizes, core, parts)
    most = 2 * int(min(n, sizes[-1] // min_cluster_size)) + 1  # the leaves of a binary tree are disjoint
    parent, birth, size = np.full(most, -1), np.zeros(most), np.full(most, sizes[-1])
    cluster, departure = np.zeros(2 * n - 1, np.int64), np.full(2 * n - 1, IN_CLUSTER)
    count = _condense(linkage, min_cluster_size, sizes, core, parts, parent, birth, size, cluster, departure)
    selected, label, labelled = np.zeros(count, bool), np.full(count, -1), np.zeros(count)
    of_points = cluster[:n], departure[:n], sizes[:n]
    return CondensedTree(parent[:count], birth[:count], size[:count], *of_points, selected, label, labelled)


@kernel
def _add_sizes(linkage, min_cluster_size, sizes, core, parts):
    """Add up the weights of the points of each node, and count its parts that are large enough.

    Merges at one distance are one merge.
    """
    for i in range(parts.size):
        for k in range(2):
            child = int(linkage[i, k])
            sizes[parts.size + 1 + i] += sizes[child]
            if is_one_merge(i, child, linkage):
                parts[i] += parts[child - parts.size - 1]
            elif is_large(i, child, linkage, min_cluster_size, sizes, core):
                parts[i] += 1


@kernel
def _condense(linkage, min_cluster_size, sizes, core, parts, parent, birth, size, cluster, departure):
    """Find the cluster of each node of the linkage matrix, from the root down; return how many there are."""
    n = linkage.shape[0] + 1
    clusters = 1
    for i in range(n - 2, -1, -1):
        density = 1 / linkage[i, 2] if linkage[i, 2] > 0 else np.inf
        for k in range(2):
            child = int(linkage[i, k])
            cluster[child], departure[child] = cluster[n + i], departure[n + i]
            if departure[n + i] >= 0:
                continue
            if is_one_merge(i, child, linkage):
                parts[child - n] = parts[i]
                continue
            if not is_large(i, child, linkage, min_cluster_size, sizes, core):
                departure[child] = density
                continue
            if parts[i] > 1:
                parent[clusters], birth[clusters], size[clusters] = cluster[n + i], density, sizes[child]
                cluster[child] = clusters
                clusters += 1
            if child < n:  # a point that stands for many, which stay together up to their core distance
                departure[child] = 1 / core[child] if core[child] > 0 else np.inf
    return clusters


def is_one_merge(i, child, linkage):
    """Return whether merge i is at the same distance as the one that made its child."""
    n = linkage.shape[0] + 1
    return child >= n and linkage[child - n, 2] == linkage[i, 2]


def is_large(i, child, linkage, min_cluster_size, sizes, core):
    """Return whether a child of merge i has enough points; those that one point stands for merge before i."""
    n = linkage.shape[0] + 1
    return sizes[child] >= min_cluster_size and (child >= n or core[child] < linkage[i, 2])
