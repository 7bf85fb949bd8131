"""HDBSCAN as an estimator: hierarchical density-based clustering of points or of a graph of distances.

Idea: single linkage of mutual reachability distances (`boruvka.graph.mutual_reachability`) gives a tree of
merges (`boruvka.sklearn.merges`). It is condensed to clusters of a minimum size
(`boruvka.sklearn.condensed_tree`), of which the most stable ones are selected (`boruvka.sklearn.selection`).

Source: R. J. G. B. Campello, D. Moulavi, J. Sander, "Density-based clustering based on hierarchical density
estimates", PAKDD 2013, 160-172; L. McInnes, J. Healy, "Accelerated hierarchical density based clustering",
ICDM Workshops 2017, 33-42. Conventions are those of ``sklearn.cluster.HDBSCAN``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from boruvka.errors import OptionError
from boruvka.runtime import arguments
from boruvka.sklearn.condensed_tree import condense
from boruvka.sklearn.inputs import reachability_forest, read_input, with_input_tags
from boruvka.sklearn.merges import merges_of
from boruvka.sklearn.metric import check_metric, metric_errors
from boruvka.sklearn.selection import Selection, label, outlier_scores, select

__all__ = ["HDBSCAN"]


class HDBSCAN(ClusterMixin, BaseEstimator):
    """Hierarchical density-based clustering, with the parameters of ``sklearn.cluster.HDBSCAN``.

    A sparse matrix of distances may be any graph, symmetric or not, with any number of components: for
    example, of nearest neighbours. Points in up to about ten dimensions are clustered with a kd-tree, others
    in O(n²) time and O(n) memory: for many of those, make a graph of their nearest neighbours.

    Parameters
    ----------
    min_cluster_size : int
        Least number of points of a cluster, at least 2.
    min_samples : int, optional
        The core distance of a point is its ``min_samples``-th smallest distance; by default
        ``min_cluster_size``. A point counts itself: in a sparse matrix if its diagonal entry is stored.
    cluster_selection_epsilon : float
        Clusters that split at a smaller distance are merged.
    max_cluster_size : int, optional
        Number of points above which "eom" rejects a cluster.
    metric : str or callable
        As for `SingleLinkage`. A point of a sparse matrix with fewer than ``min_samples`` entries is noise.
    metric_params : dict, optional
        Further arguments of the metric.
    alpha : float
        Distances, but not core distances, are divided by it.
    cluster_selection_method : str
        "eom" (excess of mass) or "leaf".
    allow_single_cluster : bool
        Whether all points may be one cluster.

    Attributes
    ----------
    labels_ : (n,) array of int64
        Cluster of each point, numbered from 0 in the order of their smallest points; -1 for noise.
    probabilities_ : (n,) array of float64
        How strongly each point belongs to its cluster, from 0 to 1.
    outlier_scores_ : (n,) array of float64
        GLOSH: how much less dense a point is than the densest point of its cluster, from 0 to 1.
    condensed_tree_ : array of records
        Fields parent, child, lambda_val and child_size, as in the ``hdbscan`` library: the points are 0 to
        n - 1, the root is n. At a density lambda_val, the child leaves its parent.
    single_linkage_ : (n - 1, 4) array of float64
        The merges, in the format of ``scipy.cluster.hierarchy``. Components merge at an infinite distance.

    Examples
    --------
    >>> from boruvka.sklearn import HDBSCAN
    >>> points = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.3], [20.0]]
    >>> HDBSCAN(min_cluster_size=3, min_samples=2).fit_predict(points)
    array([ 0,  0,  0,  1,  1,  1, -1])
    """

    labels_: NDArray[np.int64]
    probabilities_: NDArray[np.float64]
    outlier_scores_: NDArray[np.float64]
    condensed_tree_: NDArray[np.void]
    single_linkage_: NDArray[np.float64]

    def __init__(
        self,
        min_cluster_size: int = 5,
        min_samples: int | None = None,
        cluster_selection_epsilon: float = 0.0,
        max_cluster_size: int | None = None,
        metric: str | Callable[[Any, Any], float] = "euclidean",
        metric_params: Mapping[str, Any] | None = None,
        alpha: float = 1.0,
        cluster_selection_method: str = "eom",
        allow_single_cluster: bool = False,
    ):
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster

    def fit(self, X: Any, y: Any = None) -> HDBSCAN:
        """Cluster points, or distances if the metric is "precomputed".

        Parameters
        ----------
        X : (n, d) array_like, or (n, n) array_like or sparse array
            The points or distances.
        y : None
            Ignored.

        Returns
        -------
        HDBSCAN
            The estimator itself.
        """
        min_cluster_size, min_samples, alpha, how = self._check_parameters()
        check_metric(self)
        x = read_input(self, X)
        if min_samples > x.shape[0]:
            raise OptionError(f"min_samples is {min_samples}, more than the {x.shape[0]} points")
        with metric_errors(self):
            forest, factor = reachability_forest(x, self.metric, self.metric_params, min_samples, alpha)
        self._merges, _ = merges_of(forest, factor)
        self.single_linkage_ = self._merges.linkage()
        tree = condense(self.single_linkage_, min_cluster_size)
        self.condensed_tree_ = tree.as_table()
        self.labels_, self.probabilities_ = label(tree, select(tree, how), how)
        self.outlier_scores_ = outlier_scores(tree)
        return self

    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = 5) -> NDArray[np.int64]:
        """Label points with the clusters of single linkage below a distance: DBSCAN without border points.

        Parameters
        ----------
        cut_distance : float
            The mutual reachability distance.
        min_cluster_size : int
            Points of smaller clusters are noise.

        Returns
        -------
        (n,) array of int64
            The cluster of each point, -1 for noise.
        """
        check_is_fitted(self)
        cut_distance = arguments.real("cut_distance", cut_distance, 0, np.inf)
        min_cluster_size = arguments.integer("min_cluster_size", min_cluster_size, 1)
        merges = self._merges
        labels = merges.cut(merges.count_below(cut_distance))
        large = np.bincount(labels) >= min_cluster_size
        return np.where(large, np.cumsum(large) - 1, -1)[labels]

    def _check_parameters(self) -> tuple[int, int, float, Selection]:
        size = arguments.integer("min_cluster_size", self.min_cluster_size, 2)
        samples = size if self.min_samples is None else arguments.integer("min_samples", self.min_samples, 1)
        alpha = arguments.real("alpha", self.alpha, float(np.finfo(np.float64).tiny), np.inf)
        largest = self.max_cluster_size
        how = Selection(
            arguments.choice("cluster_selection_method", self.cluster_selection_method, ("eom", "leaf")),
            arguments.real("cluster_selection_epsilon", self.cluster_selection_epsilon, 0, np.inf),
            arguments.flag("allow_single_cluster", self.allow_single_cluster),
            None if largest is None else arguments.integer("max_cluster_size", largest, 1),
        )
        return size, samples, alpha, how

    def __sklearn_tags__(self) -> Any:
        return with_input_tags(super().__sklearn_tags__(), self.metric)
