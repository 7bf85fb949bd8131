"""Connected components from the edges of a forest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel


def label_components(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.int64]:
    """Label each vertex with its component; components are numbered in the order of their smallest vertices.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : (f,) arrays of unsigned integers
        The ends of edges that connect the components.

    Returns
    -------
    (n,) array of int64
        The component of each vertex, from 0.
    """
    label = np.arange(n, dtype=np.int64)
    _label(label, u, v)
    return label


@kernel
def _label(label, u, v):
    """Union-find with path halving; the larger root hooks onto the smaller, so a root precedes its tree."""
    for i in range(u.size):
        a, b = np.uint64(u[i]), np.uint64(v[i])
        while a != label[a]:
            label[a] = label[label[a]]
            a = np.uint64(label[a])
        while b != label[b]:
            label[b] = label[label[b]]
            b = np.uint64(label[b])
        label[max(a, b)] = min(a, b)
    components = 0
    for x in range(label.size):
        if label[x] == x:
            label[x] = components
            components += 1
        else:
            label[x] = label[label[x]]
