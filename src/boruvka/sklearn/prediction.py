"""Results of HDBSCAN after its fit: labels of new points, exemplars and memberships.

Source: L. McInnes, J. Healy, S. Astels, "hdbscan: Hierarchical density based clustering", JOSS 2 (2017):
``approximate_predict``, ``exemplars_``, ``all_points_membership_vectors``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from sklearn.metrics import pairwise_distances

from boruvka.sklearn.inputs import NEIGHBORS_AT_ONCE, neighbors_with_weight
from boruvka.trees.clusters.condensed_tree import CondensedTree
from boruvka.trees.clusters.selection import largest_densities, memberships_at, owners, share

TINY = 1e-8
"""Small number that is added to densities, as in ``hdbscan``, so that no density is 0."""


@dataclass(eq=False)
class Predictor:
    """Labels for new points: each gets the label of the point nearest by mutual reachability distance."""

    points: NDArray[np.float64]
    """The points of the fit."""
    weight: NDArray[Any]
    """Their weights."""
    core: NDArray[np.float64]
    """Their core distances."""
    min_samples: int
    alpha: float
    metric: Any
    metric_params: Mapping[str, Any]
    n_jobs: int

    @cached_property
    def _search(self) -> Any:
        from sklearn.neighbors import NearestNeighbors

        params = dict(self.metric_params)
        search = NearestNeighbors(
            metric=self.metric,
            p=params.pop("p", 2),
            metric_params=params or None,
            # the threads of this metric share a buffer in scikit-learn, and distances are wrong
            n_jobs=1 if self.metric == "mahalanobis" else self.n_jobs,
        )
        return search.fit(self.points[self._order])

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """The points sorted by coordinates: ties of a search do not depend on their order in the fit."""
        return np.lexsort((self.weight, *self.points.T))

    def distances(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the distances of points by the metric of the fit."""
        return pairwise_distances(a, b, metric=self.metric, **self.metric_params)

    def predict(
        self, x: NDArray[np.float64], tree: CondensedTree, least: float
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return labels and strengths of membership of new points.

        Parameters
        ----------
        x : (k, d) array
            The new points.
        tree : CondensedTree
            The tree of the points of the fit, with selected clusters and their labels.
        least : float
            Minimum density at which points of the root alone are in its cluster; they are noise below it.
        """
        labels, strengths = np.empty(len(x), np.int64), np.empty(len(x))
        # Points that are close to each other follow each other: they need the same parts of the tree.
        order = cKDTree(x, balanced_tree=False, compact_nodes=False).indices if len(x) else np.arange(0)
        weight, most = self.weight[self._order], 2 * self.min_samples
        for found, distance, near in neighbors_with_weight(self._search, x[order], weight, most, most):
            rows = order[found]
            cluster, density = self._join(tree, distance, self._order[near])
            owner, strengths[rows] = memberships_at(tree, least, cluster, density)
            labels[rows] = np.where(owner < 0, -1, tree.label[owner])
        return labels, strengths

    def _join(
        self, tree: CondensedTree, distance: NDArray[np.float64], near: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the cluster of the tree that new points join, and the density, from their neighbors."""
        reach = np.maximum(distance / self.alpha, self.core[near])
        weight = self.weight[near]
        samples = np.cumsum(weight, axis=1)
        reach[samples - weight >= 2 * self.min_samples] = np.inf  # not among the neighbors
        if self.min_samples > 1:  # a point is the first of its own samples
            own = (samples >= self.min_samples - 1).argmax(axis=1)[:, None]
            reach = np.maximum(reach, np.take_along_axis(distance, own, axis=1))
        best = reach.argmin(axis=1)[:, None]
        with np.errstate(divide="ignore"):
            density = 1 / np.take_along_axis(reach, best, axis=1)[:, 0]
        nearest = np.take_along_axis(near, best, axis=1)[:, 0]
        cluster = tree.cluster[nearest]
        above = tree.departure[nearest] > density
        while (above := above & (cluster > 0) & (tree.birth[cluster] >= density)).any():
            cluster[above] = tree.parent[cluster[above]]  # to the cluster with points of this density
        return cluster, density


def exemplars(tree: CondensedTree, labels: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """List, for each cluster, the points that stay longest in the leaves of the tree below it."""
    is_leaf = np.bincount(tree.parent[1:], minlength=tree.parent.size) == 0
    longest = np.zeros(tree.parent.size)
    np.maximum.at(longest, tree.cluster, tree.departure)
    found = is_leaf[tree.cluster] & (tree.departure == longest[tree.cluster]) & (labels >= 0)
    points = np.flatnonzero(found)
    order = points[np.argsort(labels[points], kind="stable")]
    clusters = labels.max(initial=-1) + 1
    return np.split(order, np.searchsorted(labels[order], np.arange(1, clusters)))[:clusters]


def memberships(
    points: NDArray[np.float64], tree: CondensedTree, labels: NDArray[np.int64], top: int, metric: Any
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Find, for each point, the clusters to which it belongs most, and how strongly.

    The strength is a product: of the inverse distance to the nearest exemplar of the cluster; of a score,
    ``exp(-largest / merge)``, of the density at which the last cluster of the point merges with it, beside
    the largest density there; both divided by their sums over clusters; and of the probability that the point
    is in any cluster: the density at which it first merges with one, beside the largest there. Of clusters
    that it merges with at the same density, as noise does, the one with the largest probability counts.
    """
    typical = exemplars(tree, labels)
    if not typical:
        return np.empty((len(points), 0), np.int64), np.empty((len(points), 0))
    first = np.cumsum([0, *(len(each) for each in typical[:-1])])
    centres, largest = points[np.concatenate(typical)], largest_densities(tree)
    of_selected = np.empty(len(typical))
    of_selected[tree.label[tree.label >= 0]] = largest[tree.label >= 0]
    heights = MergeDensities(tree)
    top = min(top, len(typical))
    chosen, strengths = np.empty((len(points), top), np.int64), np.empty((len(points), top))
    rows = max(NEIGHBORS_AT_ONCE // len(centres), 1)
    for begin in range(0, len(points), rows):
        here = slice(begin, begin + rows)
        departure, cluster = tree.departure[here], tree.cluster[here]
        near = np.minimum.reduceat(metric(points[here], centres), first, axis=1)
        merge = heights.of(cluster, departure)
        inside = merge.max(axis=1, keepdims=True)
        least = np.where(merge == inside, of_selected, np.inf).min(axis=1)  # of those it merges with first
        inside = share(inside[:, 0], np.maximum(least, departure))
        score = np.exp(-ratio(largest[cluster, None] + TINY, merge))
        strength = ratio(near.min(axis=1, keepdims=True), near) * np.exp(score)
        strength *= (inside / strength.sum(axis=1))[:, None]
        order = np.argsort(-strength, axis=1, kind="stable")[:, :top]
        chosen[here], strengths[here] = order, np.take_along_axis(strength, order, axis=1)
    return chosen, strengths


def ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide, where 0 / 0 and inf / inf are 1."""
    with np.errstate(divide="ignore", over="ignore"):
        return np.divide(a, b, out=np.ones(b.shape), where=a != b)


class MergeDensities:
    """The densities at which clusters of a tree merge with the selected ones, in the order of labels."""

    def __init__(self, tree: CondensedTree):
        self._tree, self._owner, label = tree, owners(tree), tree.label
        self._first, count = tree.side_by_side((label >= 0).astype(np.int64))
        self._stop = self._first + count
        chosen = np.flatnonzero(label >= 0)
        self._place = np.empty(chosen.size, np.int64)  # of a label, from left to right
        self._place[label[chosen]] = self._first[chosen]

    def of(self, cluster: NDArray[np.int64], departure: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return a row for each point; its departure stands where one of both contains the other."""
        owner = self._owner[cluster]
        found, row = np.unique(np.where(owner < 0, cluster, owner), return_inverse=True)
        merge = np.stack([self._row(c) for c in found.tolist()])[row]
        return np.where(np.isnan(merge), departure[:, None], merge)[:, self._place]

    def _row(self, c: int) -> NDArray[np.float64]:
        parent, birth, first, stop = self._tree.parent, self._tree.birth, self._first, self._stop
        row = np.full(self._place.size, np.nan)
        while c > 0:
            above = parent[c]
            for begin, end in (first[above], first[c]), (stop[c], stop[above]):
                row[begin:end] = birth[c]
            c = above
        return row
