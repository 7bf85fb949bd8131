"""Branches of a forest: its edges, divided at the vertices that do not have two edges.

Idea: from the root of a tree down, an edge begins a branch unless the vertex above it has two edges; else it
continues the branch of the edge above. Roots have one edge, or at least three, so none is inside a branch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.graph import Graph
from boruvka.runtime.libraries import pd
from boruvka.trees.rooted_forest import combine, reroot
from boruvka.trees.structure import Structure


class Branches(NamedTuple):
    """The branches of a forest: maximal paths whose inner vertices have two edges. Each edge is in one.

    The edges of branch i are ``edges[offsets[i] : offsets[i + 1]]``. The order of branches means nothing, but
    it is always the same.
    """

    edges: NDArray[np.int64]
    """(f,) array: indices of the edges of the forest, branch by branch, from its source to its target."""
    offsets: NDArray[np.int64]
    """(k + 1,) array: where the edges of each branch begin, and their number."""
    source: NDArray[Any]
    """(k,) array: the vertex at which each branch begins, by name if vertices have names."""
    target: NDArray[Any]
    """(k,) array: the vertex at which it ends."""
    length: NDArray[np.float64]
    """(k,) array: sum of the weights of its edges, in float64."""
    distance: NDArray[np.float64]
    """(k,) array: straight distance between its ends: the metric of points, also of a tree of
    HDBSCAN, or Euclidean for the coordinates
    of a graph in a plane; NaN for other graphs. It is at most the length only if the metric has the triangle
    inequality: not for "squared_euclidean", for example."""

    def to_pandas(self) -> pd.DataFrame:
        """Return a frame with a row for each branch: source, target, number of edges, length, distance."""
        from boruvka.interop.data_frames import frame_of_columns

        columns = self._asdict() | {"edges": np.diff(self.offsets)}
        names = "source", "target", "edges", "length", "distance"
        return frame_of_columns("pandas", {name: columns[name] for name in names})


def branches(graph: Graph, structure: Structure) -> Branches:
    """Implement `Forest.branches`, for a forest of a graph; ends are numbers."""
    degree = np.bincount(np.concatenate([structure.u, structure.v]).astype(np.int64), minlength=structure.n)
    order, parent, edge = _rooted_outside(structure, degree)
    below = order[parent[order] >= 0]  # each stands for the edge to its parent
    position = np.full(structure.n, -1)
    is_first = degree[parent[below]] != 2
    position[below[is_first]] = np.flatnonzero(is_first)
    # Positions increase from the root down: the largest above an edge is at the first edge of its branch.
    first = combine(order, parent, position, "max", upwards=False)[below]
    by_branch = np.argsort(first, kind="stable")
    below, first = below[by_branch], first[by_branch]
    offsets = np.flatnonzero(np.diff(first, prepend=-1, append=below.size))
    source, target = parent[below[offsets[:-1]]], below[offsets[1:] - 1]
    weights = structure.w[edge[below]].astype(np.float64)
    with np.errstate(invalid="ignore"):  # infinite weights of both signs add up to NaN
        lengths = np.add.reduceat(weights, offsets[:-1]) if weights.size else weights
    straight = _straight_distances(graph, source, target)
    return Branches(structure.edges[edge[below]], offsets, source, target, lengths, straight)


def without_side_branches(graph: Graph, structure: Structure, fewest: int) -> NDArray[np.int64]:
    """Return the edges that are left without branches of fewer edges from a leaf to a fork."""
    found = branches(graph, structure)
    ends = np.stack([found.source, found.target])
    low, high = np.sort(np.bincount(ends.ravel())[ends], axis=0)  # numbers of branches are degrees
    sizes = np.diff(found.offsets)
    is_side = (low == 1) & (high > 2) & (sizes < fewest)
    return np.sort(found.edges[~np.repeat(is_side, sizes)])


def _rooted_outside(
    structure: Structure, degree: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the forest as `reroot` does, where no root has two edges: a leaf becomes the root instead."""
    order, _, parent, edge = rooted = structure.roots
    roots = np.flatnonzero((parent < 0) & (degree == 2))
    if not roots.size:
        return order, parent, edge
    root = combine(order, parent, np.where(parent < 0, np.arange(structure.n), -1), "max", upwards=False)
    leaf = np.zeros(structure.n, np.int64)
    leaf[root[degree == 1]] = np.flatnonzero(degree == 1)
    return reroot(rooted, leaf[roots])


def _straight_distances(graph: Graph, u: NDArray[np.int64], v: NDArray[np.int64]) -> NDArray[np.float64]:
    if (pairs := graph.annotations.pairs) is not None:
        return pairs.weights_at(np.minimum(u, v), np.maximum(u, v)).astype(np.float64)
    if graph.coordinates is None or graph.system != "xy":
        return np.full(u.size, np.nan)
    return np.hypot(*(graph.coordinates[u] - graph.coordinates[v]).T)
