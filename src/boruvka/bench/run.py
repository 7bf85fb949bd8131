"""The measurement: all contestants on every graph."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from boruvka.bench import machine
from boruvka.bench.contestant_run import SHORT, ContestantRun, Reference, Show, take_turns
from boruvka.bench.contestants import Contestant
from boruvka.bench.contestants.probes import PROBES
from boruvka.bench.graphs import graph_of, is_specification
from boruvka.bench.point_reference import PointReference
from boruvka.bench.point_sets import POINT_FAMILIES, PointSet, PointsTask
from boruvka.bench.results import POINTS, Entry, GraphResult, Results
from boruvka.bench.schemes import Scheme
from boruvka.bench.worker import save_graph
from boruvka.bench.worker_process import Failure, LocalWorker, Worker, WorkerProcess
from boruvka.generators import FAMILIES
from boruvka.graph.graph import Graph

__all__ = ["Plan", "measure", "measure_in_process"]


@dataclass(frozen=True)
class Plan:
    """The contestants, and how they are measured.

    Attributes
    ----------
    contestants : sequence of Contestant
    threads : sequence of int
        Numbers of threads; contestants that are not parallel run once.
    scheme : KBest or Confidence
        Decides when enough runs have been made.
    named : collection of str
        Contestants that take part however large a graph is.
    time_limit : float
        The longest time for a conversion or a run, in seconds.
    short : float
        Solves shorter than this are repeated within a run until the run takes that long, in seconds.
    probes : bool
        Whether to run the memory probes with the contestants.
    points : PointsTask or None
        What is computed of points; None if the contestants solve graphs.
    """

    contestants: Sequence[Contestant]
    threads: Sequence[int]
    scheme: Scheme
    named: Collection[str] = ()
    time_limit: float = 300.0
    short: float = SHORT
    probes: bool = True
    points: PointsTask | None = None

    def reason_against(self, contestant: Contestant, graph: Any) -> str:
        """Return why a contestant should not try a graph, or an empty string."""
        largest = contestant.largest
        size, unit = (graph.m, "edges") if self.points is None else (graph.n, "points")
        if largest is not None and size > largest and contestant.name not in self.named:
            return f"more than {largest:,} {unit}"
        return contestant.refusal(graph)

    def input_of(self, name: str) -> Graph | PointSet:
        """Read or generate a graph, or points."""
        return graph_of(name) if self.points is None else self.points.point_set(name)

    def title_of(self, name: str) -> str:
        """Return a specification as it is, and a file without its folder: results contain no folders."""
        families = FAMILIES if self.points is None else POINT_FAMILIES
        shown = name if is_specification(name, families) else Path(name).name
        return shown if self.points is None else f"{POINTS}{shown}{self.points.description}"


def measure(
    names: Sequence[str],
    plan: Plan,
    *,
    on_graph: Callable[[Results], None] = lambda results: None,
    show: Show = lambda done, doing: None,
) -> Results:
    """Measure contestants on graphs, together with memory probes.

    On each graph every contestant has its own process. One after the other, they convert the graph and
    solve it a first time; then they take turns, one run each, and the order rotates by one with every
    turn. An answer is checked before its time counts. If a contestant fails, crashes, is wrong or takes too
    long, its result is an error, and the others go on. Ctrl-C ends the measurement.

    Parameters
    ----------
    names : sequence of str
        Graphs: files, or specifications (see `boruvka.bench.graphs.graph_of`).
    plan : Plan
    on_graph : callable
        Called with the results so far after each graph.
    show : callable
        Called with the fraction that is done, and a description of the current work.

    Returns
    -------
    Results
        Not ``complete`` after Ctrl-C.

    Raises
    ------
    BoruvkaError
        A graph cannot be read or generated.
    """
    scheme = {"name": plan.scheme.name, **asdict(plan.scheme)}
    results = Results(machine.describe(), machine.versions(), scheme)
    found: list[GraphResult] = []
    try:
        on_graph(results)
        for i, name in enumerate(names):

            def show_part(done: float, doing: str, i: int = i, name: str = name) -> None:
                show((i + done) / len(names), f"{plan.title_of(name)}: {doing}")

            _measure_graph(name, plan, found, show_part)
            results = replace(results, graphs=tuple(found), complete=len(found) == len(names))
            on_graph(results)
    except KeyboardInterrupt:
        return replace(results, graphs=tuple(found), complete=False)
    return results


def measure_in_process(name: str, graph: Graph, plan: Plan, show: Show) -> GraphResult:
    """Measure contestants on a graph in this process, where they share one copy of it, without probes."""
    show(0, "finding and verifying the forest")
    race = Race(name, graph, plan)
    race.start(plan.contestants, lambda contestant, threads: LocalWorker(contestant, threads, graph))
    take_turns(race.runs, plan.scheme, show)
    return race.result()


class Race:
    """A graph, the expected answer, and the runs of the contestants."""

    def __init__(self, name: str, graph: Graph | PointSet, plan: Plan):
        self._plan, self.reference = plan, _reference_of(name, graph)
        self.runs: list[ContestantRun] = []
        reasons = {c.name: plan.reason_against(c, graph) for c in plan.contestants}
        self._result = GraphResult(
            name,
            graph.n,
            graph.m,
            *_type_and_bytes(graph),
            self.reference.edges,
            self.reference.weight,
            left_out={name: reason for name, reason in reasons.items() if reason},
        )

    def start(self, contestants: Sequence[Contestant], worker: Callable[[Contestant, int], Worker]) -> None:
        """Make a worker for each contestant and number of threads."""
        for contestant in contestants:
            reference = None if contestant.is_probe else self.reference
            for threads in self._plan.threads if contestant.parallel else (1,):
                if contestant.name not in self._result.left_out:
                    entry = Entry(contestant.name, "", threads)
                    own = worker(contestant, threads)
                    self.runs.append(ContestantRun(contestant, own, reference, entry, self._plan.short))

    def result(self) -> GraphResult:
        """Return the results so far."""
        return replace(
            self._result,
            limits=tuple(run.result() for run in self.runs if run.reference is None),
            entries=tuple(run.result() for run in self.runs if run.reference is not None),
        )


def _measure_graph(name: str, plan: Plan, found: list[GraphResult], show: Show) -> None:
    """Measure on one graph; the results go into ``found`` even on an interrupt."""
    with tempfile.TemporaryDirectory(prefix="boruvka-bench-") as temporary:
        folder = Path(temporary)
        show(0, "making the graph")
        graph = plan.input_of(name)
        show(0, "finding and verifying the forest")
        race = Race(plan.title_of(name), graph, plan)
        save_graph(graph, folder)
        del graph  # leave the memory to the contestants
        try:
            race.start(
                (*(probe() for probe in PROBES if plan.probes), *plan.contestants),
                lambda contestant, threads: WorkerProcess(contestant, threads, folder, plan.time_limit),
            )
            take_turns(race.runs, plan.scheme, show)
            _count_bytes(race.runs, show)
        finally:
            for run in race.runs:
                run.worker.stop()
            found.append(race.result())


def _count_bytes(runs: Sequence[ContestantRun], show: Show) -> None:
    """Count the bytes of the steps of our algorithms, once for all numbers of threads."""
    counted: dict[str, list[dict[str, float]]] = {}
    for run in runs:
        name = run.entry.contestant
        if run.rounds and not run.entry.error:
            show(1, f"{name}, counting bytes")
            with contextlib.suppress(Failure):  # the times are valid without them
                counted[name] = counted.get(name) or run.worker.ask("traffic")
            run.traffic = counted.get(name, [])


def _reference_of(name: str, graph: Graph | PointSet) -> Reference:
    if isinstance(graph, PointSet):
        return PointReference.of_points(name, graph)
    return Reference.of(name, graph)


def _type_and_bytes(graph: Graph | PointSet) -> tuple[str, int]:
    """Return the type of the weights, or of the coordinates of points, and the bytes of the input."""
    if isinstance(graph, PointSet):
        return graph.points.dtype.name, graph.points.nbytes
    return graph.w.dtype.name, graph.u.nbytes + graph.v.nbytes + graph.w.nbytes
