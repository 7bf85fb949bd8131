"""The measurement: for every graph all contestants, in turn."""

from __future__ import annotations

import contextlib
import math
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

import boruvka
from boruvka.bench import machine
from boruvka.bench.contestants import Contestant, Outcome
from boruvka.bench.contestants.probes import PROBES
from boruvka.bench.graphs import graph_of, is_specification
from boruvka.bench.results import Entry, GraphResult, Results, RoundResult, Step
from boruvka.bench.schemes import Scheme
from boruvka.bench.team import Failure, Worker
from boruvka.bench.worker import save_graph
from boruvka.errors import BoruvkaError
from boruvka.rounds import Round

__all__ = ["measure"]

SHORT = 0.02
"""Seconds: solves that are shorter are repeated in a run until it takes so long."""

Show = Callable[[float, str], None]


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
        threads = self.entry.threads
        return f"{self.entry.contestant}, {threads} thread{'s' * (threads > 1)}"

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


def measure(
    names: Sequence[str],
    contestants: Sequence[Contestant],
    *,
    threads: Sequence[int],
    scheme: Scheme,
    named: Collection[str] = (),
    time_limit: float = 300.0,
    on_graph: Callable[[Results], None] = lambda results: None,
    show: Show = lambda done, doing: None,
) -> Results:
    """Measure contestants on graphs.

    On each graph every contestant has a process of its own. They convert the graph and solve it a
    first time, one after the other; then they take turns, one run each, and the order moves on by one
    with every turn. An answer is checked before its time counts. Whoever fails, dies, is wrong or
    takes too long has an error for a result, and the others go on. Ctrl-C ends the measurement.

    Parameters
    ----------
    names : sequence of str
        Graphs: files, or specifications (see `boruvka.bench.graphs.graph_of`).
    contestants : sequence of Contestant
        Who takes part.
    threads : sequence of int
        Numbers of threads; contestants that use one thread run once.
    scheme : KBest or Confidence
        When enough runs have been made.
    named : collection of str
        Contestants that take part however large a graph is.
    time_limit : float
        Seconds that a contestant may take for a conversion or a run.
    on_graph : callable
        Called with the results so far after each graph.
    show : callable
        Called with how much is done, from 0 to 1, and what is done now.

    Returns
    -------
    Results
        Not ``complete`` after Ctrl-C.

    Raises
    ------
    BoruvkaError
        A graph cannot be read or generated.
    """
    results = Results(
        machine.describe(), machine.versions(), {"name": scheme.name, **asdict(scheme)}, complete=False
    )
    on_graph(results)
    for i, name in enumerate(names):
        found: list[GraphResult] = []

        def show_part(done: float, doing: str, i: int = i, name: str = name) -> None:
            show((i + done) / len(names), f"{_shown(name)}: {doing}")

        try:
            _measure_graph(name, contestants, threads, scheme, named, time_limit, found, show_part)
        except KeyboardInterrupt:
            return replace(results, graphs=(*results.graphs, *found))
        results = replace(results, graphs=(*results.graphs, *found), complete=i + 1 == len(names))
        on_graph(results)
    return results


def _measure_graph(
    name: str,
    contestants: Sequence[Contestant],
    threads: Sequence[int],
    scheme: Scheme,
    named: Collection[str],
    time_limit: float,
    found: list[GraphResult],
    show: Show,
) -> None:
    """Measure on one graph; what there is goes into ``found`` even if it is interrupted."""
    with tempfile.TemporaryDirectory(prefix="boruvka-bench-") as temporary:
        folder = Path(temporary)
        show(0, "making the graph")
        graph = graph_of(name)
        show(0, "finding and verifying the forest")
        reference = _reference(name, graph)
        left_out = {}
        taking_part = []
        for contestant in contestants:
            if reason := _reason_against(contestant, graph, named):
                left_out[contestant.name] = reason
            else:
                taking_part.append(contestant)
        result = GraphResult(
            _shown(name),
            graph.n,
            graph.m,
            graph.w.dtype.name,
            graph.u.nbytes + graph.v.nbytes + graph.w.nbytes,
            reference.edges,
            reference.weight,
            left_out=left_out,
        )
        save_graph(graph, folder)
        del graph  # the memory is for the contestants
        lanes: list[Lane] = []
        try:
            for contestant in (*(probe() for probe in PROBES), *taking_part):
                check = None if isinstance(contestant, PROBES) else reference
                for count in threads if contestant.parallel else (1,):
                    worker = Worker(contestant, count, folder, time_limit)
                    lanes.append(Lane(contestant, worker, check, Entry(contestant.name, "", count)))
            _take_turns(lanes, scheme, show)
        finally:
            for lane in lanes:
                lane.worker.stop()
            found.append(
                replace(
                    result,
                    limits=tuple(lane.result() for lane in lanes if lane.reference is None),
                    entries=tuple(lane.result() for lane in lanes if lane.reference is not None),
                )
            )


def _take_turns(lanes: Sequence[Lane], scheme: Scheme, show: Show) -> None:
    """Let everyone convert and warm up, then run in turn, then count bytes."""
    for i, lane in enumerate(lanes):
        show(i / len(lanes) / 2, f"{lane.title}, converting")
        try:
            lane.warm_up()
        except Failure as failure:
            lane.fail(failure)

    running = [lane for lane in lanes if not lane.entry.error]
    turn = 0
    while running:
        first = turn % len(running)
        again = []
        for lane in running[first:] + running[:first]:
            show(1 - len(running) / len(lanes) / 2, f"{lane.title}, run {turn + 1}")
            try:
                if lane.run(scheme):
                    again.append(lane)
            except Failure as failure:
                lane.fail(failure)
        running = [lane for lane in running if lane in again]
        turn += 1

    counted: dict[str, list[dict[str, float]]] = {}
    for lane in lanes:
        if lane.rounds and not lane.entry.error:
            name = lane.entry.contestant
            show(1, f"{name}, counting bytes")
            with contextlib.suppress(Failure):  # times are good without them
                counted[name] = counted.get(name) or lane.worker.ask("traffic")
            lane.traffic = counted.get(name, [])


def _reference(name: str, graph: boruvka.Graph) -> Reference:
    forest = boruvka.minimum_spanning_forest(graph)
    verification = boruvka.verify(graph, forest)
    if not verification.ok:
        raise BoruvkaError(f"{name}: our own forest is wrong, please report this: {verification.message}")
    return Reference(len(forest), forest.weight, float(np.abs(forest.w.astype(float)).sum()))


def _reason_against(contestant: Contestant, graph: boruvka.Graph, named: Collection[str]) -> str:
    if contestant.largest is not None and graph.m > contestant.largest and contestant.name not in named:
        return f"more than {contestant.largest:,} edges"
    return contestant.refusal(graph)


def _shown(name: str) -> str:
    """A specification as it is; of a file the name alone, for results name no folders."""
    return name if is_specification(name) else Path(name).name
