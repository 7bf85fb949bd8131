"""Selection of clusters from a condensed tree; labels, probabilities and outlier scores of points.

Idea: the stability of a cluster, its excess of mass, is the sum over its points of the density at which each
leaves minus the density at the birth of the cluster. Either a cluster or some of its descendants are
selected, so that the sum of stabilities is largest [1]_. Or all leaves are selected. Clusters closer than
``cluster_selection_epsilon`` are replaced by their first ancestor that was born at a greater distance [2]_.
The outlier score of a point (GLOSH) compares its density with the largest in its cluster [3]_. A cluster
comes after its parent, so each step is one pass over the clusters, up or down the tree.

.. [1] R. J. G. B. Campello, D. Moulavi, J. Sander, PAKDD 2013, 160-172: section 4.
.. [2] C. Malzer, M. Baum, "A hybrid approach to hierarchical density-based cluster selection", MFI 2020.
.. [3] R. J. G. B. Campello, D. Moulavi, A. Zimek, J. Sander, "Hierarchical density estimates for data
       clustering, visualization, and outlier detection", TKDD 10 (2015): definition 7.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.kernels.kernel import kernel
from boruvka.runtime.arguments import flag, integer, one_of, real
from boruvka.trees.clusters.condensed_tree import CondensedTree


class Selection(NamedTuple):
    """Options of the selection of clusters; see `boruvka.sklearn.HDBSCAN`."""

    cluster_selection_method: str
    cluster_selection_epsilon: float
    allow_single_cluster: bool
    max_cluster_size: int | None

    def checked(self) -> Selection:
        """Return the options, or raise an error about one of them."""
        most = self.max_cluster_size
        if type(most) is int and most == 0:  # no limit in the hdbscan library
            raise OptionError("max_cluster_size must be at least 1; for no limit write None, or leave it out")
        return Selection(
            one_of("cluster_selection_method", self.cluster_selection_method, ("eom", "leaf")),
            real("cluster_selection_epsilon", self.cluster_selection_epsilon, 0, np.inf),
            flag("allow_single_cluster", self.allow_single_cluster),
            None if most is None else integer("max_cluster_size", most, 1),
        )


def select(tree: CondensedTree, how: Selection) -> CondensedTree:
    """Return the tree with its clusters selected."""
    selected = np.zeros(tree.parent.size, bool)
    if how.cluster_selection_method == "leaf":
        selected[:] = np.bincount(tree.parent[1:], minlength=selected.size) == 0
        selected[0] = False
    else:
        largest = tree.size[0] if how.max_cluster_size is None else tree.size.dtype.type(how.max_cluster_size)
        sizes = tree.size.copy()
        sizes[0] = tree.size[tree.parent == 0].sum()  # as in scikit-learn: without points that leave before
        below = np.zeros(selected.size)
        _excess_of_mass(tree.parent, stabilities(tree), sizes, largest, below, selected)
        if not how.allow_single_cluster:
            selected[0] = False
        _deselect_descendants(tree.parent, selected, np.zeros(selected.size, bool))
    if (epsilon := how.cluster_selection_epsilon) > 0 and not selected[0]:
        with np.errstate(divide="ignore"):
            distance = 1 / tree.birth
        close = selected & (distance < epsilon)
        ancestor = np.zeros(selected.size, np.int64)
        _find_distant_ancestors(tree.parent, distance, epsilon, how.allow_single_cluster, ancestor)
        selected &= ~close
        selected[ancestor[close]] = True
    return replace(tree, selected=selected)


def stabilities(tree: CondensedTree) -> NDArray[np.float64]:
    """Compute the stability of each cluster; the excess of one infinite density over another is 0."""
    parent, clusters = tree.parent[1:], tree.parent.size
    with np.errstate(invalid="ignore"):
        of_points = tree.departure - tree.birth[tree.cluster]
        of_clusters = (tree.birth[1:] - tree.birth[parent]) * tree.size[1:]
    for excess in of_points, of_clusters:
        excess[np.isnan(excess)] = 0
    total = np.zeros(clusters)
    total += np.bincount(tree.cluster, of_points * tree.weight, clusters)
    total += np.bincount(parent, of_clusters, clusters)
    return total


def label(
    tree: CondensedTree, how: Selection
) -> tuple[CondensedTree, NDArray[np.int64], NDArray[np.float64]]:
    """Label points with their selected cluster, -1 for noise, and compute their membership probabilities.

    Clusters are numbered in the order of their smallest points. Also return the tree with the labels of its
    clusters, and the numbers of their points.
    """
    owner, probabilities = memberships_at(tree, least_density(tree, how), tree.cluster, tree.departure)
    members, smallest = np.flatnonzero(owner >= 0), np.full(tree.parent.size, owner.size)
    np.minimum.at(smallest, owner[members], members)
    order = np.argsort(smallest)[: np.count_nonzero(smallest < owner.size)]
    label = np.full(tree.parent.size, -1)
    label[order] = np.arange(order.size)
    labelled = np.bincount(owner[members], tree.weight[members], label.size)
    tree = replace(tree, label=label, labelled=labelled)
    return tree, np.where(owner < 0, -1, label[owner]), probabilities


def memberships_at(
    tree: CondensedTree, least: float, cluster: NDArray[np.int64], density: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find the selected cluster of points in clusters of the tree, -1 for noise, and their membership in it.

    If only the root is selected, points that leave it before it splits or ends, or at a distance above
    epsilon, are noise: those below the density ``least`` (see `least_density`).
    """
    owner = owners(tree)[cluster]
    owner[(owner == 0) & ~(density >= least)] = -1
    return owner, np.where(owner < 0, 0.0, share(density, largest_densities(tree)[owner]))


