"""Discs of a layout that do not cover each other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MAX_DISCS, _ROUNDS = 1_000, 300
"""Maximum number of discs of which all pairs are compared, and maximum number of times that they move."""
_GAP = 1.1
"""Distance of the centres of neighbours, as a multiple of the sum of their radii."""


def separated(points: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move discs apart until none covers another, as far as that succeeds; small ones move more.

    Parameters
    ----------
    points : (n, 2) array
        The centres, in the unit of the radii.
    radii : (n,) array

    Returns
    -------
    (n, 2) array
    """
    points = points.copy()
    near = np.add.outer(radii, radii).astype(np.float64)
    share = np.divide(radii, near, out=np.full_like(near, 0.5), where=near > 0)  # of what a pair moves
    np.fill_diagonal(near, 0)
    angle = 2.4 * np.arange(len(radii))  # of discs at one place
    apart = np.column_stack([np.cos(angle), np.sin(angle)])
    for _ in range(_ROUNDS):
        between = points[:, None] - points
        distance = np.hypot(*between.T).T
        is_covered = distance < near
        if not is_covered.any():
            break
        direction = np.divide(
            between, distance[..., None], where=distance[..., None] > 0, out=apart[:, None] - apart
        )
        push = np.where(is_covered, (_GAP * near - distance) * share, 0)
        points += 0.5 * (push[..., None] * direction).sum(axis=1)
    return points
