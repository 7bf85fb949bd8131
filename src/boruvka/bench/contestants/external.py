"""A program of somebody else, run as a command: described in a TOML file, never in a graph or in results."""

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

import boruvka
from boruvka.bench.contestants.contestant import Contestant, Outcome, Run
from boruvka.errors import BoruvkaError, FileError, FormatError, OptionError
from boruvka.formats import FORMATS
from boruvka.graph import Graph

__all__ = ["External", "Program", "read_programs"]

_SHOWN = 200


@dataclass(frozen=True)
class Program:
    """One entry of a TOML file of programs.

    Commands are split as a shell would, but no shell runs.

    Attributes
    ----------
    command : str
        Program and arguments. ``{input}`` is the file of the graph, ``{output}`` a file to write,
        ``{threads}`` the number of threads.
    format : str
        The format of the input, one that `boruvka.write` knows. Self-loops are left out.
    prepare : str
        Where no format will do: a command that makes another file ``{output}`` of ``{input}``, which
        is then the input.
    environment : dict of str to str
        Variables to set; ``{threads}`` as above.
    seconds : str
        Regular expression with one group, searched in what the program prints: the seconds of a
        solve. Where it matches several times, it has solved so often. Without it, the time of the
        whole command counts, reading included.
    weight, edges : str
        Regular expressions with one group: the weight of the forest and its number of edges.
    answer : str
        "edge-ids" if ``{output}`` holds the edges as indices, from 0, into the edges of the input.
    weights : list of str
        The types of weights it takes; all unless given.
    accuracy : float
        How far the weight may be off, as a fraction of the sum of absolute weights.
    version : str
        What to report as its version.
    """

    command: str
    format: str
    prepare: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    seconds: str = ""
    weight: str = ""
    edges: str = ""
    answer: str = ""
    weights: list[str] = field(default_factory=list)
    accuracy: float = 1e-6
    version: str = ""

    def __post_init__(self) -> None:
        for given in fields(self):
            value, kind = getattr(self, given.name), given.type
            strings = {
                "dict[str, str]": lambda x: (
                    isinstance(x, dict) and all(isinstance(y, str) for y in x.values())
                ),
                "list[str]": lambda x: isinstance(x, list) and all(isinstance(y, str) for y in x),
                "float": lambda x: isinstance(x, int | float) and not isinstance(x, bool) and x >= 0,
            }.get(str(kind), lambda x: isinstance(x, str))
            if not strings(value):
                raise OptionError(f"{given.name} must be a {kind}, got {value!r}")
        if self.format not in (names := [f.name for f in FORMATS]):
            raise OptionError(f"there is no format {self.format!r}; there are {', '.join(names)}")
        if self.answer not in ("", "edge-ids"):
            raise OptionError(f"answer must be 'edge-ids', got {self.answer!r}")
        if not (self.answer or self.weight):
            raise OptionError("give weight = '(...)' or answer = 'edge-ids', so that it can be checked")
        for name in "seconds", "weight", "edges":
            self._check_pattern(name)
        for name in ("command", "prepare") if self.prepare else ("command",):
            self.arguments(name, "input", "output", 1)
        self.variables(1)

    def _check_pattern(self, name: str) -> None:
        try:
            groups = re.compile(getattr(self, name)).groups
        except re.error as error:
            raise OptionError(f"{name} is no regular expression: {error}") from None
        if getattr(self, name) and groups != 1:
            raise OptionError(f"{name} must have one group in parentheses, it has {groups}")

    def arguments(self, name: str, input: str, output: str, threads: int) -> list[str]:
        """Fill in a command."""
        command = getattr(self, name)
        try:
            parts = shlex.split(command)
            filled = [part.format(input=input, output=output, threads=threads) for part in parts]
        except (KeyError, IndexError, ValueError) as error:
            raise OptionError(
                f"{name} takes {{input}}, {{output}} and {{threads}} only: {error} in {command!r}"
            ) from None
        if not filled:
            raise OptionError(f"{name} is empty")
        return filled

    def variables(self, threads: int) -> dict[str, str]:
        """Fill in the environment."""
        try:
            return {name: text.format(threads=threads) for name, text in self.environment.items()}
        except (KeyError, IndexError, ValueError) as error:
            raise OptionError(f"environment takes {{threads}} only: {error}") from None

    @property
    def parallel(self) -> bool:
        """Whether it is told how many threads to use."""
        return any("{threads}" in text for text in (self.command, *self.environment.values()))


class Native(NamedTuple):
    """The graph that was written, and where."""

    graph: Graph
    input: str
    output: str


class Answer(NamedTuple):
    """What a program printed, and the peak of its memory."""

    text: str
    peak: int | None


