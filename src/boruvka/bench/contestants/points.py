"""Contestants on points: minimum spanning trees of all pairs, and HDBSCAN from points to labels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.algorithms.registry import ALGORITHMS
from boruvka.bench.contestants.contestant import Contestant, PointOutcome, named
from boruvka.bench.contestants.ours import Ours
from boruvka.bench.point_sets import PointSet, PointsTask
from boruvka.errors import MissingExtraError, OptionError
from boruvka.forest.forest import Forest

__all__ = ["CLUSTERERS", "TREES", "OurClusters", "OurTree", "agreement", "chosen_for_points"]

SCIPY_METRICS = {
    **{name: name for name in ("euclidean", "chebyshev", "cosine", "correlation", "canberra", "braycurtis")},
    "squared_euclidean": "sqeuclidean",
    "manhattan": "cityblock",
}
"""SciPy's name of each metric."""
MANY_PAIRS_FROM = 50_000
"""Points from which an algorithm that reads all pairs takes part only if it is asked for by name."""


class NativePoints:
    """Points as another library takes them, and the weights that its edges should have."""

    def __init__(self, point_set: PointSet):
        self.points = np.ascontiguousarray(point_set.points, np.float64)
        self.k = point_set.task.mutual_reachability
        self.min_cluster_size = point_set.task.min_cluster_size
        self.metric = point_set.task.metric

    @property
    def neighbours(self) -> int:
        """Number of neighbours of the core distance, where a library does not count the point itself."""
        return max((self.k or 1) - 1, 1)

    @cached_property
    def core_distances(self) -> NDArray[np.float64]:
        """The core distance of each point, by SciPy."""
        from scipy.spatial import cKDTree

        return cKDTree(self.points).query(self.points, k=[self.k])[0][:, 0]

    def tree(self, u: NDArray[Any], v: NDArray[Any]) -> PointOutcome:
        """Compute the weights of edges in float64, and check that they connect all points."""
        from scipy import sparse

        n = len(self.points)
        arcs = sparse.coo_array((np.ones(u.size, np.int8), (u, v)), shape=(n, n))
        components, _ = sparse.csgraph.connected_components(arcs, directed=False)
        if components > 1:
            return PointOutcome(n - int(components), np.nan)
        weights = np.linalg.norm(self.points[u] - self.points[v], axis=1)
        if self.k is not None:
            weights = np.maximum(weights, np.maximum(self.core_distances[u], self.core_distances[v]))
        return PointOutcome.of(weights)


class OurTree(Ours):
    """One of our algorithms, from points to the forest; the graph of the points is made in the solve."""

    def __init__(self, algorithm: str = "auto"):
        super().__init__(algorithm)
        self.largest = MANY_PAIRS_FROM if algorithm == "dense" else None

    def refusal(self, graph: Any) -> str:
        return ""

    def prepare(self, graph: Any) -> Any:
        return graph

    def solve(self, native: PointSet) -> Forest:
        fresh = PointSet(native.points, native.task)  # what a graph keeps of its points is part of a solve
        return super().solve(fresh.graph)

    def outcome(self, native: Any, answer: Forest) -> Any:
        edges, weight, fingerprint = super().outcome(native, answer)
        return PointOutcome(edges, weight, fingerprint, np.sort(answer.w))

    def traffic(self, native: Any) -> list[dict[str, float]]:
        return []


class PointsContestant(Contestant):
    """A library that takes points.

    Attributes
    ----------
    metrics : tuple of str
        The metrics that it has.
    has_reachability : bool
        Whether it computes mutual reachability distances.
    """

    metrics: tuple[str, ...] = ("euclidean",)
    has_reachability = True
    accuracy = 1e-9

    def require(self) -> None:
        if not self.installed:
            raise MissingExtraError(
                f"{self.package} is not installed; install it with: pip install {self.package}",
                name=self.module,
            )

    def refusal(self, graph: Any) -> str:
        task: PointsTask = graph.task
        if task.metric not in self.metrics:
            return f"has no metric {task.metric}, or not an exact tree of it"
        if task.mutual_reachability is not None and not self.has_reachability:
            return "has no mutual reachability distances"
        return ""

    def prepare(self, graph: Any) -> NativePoints:
        return NativePoints(graph)


