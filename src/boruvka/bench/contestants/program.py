"""Descriptions of external programs, read from a TOML file (never from a graph or from results)."""

from __future__ import annotations

import re
import shlex
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from boruvka.bench.decode import Mismatch, decoded
from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats import FORMATS

__all__ = ["Program", "read_programs"]


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
        The format of the input, one that `boruvka.write` knows. Self-loops are left out. If the format
        states no number of vertices, isolated vertices at the end are left out too.
    prepare : str
        A command that converts ``{input}`` to another file ``{output}``, which is then the input.
    environment : dict of str to str
        Variables to set; ``{threads}`` as above.
    seconds : str
        Regular expression with one group, searched in the output of the program: the seconds of a
        solve, one match per solve. Without it, the whole command is timed, including reading.
    weight, edges : str
        Regular expressions with one group: the weight of the forest and its number of edges.
    answer : str
        "edge-ids" if ``{output}`` holds the edges as indices, from 0, into the edges of the input.
    weights : tuple of str
        The types of weights it takes; by default all.
    accuracy : float
        Tolerance of the weight, as a fraction of the sum of absolute weights.
    version : str
        The version to report.
    """

    command: str
    format: str
    prepare: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    seconds: str = ""
    weight: str = ""
    edges: str = ""
    answer: str = ""
    weights: tuple[str, ...] = ()
    accuracy: float = 1e-6
    version: str = ""

    def __post_init__(self) -> None:
        if self.format not in (names := [f.name for f in FORMATS]):
            raise OptionError(f"there is no format {self.format!r}; there are {', '.join(names)}")
        if not self.accuracy >= 0:
            raise OptionError(f"accuracy must not be negative, got {self.accuracy}")
        if self.answer not in ("", "edge-ids"):
            raise OptionError(f"answer must be 'edge-ids', got {self.answer!r}")
        if not (self.answer or self.weight):
            raise OptionError("give weight = '(...)' or answer = 'edge-ids', so that it can be checked")
        for name in "seconds", "weight", "edges":
            pattern = getattr(self, name)
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise OptionError(f"{name} is no regular expression: {error}") from None
            if pattern and groups != 1:
                raise OptionError(f"{name} must have one group in parentheses, it has {groups}")
        for name in ("command", "prepare") if self.prepare else ("command",):
            self.arguments(name, "input", "output", 1)
        self.variables(1)

    def arguments(self, name: str, input: str, output: str, threads: int) -> list[str]:
        """Fill in a command, and split it."""
        command = getattr(self, name)
        try:
            parts = shlex.split(command)
            filled = [part.format(input=input, output=output, threads=threads) for part in parts]
        except (KeyError, IndexError, AttributeError, ValueError) as error:
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
        except (KeyError, IndexError, AttributeError, ValueError) as error:
            raise OptionError(f"environment takes {{threads}} only: {error}") from None

    @property
    def parallel(self) -> bool:
        """Whether it takes a number of threads."""
        return any("{threads}" in text for text in (self.command, *self.environment.values()))


def read_programs(path: Path) -> dict[str, Program]:
    """Read a TOML file of programs: one table each, whose name is that of the program.

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
    for name, table in tables.items():
        try:
            programs[name] = decoded(Program, table, f"[{name}]", defaults=True)
        except Mismatch as error:
            raise FormatError(f"{path}: {error}") from None
        except OptionError as error:
            raise FormatError(f"{path}: [{name}]: {error}") from None
    return programs
