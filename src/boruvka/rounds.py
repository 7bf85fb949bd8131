"""What happened while a forest was computed: rounds, and the time of their steps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

__all__ = ["Journal", "Round"]


@dataclass(frozen=True, slots=True)
class Round:
    """One round of an algorithm.

    Attributes
    ----------
    phase : str
        Which edges it looked at: "all", "light" or "heavy" for example.
    components : int
        Components at its start that still had edges.
    edges : int
        Edges that it looked at.
    seconds : dict of str to float
        Seconds of each step, in order.
    """

    phase: str
    components: int
    edges: int
    seconds: dict[str, float] = field(default_factory=dict)


class Journal:
    """Where an algorithm notes its rounds as they happen.

    Parameters
    ----------
    on_round : callable, optional
        Called with each `Round` as it begins.
    """

    def __init__(self, on_round: Callable[[Round], None] | None = None):
        self.rounds: list[Round] = []
        self._on_round = on_round

    def begin(self, phase: str, components: int, edges: int) -> None:
        """Begin a round."""
        self.rounds.append(Round(phase, components, edges))
        if self._on_round is not None:
            self._on_round(self.rounds[-1])

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Add the time of the block to a step of the present round."""
        begin = time.perf_counter()
        yield
        seconds = self.rounds[-1].seconds
        seconds[name] = seconds.get(name, 0.0) + time.perf_counter() - begin
