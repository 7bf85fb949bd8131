"""An external program, run as a command."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boruvka.bench.contestants.contestant import Contestant, Outcome, Timing
from boruvka.bench.contestants.program import Program
from boruvka.errors import BoruvkaError, FormatError, OptionError
from boruvka.formats import FORMATS, write
from boruvka.graph.graph import Graph

__all__ = ["External"]

_SHOWN = 200


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
        self.parallel = program.parallel
        self.accuracy = 0.0 if program.answer else program.accuracy

    def version(self) -> str:
        return self.program.version

    def refusal(self, graph: Graph) -> str:
        taken = self.program.weights
        known = not taken or graph.w.dtype.name in taken
        return "" if known else f"takes weights of {', '.join(taken)}, not {graph.w.dtype}"

    def prepare(self, graph: Graph) -> Native:
        kept = graph.u != graph.v
        states_n = next(f.codec.states_n for f in FORMATS if f.name == self.program.format)
        n = graph.n if states_n else None  # if not stated, isolated vertices at the end are left out
        graph = Graph.from_edges(graph.u[kept], graph.v[kept], graph.w[kept], n)
        folder = Path(tempfile.gettempdir())
        path = folder / f"graph.{self.program.format}"
        if not path.exists():  # contestants that read this format share one file
            write(graph, path, format=self.program.format)
        if self.program.prepare:
            path = self._prepared(path)
        return Native(graph, str(path), str(folder / f"{self.name}-{self.threads}.output"))

    def _prepared(self, path: Path) -> Path:
        """Convert a file, unless another contestant has done so with the same command."""
        command = self.program.arguments("prepare", str(path), "", self.threads)
        prepared = path.with_name(f"prepared-{hashlib.sha256(repr(command).encode()).hexdigest()}")
        if not prepared.exists():
            unfinished = path.with_name(f"{self.name}-{self.threads}.input")
            self._call("prepare", str(path), str(unfinished))
            unfinished.rename(prepared)
        return prepared

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
        edges = int(self._last_number("edges", answer.text)) if self.program.edges else None
        return Outcome(edges, self._last_number("weight", answer.text))

    def timing(self, answer: Answer, seconds: float) -> Timing:
        if not self.program.seconds:
            return Timing((seconds,), peak=answer.peak)
        return Timing(tuple(map(_number, self._matches("seconds", answer.text))), peak=answer.peak)

    def _matches(self, name: str, text: str) -> list[str]:
        pattern = getattr(self.program, name)
        matches = re.findall(pattern, text)
        if not matches:
            raise FormatError(f"it printed no match of {name} = {pattern!r}")
        return matches

    def _last_number(self, name: str, text: str) -> int | float:
        last = self._matches(name, text)[-1]
        return int(last) if last.lstrip("+-").isdigit() else _number(last)


def _wait(process: subprocess.Popen[bytes]) -> int | None:
    """Wait for a process, and return its peak memory, which includes ours at the fork."""
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
        raise FormatError(f"{text[:_SHOWN]!r} in its output is no number") from None


def _last_line(text: str) -> str:
    lines = text.split("\n")
    return next((line.strip()[:_SHOWN] for line in reversed(lines) if line.strip()), "it printed nothing")


def _edge_ids(native: Native) -> np.ndarray[Any, Any]:
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
