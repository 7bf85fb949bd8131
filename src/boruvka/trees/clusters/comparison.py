"""Clusters of HDBSCAN for several values of ``min_cluster_size``, from one spanning tree, and their quality.

The spanning tree does not depend on ``min_cluster_size``: each value takes a
condensed tree and a selection of its own, in time linear in the number of points.

Sources: D. Moulavi et al., "Density-based clustering validation", SDM 2014, whose index `relative_validity`
computes from the minimum spanning tree; L. McInnes, J. Healy, S. Astels, "hdbscan: Hierarchical density based
clustering", JOSS 2 (2017), whose ``cluster_persistence_`` `persistences` computes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import GraphError
from boruvka.runtime.arguments import integers
from boruvka.runtime.libraries import pd, pl, require
from boruvka.trees.acyclic_edges import AcyclicEdges
from boruvka.trees.clusters.condensed_tree import CondensedTree, condense
from boruvka.trees.clusters.selection import Selection, label, select, stabilities
from boruvka.trees.clusters.single_linkage_tree import Merges, merges_of
from boruvka.trees.structure import check_distances

COLUMNS = "min_cluster_size", "n_clusters", "noise", "persistence", "validity"


@dataclass(frozen=True, eq=False, repr=False)
class ClusterComparison:
    """Clusters for several values of ``min_cluster_size``; printed, it is a table with a row for each value.

    Attributes
    ----------
    min_cluster_size : (k,) array of int64
        The values, in the given order.
    n_clusters : (k,) array of int64
        Number of clusters.
    noise : (k,) array of float64
        Share of the points that is noise, by weight; of points that are finite.
    persistence : (k,) array of float64
        Mean of `boruvka.sklearn.HDBSCAN.cluster_persistence_`; 0 without clusters.
    validity : (k,) array of float64
        `boruvka.sklearn.HDBSCAN.relative_validity_`: the larger, the denser and the better separated are
        clusters; 0 without clusters. Small fragments of clusters often have the highest value.
    labels : (k, n) array of int64
        The cluster of each point, a row for each value; -1 for noise.
    probabilities : (k, n) array of float64
        `boruvka.sklearn.HDBSCAN.probabilities_`: how strongly each point belongs to its cluster; 0 for noise.
    """

    min_cluster_size: NDArray[np.int64]
    n_clusters: NDArray[np.int64]
    noise: NDArray[np.float64]
    persistence: NDArray[np.float64]
    validity: NDArray[np.float64]
    labels: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for each value, and all columns that have one value each."""
        return pd.DataFrame({name: getattr(self, name) for name in COLUMNS})

    def plot(self, **options: Any) -> Any:
        """Draw the columns over ``min_cluster_size``, below each other, by pandas; return their axes.

        Options are those of `pandas.DataFrame.plot`. Pandas and matplotlib must be installed.
        """
        require("matplotlib", "plot")
        frame = self.to_pandas().set_index("min_cluster_size").sort_index()
        how = {"subplots": True, "logx": True, "marker": "o"} | options
        axes = frame.plot(**{"legend": not how["subplots"]} | how)
        for ax in axes if how["subplots"] else ():
            ax.set_ylabel(name := ax.lines[0].get_label())
            ax.margins(y=0.1)
            ax.yaxis.get_major_locator().set_params(integer=name == "n_clusters", min_n_ticks=1)
        return axes

    def to_polars(self) -> pl.DataFrame:
        """Return the same as a frame of polars."""
        return pl.DataFrame({name: getattr(self, name) for name in COLUMNS})

    def __repr__(self) -> str:
        columns = [[name, *(f"{x:.3f}" for x in getattr(self, name))] for name in COLUMNS[2:]]
        columns[:0] = [[name, *map(str, getattr(self, name).tolist())] for name in COLUMNS[:2]]
        rows = zip(*columns, strict=True)
        return "\n".join("  ".join(map(str.rjust, row, map(len, COLUMNS))) for row in rows)


