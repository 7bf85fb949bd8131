"""HDBSCAN as an estimator: hierarchical density-based clustering of points or of a graph of distances.

Idea: single linkage of mutual reachability distances (`boruvka.graph.mutual_reachability`) gives a tree of
merges (`boruvka.trees.clusters.single_linkage_tree`). It is condensed to clusters of a minimum size
(`boruvka.trees.clusters.condensed_tree`), of which the most stable ones are selected
(`boruvka.trees.clusters.selection`).

Source: R. J. G. B. Campello, D. Moulavi, J. Sander, "Density-based clustering based on hierarchical density
estimates", PAKDD 2013, 160-172; L. McInnes, J. Healy, "Accelerated hierarchical density based clustering",
ICDM Workshops 2017, 33-42. The estimator has the conventions of
``sklearn.cluster.HDBSCAN``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClusterMixin, clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from boruvka.algorithms.run import SolveOptions
from boruvka.errors import GraphError, OptionError, warn, without_warnings
from boruvka.graph.graph import Graph
from boruvka.graph.labels import index_names, is_pandas
from boruvka.graph.matrix import warn_of_correlations
from boruvka.graph.points.point_pairs import PointPairs
from boruvka.runtime import arguments
from boruvka.sklearn import inputs
from boruvka.sklearn.non_finite_rows import RowLabels
from boruvka.sklearn.prediction import Predictor, exemplars, memberships
from boruvka.trees.clusters import comparison
from boruvka.trees.clusters.comparison import ClusterComparison
from boruvka.trees.clusters.condensed_tree import CondensedTree, condense
from boruvka.trees.clusters.selection import Selection, label, least_density, outlier_scores, select
from boruvka.trees.clusters.single_linkage_tree import Merges, SingleLinkageTree
from boruvka.trees.forest import Forest

ALGORITHMS = {"auto": "auto", "brute": "dense", "kd_tree": "kd-tree-boruvka"}
"""Algorithms of this package by their names in scikit-learn."""
_OF_HDBSCAN = {"best": "auto", "generic": "brute", "boruvka_kdtree": "kd_tree", "prims_kdtree": "kd_tree"}
"""The same by names in the ``hdbscan`` library."""
_OTHER_NAMES = {
    "core_dist_n_jobs": ": write n_jobs",
    "p": ": write metric='minkowski', metric_params={'p': {}}",
    "eps": ": write cluster_selection_epsilon={}, or dbscan_clustering({}) of the fit for DBSCAN",
    "degrees": ": write metric='haversine', and numpy.radians(X) of latitudes and longitudes",
    **dict.fromkeys(("cluster_selection_epsilon_max", "cluster_selection_persistence"), ": leave it out"),
}
"""What to write instead of parameters of the ``hdbscan`` library."""
LEAST_WEIGHT = 0.1
"""Median of weights below which they are hardly numbers of points."""
_OF_LIBRARY = " (of the hdbscan library? Its min_samples is 1 less; see the page 'Move from hdbscan')"


def _has_points(estimator: Any) -> bool:
    if estimator.metric == "precomputed":
        raise AttributeError("new points cannot be labelled: the metric is 'precomputed'")
    if estimator.box is not None:
        raise AttributeError("points in a periodic box cannot be compared with others: leave out box")
    return True


class HDBSCAN(ClusterMixin, BaseEstimator):
    """Hierarchical density-based clustering, with the parameters of ``sklearn.cluster.HDBSCAN``.

    A sparse matrix of distances may be any graph, symmetric or not, with any number of components: for
    example, of nearest neighbours. Points in up to 16 dimensions are clustered with a kd-tree, others
    in O(n²) time and O(n) memory: for many of those, make a graph of their nearest neighbours. Sparse rows of
    points are made dense.

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
        As for `SingleLinkage`. A point of a sparse matrix with fewer than ``min_samples`` entries is noise,
        with a warning.
    metric_params : dict, optional
        Further arguments of the metric.
    alpha : float
        Distances, but not core distances, are divided by it.
    algorithm : str
        "auto"; "brute", for all pairs of points; or "kd_tree". There is no "ball_tree".
    leaf_size : int
        Accepted for compatibility, and must be 40: the kd-tree has leaves of a fixed size.
    n_jobs : int, optional
        Number of threads; None and -1 mean one per processor.
    cluster_selection_method : str
        "eom" (excess of mass) or "leaf".
    allow_single_cluster : bool
        Whether all points may be one cluster.
    store_centers : str, optional
        "centroid", "medoid" or "both": attributes to compute from points. Medoids take O(s²) time and memory
        for a cluster of s points.
    copy : bool
        Accepted for compatibility: the input is never changed.
    box : float or d floats, optional
        Length of a periodic box that holds the points, or one for each coordinate, infinite for an open axis:
        see `boruvka.Graph.from_points`. Not with ``store_centers`` or ``sample_weight``, and new points are
        not labelled.

    Attributes
    ----------
    labels_ : (n,) array of int64
        Cluster of each point, numbered from 0 in the order of their smallest points; -1 for noise
        and weight 0. A point with an infinite coordinate has the label -2, one with NaN or infinities of both
        signs -3, as in scikit-learn; these and weight 0 are left out of all that follows, and merge last.
    probabilities_ : (n,) array of float64
        Strength of the membership of each point in its cluster, from 0 to 1; 0 for -2 and weight 0, NaN
        for -3.
    outlier_scores_ : (n,) array of float64
        GLOSH: how much less dense a point is than the densest point of its cluster, from 0 to 1; 1 for -2
        and weight 0, NaN for -3.
    minimum_spanning_tree_ : boruvka.Forest
        The minimum spanning tree of mutual reachability distances, a vertex for each point, with the names
        that the first column of a frame, or the index of pandas, gives, as in `boruvka.Graph.from_points`.
    condensed_tree_ : CondensedTree
        The tree of clusters, with ``to_numpy()``, ``to_pandas()`` and ``plot()``.
    single_linkage_tree_ : SingleLinkageTree
        The merges, with the same methods; ``to_numpy()`` has the format of ``scipy.cluster.hierarchy``.
        Components merge at an infinite distance.
    centroids_, medoids_ : (clusters, d) array of float64
        Mean of the points of each cluster, and the point with the smallest sum of distances to the others,
        both weighted by ``probabilities_``, times ``sample_weight``. Only with ``store_centers``.

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
    condensed_tree_: CondensedTree
    single_linkage_tree_: SingleLinkageTree
    centroids_: NDArray[np.float64]
    medoids_: NDArray[np.float64]
    generate_prediction_data = arguments.elsewhere("predict and membership_vectors need no preparation")
    _points: Any  # finite rows; None without points
    _all_weights: NDArray[Any]
    _row_labels: RowLabels
    _predictor: Any  # None without points, and in a box
    _index: Any  # a column, or an index of pandas, with the names of the rows; None if there is none

    @arguments.explaining("HDBSCAN", _OTHER_NAMES, _OF_LIBRARY)
    def __init__(
        self,
        min_cluster_size: int = 5,
        min_samples: int | None = None,
        cluster_selection_epsilon: float = 0.0,
        max_cluster_size: int | None = None,
        metric: str | Callable[[Any, Any], float] = "euclidean",
        metric_params: Mapping[str, Any] | None = None,
        alpha: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 40,
        n_jobs: int | None = None,
        cluster_selection_method: str = "eom",
        allow_single_cluster: bool = False,
        store_centers: str | None = None,
        copy: bool | str = False,
        box: float | Sequence[float | None] | NDArray[Any] | None = None,
    ):
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.n_jobs = n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.store_centers = store_centers
        self.copy = copy
        self.box = box

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> HDBSCAN:
        """Cluster points, or distances if the metric is "precomputed".

        Parameters
        ----------
        X : (n, d) array_like, or (n, n) array_like or sparse array
            The points or distances. A first column of a table that is called as ids has the names of the
            points, as in `boruvka.Graph.from_points`.
        y : None
            Ignored.
        sample_weight : (n,) array_like of numbers from 0, optional
            Number of equal points that each point stands for: in core distances, sizes and stabilities of
            clusters; scale survey weights to the mean 1. A point of weight 0 is left out, and is noise. Their
            sum is less than 2**53. Not for a sparse array of distances. If X and these have labels of pandas,
            they are matched by them; a mapping is matched by the labels of X. Labels that X does not have are
            an error.

        Returns
        -------
        HDBSCAN
            The estimator itself.
        """
        _fit_all([self], X, sample_weight)
        return self

    def fit_many(self, X: Any, min_samples: Iterable[int], sample_weight: Any = None) -> list[HDBSCAN]:
        """Fit an estimator for each of several ``min_samples``, in less time than separate fits.

        The results are the same, also where distances are equal. Only the largest value is solved for all
        pairs of points; the spanning trees of the others are found among nearest neighbours [1]_. Values are
        solved one by one for sparse matrices; and, if the metric is one whose distances are computed on
        demand, with ``sample_weight`` or an ``alpha`` above 1.

        Parameters
        ----------
        X : (n, d) array_like, or (n, n) array_like or sparse array
            As for `fit`.
        min_samples : iterable of int
            The values, in any order; the parameter ``min_samples`` of this estimator does not matter.
        sample_weight : (n,) array_like of numbers from 0, optional
            As for `fit`.

        Returns
        -------
        list of HDBSCAN
            Copies of this estimator, one for each value, fitted; this estimator is not fitted.

        References
        ----------
        .. [1] A. C. A. Neto, J. Sander, R. J. G. B. Campello, M. A. Nascimento, "Core-SG: Efficient
               Computation of Multiple MSTs for Density-Based Methods", ICDE 2022.

        Examples
        --------
        >>> from boruvka.sklearn import HDBSCAN
        >>> points = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.3], [20.0]]
        >>> [model.labels_.tolist() for model in HDBSCAN(3).fit_many(points, min_samples=[2, 4])]
        [[0, 0, 0, 1, 1, 1, -1], [-1, -1, -1, -1, -1, -1, -1]]
        """
        values = arguments.integers("min_samples", min_samples, 1)
        models = [clone(self).set_params(min_samples=k) for k in values]
        if models:
            _fit_all(models, X, sample_weight)
        return models

    def _keep(self, merges: Merges, core: NDArray[np.float64] | None) -> None:
        """Find the clusters of merges of finite rows, and keep the results of a fit."""
        min_cluster_size, self._min_samples, alpha, self._how = self._check_parameters()
        self._parameters = self.get_params(deep=False)
        points, row_labels = self._points, self._row_labels
        self._core = np.full(row_labels.rows.size, np.inf) if core is None else core
        self._merges, self._predictor = merges, None
        inputs.warn_of_angle(self, "cluster_selection_epsilon", self.cluster_selection_epsilon, merges.height)
        if points is not None and self.box is None:
            self._predictor = Predictor(
                points,
                self._all_weights[row_labels.rows],
                self._core,
                min_samples=self._min_samples,
                alpha=alpha,
                metric=self.metric,
                metric_params=inputs.fixed_params(self, points),
                n_jobs=self.n_jobs or -1,
            )
        linkage, unit = row_labels.place_merges(merges).linkage(), "radians" * (self.metric == "haversine")
        left_out = np.flatnonzero(row_labels.labels)
        self.single_linkage_tree_ = SingleLinkageTree(linkage, left_out, self._index, unit)
        self._find_clusters(min_cluster_size)

    def _find_clusters(self, min_cluster_size: int) -> None:
        """Find the clusters of a minimum size on the spanning tree of the fit."""
        weight, row_labels = self._all_weights[self._row_labels.rows], self._row_labels
        tree = condense(self._merges.linkage(), min_cluster_size, weight, self._core)
        self._tree, self._labels, probabilities = label(select(tree, self._how), self._how)
        self.condensed_tree_ = row_labels.place_tree(self._tree, self._all_weights)
        self.labels_ = row_labels.place_labels(self._labels)
        self.probabilities_ = row_labels.place(probabilities, np.nan, 0)
        self.outlier_scores_ = row_labels.place(outlier_scores(self._tree), np.nan, 1)
        if self._predictor is not None and self.store_centers is not None:
            self._find_centers(self._predictor.points, probabilities * weight)

    def compare_min_cluster_sizes(self, min_cluster_size: Iterable[int]) -> ClusterComparison:
        """Find the clusters for several values of ``min_cluster_size``, on the spanning tree of the fit.

        Separate fits with the same ``min_samples`` find the same labels, in more time. If it is None, it is
        the ``min_cluster_size`` of this fit, for all values.

        Parameters
        ----------
        min_cluster_size : iterable of int
            The values, at least 2, in any order.

        Returns
        -------
        ClusterComparison
            A table with a row for each value: number of clusters, share of noise, persistence, validity;
            and the labels.

        See Also
        --------
        with_min_cluster_size : the fitted estimator of one value.

        Examples
        --------
        >>> from boruvka.sklearn import HDBSCAN
        >>> points = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.3], [20.0]]
        >>> HDBSCAN(min_cluster_size=3, min_samples=2).fit(points).compare_min_cluster_sizes([2, 3, 4])
        min_cluster_size  n_clusters  noise  persistence  validity
                       2           2  0.143        0.896     0.830
                       3           2  0.143        0.729     0.830
                       4           0  1.000        0.000     0.000
        """
        check_is_fitted(self)
        weight, row_labels = self._all_weights[self._row_labels.rows], self._row_labels
        found = comparison.compare_clusters(self._merges, min_cluster_size, weight, self._core, self._how)
        probabilities = row_labels.place(found.probabilities.T, np.nan, 0).T
        return replace(found, labels=row_labels.place_labels(found.labels.T).T, probabilities=probabilities)

    def with_min_cluster_size(self, min_cluster_size: int) -> HDBSCAN:
        """Return a fitted copy with another ``min_cluster_size``, from the spanning tree of the fit.

        Parameters
        ----------
        min_cluster_size : int
            Least number of points of a cluster, at least 2.

        Returns
        -------
        HDBSCAN
            It has what a fit finds with this value and the ``min_samples`` of this fit.
        """
        check_is_fitted(self)
        model = copy(self).set_params(**self._parameters)  # those of the fit
        model.min_samples = self._min_samples
        model.min_cluster_size = arguments.integer("min_cluster_size", min_cluster_size, 2)
        model._find_clusters(model.min_cluster_size)
        return model

    @available_if(_has_points)
    def predict(self, X: Any) -> NDArray[np.int64]:
        """Label new points; the clusters stay as they are. There is no such method for distances.

        Parameters
        ----------
        X : (k, d) array_like
            The points.

        Returns
        -------
        (k,) array of int64
            The cluster of each point, -1 for noise. A point of the fit may get another label than there.
        """
        return self.approximate_predict(X)[0]

    @available_if(_has_points)
    def approximate_predict(self, X: Any) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Label new points, with the strength of their membership.

        A new point belongs where the nearest point of the fit does, by mutual reachability distance, at the
        density of this distance; as ``hdbscan.approximate_predict``, but a point in a part of a selected
        cluster belongs to this cluster, and a new point counts itself among its ``min_samples``. The first
        call prepares a search among the points of the fit.

        Parameters
        ----------
        X : (k, d) array_like
            The points.

        Returns
        -------
        labels : (k,) array of int64
            The cluster of each point, -1 for noise; -2 and -3 as in ``labels_``.
        strengths : (k,) array of float64
            Strength of the membership, from 0 to 1; NaN for -3.
        """
        check_is_fitted(self)
        x = inputs.read_new_points(self, X)
        row_labels = RowLabels.of(x)
        x = x[row_labels.rows]
        inputs.check_points(self.metric, x)
        labels, strengths = self._predictor.predict(x, self._tree, least_density(self._tree, self._how))
        return row_labels.place_labels(labels), row_labels.place(strengths, np.nan, 0)

    @available_if(_has_points)
    def membership_vectors(self, top: int = 3) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the clusters to which each point of the fit belongs most, and how strongly.

        The strengths agree with ``hdbscan.all_points_membership_vectors``, which has one for every cluster:
        they compare the distances to exemplars, and the densities at which clusters merge. Of noise, theirs
        depend on the order of clusters and may be smaller. It takes O(n e) time for e exemplars.

        Parameters
        ----------
        top : int
            Number of clusters of each point.

        Returns
        -------
        labels : (n, k) array of int64
            The clusters, from the largest strength to the smallest; k is ``top``, or the number of clusters
            if this is smaller.
        strengths : (n, k) array of float64
            Strengths of membership, from 0 to 1; over all clusters, their sum is the probability that the
            point is in any.
        """
        check_is_fitted(self)
        top = arguments.integer("top", top, 1)
        predictor, rows = self._predictor, self._row_labels
        labels, strengths = memberships(predictor.points, self._tree, self._labels, top, predictor.distances)
        return rows.place_labels(labels), rows.place(strengths, np.nan, 0)

    @property
    def exemplars_(self) -> list[NDArray[np.int64]]:
        """For each cluster, the indices of its most typical points: those that stay longest in its parts."""
        check_is_fitted(self)
        return [self._row_labels.rows[each] for each in exemplars(self._tree, self._labels)]

    @property
    def minimum_spanning_tree_(self) -> Forest:
        """The minimum spanning tree of mutual reachability distances, a row of the input for each vertex.

        The vertices have names, as in `boruvka.Graph.from_points`; a warning tells of a label that is there
        twice. It has several components where distances are infinite or rows are not finite. If
        `boruvka.Graph.from_points` has the metric, pictures and branches of the tree show the points,
        also in a box. The tree knows only its own edges: its methods that compare it with others, such as
        `boruvka.Forest.nearest` and `boruvka.Forest.network`, are errors.
        """
        check_is_fitted(self)
        u, v, height = self._merges
        count, rows = self._merges.count_below(np.inf), self._row_labels.rows
        graph = Graph(self._row_labels.labels.size, rows[u[:count]], rows[v[:count]], height[:count])
        whole = f"from_points(X, {self.metric!r}{', box=box' * (self.box is not None)})"
        whole += f"; its min_samples={self._min_samples} weighs it as this tree"
        whole = whole if inputs.is_searched(self) else "from_distances(distances)"
        graph = graph.annotated(whole_graph=f"boruvka.Graph.{whole}")
        if (names := index_names(self._index)) is not None:
            graph = graph.with_names(names)
        return Forest(self._placed(graph), np.arange(count))

    def _placed(self, graph: Graph) -> Graph:
        """Return a graph whose vertices are the points, if their metric is one of `PointPairs`."""
        if not inputs.is_searched(self):
            return graph
        with without_warnings():  # of the unit of the box
            pairs = PointPairs.read(self._points, self.metric, self.box)
        points, values = (self._row_labels.place(x, np.nan, np.nan) for x in (pairs.points, pairs.values))
        return graph.annotated(**pairs._replace(points=points, values=values).annotations())

    @property
    def cluster_persistence_(self) -> NDArray[np.float64]:
        """Stability of each cluster, from 0 to 1, as in the ``hdbscan`` library.

        It is divided by the number of points and by the largest density of any point in the condensed tree.
        """
        check_is_fitted(self)
        return comparison.persistences(self._tree, self._labels)

    @property
    def relative_validity_(self) -> float:
        """Separation of the clusters, from -1 to 1: density-based validation on the spanning tree.

        It compares fits of the same points, and is defined as in the ``hdbscan`` library. Where distances are
        equal there are several spanning trees; which one counts depends on the order of points.
        """
        check_is_fitted(self)
        return comparison.relative_validity(self._merges, self._labels, self._tree.weight, self._core)

    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = 5) -> NDArray[np.int64]:
        """Label points with the clusters of single linkage strictly below a distance, without border points.

        Parameters
        ----------
        cut_distance : float
            The mutual reachability distance.
        min_cluster_size : int
            Points of smaller clusters are noise; a point counts as many times as its weight says.

        Returns
        -------
        (n,) array of int64
            The cluster of each point, -1 for noise.
        """
        check_is_fitted(self)
        cut_distance = arguments.real("cut_distance", cut_distance, 0, np.inf)
        min_cluster_size = arguments.integer("min_cluster_size", min_cluster_size, 1)
        merges = self._merges
        inputs.warn_of_angle(self, "cut_distance", cut_distance, merges.height)
        labels = merges.cut(merges.count_below(cut_distance))
        sizes = self._tree.weight  # equal points that one stands for merge at its core distance
        sizes = np.where(self._core < cut_distance, sizes, np.minimum(sizes, 1))
        large = np.bincount(labels, sizes) >= min_cluster_size
        return self._row_labels.place_labels(np.where(large, np.cumsum(large) - 1, -1)[labels])

    def _check_parameters(self) -> tuple[int, int, float, Selection]:
        several = {"min_cluster_size": "compare_min_cluster_sizes of a fit", "min_samples": "fit_many"}
        for name, way in several.items():
            if isinstance(getattr(self, name), list | tuple | range | np.ndarray):
                raise OptionError(f"{name} is one number, {way} takes several")
        size = arguments.integer("min_cluster_size", self.min_cluster_size, 2)
        samples = size if self.min_samples is None else arguments.integer("min_samples", self.min_samples, 1)
        alpha = arguments.real("alpha", self.alpha, float(np.finfo(np.float64).tiny), np.inf)
        how = Selection(*(getattr(self, name) for name in Selection._fields)).checked()
        return size, samples, alpha, how

    def _check_solver(self) -> SolveOptions:
        """Check the parameters that choose how, but not what, is computed; return options of the solver."""
        if ours := isinstance(self.algorithm, str) and _OF_HDBSCAN.get(self.algorithm):
            raise OptionError(f"algorithm={self.algorithm!r} of hdbscan is {ours!r} here: best left out")
        name = arguments.one_of("algorithm", self.algorithm, tuple(ALGORITHMS))
        if name != "auto" and not inputs.is_searched(self):
            raise OptionError(
                f"algorithm={name!r} is for points whose metric a tree can search: leave it out"
            )
        if arguments.integer("leaf_size", self.leaf_size, 1) != 40:
            raise OptionError(f"leaf_size is {self.leaf_size!r}, but leaves have a fixed size: leave it out")
        if self.store_centers is not None:
            arguments.one_of("store_centers", self.store_centers, ("centroid", "medoid", "both"))
            if self.metric == "precomputed":
                raise OptionError("store_centers needs points, but the metric is 'precomputed': leave it out")
            if self.box is not None:
                raise OptionError("clusters have no centers in a periodic box: leave out store_centers")
        is_default = self.n_jobs is None or (isinstance(self.n_jobs, Integral) and self.n_jobs == -1)
        threads = None if is_default else arguments.integer("n_jobs", self.n_jobs, 1)
        return SolveOptions(algorithm=ALGORITHMS[name], threads=threads)

    def _find_centers(self, points: NDArray[np.float64], strengths: NDArray[np.float64]) -> None:
        """Compute the centroids and medoids of clusters."""
        centroids, medoids = [], []
        for cluster in range(self._labels.max(initial=-1) + 1):
            members = self._labels == cluster
            own, strength = points[members], strengths[members]
            centroids.append(np.average(own, axis=0, weights=strength))
            if self.store_centers != "centroid":
                between = self._predictor.distances(own, own)
                medoids.append(own[(between @ strength).argmin()])
        if self.store_centers != "medoid":
            self.centroids_ = np.reshape(centroids, (-1, points.shape[1]))
        if self.store_centers != "centroid":
            self.medoids_ = np.reshape(medoids, (-1, points.shape[1]))

    def __sklearn_tags__(self) -> Any:
        tags = inputs.with_input_tags(super().__sklearn_tags__(), self.metric)
        tags.input_tags.allow_nan = self.metric != "precomputed"
        return tags


