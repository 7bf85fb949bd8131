"""Contestants on one graph: they take turns, and an answer is checked before its time counts.

The rules are those of `boruvka bench`. All contestants are of this package and run in one process: what
harms one would harm all, but a graph of any size is held once, and a sweep over threads needs no process
for each of its points.
"""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import boruvka
from boruvka.bench.contestant_run import SHORT
from boruvka.bench.results import Entry, GraphResult, RoundResult, Step
from boruvka.errors import BoruvkaError
from boruvka.forest.forest import Forest
from boruvka.forest.round_log import Round
from boruvka.graph.graph import Graph
from boruvka.runtime.processors import memory_size
from experiments.common.experiment import Row, Setting

__all__ = [
    "WRONG",
    "Contestant",
    "described",
    "entry_of",
    "nothing_collected",
    "race",
    "reference_of",
    "result_of",
    "rows_of",
    "too_large",
]

LONG = 1.0
"""Seconds: after a solve as long as that, what others did to caches meanwhile does not show."""
BYTES_AN_EDGE = 350
"""Memory that the hungriest contestant may need, the graph and the answers included."""
WRONG = "wrong: other edges than those of the forest"


@dataclass(frozen=True)
class Contestant:
    """An algorithm, and how it is run.

    Attributes
    ----------
    name : str
        What it is called in results.
    algorithm : str
        As `minimum_spanning_forest` takes it.
    threads : int
        How many threads it may use.
    options : mapping
        Options of the algorithm.
    solves : Graph or 2-D array, optional
        What it solves, where that is another form of the graph.
    """

    name: str
    algorithm: str
    threads: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    solves: Any = field(default=None, repr=False, compare=False)


def race(name: str, graph: Graph, contestants: Sequence[Contestant], setting: Setting) -> GraphResult:
    """Let contestants solve a graph, one run each in turn, until everyone has made enough.

    The order moves on by one with every turn. Who fails or is wrong has an error for a result.

    Parameters
    ----------
    name : str
        What the graph is called in results.
    graph : Graph
    contestants : sequence of Contestant
    setting : Setting

    Returns
    -------
    GraphResult

    Raises
    ------
    BoruvkaError
        The default algorithm itself is wrong.
    """
    reference = reference_of(name, graph, setting)
    lanes = [_Lane(contestant, graph, reference) for contestant in contestants]
    with nothing_collected():
        _take_turns(name, lanes, setting)
    return result_of(name, graph, reference, [lane.entry for lane in lanes])


def reference_of(name: str, graph: Graph, setting: Setting) -> Forest:
    """Find the forest that every answer must be.

    Raises
    ------
    BoruvkaError
        The verification finds it wrong.
    """
    setting.show(0, f"{name}: finding and verifying the forest")
    reference = boruvka.minimum_spanning_forest(graph)
    verification = boruvka.verify(graph, reference)
    if not verification.ok:
        raise BoruvkaError(f"{name}: our own forest is wrong, please report this: {verification.message}")
    return reference


def result_of(name: str, graph: Graph, reference: Forest, entries: Sequence[Entry]) -> GraphResult:
    """Put together a graph, what every answer had to be, and who ran on it."""
    return GraphResult(
        name,
        graph.n,
        graph.m,
        graph.w.dtype.name,
        graph.u.nbytes + graph.v.nbytes + graph.w.nbytes,
        len(reference),
        reference.weight,
        entries=tuple(entries),
    )


