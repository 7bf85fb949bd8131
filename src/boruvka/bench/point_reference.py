"""The expected answer for points: the weights of the minimum spanning tree, or the labels of HDBSCAN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.bench.contestant_run import Reference
from boruvka.bench.contestants.contestant import Outcome, PointOutcome
from boruvka.bench.contestants.points import OurClusters, agreement
from boruvka.bench.point_sets import PointSet
from boruvka.bench.worker_process import Failure
from boruvka.errors import BoruvkaError
from boruvka.forest.verify import verify
from boruvka.solve import minimum_spanning_forest

__all__ = ["LEAST_AGREEMENT", "VERIFIED_POINTS", "PointReference"]

VERIFIED_POINTS = 30_000
"""With more points our own tree is not verified pair by pair; that it weighs what others find, still is."""
LEAST_AGREEMENT = 0.95
"""Least adjusted Rand index of labels and ours: libraries break ties of core distances differently."""


@dataclass(frozen=True)
class PointReference(Reference):
    """The expected answer.

    Attributes
    ----------
    weights : (n - 1,) array
        The weights of the tree, ascending.
    scale : float
        The largest coordinate without its sign, to which libraries that compute in float32 round.
    labels : (n,) array or None
        The labels of HDBSCAN.
    """

    weights: NDArray[Any]
    scale: float
    labels: NDArray[Any] | None = None

    @classmethod
    def of_points(cls, name: str, point_set: PointSet) -> PointReference:
        """Compute the answer; raise a `BoruvkaError` if it is wrong."""
        scale = float(np.abs(point_set.points).max(initial=0))
        if point_set.task.min_cluster_size is not None:
            model = OurClusters.fit(point_set)
            heights = np.sort(model.single_linkage_[:, 2])
            total = float(heights.sum())
            return cls(heights.size, total, total, None, heights, scale, model.labels_)
        graph = point_set.graph
        forest = minimum_spanning_forest(graph)
        if graph.n <= VERIFIED_POINTS and not (found := verify(graph, forest)).ok:
            raise BoruvkaError(f"{name}: our own forest is wrong, please report this: {found.message}")
        weights = np.sort(forest.w)
        fingerprint = Outcome.of(forest.w, forest.edges).fingerprint
        magnitude = float(weights.astype(float).sum())
        return cls(len(forest), forest.weight, magnitude, fingerprint, weights, scale)

    def check(self, outcome: Any, accuracy: float) -> None:
        """Raise a `Failure` if an answer is wrong."""
        found: PointOutcome = outcome
        if self.labels is not None:
            _check_labels(found.labels, self.labels)
            return
        super().check(Outcome(found.edges, found.weight, found.fingerprint), accuracy)
        if found.weights is None:
            return
        expected = self.weights.astype(float)
        differs = ~np.isclose(found.weights, expected, rtol=accuracy, atol=accuracy * self.scale)
        if differs.any():
            i = int(np.argmax(differs))
            weights = f"{found.weights[i]}, in the tree it is {expected[i]}"
            raise Failure(f"wrong: weight {i} of the edges, from the lightest on, is {weights}")


def _check_labels(found: NDArray[Any] | None, expected: NDArray[Any]) -> None:
    if found is None or found.shape != expected.shape:
        raise Failure("wrong: there is not a label for each point")
    index = agreement(found, expected)
    if index < LEAST_AGREEMENT:
        raise Failure(f"wrong: the adjusted Rand index of its labels and ours is {index:.3f}")
