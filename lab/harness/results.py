"""Results: one file for each measurement, with the machine and tables of rows; raw samples are not kept."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boruvka.errors import FileError, FormatError
from boruvka.runtime.round_log import Round
from lab.harness.machine import describe, versions

RESULTS = Path(__file__).parents[1] / "results"
DIGITS = 5
"""Significant digits of a float in a file."""

Rows = list[dict[str, Any]]
Tables = dict[str, Rows]


@dataclass(frozen=True)
class Entry:
    """One contestant on one graph with one number of threads.

    Attributes
    ----------
    contestant : str
    threads : int
        The number of threads that it was asked to use.
    version : str
    convert_seconds : float or None
        Seconds of the conversion to its native graph.
    samples : tuple of float
        Seconds of every run.
    solves : int
        Solves in a run; a sample is their mean. More than one if a solve is very short.
    seconds, spread, converged
        The result of the scheme, see `lab.harness.schemes.Estimate`.
    peak : int or None
        Peak memory of a solve in bytes beyond its native graph, measured in a run that is not timed; of an
        external program, the peak of its whole process.
    rounds : tuple of Round
        Rounds of the fastest run, for our algorithms.
    error : str
        The error, if any.
    """

    contestant: str
    threads: int
    version: str = ""
    convert_seconds: float | None = None
    samples: tuple[float, ...] = ()
    solves: int = 1
    seconds: float | None = None
    spread: float | None = None
    converged: bool = False
    peak: int | None = None
    rounds: tuple[Round, ...] = ()
    error: str = ""

    @property
    def title(self) -> str:
        """The contestant and its threads."""
        return f"{self.contestant}, {self.threads} thread{'s' * (self.threads > 1)}"

    def row(self) -> dict[str, Any]:
        """Summarise the runs."""
        is_timed = self.seconds is not None
        return {
            "contestant": self.contestant,
            "threads": self.threads,
            "ms": 1e3 * self.seconds if self.seconds is not None else None,
            "median ms": 1e3 * statistics.median(self.samples) if is_timed else None,
            "spread %": None if self.spread is None else 100 * self.spread,
            "runs": len(self.samples),
            "converged": self.converged,
        }


@dataclass(frozen=True)
class GraphResult:
    """All contestants on one graph.

    Attributes
    ----------
    name : str
        The specification, or the file name.
    n, m : int
        Vertices and edges; points and pairs.
    dtype : str
        The type of the weights; for points, the type of the coordinates.
    entries : tuple of Entry
    left_out : dict of str to str
        Contestants that did not take part, and why.
    """

    name: str
    n: int
    m: int
    dtype: str
    entries: tuple[Entry, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)


def times_of(graphs: Iterable[GraphResult]) -> Rows:
    """List the times of all contestants on graphs."""
    return [
        {
            "graph": graph.name,
            "vertices": graph.n,
            "edges": graph.m,
            "type": graph.dtype,
            **entry.row(),
            "convert ms": None if entry.convert_seconds is None else 1e3 * entry.convert_seconds,
            "peak MB": None if entry.peak is None else entry.peak / 1e6,
            "version": entry.version,
            "error": entry.error,
        }
        for graph in graphs
        for entry in graph.entries
    ]


def remarks_of(graphs: Iterable[GraphResult]) -> tuple[str, ...]:
    """List the contestants that did not take part."""
    return tuple(
        f"{graph.name}: {name} left out: {reason}"
        for graph in graphs
        for name, reason in graph.left_out.items()
    )


@dataclass(frozen=True)
class Record:
    """A whole measurement, as a file holds it.

    Attributes
    ----------
    measurement : str
        Its name on the command line.
    tables : dict of str to list of rows
        Each row is a dict; all rows of a table have the same names.
    parameters : dict
        The parameters of the run.
    remarks : sequence of str
        Notes for the reader.
    machine, versions : dict of str to str
        See `lab.harness.machine`.
    """

    measurement: str
    tables: Tables
    parameters: Mapping[str, Any] = field(default_factory=dict)
    remarks: Sequence[str] = ()
    machine: Mapping[str, Any] = field(default_factory=describe)
    versions: Mapping[str, str] = field(default_factory=versions)

    def write(self, path: Path) -> None:
        """Write a file: a row of a table is a line, and its names stand once above."""
        tables = {name: _table_text(rows) for name, rows in self.tables.items()}
        values = {**vars(self), "tables": dict.fromkeys(tables, None)}
        text = json.dumps(_plain(values), indent=1, allow_nan=False, ensure_ascii=False)
        for name, table in tables.items():
            text = text.replace(f"{json.dumps(name)}: null", f"{json.dumps(name)}: {table}", 1)
        try:
            path.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise FileError(f"{path}: {error.strerror or error}") from None

    @classmethod
    def read(cls, path: Path) -> Record:
        """Read a file.

        Raises
        ------
        FileError
            It cannot be read.
        FormatError
            It is not such a file.
        """
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            values["tables"] = {
                name: [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
                for name, table in values["tables"].items()
            }
            return cls(**values)
        except OSError as error:
            raise FileError(f"{path}: {error.strerror or error}") from None
        except (ValueError, TypeError, KeyError) as error:
            raise FormatError(f"{path}: no results of `python -m lab`, or damaged: {error!r}") from None


def _table_text(rows: Rows) -> str:
    """Format a table as JSON: its columns, and a line for each row."""
    columns = list(rows[0]) if rows else []
    lines = [
        json.dumps(_plain(list(row.values())), ensure_ascii=False, separators=(",", ":")) for row in rows
    ]
    body = "".join(f"\n    {line}," for line in lines).removesuffix(",")
    return f'{{\n   "columns": {json.dumps(columns, ensure_ascii=False)},\n   "rows": [{body}]\n  }}'


def _plain(x: Any) -> Any:
    """Convert values for JSON: floats are rounded, and those that are not finite become strings."""
    if isinstance(x, Mapping):
        return {name: _plain(value) for name, value in x.items()}
    if isinstance(x, list | tuple | range):
        return [_plain(value) for value in x]
    if isinstance(x, float):
        return float(f"{x:.{DIGITS}g}") if math.isfinite(x) else str(x)
    return x