def compare_clusters(
    merges: Merges,
    min_cluster_size: Iterable[int],
    weight: NDArray[Any],
    core: NDArray[np.float64],
    how: Selection,
) -> ClusterComparison:
    """Find the clusters of a spanning tree for each value of ``min_cluster_size``.

    Parameters
    ----------
    merges : Merges
        The spanning tree.
    min_cluster_size : iterable of int
        The values, at least 2, in any order.
    weight, core : (n,) arrays
        Number of equal points that each point stands for, and the distance at which these merge.
    how : Selection
        The options of the selection.
    """
    values = integers("min_cluster_size", min_cluster_size, 2)
    linkage, n_clusters = merges.linkage(), np.empty(len(values), np.int64)
    noise, mean, validity = np.empty((3, len(values)))
    labels = np.empty((len(values), weight.size), np.int64)
    strengths = np.empty(labels.shape)
    for i, size in enumerate(values):
        tree, labels[i], strengths[i] = label(select(condense(linkage, size, weight, core), how), how)
        persistence = persistences(tree, labels[i])
        n_clusters[i] = persistence.size
        noise[i] = weight[labels[i] < 0].sum() / weight.sum()
        mean[i] = persistence.mean() if persistence.size else 0
        validity[i] = relative_validity(merges, labels[i], weight, core)
    return ClusterComparison(np.array(values, np.int64), n_clusters, noise, mean, validity, labels, strengths)


def compare_clusters_of(
    forest: AcyclicEdges, min_cluster_size: Iterable[int], how: Selection
) -> ClusterComparison:
    """Implement `Forest.hdbscan`."""
    structure = forest.structure
    if structure.n < 2:
        raise GraphError(f"hdbscan needs at least two vertices, this forest has {structure.n}")
    if structure.maximum:
        raise GraphError(
            "hdbscan needs distances, and this is a maximum spanning forest: solve for the minimum"
        )
    structure.check_no_cycle(structure.size, forest.labels)
    advice = ": add a number to all weights, or take clusters from cut or cut_at"
    check_distances(structure.w, forest.edge_text, "hdbscan needs distances", advice)
    weight, core = np.ones(forest.n, np.int64), np.full(forest.n, np.inf)
    return compare_clusters(merges_of(forest)[0], min_cluster_size, weight, core, how)


def persistences(tree: CondensedTree, labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Compute the stability of each labelled cluster, as a share of the largest that its points could have.

    That is their weight times the largest density in the tree; the share is 1 where this density is infinite.
    """
    sizes = np.bincount(labels + 1, tree.weight)[1:]
    chosen = np.flatnonzero(tree.label >= 0)
    stability = np.empty(sizes.size)
    stability[tree.label[chosen]] = stabilities(tree)[chosen]
    largest = tree.departure.max(initial=0)
    return stability / (sizes * largest) if 0 < largest < np.inf else np.ones(sizes.size)


def relative_validity(
    merges: Merges, labels: NDArray[np.int64], weight: NDArray[Any], core: NDArray[np.float64]
) -> float:
    """Compute the index of density-based clustering validation from the edges of the spanning tree.

    Components, which merge at an infinite distance, have no edge between them. A point of a larger weight
    than 1 stands for equal points, with edges of its core distance.
    """
    sizes = np.bincount(labels + 1, weight)[1:]
    edges = np.isfinite(merges.height)
    scale = -np.frexp(merges.height[edges].max(initial=0))[1]  # only ratios count: no sum overflows
    a, b, length = labels[merges.u[edges]], labels[merges.v[edges]], np.ldexp(merges.height[edges], scale)
    inside, between = (a == b) & (a >= 0), (a != b) & (a >= 0) & (b >= 0)
    sparseness, separation = np.zeros(sizes.size), np.full(sizes.size, np.inf)
    np.maximum.at(sparseness, a[inside], length[inside])
    copies = (labels >= 0) & (weight > 1) & np.isfinite(core)  # copies may be components, too
    np.maximum.at(sparseness, labels[copies], np.ldexp(core[copies], scale))
    for end in a, b:
        np.minimum.at(separation, end[between], length[between])
    longest = length.max(initial=0)
    if sizes.size == 1:  # as if the nearest noise were a cluster
        longest = length[(a >= 0) != (b >= 0)].min(initial=longest)
    separation[np.isinf(separation)] = 2 * longest
    larger = np.maximum(separation, sparseness)
    index = np.divide(separation - sparseness, larger, out=np.zeros_like(larger), where=larger > 0)
    return float(np.clip(index @ sizes / weight.sum(), -1, 1))
