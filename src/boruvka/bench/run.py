"""The measurement: for every graph all contestants, in turn."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from boruvka.bench import machine
from boruvka.bench.contestant_run import Lane, Reference
from boruvka.bench.contestants import Contestant
from boruvka.bench.contestants.probes import PROBES
from boruvka.bench.graphs import graph_of, is_specification
from boruvka.bench.results import Entry, GraphResult, Results
from boruvka.bench.schemes import Scheme
from boruvka.bench.worker import save_graph
from boruvka.bench.worker_process import Failure, Worker
from boruvka.errors import BoruvkaError
from boruvka.forest.verify import verify
from boruvka.graph.graph import Graph
from boruvka.solve import minimum_spanning_forest

__all__ = ["Plan", "measure"]

Show = Callable[[float, str], None]


@dataclass(frozen=True)
class Plan:
    """Who is measured, and how.

    Attributes
    ----------
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
    """

    contestants: Sequence[Contestant]
    threads: Sequence[int]
    scheme: Scheme
    named: Collection[str] = ()
    time_limit: float = 300.0

    def reason_against(self, contestant: Contestant, graph: Graph) -> str:
        """Say why a contestant should not try a graph; nothing where it should."""
        largest = contestant.largest
        if largest is not None and graph.m > largest and contestant.name not in self.named:
            return f"more than {largest:,} edges"
        return contestant.refusal(graph)


def measure(
    names: Sequence[str],
    plan: Plan,
    *,
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
    plan : Plan
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
    scheme = {"name": plan.scheme.name, **asdict(plan.scheme)}
    results = Results(machine.describe(), machine.versions(), scheme)
    found: list[GraphResult] = []
    try:
        on_graph(results)
        for i, name in enumerate(names):

            def show_part(done: float, doing: str, i: int = i, name: str = name) -> None:
                show((i + done) / len(names), f"{_shown(name)}: {doing}")

            _measure_graph(name, plan, found, show_part)
            results = replace(results, graphs=tuple(found), complete=len(found) == len(names))
            on_graph(results)
    except KeyboardInterrupt:
        return replace(results, graphs=tuple(found), complete=False)
    return results


def _measure_graph(name: str, plan: Plan, found: list[GraphResult], show: Show) -> None:
    """Measure on one graph; what there is goes into ``found`` even if it is interrupted."""
    with tempfile.TemporaryDirectory(prefix="boruvka-bench-") as temporary:
        folder = Path(temporary)
        show(0, "making the graph")
        graph = graph_of(name)
        show(0, "finding and verifying the forest")
        reference = _reference(name, graph)
        reasons = {contestant.name: plan.reason_against(contestant, graph) for contestant in plan.contestants}
        result = GraphResult(
            _shown(name),
            graph.n,
            graph.m,
            graph.w.dtype.name,
            graph.u.nbytes + graph.v.nbytes + graph.w.nbytes,
            reference.edges,
            reference.weight,
            left_out={name: reason for name, reason in reasons.items() if reason},
        )
        save_graph(graph, folder)
        del graph  # the memory is for the contestants
        lanes: list[Lane] = []
        try:
            taking_part = [c for c in plan.contestants if not reasons[c.name]]
            for contestant in (*(probe() for probe in PROBES), *taking_part):
                check = None if isinstance(contestant, PROBES) else reference
                for count in plan.threads if contestant.parallel else (1,):
                    worker = Worker(contestant, count, folder, plan.time_limit)
                    lanes.append(Lane(contestant, worker, check, Entry(contestant.name, "", count)))
            _take_turns(lanes, plan.scheme, show)
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


def _reference(name: str, graph: Graph) -> Reference:
    forest = minimum_spanning_forest(graph)
    verification = verify(graph, forest)
    if not verification.ok:
        raise BoruvkaError(f"{name}: our own forest is wrong, please report this: {verification.message}")
    return Reference(len(forest), forest.weight, float(np.abs(forest.w.astype(float)).sum()))


def _shown(name: str) -> str:
    """A specification as it is; of a file the name alone, for results name no folders."""
    return name if is_specification(name) else Path(name).name