def owners(tree: CondensedTree) -> NDArray[np.int64]:
    """Find the selected cluster that contains each cluster, -1 if there is none."""
    owner = np.empty(tree.parent.size, np.int64)
    _find_owners(tree.parent, tree.selected, owner)
    return owner


def least_density(tree: CondensedTree, how: Selection) -> float:
    """Return the density below which points of the root are noise: all are if other clusters are selected."""
    if np.count_nonzero(tree.selected) > 1:
        return np.nan
    epsilon = how.cluster_selection_epsilon
    return 1 / epsilon if epsilon > 0 else float(largest_densities(tree)[0])


def outlier_scores(tree: CondensedTree) -> NDArray[np.float64]:
    """Compute the outlier score of each point, from 0 to 1."""
    density = largest_densities(tree)
    _raise_parents(tree.parent, density)
    return 1 - share(tree.departure, density[tree.cluster])


def largest_densities(tree: CondensedTree) -> NDArray[np.float64]:
    """Find the largest density of each cluster: that at which its last points leave or it splits."""
    density = np.zeros(tree.parent.size)
    np.maximum.at(density, tree.cluster, tree.departure)
    np.maximum.at(density, tree.parent[1:], tree.birth[1:])
    return density


def share(density: NDArray[np.float64], largest: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide densities by the largest of their clusters; at most 1, and 1 where both are infinite or 0."""
    return np.divide(density, largest, out=np.ones(density.size), where=density < largest)


@kernel
def _excess_of_mass(parent, stability, size, largest, below, selected):
    """Select clusters that are as stable as the best below them and not too large, from the leaves up."""
    for c in range(parent.size - 1, -1, -1):
        selected[c] = below[c] <= stability[c] and size[c] <= largest
        if c > 0:
            below[parent[c]] += stability[c] if selected[c] else below[c]


@kernel
def _deselect_descendants(parent, selected, covered):
    """Deselect clusters below selected ones."""
    for c in range(1, parent.size):
        covered[c] = covered[parent[c]] or selected[parent[c]]
        selected[c] = selected[c] and not covered[c]


@kernel
def _find_distant_ancestors(parent, distance, epsilon, allow_single_cluster, ancestor):
    """Find the first ancestor of each cluster that was born at a distance above epsilon.

    If there is none: the root if a single cluster is allowed, else the last ancestor below the root.
    """
    for c in range(1, parent.size):
        p = parent[c]
        if p == 0:
            ancestor[c] = 0 if allow_single_cluster else c
        else:
            ancestor[c] = p if distance[p] > epsilon else ancestor[p]


@kernel
def _find_owners(parent, selected, owner):
    """Find the selected cluster that contains each cluster, -1 if there is none."""
    owner[0] = 0 if selected[0] else -1
    for c in range(1, parent.size):
        owner[c] = c if selected[c] else owner[parent[c]]


@kernel
def _raise_parents(parent, density):
    """Raise the density of each cluster to the largest of its descendants."""
    for c in range(parent.size - 1, 0, -1):
        density[parent[c]] = max(density[parent[c]], density[c])
