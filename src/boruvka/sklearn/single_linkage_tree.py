"""The merges of single linkage as a table, a frame and a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boruvka.runtime.libraries import require

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class SingleLinkageTree:
    """The merges of points, from the lightest to the heaviest.

    Attributes
    ----------
    linkage : (n - 1, 4) array of float64
        The merges, in the format of ``scipy.cluster.hierarchy``: two clusters, their distance, and the number
        of points of both. The points are 0 to n - 1, merge i makes the cluster n + i.
    """

    linkage: NDArray[np.float64]

    def to_numpy(self) -> NDArray[np.float64]:
        """Return the merges as an array."""
        return self.linkage

    def to_pandas(self) -> pandas.DataFrame:
        """Return the merges as a frame: parent, left_child, right_child, distance, size."""
        left, right, distance, size = self.linkage.T
        children = {"left_child": left.astype(np.int64), "right_child": right.astype(np.int64)}
        parent = np.arange(left.size) + left.size + 1
        columns = {"parent": parent, **children, "distance": distance, "size": size.astype(np.int64)}
        return require("pandas", "pandas").DataFrame(columns)

    def plot(self, *, leaves: int = 30, height: float | None = None, ax: Axes | None = None) -> Axes:
        """Draw the dendrogram, as `boruvka.Forest.plot_dendrogram` does."""
        from boruvka.trees.plotting.dendrogram import plot_dendrogram

        return plot_dendrogram(self.linkage, str, leaves=leaves, height=height, ax=ax)