def _take_turns(name: str, lanes: Sequence[_Lane], setting: Setting) -> None:
    for i, lane in enumerate(lanes):
        setting.show(i / len(lanes) / 2, f"{name}: {lane.title}")
        lane.warm_up(setting)
    turn, running = 0, [lane for lane in lanes if not lane.entry.error]
    while running:
        first = turn % len(running)
        for lane in running[first:] + running[:first]:
            setting.show(1 - len(running) / len(lanes) / 2, f"{name}: {lane.title}, run {turn + 1}")
            lane.run(setting)
        running = [lane for lane in running if not lane.is_done(setting)]
        turn += 1


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Keep the garbage collector out of runs: with a compiler in memory it takes a tenth of a second."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class _Lane:
    """A contestant on its way through one graph."""

    def __init__(self, contestant: Contestant, graph: Graph, reference: Forest):
        self.entry = Entry(contestant.name, boruvka.__version__, contestant.threads)
        self.title = f"{contestant.name}, threads {contestant.threads}"
        self._contestant, self._reference = contestant, reference
        self._graph = graph if contestant.solves is None else contestant.solves
        self._seconds = 0.0

    def warm_up(self, setting: Setting) -> None:
        """Solve for the first time, which compiles, and once more to know about how long it takes."""
        self._attempt(1)
        if not self.entry.error:
            self._seconds = self._attempt(1)[0]
            enough = min(1000, max(1, math.ceil(SHORT / max(self._seconds, 1e-9))))
            self.entry = replace(self.entry, solves=setting.pick(enough, 1))

    def run(self, setting: Setting) -> None:
        """Make a run; before a short one an untimed solve, for memory went cold while others ran."""
        if self._seconds < LONG:
            self._attempt(1)
        seconds, rounds = self._attempt(self.entry.solves)
        if self.entry.error:
            return
        if seconds < min(self.entry.samples, default=math.inf):
            self.entry = replace(self.entry, rounds=_results_of(rounds))
        samples = (*self.entry.samples, seconds)
        self.entry = replace(self.entry, samples=samples, **asdict(setting.scheme.estimate(samples)))

    def is_done(self, setting: Setting) -> bool:
        """Say whether there is no further run to make."""
        return bool(self.entry.error) or setting.scheme.enough(self.entry.samples)

    def _attempt(self, solves: int) -> tuple[float, tuple[Round, ...]]:
        """Solve some times in a row, check the answer, and note what goes wrong."""
        try:
            seconds, forest = self._timed(solves)
            if not same_edges(forest, self._reference):
                raise BoruvkaError(WRONG)
        except BoruvkaError as error:
            return self._fail(str(error))
        except Exception as error:
            return self._fail(f"{type(error).__name__}: {error}".splitlines()[0])
        return seconds, forest.rounds

    def _timed(self, solves: int) -> tuple[float, Forest]:
        who = self._contestant
        begin = time.perf_counter()
        for _ in range(solves):
            forest = boruvka.minimum_spanning_forest(
                self._graph, algorithm=who.algorithm, threads=who.threads, options=who.options
            )
        return (time.perf_counter() - begin) / solves, forest

    def _fail(self, error: str) -> tuple[float, tuple[Round, ...]]:
        self.entry = replace(self.entry, error=error, seconds=None, spread=None, converged=False, rounds=())
        return math.inf, ()


def same_edges(forest: Forest, other: Forest) -> bool:
    """Say whether two forests are the same edges; of two forms of a graph, the same ends and weights."""
    if forest.graph is other.graph:
        return np.array_equal(forest.edges, other.edges)
    return all(np.array_equal(a, b) for a, b in zip(_sorted(forest), _sorted(other), strict=True))


def _sorted(forest: Forest) -> tuple[NDArray[Any], ...]:
    low, high = np.minimum(forest.u, forest.v), np.maximum(forest.u, forest.v)
    order = np.lexsort((high, low))
    return low[order], high[order], forest.w[order]


def _results_of(rounds: tuple[Round, ...]) -> tuple[RoundResult, ...]:
    return tuple(
        RoundResult(r.phase, r.components, r.edges, tuple(Step(*step) for step in r.seconds.items()))
        for r in rounds
    )


def described(contestants: Sequence[Contestant]) -> dict[str, Any]:
    """Say by name which algorithm with which options each contestant is."""
    return {c.name: {"algorithm": c.algorithm, "options": dict(c.options)} for c in contestants}


def entry_of(graph: GraphResult, contestant: str, threads: int | None = None) -> Entry:
    """Find who is called so, with a number of threads or the first of them."""
    return next(e for e in graph.entries if e.contestant == contestant and threads in (None, e.threads))


def rows_of(graph: GraphResult) -> list[Row]:
    """List the times on a graph as rows of a table."""
    return [
        {
            "graph": graph.name,
            "vertices": graph.n,
            "edges": graph.m,
            "contestant": entry.contestant,
            "threads": entry.threads,
            "ms": None if entry.seconds is None else 1e3 * entry.seconds,
            "spread %": None if entry.spread is None else 100 * entry.spread,
            "converged": entry.converged,
            "error": entry.error,
        }
        for entry in graph.entries
    ]


def too_large(m: int) -> str:
    """Say why a graph of so many edges is left out; nothing where it fits into memory."""
    needed = m * BYTES_AN_EDGE
    if needed <= memory_size():
        return ""
    return f"needs about {needed / 2**30:.0f} GiB of memory, there are {memory_size() / 2**30:.0f}"
