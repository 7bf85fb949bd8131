"""Points to measure: files, and families of generated points; their distances are the weights of a graph."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.bench.graphs import arguments_of, is_specification
from boruvka.formats.points import read_points
from boruvka.generators import Family
from boruvka.graph.graph import Graph
from boruvka.runtime import arguments
from boruvka.runtime.argument_names import passing

__all__ = ["POINT_FAMILIES", "POINT_SUITES", "PointSet", "PointsTask"]

_FILE = "points.npy"
_TASK = "task.json"


def uniform(n: int = 10_000, *, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """Draw points uniformly from the unit cube.

    Parameters
    ----------
    n : int
        Number of points.
    d : int
        Number of coordinates.
    seed : int
        The same seed makes the same points.
    """
    return _generator(n, d, seed).random((n, d))


def normal(n: int = 10_000, *, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """Draw points from the standard normal distribution.

    Parameters
    ----------
    n, d, seed : int
        As for `uniform`.
    """
    return _generator(n, d, seed).normal(size=(n, d))


def clusters(
    n: int = 10_000, *, d: int = 3, count: int = 10, spread: float = 0.02, seed: int = 0
) -> NDArray[np.float64]:
    """Draw points around centres in the unit cube, and every tenth point uniformly.

    Parameters
    ----------
    n, d, seed : int
        As for `uniform`.
    count : int
        Number of clusters.
    spread : float
        Standard deviation of a coordinate from its centre.
    """
    random = _generator(n, d, seed)
    centres = random.random((arguments.integer("count", count, 1), d))
    points = centres[random.integers(0, count, n)] + spread * random.normal(size=(n, d))
    points[::10] = random.random((len(points[::10]), d))
    return points


def far_clusters(n: int = 10_000, *, d: int = 3, distance: float = 1e3, seed: int = 0) -> NDArray[np.float64]:
    """Draw two clusters of normally distributed points, far from each other.

    Parameters
    ----------
    n, d, seed : int
        As for `uniform`.
    distance : float
        Distance of the centres, in standard deviations.
    """
    points = _generator(n, d, seed).normal(size=(n, d))
    points[n // 2 :, 0] += distance
    return points


def lattice(n: int = 10_000, *, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """List points of a cubic lattice in random order: most distances are equal to others.

    Parameters
    ----------
    n, d, seed : int
        As for `uniform`; the lattice has at least n points, of which the first n are taken.
    """
    random = _generator(n, d, seed)
    side = math.ceil(round(n ** (1 / d), 9))
    points = np.stack(np.unravel_index(np.arange(n), (side,) * d), axis=1).astype(np.float64)
    return points[random.permutation(n)]


def line(n: int = 10_000, *, d: int = 3, seed: int = 0) -> NDArray[np.float64]:
    """Draw points uniformly from a diagonal of the unit cube.

    Parameters
    ----------
    n, d, seed : int
        As for `uniform`.
    """
    return np.repeat(_generator(n, d, seed).random((n, 1)), d, axis=1)


def equal(n: int = 10_000, *, d: int = 3, copies: int = 100, seed: int = 0) -> NDArray[np.float64]:
    """Draw fewer points uniformly, and repeat each many times: most distances in the tree are zero.

    Parameters
    ----------
    n, d, seed : int
        As for `uniform`.
    copies : int
        Number of copies of each point.
    """
    random = _generator(n, d, seed)
    distinct = random.random((max(1, n // arguments.integer("copies", copies, 1)), d))
    return distinct[random.integers(0, len(distinct), n)]


def _generator(n: int, d: int, seed: int) -> np.random.Generator:
    arguments.integer("n", n, 1)
    arguments.integer("d", d, 1)
    return np.random.default_rng(arguments.integer("seed", seed, 0))


POINT_FAMILIES = {
    function.__name__: Family(function, "")  # type: ignore[arg-type]
    for function in (uniform, normal, clusters, far_clusters, lattice, line, equal)
}

POINT_SUITES: dict[str, tuple[str, ...]] = {
    "quick": ("uniform:n=3000,d=2,seed=1", "clusters:n=3000,d=3,seed=1", "lattice:n=3000,d=2,seed=1"),
    "dimensions": tuple(
        f"{kind}:n=100000,d={d},seed=1" for kind in ("uniform", "normal") for d in (2, 3, 5, 10)
    ),
    "race": (
        *(f"{kind}:n=1000000,d={d},seed=1" for kind in ("uniform", "normal") for d in (2, 3, 5)),
        "clusters:n=1000000,d=3,seed=1",
        "far_clusters:n=1000000,d=3,seed=1",
        "lattice:n=1000000,d=3,seed=1",
        "line:n=1000000,d=3,seed=1",
        "equal:n=1000000,d=3,seed=1",
    ),
}
"""Named sets of points; "quick" takes some seconds to measure."""


@dataclass(frozen=True)
class PointsTask:
    """What is computed of points: the minimum spanning tree, or the labels of HDBSCAN.

    Attributes
    ----------
    metric : str
        As for `Graph.from_points`.
    mutual_reachability : int or None
        Which smallest distance is the core distance, the point itself counted; None for plain distances.
    min_cluster_size : int or None
        Least size of a cluster of HDBSCAN; None if the tree is computed.
    """

    metric: str = "euclidean"
    mutual_reachability: int | None = None
    min_cluster_size: int | None = None

    def point_set(self, name: str) -> PointSet:
        """Read or generate points: a file, or a family of `POINT_FAMILIES` with arguments."""
        if is_specification(name, POINT_FAMILIES):
            family, given = arguments_of(name, POINT_FAMILIES)
            return PointSet(family.function(**given), self)  # type: ignore[arg-type]
        with passing():
            return PointSet(read_points(name).coordinates, self)

    @property
    def description(self) -> str:
        """The weights, and what is computed, in words."""
        k, least = self.mutual_reachability, self.min_cluster_size
        parts = [self.metric] if self.metric != "euclidean" else []
        parts += [f"mutual reachability of {k}"] if k is not None else []
        parts += [f"HDBSCAN from {least} points"] if least is not None else []
        return "".join(f", {part}" for part in parts)


@dataclass(frozen=True)
class PointSet:
    """Points, and what is computed of them."""

    points: NDArray[Any]
    task: PointsTask

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    @property
    def m(self) -> int:
        """Number of pairs."""
        return self.n * (self.n - 1) // 2

    @cached_property
    def graph(self) -> Any:
        """The complete graph of the points, weighted by distance or mutual reachability distance."""
        k = self.task.mutual_reachability
        if k is None:
            return Graph.from_points(self.points, self.task.metric)
        return Graph.from_points(self.points, self.task.metric, mutual_reachability=k)

    def save(self, folder: Path) -> None:
        """Write the points for worker processes."""
        np.save(folder / _FILE, self.points)
        (folder / _TASK).write_text(json.dumps(asdict(self.task)))

    @classmethod
    def load(cls, folder: Path) -> PointSet | None:
        """Load what `save` has written into a folder; None if there are no points."""
        if not (folder / _FILE).exists():
            return None
        return cls(np.load(folder / _FILE), PointsTask(**json.loads((folder / _TASK).read_text())))
