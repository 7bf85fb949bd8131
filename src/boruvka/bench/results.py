"""Results of a measurement, and the JSON file that keeps every run."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from boruvka.bench.decode import Mismatch, decoded
from boruvka.errors import FileError, FormatError
from boruvka.formats.files import writing

__all__ = [
    "POINTS", "Entry", "GraphResult", "Results", "RoundResult", "Step",
    "plain", "read_results", "to_json", "write_json", "write_results",
]  # fmt: skip

POINTS = "points of "
"""Prefix of the name of a set of points; the specification or the file name follows."""
SCHEMA = 1
"""The version of the file format; files of another one are refused."""


@dataclass(frozen=True)
class Step:
    """One step of a round: its seconds, and the bytes it reads and writes if they were counted."""

    name: str
    seconds: float
    bytes: float | None = None


@dataclass(frozen=True)
class RoundResult:
    """One round of one of our algorithms, see `boruvka.forest.round_log.Round`."""

    phase: str
    components: int
    edges: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Entry:
    """One contestant on one graph with one number of threads.

    Attributes
    ----------
    contestant, version : str
    threads : int
        The number of threads that it was asked to use.
    convert_seconds, convert_peak : float, int or None
        Seconds of the conversion to its native graph, and peak memory in bytes beyond the input.
    samples : tuple of float
        Seconds of every run.
    solves : int
        Solves in a run; a sample is their mean. More than one if a solve is very short.
    seconds, spread, converged
        The result of the scheme, see `boruvka.bench.schemes.Estimate`.
    solve_peak : int or None
        Peak memory of a solve in bytes beyond its native graph, measured in a run that is not timed; for
        an external program, of its whole process.
    rounds : tuple of RoundResult
        Rounds of the fastest run, for our algorithms.
    error : str
        The error, if any; samples of earlier runs are kept, but do not count.
    """

    contestant: str
    version: str
    threads: int
    convert_seconds: float | None = None
    convert_peak: int | None = None
    samples: tuple[float, ...] = ()
    solves: int = 1
    seconds: float | None = None
    spread: float | None = None
    converged: bool = False
    solve_peak: int | None = None
    rounds: tuple[RoundResult, ...] = ()
    error: str = ""

    @property
    def title(self) -> str:
        """The contestant and its threads."""
        return f"{self.contestant}, {self.threads} thread{'s' * (self.threads > 1)}"


@dataclass(frozen=True)
class GraphResult:
    """All contestants on one graph.

    Attributes
    ----------
    name : str
        The specification, or the file name.
    n, m : int
        Vertices and edges.
    weights : str
        The type of the weights.
    bytes : int
        Bytes of u, v and w, the size of one streaming read.
    forest_edges, forest_weight
        The expected answer, from our verified forest.
    limits : tuple of Entry
        The probes "streaming" and "random-access", for each number of threads.
    entries : tuple of Entry
        The contestants.
    left_out : dict of str to str
        Contestants that did not take part, and why.
    """

    name: str
    n: int
    m: int
    weights: str
    bytes: int
    forest_edges: int
    forest_weight: int | float
    limits: tuple[Entry, ...] = ()
    entries: tuple[Entry, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def is_points(self) -> bool:
        """Whether these are results on points."""
        return self.name.startswith(POINTS)

    @property
    def title(self) -> str:
        """The graph, its size and the type of its weights; of points the type of the coordinates."""
        if self.is_points:
            return f"{self.name} ({self.n:,} points, {self.weights})"
        return f"{self.name} ({self.n:,} vertices, {self.m:,} edges, {self.weights})"


@dataclass(frozen=True)
class Results:
    """A whole measurement.

    Attributes
    ----------
    machine, versions : dict of str to str
        See `boruvka.bench.machine`.
    scheme : dict
        The name of the scheme and its numbers.
    complete : bool
        Whether it ran to its end.
    graphs : tuple of GraphResult
    """

    machine: dict[str, str]
    versions: dict[str, str]
    scheme: dict[str, str | int | float]
    complete: bool = False
    graphs: tuple[GraphResult, ...] = ()


def to_json(results: Results) -> dict[str, Any]:
    """Convert results to JSON values."""
    return {"schema": SCHEMA, **plain(asdict(results))}


def write_results(results: Results, path: Path) -> None:
    """Write a results file, whole or not at all."""
    write_json(to_json(results), path)


def write_json(values: dict[str, Any], path: Path) -> None:
    """Write a JSON file, whole or not at all."""
    with writing(path) as file:
        file.write(json.dumps(values, indent=1, allow_nan=False).encode() + b"\n")


def read_results(path: Path) -> Results:
    """Read a results file.

    Raises
    ------
    FileError
        It cannot be read.
    FormatError
        It is damaged, not a results file, or of another version.
    """
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: no results of `boruvka bench`, or damaged: {error}") from None
    if not isinstance(data, dict) or "schema" not in data:
        raise FormatError(f"{path}: no results of `boruvka bench`: there is no 'schema' in it")
    if data.pop("schema") != SCHEMA:
        raise FormatError(
            f"{path}: of another version of boruvka (this one reads schema {SCHEMA}); measure again"
        )
    try:
        return decoded(Results, data, "results")
    except Mismatch as error:
        raise FormatError(f"{path}: damaged: {error}") from None


def plain(x: Any) -> Any:
    """Convert values that JSON cannot express: a float that is not finite becomes a string."""
    if isinstance(x, dict):
        return {name: plain(value) for name, value in x.items()}
    if isinstance(x, list | tuple):
        return [plain(value) for value in x]
    return str(x) if isinstance(x, float) and not math.isfinite(x) else x
