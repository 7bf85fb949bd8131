"""The algorithms of this package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import boruvka
from boruvka import Forest, minimum_spanning_forest
from lab.harness.contestant import Contestant, Outcome, Timing


class Ours(Contestant):
    """One of our algorithms on threads, or the one that "auto" picks.

    Parameters
    ----------
    algorithm : str
        As for `minimum_spanning_forest`.
    name : str, optional
        Its name in results; by default "boruvka" and the algorithm.
    options : mapping, optional
        Options of the algorithm.
    parallel : bool
        Whether to run it with each number of threads.
    """

    def __init__(
        self,
        algorithm: str = "auto",
        name: str = "",
        options: Mapping[str, Any] | None = None,
        parallel: bool = True,
    ):
        self.algorithm, self.options, self.parallel = algorithm, dict(options or {}), parallel
        self.name = name or ("boruvka" if algorithm == "auto" else f"boruvka:{algorithm}")

    def version(self) -> str:
        return boruvka.__version__

    def solve(self, native: Any) -> Forest:
        return minimum_spanning_forest(
            native,
            algorithm=self.algorithm,
            backend="threads",
            threads=self.threads,
            options=self.options,
        )

    def outcome(self, native: Any, answer: Forest) -> Outcome:
        return Outcome.of(answer.w, answer.edges)

    def timing(self, answer: Forest, seconds: float) -> Timing:
        return Timing((seconds,), answer.rounds)
