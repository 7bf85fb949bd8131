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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel

IN_CLUSTER = -1.0
"""Stands for the departure density of a part that has not left its cluster."""


class CondensedTree(NamedTuple):
    """The clusters, numbered from the root 0 so that parents come first, and the points."""

    parent: NDArray[np.int64]
    """Parent of each cluster, -1 for the root."""
    birth: NDArray[np.float64]
    """Density at which each cluster splits from its parent, 0 for the root."""
    size: NDArray[np.int64]
    """Number of points of each cluster at its birth."""
    cluster: NDArray[np.int64]
    """Last cluster of each point."""
    departure: NDArray[np.float64]
    """Density at which each point leaves it."""

    def as_table(self) -> NDArray[np.void]:
        """Make the table of the ``hdbscan`` library: one row for each point and cluster but the root.

        The root has the number n, and other clusters follow.
        """
        n, clusters = self.cluster.size, self.parent.size
        dtype = [("parent", np.int64), ("child", np.int64), ("lambda_val", float), ("child_size", np.int64)]
        table = np.empty(n + clusters - 1, dtype)
        table["parent"] = np.concatenate([self.cluster, self.parent[1:]]) + n
        table["child"] = np.concatenate([np.arange(n), np.arange(n + 1, n + clusters)])
        table["lambda_val"] = np.concatenate([self.departure, self.birth[1:]])
        table["child_size"] = np.concatenate([np.ones(n, np.int64), self.size[1:]])
        return table


def condense(linkage: NDArray[np.float64], min_cluster_size: int) -> CondensedTree:
    """Condense a linkage matrix.

    Parameters
    ----------
    linkage : (n - 1, 4) array of float64
        Merges in the format of ``scipy.cluster.hierarchy``.
    min_cluster_size : int
        Least number of points of a cluster, at least 2.
    """
    n = linkage.shape[0] + 1
    most = 2 * (n // min_cluster_size) + 1  # the leaves of a binary tree are disjoint
    parent, birth, size = np.full(most, -1), np.zeros(most), np.full(most, n)
    cluster, departure = np.zeros(2 * n - 1, np.int64), np.full(2 * n - 1, IN_CLUSTER)
    parts = np.zeros(n - 1, np.int64)
    _count_large_parts(linkage, min_cluster_size, parts)
    count = _condense(linkage, min_cluster_size, parts, parent, birth, size, cluster, departure)
    return CondensedTree(parent[:count], birth[:count], size[:count], cluster[:n], departure[:n])


@kernel
def _count_large_parts(linkage, min_cluster_size, parts):
    """Count the large enough parts of each node; merges at one distance are one merge."""
    for i in range(parts.size):
        for k in range(2):
            child = int(linkage[i, k])
            if is_one_merge(i, child, linkage):
                parts[i] += parts[child - parts.size - 1]
            elif size_of(child, linkage) >= min_cluster_size:
                parts[i] += 1


@kernel
def _condense(linkage, min_cluster_size, parts, parent, birth, size, cluster, departure):
    """Find the cluster of each node of the linkage matrix, from the root down; return how many there are."""
    n = linkage.shape[0] + 1
    clusters = 1
    for i in range(n - 2, -1, -1):
        density = 1 / linkage[i, 2] if linkage[i, 2] > 0 else np.inf
        for k in range(2):
            child = int(linkage[i, k])
            count = size_of(child, linkage)
            cluster[child], departure[child] = cluster[n + i], departure[n + i]
            if departure[n + i] >= 0:
                continue
            if is_one_merge(i, child, linkage):
                parts[child - n] = parts[i]
            elif count < min_cluster_size:
                departure[child] = density
            elif parts[i] > 1:
                parent[clusters], birth[clusters], size[clusters] = cluster[n + i], density, count
                cluster[child] = clusters
                clusters += 1
    return clusters


def is_one_merge(i, child, linkage):
    """Return whether merge i is at the same distance as the one that made its child."""
    n = linkage.shape[0] + 1
    return child >= n and linkage[child - n, 2] == linkage[i, 2]


def size_of(node, linkage):
    """Return the number of points of a node."""
    n = linkage.shape[0] + 1
    return 1 if node < n else int(linkage[node - n, 3])
