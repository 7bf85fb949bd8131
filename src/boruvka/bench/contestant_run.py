"""The race: contestants take turns on a graph, and an answer is checked before its time counts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from boruvka.bench.contestants import Contestant, Outcome
from boruvka.bench.results import Entry, RoundResult, Step
from boruvka.bench.schemes import Scheme
from boruvka.bench.worker import Timed
from boruvka.bench.worker_process import Failure, Worker
from boruvka.errors import BoruvkaError
from boruvka.forest.round_log import Round
from boruvka.forest.verify import verify
from boruvka.graph.graph import Graph
from boruvka.solve import minimum_spanning_forest

__all__ = ["SHORT", "ContestantRun", "Reference", "Show", "take_turns"]

Show = Callable[[float, str], None]
"""Called with the fraction that is done, and a description of the current work."""
SHORT = 0.02
"""Seconds: shorter solves are repeated in a run by default."""
LONG = 1.0
"""Seconds: a longer solve is not preceded by an untimed one, because cold caches hardly affect it."""


@dataclass(frozen=True)
class Reference:
    """The expected answer, from our verified forest.

    Attributes
    ----------
    edges : int
    weight : int or float
    magnitude : float
        The sum of absolute weights.
    fingerprint : int
        The hash of the edges that our algorithms must choose.
    """

    edges: int
    weight: int | float
    magnitude: float
    fingerprint: int | None

    @classmethod
    def of(cls, name: str, graph: Graph) -> Reference:
        """Find and verify the forest of a graph; raise a `BoruvkaError` if it is wrong."""
        forest = minimum_spanning_forest(graph)
        verification = verify(graph, forest)
        if not verification.ok:
            raise BoruvkaError(f"{name}: our own forest is wrong, please report this: {verification.message}")
        magnitude = float(np.abs(forest.w.astype(float)).sum())
        return cls(len(forest), forest.weight, magnitude, Outcome.of(forest.w, forest.edges).fingerprint)

    def check(self, outcome: Outcome, accuracy: float) -> None:
        """Raise a `Failure` if an answer is wrong."""
        edges, weight, fingerprint = outcome
        if edges is not None and edges != self.edges:
            raise Failure(f"wrong: {edges} edges, the forest has {self.edges}")
        same = weight == self.weight or (math.isnan(weight) and math.isnan(self.weight))
        if not same and not abs(weight - self.weight) <= accuracy * self.magnitude:
            raise Failure(f"wrong: weight {weight}, the forest has {self.weight}")
        if fingerprint is not None and fingerprint != self.fingerprint:
            raise Failure("wrong: other edges than those of the forest")


@dataclass(eq=False)
class ContestantRun:
    """A contestant with a number of threads on one graph: its worker, and its results so far.

    Solves shorter than ``short`` seconds are repeated within a run until the run takes that long.
    """

    contestant: Contestant
    worker: Worker
    reference: Reference | None
    entry: Entry
    short: float = SHORT
    rounds: tuple[Round, ...] = ()
    traffic: Sequence[dict[str, float]] = ()

    def warm_up(self) -> None:
        """Convert the graph, solve it for the first time, and once more to measure memory."""
        converted = self.worker.ask("convert")
        self.entry = replace(
            self.entry,
            version=converted.version,
            convert_seconds=converted.seconds,
            convert_peak=converted.peak,
        )
        self._check(self.worker.ask("check"))
        weighed = self.worker.ask("weigh")
        self._is_long = weighed.seconds >= LONG
        solves = min(1000, max(1, math.ceil(self.short / max(weighed.seconds, 1e-9))))
        self.entry = replace(
            self.entry, solve_peak=weighed.peak, solves=solves if self.contestant.repeated else 1
        )

    def run(self, scheme: Scheme) -> bool:
        """Make a run, and return whether another one is needed."""
        warm_up = self.contestant.repeated and not self._is_long
        timed: Timed = self.worker.ask("time", self.entry.solves, warm_up)
        self._check(timed.outcome)
        if not self.entry.samples or min(timed.seconds) < min(self.entry.samples):
            self.rounds = timed.rounds
        samples = (*self.entry.samples, *timed.seconds)
        self.entry = replace(self.entry, samples=samples, **asdict(scheme.estimate(samples)))
        return not scheme.enough(samples)

    def fail(self, failure: Failure) -> None:
        """Record an error, and stop."""
        self.entry = replace(self.entry, error=str(failure), seconds=None, spread=None, converged=False)
        self.worker.stop()

    def result(self) -> Entry:
        """Return the results so far."""
        if self.entry.error:
            return self.entry
        traffic = self.traffic if len(self.traffic) == len(self.rounds) else [{}] * len(self.rounds)
        rounds = tuple(
            RoundResult(
                round_.phase,
                round_.components,
                round_.edges,
                tuple(Step(name, seconds, counts.get(name)) for name, seconds in round_.seconds.items()),
            )
            for round_, counts in zip(self.rounds, traffic, strict=True)
        )
        return replace(self.entry, rounds=rounds)

    def _check(self, outcome: Outcome) -> None:
        if self.reference is not None:
            self.reference.check(outcome, self.contestant.accuracy)


def take_turns(runs: Sequence[ContestantRun], scheme: Scheme, show: Show) -> None:
    """Warm up all contestants, then make one run of each in turn until all have enough.

    The order rotates by one with every turn. If a contestant fails, its result is an error, and the others go
    on.
    """
    for i, run in enumerate(runs):
        show(i / len(runs) / 2, f"{run.entry.title}, converting")
        try:
            run.warm_up()
        except Failure as failure:
            run.fail(failure)
    unfinished = [run for run in runs if not run.entry.error]
    turn = 0
    while unfinished:
        first = turn % len(unfinished)
        turn += 1
        for run in unfinished[first:] + unfinished[:first]:
            show(1 - len(unfinished) / len(runs) / 2, f"{run.entry.title}, run {turn}")
            try:
                if run.run(scheme):
                    continue
            except Failure as failure:
                run.fail(failure)
            unfinished = [other for other in unfinished if other is not run]