class QuiteFastMST(PointsContestant):
    """``quitefastmst.mst_euclid``: Borůvka's algorithm on a k-d tree, in C++."""

    name = module = package = "quitefastmst"
    parallel = True

    def load(self, threads: int) -> None:
        super().load(threads)
        self.library.omp_set_num_threads(threads)

    def solve(self, native: NativePoints) -> Any:
        return self.library.mst_euclid(native.points, 0 if native.k is None else native.neighbours)

    def outcome(self, native: NativePoints, answer: Any) -> Any:
        return native.tree(answer[1][:, 0], answer[1][:, 1])


class FastHDBSCANTree(PointsContestant):
    """The tree of ``fast_hdbscan``: Borůvka's algorithm on a k-d tree, in Numba; it computes in float32."""

    name = "fast-hdbscan"
    module, package = "fast_hdbscan.hdbscan", "fast_hdbscan"
    parallel = True
    accuracy = 1e-6

    def load(self, threads: int) -> None:
        import numba

        super().load(threads)
        numba.set_num_threads(threads)

    @property
    def installed(self) -> bool:
        return _is_installed(self.package)

    def solve(self, native: NativePoints) -> Any:
        return self.library.compute_minimum_spanning_tree(native.points, min_samples=native.neighbours)

    def outcome(self, native: NativePoints, answer: Any) -> Any:
        return native.tree(*answer[0][:, :2].astype(np.int64).T)


class Mlpack(PointsContestant):
    """``mlpack.emst``: the dual-tree algorithm of March, Ram and Gray, in C++."""

    name = module = package = "mlpack"
    has_reachability = False

    def solve(self, native: NativePoints) -> Any:
        return self.library.emst(input_=native.points, copy_all_inputs=True)["output"]

    def outcome(self, native: NativePoints, answer: Any) -> Any:
        return native.tree(*answer[:, :2].astype(np.int64).T)


class SciPyLinkage(PointsContestant):
    """``scipy.cluster.hierarchy.linkage`` of all distances: single linkage by Prim's algorithm."""

    name = "scipy-linkage"
    module, package = "scipy.cluster.hierarchy", "scipy"
    largest = 10_000
    metrics = tuple(SCIPY_METRICS)

    def solve(self, native: NativePoints) -> Any:
        from scipy.spatial.distance import pdist

        distances = pdist(native.points, SCIPY_METRICS[native.metric])
        if native.k is not None:
            distances = _reachability(distances, len(native.points), native.k)
        return self.library.linkage(distances, "single")

    def outcome(self, native: NativePoints, answer: Any) -> Any:
        return PointOutcome.of(answer[:, 2])


def _reachability(distances: NDArray[np.float64], n: int, k: int) -> NDArray[np.float64]:
    """Raise a condensed matrix of distances to core distances."""
    from scipy.spatial.distance import squareform

    matrix = squareform(distances)
    core = np.partition(matrix, k - 1, axis=1)[:, k - 1]
    return np.maximum(distances, squareform(np.maximum.outer(core, core), checks=False))


class OurClusters(Contestant):
    """`boruvka.sklearn.HDBSCAN`."""

    name, package, module = "boruvka", "boruvka", "sklearn"
    parallel = True

    def load(self, threads: int) -> None:
        super().load(threads)
        if hasattr(os, "sched_setaffinity"):  # the estimator uses every core that the process may use
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])

    def refusal(self, graph: Any) -> str:
        return ""

    def prepare(self, graph: Any) -> PointSet:
        return graph

    @staticmethod
    def fit(point_set: PointSet) -> Any:
        """Fit the estimator to points."""
        from boruvka.sklearn import HDBSCAN

        task = point_set.task
        model = HDBSCAN(task.min_cluster_size or 5, task.mutual_reachability, metric=task.metric)
        return model.fit(point_set.points)

    def solve(self, native: PointSet) -> Any:
        return self.fit(native)

    def outcome(self, native: PointSet, answer: Any) -> Any:
        return PointOutcome(None, np.nan, labels=answer.labels_)


