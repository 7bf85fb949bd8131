"""What the instrument asks of a contestant."""

from __future__ import annotations

import importlib
import importlib.util
from abc import ABC, abstractmethod
from importlib.metadata import version
from typing import Any, NamedTuple

from numpy.typing import NDArray

from boruvka.errors import MissingExtraError
from boruvka.forest.exact_sum import exact_sum
from boruvka.forest.round_log import Round
from boruvka.graph.graph import Graph

__all__ = ["Contestant", "Outcome", "Run"]


class Outcome(NamedTuple):
    """What is checked of an answer: the number of edges (None where it is not told) and the weight."""

    edges: int | None
    weight: int | float

    @classmethod
    def of(cls, w: NDArray[Any]) -> Outcome:
        """Sum the weights of the chosen edges."""
        return cls(w.size, exact_sum(w))


class Run(NamedTuple):
    """What a timed run tells: the seconds of each solve in it, our rounds, a peak of memory of its own."""

    seconds: tuple[float, ...]
    rounds: tuple[Round, ...] = ()
    peak: int | None = None


class Contestant(ABC):
    """Something that finds minimum spanning forests, in a process of its own.

    Attributes
    ----------
    name : str
        What it is called.
    module, package : str
        The library that it needs, as it is imported and as it is installed; empty for none.
    largest : int or None
        With more edges it takes part only where it is asked for by name.
    parallel : bool
        Whether it uses threads; others run once.
    accuracy : float
        How far the weight may be off, as a fraction of the sum of absolute weights: 0 for who keeps
        the type of the weights, 1e-9 for who computes in float64.
    warms_up : bool
        Whether a solve is a program's whole life, which must warm up by itself if it wants to.
    """

    name: str
    module = ""
    package = ""
    largest: int | None = None
    parallel = False
    accuracy = 0.0
    warms_up = False

    @property
    def installed(self) -> bool:
        """Whether its library is there."""
        return not self.module or importlib.util.find_spec(self.module) is not None

    def require(self) -> None:
        """Insist that its library is there.

        Raises
        ------
        MissingExtraError
            It is not.
        """
        if not self.installed:
            raise MissingExtraError(
                f'{self.package} is not installed; install it with: pip install "boruvka[bench]"',
                name=self.module,
            )

    def version(self) -> str:
        """Version of its library."""
        return version(self.package) if self.package else ""

    def refusal(self, graph: Graph) -> str:
        """Say why it cannot take a graph; nothing where it can."""
        exact = graph.w.dtype.itemsize <= 8
        return "" if exact or not self.accuracy else f"does not take weights of {graph.w.dtype}"

    def load(self, threads: int) -> None:
        """Import its library, and use so many threads; called once, in a fresh process."""
        if self.module:
            importlib.import_module(self.module)

    @abstractmethod
    def prepare(self, graph: Graph) -> Any:
        """Make what it solves, in the form that is native to it."""

    @abstractmethod
    def solve(self, native: Any) -> Any:
        """Solve; this is what is timed."""

    @abstractmethod
    def outcome(self, native: Any, answer: Any) -> Outcome:
        """Say what is in an answer."""

    def run(self, answer: Any, seconds: float) -> Run:
        """Say what a solve of so many seconds tells."""
        return Run((seconds,))

    def traffic(self, native: Any) -> list[dict[str, float]]:
        """Bytes of each step of each round, where they can be counted."""
        return []
