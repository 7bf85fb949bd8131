"""A layout of small forests that have no coordinates.

Idea: vertices are placed so that distances on paper are close to the numbers of edges between them. Each tree
begins as a radial drawing, in which every subtree has a sector as wide as its number of leaves, so that no
edges cross. Stress majorisation then moves the vertices. Trees are placed side by side.

Source: E. R. Gansner, Y. Koren, S. North, Graph Drawing by Stress Majorization, GD 2004.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.connected_components import label_components

__all__ = ["MAX_VERTICES", "forest_layout"]

MAX_VERTICES = 1000
"""Size of a small forest: a layout takes time and memory quadratic in it (1000 vertices: a second)."""
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
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    labels = label_components(n, u, v)
    adjacency = coo_array((np.ones(u.size), (u.astype(np.int64), v.astype(np.int64))), shape=(n, n)).tocsr()
    positions = np.empty((n, 2))
    if not n:
        return positions
    trees = sorted(np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1]), key=len)
    for tree in trees:
        hops = shortest_path(adjacency[tree][:, tree], directed=False, unweighted=True)
        positions[tree] = _upright(_majorised(hops, _radial(hops)))
    _set_side_by_side(positions, trees[::-1])
    return positions


def _radial(hops: NDArray[np.float64]) -> NDArray[np.float64]:
    """Draw a tree around its centre: the angle of a subtree's sector is proportional to its leaves."""
    n, root = len(hops), int(hops.max(axis=1).argmin())
    order = np.argsort(hops[root], kind="stable")
    closer = (hops == 1) & (hops[root][:, None] == hops[root][None, :] - 1)
    parent = closer.argmax(axis=0)
    leaves = np.zeros(n)
    for x in order[:0:-1]:
        leaves[x] = max(leaves[x], 1)
        leaves[parent[x]] += leaves[x]
    begin, middle, next_begin = np.zeros(n), np.zeros(n), np.zeros(n)
    for x in order[1:]:
        up = parent[x]
        begin[x] = next_begin[x] = next_begin[up]
        next_begin[up] += leaves[x]
        middle[x] = begin[x] + leaves[x] / 2
    angle = 2 * np.pi * middle / max(leaves[root], 1)
    return hops[root][:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


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
