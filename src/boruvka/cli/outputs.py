"""Output of commands: graphs and forests, fields and tables, JSON."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from glob import has_magic
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from boruvka.cli import FAILED, OK
from boruvka.cli.options import STANDARD_STREAM
from boruvka.errors import FileError, OptionError
from boruvka.runtime.progress import listening

if TYPE_CHECKING:
    from boruvka.cli.event_log import EventLog
    from boruvka.forest.verify import Verification


class Output(NamedTuple):
    """Files and streams to which a command writes a graph or a forest, its log, and its report."""

    path: Path | None
    format: str | None
    log: Path | None = None
    as_json: bool = False
    is_silent: bool = False
    """Whether nothing but the result is printed."""

    def check(self, names: Any = None) -> None:
        """Raise an error if a file cannot be written, or cannot hold these names of vertices."""
        if self.path == self.log == STANDARD_STREAM:
            raise OptionError("--output and --log cannot both be standard output")
        if self.path is not None:
            from boruvka.formats import check_output
            from boruvka.formats.name_columns import portable_names

            check_output(standard_output(self.path), self.format, portable_names(names))
        elif self.format is not None:
            raise OptionError(
                f"--to {self.format} is the format of a file: write -o FILE too, or -o - for standard output"
            )
        if self.log is not None:
            from boruvka.formats.files import check_writable

            check_writable(standard_output(self.log))

    @contextmanager
    def listening(self) -> Iterator[EventLog | None]:
        """Write the log of events, or without a log show a bar, while a block runs."""
        if self.log is None:
            with listening(not self.is_silent):
                yield None
        else:
            from boruvka.cli.event_log import EventLog

            with EventLog(self.log) as log, listening(log):
                yield log

    def write(self, graph: Any) -> None:
        """Write a graph or a forest, with names that other programs can read, if a file was named for it."""
        if self.path is not None:
            from boruvka.formats import write
            from boruvka.formats.format import EdgeTable
            from boruvka.formats.name_columns import portable_names

            table = EdgeTable.of(graph)
            table = table._replace(names=portable_names(table.names))
            write(table, standard_output(self.path), format=self.format)

    def print(self, report: Mapping[str, Any]) -> None:
        """Print the report, on standard error if standard output has the forest or the log."""
        if self.as_json or not self.is_silent:
            print_fields(report, self.as_json, err=STANDARD_STREAM in (self.path, self.log))


def standard_output(path: Path) -> Path | BinaryIO:
    """Return a file to write: standard output for ``-``.

    Raises
    ------
    OptionError
        The running command also reads or writes this file in another place.
    """
    if path != STANDARD_STREAM:
        _check_is_not_used(path)
        return path
    if sys.stdout is None:
        raise FileError("standard output is closed")
    return sys.stdout.buffer


def _check_is_not_used(output: Path) -> None:
    """Raise an error if an output is another file of the running command, which would be lost."""
    context = click.get_current_context()
    for parameter in context.command.params:
        other = context.params.get(parameter.name or "")
        is_option = isinstance(parameter, click.Option)
        if not isinstance(other, Path) or other is output or (is_option and other.is_dir()):
            continue
        if _are_same_file(other, output):
            name = parameter.opts[-1] if is_option else parameter.human_readable_name
            raise OptionError(f"{output} is also {name}, which would be overwritten: name another file")


def _are_same_file(path: Path, output: Path) -> bool:
    """Return whether an output is the file of a path, or one of the Parquet files of a folder or pattern."""
    if not output.exists() or not (path.exists() or has_magic(str(path))):
        return os.path.realpath(path) == os.path.realpath(output)
    if not output.is_file():
        return False  # a device can be read and written at once
    if path.is_file():
        return path.samefile(output)
    from boruvka.stream.sources.parquet_files import parquet_files

    return any(os.path.samefile(file, output) for file in parquet_files(str(path)) or ())


def print_fields(fields: Mapping[str, Any], as_json: bool = False, err: bool = False) -> None:
    """Print names and values as one JSON object, or in two columns, on standard error if asked."""
    if as_json:
        click.echo(to_json(fields), err=err)
        return
    width = max(map(len, fields))
    for name, value in fields.items():
        if text := _text(value):
            label = click.style(name.replace("_", " ").ljust(width), bold=True)
            click.echo(f"{label}  {text}", err=err)


def _text(value: Any) -> str:
    """Return a value of a field for people, empty if there is none; a tuple is a range."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, tuple):
        return " to ".join(map(_text, value))
    return f"{value:,}" if type(value) is int else str(value)


def to_json(fields: Mapping[str, Any]) -> str:
    """Return fields as a JSON object on one line."""
    import json

    return json.dumps(json_value(fields), allow_nan=False)


def json_value(x: Any) -> Any:
    """Return a value as JSON can hold it: infinities, NaN and long doubles beyond float64 as strings."""
    if isinstance(x, Mapping):
        return {name: json_value(value) for name, value in x.items()}
    if isinstance(x, list | tuple):
        return [json_value(value) for value in x]
    if x is None or isinstance(x, int | str):
        return x
    number = int(x) if isinstance(x, Integral) else float(x)
    return number if math.isfinite(number) else str(x)


def print_table(rows: Iterable[Sequence[str]]) -> None:
    """Print a table of two columns, the first cell of each row and the others, as wide as the terminal."""
    formatter = click.HelpFormatter(max_width=120)
    formatter.write_dl([(name, "; ".join(filter(None, cells))) for name, *cells in rows])
    click.echo(formatter.getvalue(), nl=False)


def exit_code(verification: Verification | None) -> int:
    """Return the exit code of a verification; print on standard error what is wrong with a forest."""
    if verification is None or verification.ok:
        return OK
    click.echo(f"verification failed: {verification.message}", err=True)
    return FAILED
