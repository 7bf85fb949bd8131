"""Contestants on points: minimum spanning trees of all pairs, and HDBSCAN from points to labels."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka import Forest, Graph
from lab.contestants.ours import Ours
from lab.harness.contestant import Contestant, Outcome
from lab.harness.turns import Reference

MOST_PAIRS_UP_TO = 50_000
"""Largest number of points for an algorithm that reads all pairs, unless it is asked for by name."""
VERIFIED_POINTS = 30_000
"""With more points our own tree is not verified pair by pair; that it weighs what others find, still is."""


@dataclass(frozen=True)
class Task:
    """The task: the minimum spanning tree of points, or the labels of HDBSCAN.

    Attributes
    ----------
    min_samples : int or None
        The core distance is the distance of this neighbour, where the point itself counts; None for plain
        distances.
    min_cluster_size : int or None
        Least size of a cluster of HDBSCAN; None if the tree is computed.
    """

    min_samples: int | None = None
    min_cluster_size: int | None = None

    @property
    def description(self) -> str:
        """The weights, and what is computed, in words."""
        k, least = self.min_samples, self.min_cluster_size
        parts = [f"mutual reachability of {k}"] if k is not None else []
        parts += [f"HDBSCAN from {least} points"] if least is not None else []
        return "".join(f", {part}" for part in parts)


@dataclass(frozen=True)
class PointSet:
    """Points, and what is computed of them."""

    points: NDArray[Any]
    task: Task = Task()

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    @property
    def m(self) -> int:
        """Number of pairs."""
        return self.n * (self.n - 1) // 2

    def graph(self) -> Any:
        """Make the complete graph of the points, weighted by distance or mutual reachability distance."""
        return Graph.from_points(self.points, min_samples=self.task.min_samples)

    def reference(self) -> Reference:
        """Compute the expected answer; raise a `BoruvkaError` if it is wrong."""
        scale = float(np.abs(self.points).max(initial=0))
        if self.task.min_cluster_size is not None:
            return Reference(self.n - 1, np.nan, 0.0, None, scale=scale, labels=OurClusters.fit(self).labels_)
        return replace(Reference.of(self.graph(), check=self.n <= VERIFIED_POINTS), scale=scale)


class NativePoints:
    """Points as another library takes them, and the weights that its edges should have."""

    def __init__(self, point_set: PointSet):
        self.points = np.ascontiguousarray(point_set.points, np.float64)
        self.k = point_set.task.min_samples
        self.min_cluster_size = point_set.task.min_cluster_size

    @property
    def neighbours(self) -> int:
        """Number of neighbours of the core distance, where a library does not count the point itself."""
        return max((self.k or 1) - 1, 1)

    @cached_property
    def core_distances(self) -> NDArray[np.float64]:
        """The core distance of each point, by SciPy."""
        from scipy.spatial import cKDTree

        return cKDTree(self.points).query(self.points, k=[self.k])[0][:, 0]

    def tree(self, u: NDArray[Any], v: NDArray[Any]) -> Outcome:
        """Compute the weights of edges in float64, and check that they connect all points."""
        from scipy import sparse

        n = len(self.points)
        arcs = sparse.coo_array((np.ones(u.size, np.int8), (u, v)), shape=(n, n))
        components, _ = sparse.csgraph.connected_components(arcs, directed=False)
        if components > 1:
            return Outcome(n - int(components), np.nan)
        weights = np.linalg.norm(self.points[u] - self.points[v], axis=1)
        if self.k is not None:
            weights = np.maximum(weights, np.maximum(self.core_distances[u], self.core_distances[v]))
        return tree_of(weights)


class OurTree(Ours):
    """One of our algorithms, from points to the forest; the graph of the points is made in the solve."""

    def __init__(self, algorithm: str = "auto"):
        super().__init__(algorithm)
        self.largest = MOST_PAIRS_UP_TO if algorithm == "dense" else None

    def refusal(self, graph: Any) -> str:
        return ""

    def solve(self, native: PointSet) -> Forest:
        return super().solve(native.graph())

    def outcome(self, native: Any, answer: Forest) -> Outcome:
        return super().outcome(native, answer)._replace(weights=np.sort(answer.w))


class PointsContestant(Contestant):
    """A library that takes points.

    Attributes
    ----------
    has_reachability : bool
        Whether it computes mutual reachability distances.
    """

    has_reachability = True
    accuracy = 1e-9

    def refusal(self, graph: Any) -> str:
        if graph.task.min_samples is not None and not self.has_reachability:
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

    def solve(self, native: NativePoints) -> Any:
        from scipy.spatial.distance import pdist

        distances = pdist(native.points)
        if native.k is not None:
            distances = _reachability(distances, len(native.points), native.k)
        return self.library.linkage(distances, "single")

    def outcome(self, native: NativePoints, answer: Any) -> Any:
        return tree_of(answer[:, 2])


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

    @staticmethod
    def fit(points: PointSet) -> Any:
        """Fit the estimator to points."""
        from boruvka.sklearn import HDBSCAN

        task = points.task
        model = HDBSCAN(task.min_cluster_size or 5, task.min_samples)
        return model.fit(points.points)

    def solve(self, native: PointSet) -> Any:
        return self.fit(native)

    def outcome(self, native: PointSet, answer: Any) -> Outcome:
        return Outcome(None, np.nan, labels=answer.labels_)


class Clusterer(PointsContestant):
    """A library's HDBSCAN."""

    def outcome(self, native: NativePoints, answer: Any) -> Any:
        return Outcome(None, np.nan, labels=np.asarray(answer))


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


class RustHDBSCAN(Clusterer):
    """``hdbscan_rs.HDBSCAN``, in Rust."""

    name, module, package = "hdbscan-rs", "hdbscan_rs", "hdbscan-rs"
    parallel = True

    def load(self, threads: int) -> None:
        os.environ["RAYON_NUM_THREADS"] = str(threads)
        super().load(threads)

    def solve(self, native: NativePoints) -> Any:
        model = self.library.HDBSCAN(min_cluster_size=native.min_cluster_size, min_samples=native.k)
        return model.fit_predict(native.points)


class SklearnHDBSCAN(Clusterer):
    """``sklearn.cluster.HDBSCAN``."""

    name = "scikit-learn"
    module, package = "sklearn.cluster", "scikit-learn"
    parallel = True
    largest = 20_000

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


TREES = {kind.name: kind for kind in (QuiteFastMST, FastHDBSCANTree, Mlpack, SciPyLinkage)}
CLUSTERERS = {kind.name: kind for kind in (FastHDBSCAN, RustHDBSCAN, SklearnHDBSCAN, HDBSCANLibrary)}


def tree_of(weights: NDArray[Any]) -> Outcome:
    """Sum and sort the weights of a tree."""
    return Outcome.of(weights)._replace(weights=np.sort(weights))
