"""The interface of a contestant, and the part of its answer that is checked."""

from __future__ import annotations

import importlib
import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import MissingExtraError, OptionError
from boruvka.graph.exact import exact_sum
from boruvka.runtime.round_log import Round


class Outcome(NamedTuple):
    """The part of an answer that is checked; None for what the contestant does not report."""

    edges: int | None
    weight: int | float
    fingerprint: int | None = None
    """The hash of the indices of the edges."""
    weights: NDArray[Any] | None = None
    """The weights of a tree of points, ascending."""
    labels: NDArray[Any] | None = None
    """The cluster of each point."""

    @classmethod
    def of(cls, w: NDArray[Any], edges: NDArray[Any] | None = None) -> Outcome:
        """Sum the weights of the chosen edges, and hash their indices if these are known."""
        return cls(w.size, exact_sum(w), None if edges is None else fingerprint(edges))


def fingerprint(edges: NDArray[Any]) -> int:
    """Hash a set of edge indices; hashes of disjoint sets add up modulo 2**64."""
    x = (edges.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return int((x ^ (x >> np.uint64(29))).sum(dtype=np.uint64))


class Timing(NamedTuple):
    """Seconds of each solve in a timed run, our rounds, and peak memory if the contestant measures it."""

    seconds: tuple[float, ...]
    rounds: tuple[Round, ...] = ()
    peak: int | None = None


class Contestant(ABC):
    """A solver of minimum spanning forests.

    Attributes
    ----------
    name : str
        Its name in results.
    module, package : str
        The library that it needs, as imported and as installed; empty for none.
    largest : int or None
        With more edges (of points: more points) it takes part only if it is asked for by name.
    parallel : bool
        Whether it uses threads; others run once.
    accuracy : float
        Tolerance of the weight, as a fraction of the sum of absolute weights: 0 for contestants that keep
        the type of the weights, 1e-9 for those that compute in float64.
    repeated : bool
        Whether an untimed solve precedes a run, and a short solve is repeated within a run. False if every
        solve starts a new process.
    """

    name: str
    module = ""
    package = ""
    largest: int | None = None
    parallel = False
    accuracy = 0.0
    repeated = True

    @property
    def installed(self) -> bool:
        """Whether its library is installed."""
        return not self.module or importlib.util.find_spec(self.module.partition(".")[0]) is not None

    def require(self) -> None:
        """Raise a `MissingExtraError` unless its library is installed."""
        if not self.installed:
            raise MissingExtraError(
                f"{self.package} is not installed; install it with: pip install {self.package}",
                name=self.module,
            )

    def version(self) -> str:
        """Return the version of its library."""
        return version(self.package) if self.package else ""

    def refusal(self, graph: Any) -> str:
        """Return why it cannot take a graph, or an empty string."""
        exact = graph.w.dtype.itemsize <= 8
        return "" if exact or not self.accuracy else f"does not take weights of {graph.w.dtype}"

    def load(self, threads: int) -> None:
        """Import its library and set its number of threads; called once."""
        self.threads = threads
        if self.module:
            self.library = importlib.import_module(self.module)

    def prepare(self, graph: Any) -> Any:
        """Convert a graph to its native form."""
        return graph

    def synchronize(self) -> None:  # noqa: B027
        """Wait until the clock may start or stop; for ranks and devices."""

    @abstractmethod
    def solve(self, native: Any) -> Any:
        """Solve; this call is timed."""

    @abstractmethod
    def outcome(self, native: Any, answer: Any) -> Outcome | None:
        """Extract the part of an answer that is checked; None if there is nothing to check."""

    def timing(self, answer: Any, seconds: float) -> Timing:
        """Return the timing of a run whose solves took ``seconds`` each on average."""
        return Timing((seconds,))


def named(others: Mapping[str, Contestant], names: Sequence[str] | None) -> list[Contestant]:
    """List contestants by their names, each once; by default all that are installed.

    Raises
    ------
    OptionError
        There is no such contestant.
    MissingExtraError
        A named library is not installed.
    """
    if names is None:
        names = [name for name, contestant in others.items() if contestant.installed]
    for name in names:
        if name not in others:
            raise OptionError(f"unknown contestant {name!r}; there are {', '.join(others)}")
        others[name].require()
    return [others[name] for name in dict.fromkeys(names)]
