"""A layout of forests that have no coordinates.

Idea: vertices are placed so that distances on paper are close to the numbers of edges between them. Each tree
begins as a radial drawing, in which every subtree has a sector as wide as its number of leaves, so that no
edges cross. In a small forest, stress majorisation then moves the vertices. Trees are placed side by side.

Source: E. R. Gansner, Y. Koren, S. North, Graph Drawing by Stress Majorization, GD 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.connected_components import label_components

__all__ = ["forest_layout"]

SMALL = 1000
"""Size of a small forest: majorisation takes time and memory quadratic in it (1000 vertices: a second)."""
ITERATIONS = 60
GAP = 1.0
"""Space between trees, in lengths of an edge."""


def forest_layout(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.float64]:
    """Place the vertices of a forest, the same way in every run.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : (f,) arrays of unsigned integers
        The ends of its edges.

    Returns
    -------
    (n, 2) array of float64
        x and y of each vertex; an edge is about 1 long.
    """
    if not n:
        return np.empty((0, 2))
    labels = label_components(n, u, v)
    positions = _radial(n, u, v, labels)
    trees = np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1])
    if n <= SMALL:
        adjacency = _adjacency(n, u, v)
        for tree in trees:
            positions[tree] = _majorised(_hops(adjacency[tree][:, tree]), positions[tree])
    for tree in trees:
        positions[tree] = _upright(positions[tree])
    _set_side_by_side(positions, sorted(trees, key=len, reverse=True))
    return positions


def _adjacency(n: int, u: NDArray[Any], v: NDArray[Any]) -> Any:
    from scipy.sparse import coo_array

    return coo_array((np.ones(u.size), (u.astype(np.int64), v.astype(np.int64))), shape=(n, n)).tocsr()


def _hops(adjacency: Any) -> NDArray[np.float64]:
    """Count the edges between all pairs of vertices of a tree."""
    from scipy.sparse.csgraph import shortest_path

    return shortest_path(adjacency, directed=False, unweighted=True)


def _radial(n: int, u: NDArray[Any], v: NDArray[Any], labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Draw each tree around its centre: the angle of a subtree's sector is proportional to its leaves."""
    roots = np.unique(labels, return_index=True)[1]
    order, parent = _breadth_first(n, u, v, roots)
    size = np.ones(n + 1, np.int64)
    for x in order[:0:-1]:
        size[parent[x]] += size[x]
    centres = roots.copy()  # the last vertex whose subtree has half of the tree: no branch has more
    for x in order[1:]:
        label = labels[x]
        if 2 * size[x] >= size[roots[label]] and size[x] < size[centres[label]]:
            centres[label] = x
    order, parent = _breadth_first(n, u, v, centres)
    depth, leaves = np.zeros(n + 1), np.zeros(n + 1)
    for x in order[1:]:
        depth[x] = depth[parent[x]] + 1
    for x in order[:0:-1]:
        leaves[x] = max(leaves[x], 1)
        leaves[parent[x]] += leaves[x]
    begin, middle = np.zeros(n + 1), np.zeros(n + 1)  # the next sector of a vertex, and the middle of its own
    for x in order[1:]:
        up = parent[x]
        begin[x] = begin[up] if up < n else 0
        middle[x] = begin[x] + leaves[x] / 2
        begin[up] += leaves[x]
    angle = 2 * np.pi * middle[:n] / leaves[centres][labels]
    return (depth[:n, None] - 1) * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _breadth_first(
    n: int, u: NDArray[Any], v: NDArray[Any], roots: NDArray[np.int64]
) -> tuple[list[int], list[int]]:
    """List vertices so that each comes after its parent, and the parents; that of roots is n, the first."""
    from scipy.sparse.csgraph import breadth_first_order

    ends = np.concatenate([u.astype(np.int64), roots]), np.concatenate([v.astype(np.int64), roots * 0 + n])
    order, parent = breadth_first_order(_adjacency(n + 1, *ends), n, directed=False)
    return order.tolist(), parent.tolist()


def _majorised(hops: NDArray[np.float64], positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Lower the stress, the sum of ((distance - hops) / hops)² of all pairs, by majorisation."""
    n = len(hops)
    if n < 3:
        return positions
    with np.errstate(divide="ignore"):
        weights = np.where(hops > 0, hops**-2, 0.0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + 1 / n)  # one place is free: their mean stays at 0
    for _ in range(ITERATIONS):
        distances = np.hypot(*(positions[:, None] - positions[None]).transpose(2, 0, 1))
        ratio = weights * hops / np.maximum(distances, 1e-9)
        positions = inverse @ (ratio.sum(axis=1)[:, None] * positions - ratio @ positions)
    return positions


def _upright(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rotate a drawing so that it is wider than high."""
    centred = positions - positions.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2] if len(positions) > 2 else np.eye(2)
    return centred @ axes.T


def _set_side_by_side(positions: NDArray[np.float64], trees: list[NDArray[np.int64]]) -> None:
    """Move trees, the largest first, into rows of about the width of a square."""
    boxes = [(positions[tree].min(axis=0), np.ptp(positions[tree], axis=0) + GAP) for tree in trees]
    width = max(
        1.3 * np.sqrt(sum(float(size.prod()) for _, size in boxes)), max(size[0] for _, size in boxes)
    )
    x = y = height = 0.0
    for tree, (corner, size) in zip(trees, boxes, strict=True):
        if x and x + size[0] > width:
            x, y, height = 0.0, y - height, 0.0
        positions[tree] += np.array([x, y - size[1]]) - corner
        x, height = x + size[0], max(height, size[1])
