"""Rows in no cluster: points with NaN or infinities get scikit-learn's labels, rows of weight 0 are noise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.trees.clusters.condensed_tree import CondensedTree
from boruvka.trees.clusters.single_linkage_tree import Merges

NOISE, INFINITE, MISSING = -1, -2, -3
"""Labels of rows of weight 0, and of points with an infinite coordinate, and with a missing one."""


class RowLabels(NamedTuple):
    """Rows of an input: clusters are found among some; their results are placed among all rows."""

    labels: NDArray[np.int64]
    """(n,) array: 0 for a row among which clusters are found, else its label."""
    rows: NDArray[np.int64]
    """The rows whose label is 0."""

    @classmethod
    def of(cls, x: Any, is_points: bool = True, weight: Any = 1) -> RowLabels:
        """Label the rows of points; all rows of distances are finite, as an infinite distance is none."""
        labels = np.where(np.broadcast_to(weight, x.shape[0]) > 0, 0, NOISE)
        with np.errstate(over="ignore", invalid="ignore"):
            if is_points and not np.isfinite(x.sum()):
                others = np.flatnonzero(~np.isfinite(x).all(axis=1))
                # Infinities of both signs are missing, too: scikit-learn looks at the sum.
                labels[others] = np.where(np.isnan(x[others].sum(axis=1)), MISSING, INFINITE)
        return cls(labels, np.flatnonzero(labels == 0))

    def place(self, values: NDArray[Any], missing: Any, infinite: Any) -> NDArray[Any]:
        """Return values of all rows from the values of `rows`; weight 0 has the value of infinite rows."""
        found = np.full((self.labels.size, *values.shape[1:]), infinite, values.dtype)
        found[self.labels == MISSING] = missing
        found[self.rows] = values
        return found

    def place_labels(self, labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the labels of all rows."""
        found = self.place(labels, MISSING, INFINITE)
        found[self.labels == NOISE] = NOISE
        return found

    def place_merges(self, merges: Merges) -> Merges:
        """Return merges of all rows; the others merge last, at an infinite distance."""
        others = np.flatnonzero(self.labels)
        u = np.concatenate([self.rows[merges.u], np.full(others.size, self.rows[0])])
        v = np.concatenate([self.rows[merges.v], others])
        return Merges(u, v, np.concatenate([merges.height, np.full(others.size, np.inf)]))

    def place_tree(self, tree: CondensedTree, weight: NDArray[Any]) -> CondensedTree:
        """Return the tree of all rows, of given weights; the other rows leave the root first."""
        size = tree.size.copy()
        size[0] = weight.sum()
        cluster, departure = self.place(tree.cluster, 0, 0), self.place(tree.departure, 0, 0)
        left_out = np.flatnonzero(self.labels)
        return replace(
            tree, size=size, cluster=cluster, departure=departure, weight=weight, left_out=left_out
        )
