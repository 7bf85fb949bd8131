"""Cuts of a forest: into k clusters, at a height, and at several heights.

A forest without its heaviest edges is a cut of single linkage: see `boruvka.trees.queries.linkage`.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError, shown
from boruvka.graph.columns import read_only
from boruvka.graph.connected_components import label_components
from boruvka.runtime.arguments import integer
from boruvka.trees.structure import Structure

__all__ = ["Cuts", "cluster_columns", "cut", "cut_at", "cuts", "smallest_vertices"]


def cut(structure: Structure, k: int) -> NDArray[np.int64]:
    """Implement `Forest.cut`."""
    k = integer("k", k, structure.n - structure.size, structure.n)
    return _clusters(structure, structure.n - k)


def cut_at(structure: Structure, height: float) -> NDArray[np.int64]:
    """Implement `Forest.cut_at`."""
    return _clusters(structure, _edges_up_to(structure, height))


class Cuts:
    """Clusters of a forest at several heights, as `Forest.cuts` finds them.

    ``cuts[i]`` is the labels at the i-th height, and ``len(cuts)`` the number of heights.

    Attributes
    ----------
    heights : tuple
        The heights, in the given order.
    n_clusters : (len,) array of int64
        Number of clusters at each height.
    sizes : tuple of arrays of int64
        Number of vertices of each cluster, for each height.
    labels : (len, n) array of int64
        The cluster of each vertex, for each height; computed when it is first read.
    """

    def __init__(self, heights: tuple[Any, ...], levels: list[int], steps: list[NDArray[np.int64]]):
        self.heights: tuple[Any, ...] = heights
        self._levels, self._steps = levels, [read_only(step) for step in steps]
        sizes = [np.ones(steps[0].size, np.int64)]
        for step in steps:  # exact in float64: there are at most 2**48 vertices
            sizes.append(np.bincount(step, sizes[-1]).astype(np.int64))
        self.sizes: tuple[NDArray[np.int64], ...] = tuple(read_only(sizes[level]) for level in levels)
        self.n_clusters: NDArray[np.int64] = read_only(np.array([size.size for size in self.sizes], np.int64))

    @cached_property
    def labels(self) -> NDArray[np.int64]:
        """The cluster of each vertex, for each height."""
        n = self._steps[0].size
        labels, here = np.empty((len(self), n), np.int64), np.arange(n)
        for level, step in enumerate(self._steps, 1):
            here = step[here]
            labels[np.equal(self._levels, level)] = here
        return read_only(labels)

    def __len__(self) -> int:
        return len(self.heights)

    def __getitem__(self, i: int) -> NDArray[np.int64]:
        *before, labels = self._steps[: self._levels[i]]
        for step in reversed(before):
            labels = labels[step]
        return labels

    def __repr__(self) -> str:
        return f"Cuts(heights={self.heights}, clusters={self.n_clusters.tolist()})"


def cuts(structure: Structure, heights: Iterable[float]) -> Cuts:
    """Implement `Forest.cuts`."""
    try:
        heights = tuple(heights)
    except (TypeError, ValueError, LookupError, AttributeError, NotImplementedError):
        raise OptionError(f"heights must be an iterable of numbers, got {shown(heights)}") from None
    counts = [_edges_up_to(structure, height) for height in heights]
    places = structure.by_weight.places
    u, v = structure.u[places], structure.v[places]
    distinct = sorted(set(counts)) or [0]
    steps, done = [], 0
    for count in distinct:
        new = slice(count - done)
        steps.append(label_components(structure.n - done, u[new], v[new]))
        structure.check_no_cycle(count, steps[-1])  # fewer steps would leave labels that no later step has
        u, v = (steps[-1][ends[count - done :]].astype(ends.dtype) for ends in (u, v))
        done = count
    return Cuts(heights, [distinct.index(count) + 1 for count in counts], steps)


def _edges_up_to(structure: Structure, height: Any) -> int:
    """Count the edges that a cut at a height keeps, which are the first in the order (weight, index)."""
    try:
        limit = _exact(height)
    except (AttributeError, TypeError, ValueError):
        raise OptionError(f"height must be a number, got {shown(height)}") from None
    sign = -1 if structure.maximum else 1
    return bisect_right(structure.by_weight.places, sign * limit, key=lambda i: sign * _exact(structure.w[i]))


def _clusters(structure: Structure, count: int) -> NDArray[np.int64]:
    """Return the clusters that the first edges connect."""
    kept = structure.by_weight.places[:count]
    labels = label_components(structure.n, structure.u[kept], structure.v[kept])
    structure.check_no_cycle(count, labels)
    return labels


def _exact(number: Any) -> Fraction | float:
    """Convert a Python or NumPy number to a type that compares exactly with every other number."""
    number = number.item() if isinstance(number, np.generic) else number
    try:
        return Fraction(*number.as_integer_ratio())
    except OverflowError:
        return math.copysign(math.inf, number)


def cluster_columns(structure: Structure, heights: Iterable[float]) -> dict[str, NDArray[np.int64]]:
    """Return the columns of `Forest.clusters`: the numbers of vertices, not their names."""
    found = cuts(structure, heights)
    columns = {"vertex": np.arange(structure.n)}
    for k, height in enumerate(found.heights):
        name = f"cluster_{height}".replace(".", "_").replace("-", "minus_")
        if name in columns:
            raise OptionError(f"the height {height} is there twice")
        columns[name] = smallest_vertices(found[k])[found[k]]
    return columns


def smallest_vertices(labels: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the smallest vertex of each cluster; clusters are numbered in the order of these vertices."""
    highest = np.maximum.accumulate(labels)
    return np.flatnonzero(np.diff(highest, prepend=-1))
