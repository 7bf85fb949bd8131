"""External programs, run as commands; a TOML file describes them (never a graph or results)."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka import Graph
from boruvka.errors import BoruvkaError, FileError, FormatError, OptionError
from lab.harness.contestant import Contestant, Outcome, Timing

SHOWN = 200
"""Characters of a program's output in messages."""


@dataclass(frozen=True)
class Program:
    """How to run an external program: one table of a TOML file.

    Commands are split as by a shell, but no shell runs.

    Attributes
    ----------
    command : str
        Program and arguments. ``{input}`` is the file of the graph, ``{output}`` a file to write,
        ``{threads}`` the number of threads.
    format : str
        The format of the input: "pbbs" (weighted edge array, without isolated vertices at the end) or "gbbs"
        (weighted adjacency graph). Self-loops are left out.
    environment : dict of str to str
        Variables to set; ``{threads}`` as above.
    seconds : str
        Regular expression with one group, searched in the output of the program: the seconds of a
        solve, one match per solve. Without it, the whole command is timed, including reading.
    weight, edges : str
        Regular expressions with one group: the weight of the forest and its number of edges.
    answer : str
        "edge-ids" if ``{output}`` holds the edges as indices, from 0, into the edges of the input.
    weights : list of str
        The types of weights it takes; by default all.
    accuracy : float
        Tolerance of the weight, as a fraction of the sum of absolute weights.
    version : str
        The version to report.
    """

    command: str
    format: str
    environment: dict[str, str] = field(default_factory=dict)
    seconds: str = ""
    weight: str = ""
    edges: str = ""
    answer: str = ""
    weights: list[str] = field(default_factory=list)
    accuracy: float = 1e-6
    version: str = ""

    def __post_init__(self) -> None:
        if self.format not in WRITERS:
            raise OptionError(f"format must be one of {', '.join(WRITERS)}, got {self.format!r}")
        if self.answer not in ("", "edge-ids"):
            raise OptionError(f"answer must be 'edge-ids', got {self.answer!r}")
        if not (self.answer or self.weight):
            raise OptionError("give weight = '(...)' or answer = 'edge-ids', so that it can be checked")
        for name in "seconds", "weight", "edges":
            pattern = getattr(self, name)
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise OptionError(f"{name} is not a regular expression: {error}") from None
            if pattern and groups != 1:
                raise OptionError(f"{name} must have one group in parentheses, it has {groups}")

    def arguments(self, input: str, output: str, threads: int) -> list[str]:
        """Fill in the command, and split it."""
        values = {"input": input, "output": output, "threads": threads}
        return [_filled(part, values) for part in shlex.split(self.command)]

    def variables(self, threads: int) -> dict[str, str]:
        """Fill in the environment."""
        return {name: _filled(text, {"threads": threads}) for name, text in self.environment.items()}


def read_programs(path: Path) -> dict[str, Program]:
    """Read a TOML file of programs: one table each, named as the program.

    Raises
    ------
    FileError
        The file cannot be read.
    FormatError
        It is not TOML, or an entry is malformed; the message names file and entry.
    """
    try:
        tables = tomllib.loads(path.read_text())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: {error}") from None
    programs = {}
    known = {each.name: each.type.partition("[")[0] for each in fields(Program)}
    for name, table in tables.items():
        for key, value in table.items():
            if key not in known:
                raise FormatError(f"{path}: [{name}]: {key!r} is unknown; take {', '.join(known)}")
            if type(value).__name__ != known[key] and not (known[key] == "float" and type(value) is int):
                raise FormatError(f"{path}: [{name}]: {key} must be a {known[key]}, got {value!r}")
        try:
            programs[name] = Program(**table)
            programs[name].arguments("input", "output", 1)
        except (OptionError, TypeError) as error:
            raise FormatError(f"{path}: [{name}]: {error}") from None
    return programs


class Native(NamedTuple):
    """The graph that was written, the file that holds it, and the file for the answer."""

    graph: Graph
    input: str
    output: str


class Answer(NamedTuple):
    """The output of a program, and its peak memory."""

    text: str
    peak: int | None


