"""Single-linkage clustering as an estimator.

The merges of single linkage are the edges of the minimum spanning forest, from the lightest to the heaviest
(J. C. Gower, G. J. S. Ross, Journal of the Royal Statistical Society C 18 (1969), 54-64).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin

from boruvka.errors import OptionError
from boruvka.runtime import arguments
from boruvka.sklearn import inputs
from boruvka.trees.clusters.single_linkage_tree import merges_of
from boruvka.trees.minimum_spanning import minimum_spanning_forest


class SingleLinkage(ClusterMixin, BaseEstimator):
    """Single-linkage clustering of points, or of a dense or sparse matrix of distances.

    The result is the same as of ``sklearn.cluster.AgglomerativeClustering(linkage="single")``, but a sparse
    matrix of distances is a graph, not a constraint. Its components merge last, at an infinite distance.

    Parameters
    ----------
    n_clusters : int or None
        Number of clusters; None if ``distance_threshold`` is given.
    metric : str or callable
        "euclidean", "sqeuclidean", "manhattan", "chebyshev", "haversine": distances are computed on demand;
        of points in up to 16 dimensions, with a kd-tree, only the few that matter. Any other metric of
        ``sklearn.metrics.pairwise_distances``: distances are computed as a matrix. "precomputed": the input
        is a matrix of distances. A dense matrix is symmetric, and every entry is a distance, even a zero;
        if one half is empty, it is filled from the other with a warning. In a sparse one, only stored
        entries are distances, even zeros; pairs that are not stored are not joined directly. If the entries
        (i, j) and (j, i) of a sparse matrix differ, the smaller counts.
    metric_params : dict, optional
        Further arguments of the metric.
    distance_threshold : float, optional
        Clusters at this distance or more are not merged; ``n_clusters`` must then be None.
    box : float or d floats, optional
        Length of a periodic box that holds the points, or one for each coordinate, infinite for an open axis:
        see `boruvka.Graph.from_points`.

    Attributes
    ----------
    labels_ : (n,) array of int64
        Cluster of each point, numbered from 0 in the order of their smallest points.
    n_clusters_ : int
        Number of clusters.
    n_connected_components_ : int
        Number of components of the graph of finite distances.
    n_leaves_ : int
        Number of points.
    children_ : (n - 1, 2) array of int64
        The clusters that merge, as in ``AgglomerativeClustering``.
    distances_ : (n - 1,) array of float64
        The distance of each merge.
    linkage_ : (n - 1, 4) array of float64
        ``children_``, ``distances_`` and the sizes of clusters, as in ``scipy.cluster.hierarchy``.

    Examples
    --------
    >>> from boruvka.sklearn import SingleLinkage
    >>> SingleLinkage(n_clusters=2).fit_predict([[0.0], [1.0], [5.0], [2.5]])
    array([0, 0, 1, 0])
    """

    labels_: NDArray[np.int64]
    n_clusters_: int
    n_connected_components_: int
    n_leaves_: int
    children_: NDArray[np.int64]
    distances_: NDArray[np.float64]
    linkage_: NDArray[np.float64]

    @arguments.explaining("SingleLinkage", {"k": ": write n_clusters={}", "linkage": ": it is single"})
    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: str | Callable[[Any, Any], float] = "euclidean",
        metric_params: Mapping[str, Any] | None = None,
        distance_threshold: float | None = None,
        box: float | Sequence[float | None] | NDArray[Any] | None = None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.metric_params = metric_params
        self.distance_threshold = distance_threshold
        self.box = box

    def fit(self, X: Any, y: Any = None) -> SingleLinkage:
        """Cluster points, or distances if the metric is "precomputed".

        Parameters
        ----------
        X : (n, d) array_like, or (n, n) array_like or sparse array
            The points or distances.
        y : None
            Ignored.

        Returns
        -------
        SingleLinkage
            The estimator itself.
        """
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise OptionError("give either n_clusters or distance_threshold, and None for the other")
        inputs.check_metric(self)
        x = inputs.read_input(self, X)
        n = x.shape[0]
        if self.n_clusters is not None:
            count = n - arguments.integer("n_clusters", self.n_clusters, 1, n)
        else:
            threshold = arguments.real("distance_threshold", self.distance_threshold, 0, np.inf)
        with inputs.metric_errors(self):
            graph = inputs.distance_graph(x, self)
        with arguments.taking():  # maximum= is no parameter
            forest = minimum_spanning_forest(graph)
        merges, self.n_connected_components_ = merges_of(forest)
        if self.n_clusters is None:
            inputs.warn_of_angle(self, "distance_threshold", threshold, merges.height)
            count = merges.count_below(threshold)
        self.labels_ = merges.cut(count)
        self.n_clusters_, self.n_leaves_ = n - count, n
        self.linkage_ = merges.linkage()
        self.children_ = self.linkage_[:, :2].astype(np.int64)
        self.distances_ = merges.height
        return self

    def __sklearn_tags__(self) -> Any:
        return inputs.with_input_tags(super().__sklearn_tags__(), self.metric)
