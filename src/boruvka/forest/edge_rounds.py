"""The round of Borůvka's algorithm in which each edge of a forest is added.

The rounds on the edges of the forest alone are the rounds on the whole graph. In a round, each component
chooses the lightest edge that leaves it. Edges are totally ordered by (weight, index), so this edge is in the
forest (cut property). It is therefore also the lightest of the edges of the forest that leave the component.
So the same edges are added, and the components of the next round are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boruvka.graph.connected_components import label_components

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["edge_rounds"]


def edge_rounds(forest: Forest) -> NDArray[np.uint8]:
    """Find the round of Borůvka's algorithm in which each edge of a forest is added.

    They are the rounds of the plain algorithm, whichever algorithm found the forest. Time and memory are
    linear in the vertices: at least half of the edges of a component's tree leave in each round.

    Parameters
    ----------
    forest : Forest
        The forest, on the host.

    Returns
    -------
    (f,) array of uint8
        The round of each edge, from 1; at most log2(n).

    Examples
    --------
    >>> import boruvka
    >>> path = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [1, 5, 2]))
    >>> edge_rounds(path)
    array([1, 2, 1], dtype=uint8)
    """
    left = forest._sorted[0]
    n, u, v = forest.n, forest.u[left], forest.v[left]
    rounds = np.empty(left.size, np.uint8)
    number = 0
    while left.size:
        number += 1
        chosen = _lightest_edges(n, u, v)
        rounds[left[chosen]] = number
        label = label_components(n, u[chosen], v[chosen]).astype(u.dtype)
        n = int(label.max()) + 1
        left, u, v = left[~chosen], label[u[~chosen]], label[v[~chosen]]
    return rounds


def _lightest_edges(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.bool_]:
    """Mark the edges, sorted from the lightest, that are the first at one of n components."""
    first = np.full((2, n), u.size)
    backwards = np.arange(u.size)[::-1]
    first[0, u[::-1]] = backwards  # of several values for one component, the last is kept
    first[1, v[::-1]] = backwards
    chosen = np.zeros(u.size + 1, bool)
    chosen[first.min(axis=0)] = True
    return chosen[:-1]
