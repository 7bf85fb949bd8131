"""The log of an algorithm: its rounds, and the time of their steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple

PREPARATIONS = frozenset(
    ("command", "agree", "read", "generate", "distribute", "index", "list", "light", "heavy", "end")
)
"""Phases that read, select or sort edges for the rounds after them, but merge no components."""


class Round(NamedTuple):
    """One round of an algorithm, or the preparation of the rounds after it.

    Attributes
    ----------
    phase : str
        Name of what it does, or of the edges that it reads: "round", "all" or "light" for example.
    n_components : int
        Number of components at its start that still have edges.
    edges : int
        Number of edges that it reads.
    seconds : dict of str to float
        Seconds of each step, in order.
    notes : list of str
        Remarks of the algorithm.
    sent : dict of str to int
        Bytes and messages that an MPI rank sent to others.
    """

    phase: str
    n_components: int
    edges: int
    seconds: dict[str, float]
    notes: list[str]
    sent: dict[str, int]

    @property
    def merges(self) -> bool:
        """Whether it merges components, and so counts as a round."""
        return self.phase not in PREPARATIONS


class SolveRecord(NamedTuple):
    """Record of a solve: the algorithm, the backend, the rounds and the seconds."""

    algorithm: str = ""
    """The algorithm."""
    backend: str = ""
    """The backend."""
    threads: int = 1
    """Number of threads that the backend could use."""
    rounds: tuple[Round, ...] = ()
    """A record of each round: components, edges, seconds of each step."""
    seconds: float = 0.0
    """Time of the computation."""
    requested: str = ""
    """The algorithm that the caller named; empty if it was chosen for the graph."""


class RoundLog:
    """A record of the rounds of an algorithm, made while it runs.

    Parameters
    ----------
    on_round : callable, optional
        Called with each `Round` as it begins.
    """

    def __init__(self, on_round: Callable[[Round], None] | None = None):
        self.rounds: list[Round] = []
        self.on_round = on_round

    def begin(self, phase: str, components: int, edges: int) -> None:
        """Begin a round."""
        self.rounds.append(Round(phase, components, edges, {}, [], {}))
        if self.on_round is not None:
            self.on_round(self.rounds[-1])

    def note(self, text: str) -> None:
        """Add a remark to the current round."""
        self.rounds[-1].notes.append(text)

    def step(self, name: str) -> AbstractContextManager[None]:
        """Return a context manager that adds the time of its block to a step of the current round."""
        return Timer(self.rounds[-1].seconds, name)


class Timer:
    """A context manager that adds the seconds of its block to a step.

    It is a class because a generator would take longer than a step on a small graph.
    """

    __slots__ = ("_begin", "_name", "_seconds")

    def __init__(self, seconds: dict[str, float], name: str):
        self._seconds, self._name = seconds, name

    def __enter__(self) -> None:
        self._begin = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        time_before = self._seconds.get(self._name, 0.0)
        self._seconds[self._name] = time_before + time.perf_counter() - self._begin
