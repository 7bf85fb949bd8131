"""SciPy: convert a forest to a sparse array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy import sparse

    from boruvka.forest.forest import Forest

__all__ = ["to_scipy"]


def to_scipy(forest: Forest) -> sparse.csr_array:
    """Convert a forest to a sparse array, as ``scipy.sparse.csgraph.minimum_spanning_tree`` returns it.

    Each edge is one entry, at (u, v) as in the graph, so the array is not symmetric. Edges of weight zero
    are stored zeros: count edges with ``nnz``, and beware of operations that drop zeros
    (``eliminate_zeros``, ``count_nonzero``, dense arrays).

    Parameters
    ----------
    forest : Forest
        The forest.

    Returns
    -------
    (n, n) csr_array
        The weights in the type of the input; float16 becomes float32, as SciPy does not support it.
    """
    from scipy import sparse

    index = np.int32 if forest.n <= np.iinfo(np.int32).max else np.int64
    weight = forest.w.astype(np.float32) if forest.w.dtype == np.float16 else forest.w
    ends = forest.u.astype(index), forest.v.astype(index)
    return sparse.csr_array((weight, ends), shape=(forest.n, forest.n))
