"""A contestant on its way through one graph."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace

from boruvka.bench.contestants import Contestant, Outcome
from boruvka.bench.results import Entry, RoundResult, Step
from boruvka.bench.schemes import Scheme
from boruvka.bench.tables import who
from boruvka.bench.worker_process import Failure, Worker
from boruvka.forest.round_log import Round

__all__ = ["Lane", "Reference"]

SHORT = 0.02
"""Seconds: solves that are shorter are repeated in a run until it takes so long."""


@dataclass(frozen=True)
class Reference:
    """What every answer is checked against: our forest, after it was verified."""

    edges: int
    weight: int | float
    magnitude: float

    def check(self, outcome: Outcome, accuracy: float) -> None:
        """Insist that an answer is right.

        Raises
        ------
        Failure
            It is wrong.
        """
        if outcome.edges is not None and outcome.edges != self.edges:
            raise Failure(f"wrong: {outcome.edges} edges, the forest has {self.edges}")
        same = outcome.weight == self.weight or (math.isnan(outcome.weight) and math.isnan(self.weight))
        if not same and not abs(outcome.weight - self.weight) <= accuracy * self.magnitude:
            raise Failure(f"wrong: weight {outcome.weight}, the forest has {self.weight}")


@dataclass(eq=False)
class Lane:
    """A contestant with a number of threads on its way through one graph."""

    contestant: Contestant
    worker: Worker
    reference: Reference | None
    entry: Entry
    rounds: tuple[Round, ...] = ()
    traffic: list[dict[str, float]] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Who, for the progress bar."""
        return who(self.entry)

    def warm_up(self) -> None:
        """Convert, solve for the first time, and once more for the memory."""
        converted = self.worker.ask("convert")
        self.entry = replace(
            self.entry,
            version=converted.version,
            convert_seconds=converted.seconds,
            convert_peak=converted.peak,
        )
        self._check(self.worker.ask("check"))
        weighed = self.worker.ask("weigh")
        solves = min(1000, max(1, math.ceil(SHORT / max(weighed.seconds, 1e-9))))
        self.entry = replace(self.entry, solve_peak=weighed.peak, solves=solves)

    def run(self, scheme: Scheme) -> bool:
        """Make a run; say whether another one is wanted."""
        timed = self.worker.ask("time", self.entry.solves)
        self._check(timed.outcome)
        if not self.entry.samples or min(timed.seconds) < min(self.entry.samples):
            self.rounds = timed.rounds
        samples = (*self.entry.samples, *timed.seconds)
        self.entry = replace(self.entry, samples=samples, **asdict(scheme.estimate(samples)))
        return not scheme.enough(samples)

    def fail(self, failure: Failure) -> None:
        """Note what went wrong, and take no further part."""
        self.entry = replace(self.entry, error=str(failure), seconds=None, spread=None, converged=False)
        self.worker.stop()

    def result(self) -> Entry:
        """What there is to report so far."""
        if self.entry.error:
            return self.entry
        traffic: list[dict[str, float]] = self.traffic
        if len(traffic) != len(self.rounds):
            traffic = [{} for _ in self.rounds]
        rounds = tuple(
            RoundResult(
                round_.phase,
                round_.components,
                round_.edges,
                tuple(Step(name, seconds, count.get(name)) for name, seconds in round_.seconds.items()),
            )
            for round_, count in zip(self.rounds, traffic, strict=True)
        )
        return replace(self.entry, rounds=rounds)

    def _check(self, outcome: Outcome) -> None:
        if self.reference is not None:
            self.reference.check(outcome, self.contestant.accuracy)