class External(Contestant):
    """A program that is run as a command."""

    repeated = False

    def __init__(self, name: str, program: Program):
        self.name, self.program = name, program
        self.parallel = any("{threads}" in text for text in (program.command, *program.environment.values()))
        self.accuracy = 0.0 if program.answer else program.accuracy

    def version(self) -> str:
        return self.program.version

    def refusal(self, graph: Graph) -> str:
        taken = self.program.weights
        known = not taken or graph.w.dtype.name in taken
        return "" if known else f"takes weights of {', '.join(taken)}, not {graph.w.dtype}"

    def prepare(self, graph: Graph) -> Native:
        kept = graph.u != graph.v
        graph = Graph(graph.n, graph.u[kept], graph.v[kept], graph.w[kept])
        folder = Path(tempfile.gettempdir())
        path = folder / f"graph.{self.program.format}"
        if not path.exists():  # contestants that read this format share one file
            WRITERS[self.program.format](graph, path)
        return Native(graph, str(path), str(folder / f"{self.name}-{self.threads}.output"))

    def solve(self, native: Native) -> Answer:
        arguments = self.program.arguments(native.input, native.output, self.threads)
        environment = {**os.environ, **self.program.variables(self.threads)}
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        try:
            process = subprocess.Popen(arguments, env=environment, **pipes)  # type: ignore[call-overload]
        except OSError as error:
            raise OptionError(f"{arguments[0]} cannot be run: {error.strerror}") from None
        with process:
            text = process.stdout.read().decode(errors="replace")
            peak = _wait(process)
        if process.returncode:
            last = text.strip().rpartition("\n")[2][:SHOWN] or "it printed nothing"
            raise BoruvkaError(f"exit code {process.returncode}: {last}")
        return Answer(text, peak)

    def outcome(self, native: Native, answer: Answer) -> Outcome:
        if self.program.answer:
            edges = _edge_ids(native)
            return Outcome.of(native.graph.w[edges])
        number = int(self._numbers("edges", answer.text)[-1]) if self.program.edges else None
        return Outcome(number, self._numbers("weight", answer.text)[-1])

    def timing(self, answer: Answer, seconds: float) -> Timing:
        if not self.program.seconds:
            return Timing((seconds,), peak=answer.peak)
        return Timing(tuple(self._numbers("seconds", answer.text)), peak=answer.peak)

    def _numbers(self, name: str, text: str) -> list[float]:
        """Find the numbers that a program prints."""
        pattern = getattr(self.program, name)
        matches = re.findall(pattern, text)
        if not matches:
            raise FormatError(f"it printed no match of {name} = {pattern!r}")
        try:
            return [float(match) for match in matches]
        except ValueError as error:
            raise FormatError(f"in its output for {name}: {str(error)[:SHOWN]}") from None


def _filled(text: str, values: dict[str, Any]) -> str:
    """Fill in what stands in braces."""
    try:
        return text.format(**values)
    except (KeyError, IndexError, AttributeError, ValueError) as error:
        known = ", ".join(f"{{{name}}}" for name in values)
        raise OptionError(f"{text!r}: {error}; it takes {known} only") from None


def _wait(process: subprocess.Popen[bytes]) -> int | None:
    """Wait for a process, and return its peak memory, which includes ours at the fork."""
    if not hasattr(os, "wait4"):
        process.wait()
        return None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _edge_ids(native: Native) -> NDArray[np.int64]:
    """Read edge indices separated by blanks, after an optional word that names the format."""
    try:
        tokens = Path(native.output).read_bytes().split()
    except FileNotFoundError:
        raise FormatError("it wrote no {output}") from None
    if tokens and not tokens[0].isdigit():
        tokens = tokens[1:]
    try:
        edges = np.array([int(token) for token in tokens], np.int64)
    except ValueError as error:
        raise FormatError(f"{{output}} holds no list of indices: {error}") from None
    if edges.size and not 0 <= edges.min() <= edges.max() < native.graph.m:
        raise FormatError(f"{{output}} has an index that is not below {native.graph.m}")
    return edges


def write_pbbs(graph: Graph, path: Path) -> None:
    """Write a weighted edge array of PBBS: a word, then ``u v w`` per line, ids from 0.

    Source: G. Blelloch, D. Anderson, L. Dhulipala, The Problem-Based Benchmark Suite (PBBS) V2, PPoPP 2022.
    """
    with open(path, "w") as file:
        file.write("WeightedEdgeArray\n")
        columns = (column.tolist() for column in (graph.u, graph.v, graph.w))
        file.writelines(f"{u} {v} {w}\n" for u, v, w in zip(*columns, strict=True))


def write_gbbs(graph: Graph, path: Path) -> None:
    """Write a weighted adjacency graph of GBBS: a word, n, arcs, offsets, neighbours and weights, one a line.

    Source: L. Dhulipala, G. Blelloch, J. Shun, Theoretically Efficient Parallel Graph Algorithms Can Be Fast
    and Scalable, SPAA 2018. Neighbours are sorted, because some programs use binary search.
    """
    tail, head = np.concatenate([graph.u, graph.v]), np.concatenate([graph.v, graph.u])
    order = np.lexsort((head, tail))
    begins = np.searchsorted(tail[order], np.arange(graph.n))
    w = np.concatenate([graph.w, graph.w])[order]
    with open(path, "w") as file:
        file.write(f"WeightedAdjacencyGraph\n{graph.n}\n{tail.size}\n")
        for numbers in begins, head[order], w:
            file.writelines(f"{x}\n" for x in numbers.tolist())


WRITERS = {"pbbs": write_pbbs, "gbbs": write_gbbs}
"""Functions that write a graph, by format."""
