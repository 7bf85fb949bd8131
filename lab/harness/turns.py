"""The race: contestants take turns on a graph, and an answer is checked before its time counts."""

from __future__ import annotations

import copy
import math
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka import minimum_spanning_forest, verify
from boruvka.errors import BoruvkaError
from boruvka.graph.graph import EdgeListGraph
from boruvka.runtime.round_log import Round
from lab.harness.contestant import Contestant, Outcome
from lab.harness.results import Entry, GraphResult
from lab.harness.schemes import KBest, Scheme
from lab.harness.worker import Failure, LocalWorker, Timed, WorkerProcess, save

SHORT = 0.02
"""Seconds: shorter solves are repeated in a run by default."""
LONG = 1.0
"""Seconds: a longer solve is not preceded by an untimed one, because cold caches hardly affect it."""
LEAST_AGREEMENT = 0.95
"""Least adjusted Rand index of labels and ours: libraries break ties of core distances differently."""

Show = Callable[[str], None]
"""Called with a description of the current work."""


@dataclass(frozen=True)
class Reference:
    """The expected answer, from our verified forest.

    Attributes
    ----------
    edges : int
    weight : int or float
    magnitude : float
        The sum of absolute weights.
    fingerprint : int or None
        The hash of the edges that our algorithms must choose.
    weights : array or None
        The weights of a tree of points, ascending.
    scale : float
        The largest coordinate without its sign, to which libraries that compute in float32 round.
    labels : array or None
        The labels of HDBSCAN, if they are asked for and not the tree.
    """

    edges: int
    weight: int | float
    magnitude: float
    fingerprint: int | None
    weights: NDArray[Any] | None = None
    scale: float = 0.0
    labels: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Any, check: bool = True) -> Reference:
        """Find the forest of a graph and verify it, unless told not to; raise a `BoruvkaError` if wrong."""
        forest = minimum_spanning_forest(graph, backend="threads")
        if check and not (verification := verify(graph, forest)).ok:
            raise BoruvkaError(f"our own forest is wrong, please report this: {verification.message}")
        magnitude = float(np.abs(forest.w.astype(float)).sum())
        edges, weight, hashed = Outcome.of(forest.w, forest.edges)[:3]
        return cls(
            edges or 0,
            weight,
            magnitude,
            hashed,
            None if isinstance(graph, EdgeListGraph) else np.sort(forest.w),
        )

    def check(self, outcome: Outcome, accuracy: float) -> None:
        """Raise a `Failure` if an answer is wrong."""
        if self.labels is not None:
            return _check_labels(outcome.labels, self.labels)
        if outcome.edges is not None and outcome.edges != self.edges:
            raise Failure(f"wrong: {outcome.edges} edges, the forest has {self.edges}")
        same = outcome.weight == self.weight or (math.isnan(outcome.weight) and math.isnan(self.weight))
        if not same and not abs(outcome.weight - self.weight) <= accuracy * self.magnitude:
            raise Failure(f"wrong: weight {outcome.weight}, the forest has {self.weight}")
        if outcome.fingerprint is not None and outcome.fingerprint != self.fingerprint:
            raise Failure("wrong: not the edges of the forest")
        if outcome.weights is not None and self.weights is not None:
            _check_weights(outcome.weights, self.weights, accuracy, self.scale)


def _check_weights(found: NDArray[Any], expected: NDArray[Any], accuracy: float, scale: float) -> None:
    differs = ~np.isclose(found, expected, rtol=accuracy, atol=accuracy * scale)
    if differs.any():
        i = int(np.argmax(differs))
        weights = f"{found[i]}, in the tree it is {expected[i]}"
        raise Failure(f"wrong: weight {i} of the edges, sorted by weight, is {weights}")


def _check_labels(found: NDArray[Any] | None, expected: NDArray[Any]) -> None:
    from sklearn.metrics import adjusted_rand_score

    if found is None or found.shape != expected.shape:
        raise Failure("wrong: there is not a label for each point")
    index = adjusted_rand_score(expected, found)  # noise is one more cluster
    if index < LEAST_AGREEMENT:
        raise Failure(f"wrong: the adjusted Rand index of its labels and ours is {index:.3f}")


@dataclass(frozen=True)
class Plan:
    """The contestants, and how they are measured.

    Attributes
    ----------
    contestants : sequence of Contestant
    threads : sequence of int
        Numbers of threads; contestants that are not parallel run once.
    scheme : Scheme
        Decides when enough runs have been made.
    named : collection of str
        Contestants that take part however large a graph is.
    time_limit : float
        The longest time for a conversion or a run, in seconds.
    short : float
        Solves shorter than this are repeated within a run until the run takes that long, in seconds.
    in_process : bool
        Run all contestants in this process, where they share one copy of the graph.
    """

    contestants: Sequence[Contestant]
    threads: Sequence[int] = (1,)
    scheme: Scheme = field(default_factory=KBest)
    named: Collection[str] = ()
    time_limit: float = 300.0
    short: float = SHORT
    in_process: bool = False

    def reason_against(self, contestant: Contestant, graph: Any) -> str:
        """Return why a contestant should not try a graph, or an empty string."""
        size, unit = (graph.m, "edges") if isinstance(graph, EdgeListGraph) else (graph.n, "points")
        if contestant.largest is not None and size > contestant.largest and contestant.name not in self.named:
            return f"more than {contestant.largest:,} {unit}"
        return contestant.refusal(graph)