class External(Contestant):
    """A program that is run as a command."""

    def __init__(self, name: str, program: Program):
        self.name, self.program = name, program
        self.parallel = program.parallel
        self.accuracy = 0.0 if program.answer else program.accuracy
        self.threads = 1

    def version(self) -> str:
        return self.program.version

    def refusal(self, graph: Graph) -> str:
        taken = self.program.weights
        known = not taken or graph.w.dtype.name in taken
        return "" if known else f"takes weights of {', '.join(taken)}, not {graph.w.dtype}"

    def load(self, threads: int) -> None:
        self.threads = threads

    def prepare(self, graph: Graph) -> Native:
        kept = graph.u != graph.v
        graph = Graph(graph.n, graph.u[kept], graph.v[kept], graph.w[kept])
        folder = Path(tempfile.gettempdir())
        path = folder / f"graph.{self.program.format}"
        if not path.exists():  # one file for all who read this format
            boruvka.write(graph, path, format=self.program.format)
        if self.program.prepare:
            prepared = folder / f"{self.name}-{self.threads}.input"
            self._call("prepare", str(path), str(prepared))
            path = prepared
        return Native(graph, str(path), str(folder / f"{self.name}-{self.threads}.output"))

    def solve(self, native: Native) -> Answer:
        return self._call("command", native.input, native.output)

    def _call(self, name: str, input: str, output: str) -> Answer:
        """Run a command."""
        arguments = self.program.arguments(name, input, output, self.threads)
        environment = {**os.environ, **self.program.variables(self.threads)}
        try:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment,
            )
        except OSError as error:
            raise OptionError(f"{arguments[0]} cannot be run: {error.strerror}") from None
        with process:
            assert process.stdout is not None
            text = process.stdout.read().decode(errors="replace")
            peak = _wait(process)
        if process.returncode:
            raise BoruvkaError(f"exit code {process.returncode}: {_last_line(text)}")
        return Answer(text, peak)

    def outcome(self, native: Native, answer: Answer) -> Outcome:
        if self.program.answer:
            return Outcome.of(native.graph.w[_edge_ids(native)])
        edges = self._found("edges", answer.text) if self.program.edges else None
        weight = self._found("weight", answer.text)
        return Outcome(None if edges is None else int(edges), weight)

    def run(self, answer: Answer, seconds: float) -> Run:
        if not self.program.seconds:
            return Run((seconds,), peak=answer.peak)
        matches = re.findall(self.program.seconds, answer.text)
        if not matches:
            raise FormatError(f"it printed no match of seconds = {self.program.seconds!r}")
        return Run(tuple(map(_number, matches)), peak=answer.peak)

    def _found(self, name: str, text: str) -> int | float:
        pattern = getattr(self.program, name)
        matches = re.findall(pattern, text)
        if not matches:
            raise FormatError(f"it printed no match of {name} = {pattern!r}")
        whole = matches[-1].lstrip("+-").isdigit()
        return int(matches[-1]) if whole else _number(matches[-1])


def read_programs(path: Path) -> list[External]:
    """Read a TOML file of programs: one table each, named as the program shall be called.

    Raises
    ------
    FileError
        The file cannot be read.
    FormatError
        It is no TOML, or an entry is not right; the message names file and entry.
    """
    try:
        tables = tomllib.loads(path.read_text())
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: {error}") from None
    return [_external(path, name, table) for name, table in tables.items()]


def _external(path: Path, name: str, table: Any) -> External:
    known = {given.name for given in fields(Program)}
    if not isinstance(table, dict):
        raise FormatError(f"{path}: {name} must be a table: [{name}]")
    for key in table:
        if key not in known:
            raise FormatError(
                f"{path}: [{name}] has an unknown key {key!r}; there are {', '.join(sorted(known))}"
            )
    for key in "command", "format":
        if key not in table:
            raise FormatError(f"{path}: [{name}] has no {key}")
    try:
        return External(name, Program(**table))
    except OptionError as error:
        raise FormatError(f"{path}: [{name}] {error}") from None


def _wait(process: subprocess.Popen[bytes]) -> int | None:
    """Wait for a process; the peak of its memory, which is not less than ours was when it began."""
    if not hasattr(os, "wait4"):
        process.wait()
        return None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise FormatError(f"{text[:_SHOWN]!r} in what it printed is no number") from None


def _last_line(text: str) -> str:
    lines = text.split("\n")
    return next((line.strip()[:_SHOWN] for line in reversed(lines) if line.strip()), "it printed nothing")


def _edge_ids(native: Native) -> np.ndarray[Any, Any]:
    """Read indices of edges between blanks, after a word that names the format perhaps."""
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
        raise FormatError(f"{{output}} names an edge that is not below {native.graph.m}")
    return edges