class Clusterer(PointsContestant):
    """A library's HDBSCAN."""

    def outcome(self, native: NativePoints, answer: Any) -> Any:
        return PointOutcome(None, np.nan, labels=np.asarray(answer))


class FastHDBSCAN(Clusterer):
    """``fast_hdbscan.HDBSCAN``; its core distances do not count the point itself."""

    name = "fast-hdbscan"
    module = package = "fast_hdbscan"
    parallel = True

    def load(self, threads: int) -> None:
        import numba

        super().load(threads)
        numba.set_num_threads(threads)

    def solve(self, native: NativePoints) -> Any:
        model = self.library.HDBSCAN(min_cluster_size=native.min_cluster_size, min_samples=native.neighbours)
        return model.fit_predict(native.points)


class SklearnHDBSCAN(Clusterer):
    """``sklearn.cluster.HDBSCAN``."""

    name = "scikit-learn"
    module, package = "sklearn.cluster", "scikit-learn"
    parallel = True
    largest = 20_000

    @property
    def installed(self) -> bool:
        return _is_installed("sklearn")

    def solve(self, native: NativePoints) -> Any:
        model = self.library.HDBSCAN(
            native.min_cluster_size, min_samples=native.k, n_jobs=self.threads, copy=False
        )
        return model.fit_predict(native.points)


class HDBSCANLibrary(Clusterer):
    """The ``hdbscan`` library; its core distances do not count the point itself."""

    name = module = package = "hdbscan"
    parallel = True
    largest = 200_000

    def solve(self, native: NativePoints) -> Any:
        model = self.library.HDBSCAN(
            native.min_cluster_size, min_samples=native.neighbours, core_dist_n_jobs=self.threads
        )
        return model.fit_predict(native.points)


TREES: tuple[type[PointsContestant], ...] = (QuiteFastMST, FastHDBSCANTree, Mlpack, SciPyLinkage)
CLUSTERERS: tuple[type[PointsContestant], ...] = (FastHDBSCAN, SklearnHDBSCAN, HDBSCANLibrary)


def chosen_for_points(
    task: PointsTask, algorithms: Sequence[str], names: Sequence[str] | None = None
) -> list[Contestant]:
    """List the contestants that take part in a race on points.

    Parameters
    ----------
    task : PointsTask
    algorithms : sequence of str
        Ours that take points; "auto" is the default algorithm, "all" is "auto" and every one of them. For
        labels of HDBSCAN, "auto" or none.
    names : sequence of str, optional
        The others; by default all that are installed.

    Raises
    ------
    OptionError
        There is no such algorithm or contestant.
    MissingExtraError
        A named library is not installed.
    """
    is_tree = task.min_cluster_size is None
    every = ("auto", *(a.name for a in ALGORITHMS.values() if a.takes_implicit)) if is_tree else ("auto",)
    ours: list[str] = []
    for name in algorithms:
        if name not in (*every, "all"):
            known = f"{', '.join(every)} and all"
            raise OptionError(
                f"{name!r} is no algorithm of {'points' if is_tree else 'labels'}: take {known}"
            )
        ours += every if name == "all" else (name,)
    others = {made.name: made() for made in (TREES if is_tree else CLUSTERERS)}
    mine = [OurTree(name) if is_tree else OurClusters() for name in dict.fromkeys(ours)]
    return [*mine, *named(others, names, " on points")]


def agreement(labels: NDArray[Any], expected: NDArray[Any]) -> float:
    """Return the adjusted Rand index of two labellings, where noise is one more cluster."""
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(expected, labels))


def _is_installed(module: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(module) is not None
