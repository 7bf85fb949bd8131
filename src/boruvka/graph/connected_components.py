"""Connected components from the edges of a forest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.kernels.kernel import kernel
from boruvka.operators.union_find import union


def label_components(n: int, u: NDArray[Any], v: NDArray[Any]) -> NDArray[np.int64]:
    """Label each vertex with its component; components are numbered in the order of their smallest vertices.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : (f,) arrays of integers
        The ends of edges that connect the components.

    Returns
    -------
    (n,) array of int64
        The component of each vertex, from 0.
    """
    u, v = (ends.astype(np.uint64) if ends.dtype.kind == "i" else ends for ends in (u, v))
    label = np.arange(n, dtype=np.uint64)
    _label(label, u, v)
    return label.view(np.int64)


@kernel
def _label(label, u, v):
    """Merge along edges; then number the roots, each of which precedes its tree (see `union`)."""
    for i in range(u.size):
        union(u[i], v[i], label)
    components = 0
    for x in range(label.size):
        if label[x] == x:
            label[x] = components
            components += 1
        else:
            label[x] = label[label[x]]