@dataclass(eq=False)
class Run:
    """A contestant with a number of threads on one graph: its worker, and its results so far."""

    worker: LocalWorker | WorkerProcess
    reference: Reference
    entry: Entry
    accuracy: float
    repeated: bool = True
    short: float = SHORT

    def warm_up(self) -> None:
        """Convert the graph, solve it for the first time, and once more to measure memory."""
        version, seconds = self.worker.ask("convert")
        self.entry = replace(self.entry, version=version, convert_seconds=seconds)
        self._check(self.worker.ask("check"))
        peak, seconds = self.worker.ask("weigh")
        self._is_long = seconds >= LONG
        solves = min(1000, max(1, math.ceil(self.short / max(seconds, 1e-9))))
        self.entry = replace(self.entry, peak=peak, solves=solves if self.repeated else 1)

    def run(self, scheme: Scheme) -> bool:
        """Make a run, and return whether another one is needed."""
        timed: Timed = self.worker.ask("time", self.entry.solves, self.repeated and not self._is_long)
        self._check(timed.outcome)
        rounds: tuple[Round, ...] = self.entry.rounds
        if not self.entry.samples or min(timed.seconds) < min(self.entry.samples):
            rounds = timed.rounds
        samples = (*self.entry.samples, *timed.seconds)
        estimate = scheme.estimate(samples)._asdict()
        self.entry = replace(self.entry, samples=samples, rounds=rounds, **estimate)
        return not scheme.enough(samples)

    def fail(self, failure: Failure) -> None:
        """Record an error, and stop."""
        entry = self.entry
        self.entry = Entry(entry.contestant, entry.threads, entry.version, error=str(failure))
        self.worker.stop()

    def _check(self, outcome: Outcome | None) -> None:
        if outcome is not None:
            self.reference.check(outcome, self.accuracy)


def take_turns(runs: Sequence[Run], scheme: Scheme, show: Show) -> None:
    """Warm up all contestants, then make one run of each in turn until all have enough.

    The order rotates by one with every turn. If a contestant fails, its result is an error, and the others go
    on.
    """
    for run in runs:
        show(f"{run.entry.title}, converting")
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
            show(f"{run.entry.title}, run {turn}")
            try:
                if run.run(scheme):
                    continue
            except Failure as failure:
                run.fail(failure)
            unfinished = [other for other in unfinished if other is not run]


def race(name: str, graph: Any, plan: Plan, show: Show, reference: Reference | None = None) -> GraphResult:
    """Measure contestants on a graph, or on points.

    One after the other, contestants convert the graph and solve it a first time; then they take turns. If
    one fails, crashes, is wrong or takes too long, its result is an error, and the others go on.

    Parameters
    ----------
    name : str
        The graph, for the results.
    graph : Graph or PointSet
    plan : Plan
    show : callable
    reference : Reference, optional
        The expected answer; by default our forest, which is verified.
    """
    show(f"{name}: finding and verifying the forest")
    reference = reference or Reference.of(graph)
    left_out: dict[str, str] = {}
    runs: list[Run] = []
    with tempfile.TemporaryDirectory(prefix="lab-") as temporary:
        folder = Path(temporary)
        if not plan.in_process:
            save(graph, folder)
        try:
            for contestant in plan.contestants:
                if reason := plan.reason_against(contestant, graph):
                    left_out[contestant.name] = reason
                    continue
                for threads in plan.threads if contestant.parallel else (1,):
                    worker: LocalWorker | WorkerProcess
                    if plan.in_process:
                        worker = LocalWorker(copy.copy(contestant), threads, lambda: graph)
                    else:
                        worker = WorkerProcess(contestant, threads, folder, plan.time_limit)
                    entry = Entry(contestant.name, threads)
                    runs.append(
                        Run(worker, reference, entry, contestant.accuracy, contestant.repeated, plan.short)
                    )
            take_turns(runs, plan.scheme, lambda doing: show(f"{name}: {doing}"))
        finally:
            for run in runs:
                run.worker.stop()
    entries = tuple(run.entry for run in runs)
    values = graph.w if isinstance(graph, EdgeListGraph) else graph.points
    return GraphResult(name, graph.n, graph.m, values.dtype.name, entries, left_out)
