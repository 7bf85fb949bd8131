"""SciPy: convert a forest to a sparse array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boruvka.graph.edge_set import EdgeSet

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["to_scipy"]


def to_scipy(forest: EdgeSet) -> sparse.csr_array:
    """Implement `Forest.to_scipy`."""
    from scipy import sparse

    index = np.int32 if forest.n <= np.iinfo(np.int32).max else np.int64
    weight = forest.w.astype(np.float32) if forest.w.dtype == np.float16 else forest.w
    ends = forest.u.astype(index), forest.v.astype(index)
    return sparse.csr_array((weight, ends), shape=(forest.n, forest.n))