def _fit_all(models: list[HDBSCAN], given: Any, sample_weight: Any) -> None:
    """Fit estimators, at least one, that differ only in ``min_samples``."""
    first, checked = models[0], [model._check_parameters() for model in models]
    values, alpha = [min_samples for _, min_samples, _, _ in checked], checked[0][2]
    solver = first._check_solver()
    inputs.check_metric(first)
    given, ids = inputs.without_names(first, given)
    x = inputs.read_rows(first, given)
    if first.metric == "precomputed" and isinstance(x, np.ndarray):
        with arguments.taking():
            warn_of_correlations(x, None)
    weight = inputs.read_weights(sample_weight, x, given)
    if weight is not None and first.box is not None:
        raise OptionError("sample_weight is not for points in a periodic box: leave it out")
    all_weights = np.ones(x.shape[0], np.int64) if weight is None else weight
    row_labels = RowLabels.of(x, first.metric != "precomputed", all_weights)
    if row_labels.labels.any():
        rows = row_labels.rows
        if rows.size < 2:
            weighed = " and have a weight" if weight is not None else ""
            raise GraphError(f"{rows.size} rows of X are finite{weighed}: at least two are needed")
        x = x[np.ix_(rows, rows)] if first.metric == "precomputed" else x[rows]
        weight = None if weight is None else weight[rows]
    if first.metric != "precomputed":
        inputs.check_points(first.metric, x)
    total, what = (x.shape[0], "") if weight is None else (weight.sum(), " in the sum of sample_weight")
    if weight is not None and not LEAST_WEIGHT <= np.median(weight) < checked[0][0]:
        warn(
            f"sample_weight has the median {np.median(weight):g}, and min_cluster_size is {checked[0][0]}: a "
            "weight is a number of points; scale survey weights, as sample_weight / sample_weight.mean()"
        )
    if max(values) > total:
        what += ", by default min_cluster_size: pass a smaller one" if first.min_samples is None else ""
        raise OptionError(f"min_samples is {max(values)}, more than the {total:g} points{what}")
    with inputs.metric_errors(first):
        found = inputs.reachability_merges(x, first, values, alpha, solver, weight)
    points = None if first.metric == "precomputed" else x.copy()  # the caller may change the array
    for model, (merges, core) in zip(models, found, strict=True):
        for name in "n_features_in_", "feature_names_in_":
            if hasattr(first, name):
                setattr(model, name, getattr(first, name))
        model._index = (given.index if is_pandas(given) else None) if ids is None else ids
        model._points, model._all_weights, model._row_labels = points, all_weights, row_labels
        model._keep(merges, core)
