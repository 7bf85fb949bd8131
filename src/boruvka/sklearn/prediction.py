"""Results of HDBSCAN after its fit: labels of new points, exemplars, and how well clusters are separated.

Sources: L. McInnes, J. Healy, S. Astels, "hdbscan: Hierarchical density based clustering", JOSS 2 (2017):
``approximate_predict``, ``exemplars_``; D. Moulavi et al., "Density-based clustering validation", SDM 2014,
whose index ``relative_validity`` computes from the minimum spanning tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.sklearn.condensed_tree import CondensedTree
from boruvka.sklearn.merges import Merges
from boruvka.sklearn.selection import largest_densities, owners

AT_ONCE = 1 << 16
"""Number of new points whose neighbours are found together, to limit the memory."""


class Predictor:
    """Labels for new points: those of the point that is nearest by mutual reachability distance.

    Parameters
    ----------
    points : (n, d) array of float64
        The points of the fit; their tree, selected clusters and labels follow.
    tree : CondensedTree
    selected : (clusters,) array of bool
    labels : (n,) array of int64
    least_density : float
        A point of the root alone is noise below it.
    min_samples : int
    alpha : float
    search : mapping
        Arguments of ``NearestNeighbors``.
    """

    def __init__(
        self,
        points: NDArray[np.float64],
        tree: CondensedTree,
        selected: NDArray[np.bool_],
        labels: NDArray[np.int64],
        least_density: float,
        min_samples: int,
        alpha: float,
        search: Mapping[str, Any],
    ):
        self._points, self._tree, self._least_density = points, tree, least_density
        self._min_samples, self._alpha, self._how = min_samples, alpha, search
        self._owner, self._density = owners(tree, selected), largest_densities(tree)
        self._label = np.full(selected.size, -1)
        known = labels >= 0
        self._label[self._owner[tree.cluster[known]]] = labels[known]

    @cached_property
    def _search(self) -> Any:
        from sklearn.neighbors import NearestNeighbors

        k = min(2 * self._min_samples, len(self._points))
        return NearestNeighbors(n_neighbors=k, **self._how).fit(self._points)

    @cached_property
    def _core(self) -> NDArray[np.float64]:
        """The core distance of each point of the fit."""
        points, samples = self._points, self._min_samples
        parts = [points[i : i + AT_ONCE] for i in range(0, len(points), AT_ONCE)]
        return np.concatenate([self._search.kneighbors(x, samples)[0][:, -1] for x in parts])

    def predict(self, x: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return labels and strengths of membership of new points."""
        parts = [self._predict(x[i : i + AT_ONCE]) for i in range(0, len(x), AT_ONCE)]
        labels, strengths = zip(*parts, strict=True)
        return np.concatenate(labels), np.concatenate(strengths)

    def _predict(self, x: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        tree = self._tree
        distance, near = self._search.kneighbors(x)
        reach = np.maximum(distance / self._alpha, self._core[near])
        if self._min_samples > 1:  # a point is the first of its own samples
            reach = np.maximum(reach, distance[:, self._min_samples - 2, None])
        best = reach.argmin(axis=1)[:, None]
        with np.errstate(divide="ignore"):
            density = 1 / np.take_along_axis(reach, best, axis=1)[:, 0]
        nearest = np.take_along_axis(near, best, axis=1)[:, 0]
        cluster = tree.cluster[nearest]
        above = tree.departure[nearest] > density
        while (above := above & (cluster > 0) & (tree.birth[cluster] >= density)).any():
            cluster[above] = tree.parent[cluster[above]]  # that to which a point of this density belongs
        owner = self._owner[cluster]
        is_noise = (owner < 0) | ((owner == 0) & ~(density >= self._least_density))
        labels = np.where(is_noise, -1, self._label[owner])
        largest = self._density[owner]
        share = np.divide(density, largest, out=np.ones_like(density), where=density < largest)
        return labels, np.where(is_noise, 0.0, share)


def exemplars(
    tree: CondensedTree, selected: NDArray[np.bool_], labels: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """List, for each cluster, the points that stay longest in the leaves of the tree below it."""
    is_leaf = np.bincount(tree.parent[1:], minlength=selected.size) == 0
    longest = np.zeros(selected.size)
    np.maximum.at(longest, tree.cluster, tree.departure)
    found = is_leaf[tree.cluster] & (tree.departure == longest[tree.cluster]) & (labels >= 0)
    points = np.flatnonzero(found)
    order = points[np.argsort(labels[points], kind="stable")]
    return np.split(order, np.searchsorted(labels[order], np.arange(1, labels.max(initial=-1) + 1)))


def relative_validity(merges: Merges, labels: NDArray[np.int64]) -> float:
    """Compute the index of density-based clustering validation from the edges of the spanning tree."""
    sizes = np.bincount(labels + 1)[1:]
    a, b, length = labels[merges.u], labels[merges.v], merges.height
    inside, between = (a == b) & (a >= 0), (a != b) & (a >= 0) & (b >= 0)
    sparseness, separation = np.zeros(sizes.size), np.full(sizes.size, np.inf)
    np.maximum.at(sparseness, a[inside], length[inside])
    for end in a, b:
        np.minimum.at(separation, end[between], length[between])
    longest = length.max(initial=0)
    if sizes.size == 1:  # as if the nearest noise were a cluster
        longest = length[(a >= 0) != (b >= 0)].min(initial=longest)
    separation[np.isinf(separation)] = 2 * longest
    larger = np.maximum(separation, sparseness)
    index = np.divide(separation - sparseness, larger, out=np.zeros_like(larger), where=larger > 0)
    return float(index @ sizes / labels.size)
