"""Options that several commands share, and how their values are parsed."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from glob import has_magic
from pathlib import Path
from typing import Any, BinaryIO

import click
from click.core import ParameterSource

from boruvka.errors import FileError, OptionError

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


def _completer(names: Callable[[], Iterable[str]]) -> Completer:
    """Make a function that lists the names with a prefix, for a shell that completes a command line."""
    return lambda context, parameter, prefix: [name for name in names() if name.startswith(prefix)]


def _algorithms() -> Iterable[str]:
    from boruvka.algorithms.registry import ALGORITHMS

    return "auto", *ALGORITHMS


def _backends() -> Iterable[str]:
    from boruvka.backends import MODULES

    return "auto", *MODULES


def _formats() -> Iterable[str]:
    from boruvka.formats import FORMATS

    return (each.name for each in FORMATS)


complete_algorithm, complete_backend, complete_format = map(_completer, (_algorithms, _backends, _formats))


class _FilePath(click.Path):
    """A path that is not empty: an empty variable of a shell would otherwise mean this folder."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if not os.fspath(value):
            self.fail("the name of a file is empty", parameter, context)
        return super().convert(value, parameter, context)


FILE_PATH = _FilePath(path_type=Path)
STANDARD_STREAM = Path("-")
"""The name of standard input and standard output on a command line."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
output_format_option = click.option(
    *("--to", "output_format"),
    shell_complete=complete_format,
    help="Format of the output; by default its file name decides.",
)


memory_option = click.option(
    "--memory",
    help="Memory of this process, such as 2G: edges are streamed, and only the forest is in memory.",
)


def option_group(*options: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a decorator that adds options to a command, in this order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def refuse_options(reason: str, *names: str) -> None:
    """Raise an `OptionError` if one of these options of the running command was given."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise OptionError(f"{option_text(name, context.params[name])} {reason}")


def is_streamed(
    file: Path, memory: str | None, read_options: dict[str, Any], silent: bool, checkpoint: Path | None = None
) -> bool:
    """Return whether to stream the edges of a file instead of reading them into memory.

    If the file is too large and no option asks for streaming, a line on standard error says so.
    """
    if memory is not None:
        from boruvka.stream.memory import free_memory_at_once, parse_memory

        parse_memory(memory)
        free_memory_at_once()
        return True
    if checkpoint is not None:
        raise OptionError("--checkpoint needs --memory")
    if file == STANDARD_STREAM:
        return False
    from boruvka.stream.choice import is_larger_than_memory, names_several_files

    if names_several_files(file):
        return True
    if not is_larger_than_memory(file, read_options["format"]):
        return False
    if not silent:
        click.echo(f"{file} does not fit the memory: its edges are streamed (see --memory)", err=True)
    return True


def standard_input(path: Path) -> Path | BinaryIO:
    """Return a file to read: standard input for ``-``."""
    if path != STANDARD_STREAM:
        return path
    if sys.stdin is None:
        raise FileError("standard input is closed")
    return sys.stdin.buffer


def input_to_stream(path: Path) -> Path | BinaryIO:
    """Return a file whose edges are streamed.

    Standard input gets its own buffer: if a thread waits for input when the process is interrupted, Python
    cannot free the buffer of ``sys.stdin``, and aborts.
    """
    file = standard_input(path)
    with suppress(AttributeError, OSError):
        if not isinstance(file, Path):
            raw = io.FileIO(file.fileno(), closefd=False)
            raw.name = "<stdin>"
            return io.BufferedReader(raw)
    return file


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
    context = click.get_current_context(silent=True)
    if context is None:
        return
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


def option_text(name: str, value: Any) -> str | None:
    """Write an argument of a Python function as an option of the running command.

    Returns
    -------
    str or None
        The option, with its value unless that is None; empty if the command has no such option, None if no
        command runs.
    """
    context = click.get_current_context(silent=True)
    if context is None:
        return None
    option = next((p for p in context.command.params if p.name == name), None)
    if not isinstance(option, click.Option):
        return ""
    flags = option.secondary_opts if value is False else option.opts
    flag = next(flag for flag in flags if flag.startswith("--"))
    if value is None or option.is_flag:
        return flag
    if isinstance(value, dict):
        return " ".join(f"{flag} {key}" if of is True else f"{flag} {key}={of}" for key, of in value.items())
    return f"{flag} {shlex.quote(','.join(map(str, value)) if isinstance(value, tuple) else str(value))}"


def named_value(text: str) -> tuple[str, bool | int | str]:
    """Parse NAME=VALUE, where the value is a boolean, an integer or a word; NAME alone means true."""
    name, _, value = text.partition("=")
    known: dict[str, bool | int | str] = {"": True, "true": True, "yes": True, "false": False, "no": False}
    with suppress(ValueError):
        known[value] = int(value)
    return name.replace("-", "_"), known.get(value.lower(), value)


def _columns(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int | str, ...] | None:
    if value is None:
        return None
    columns = tuple(
        int(c) if c.isascii() and c.isdigit() else c for c in (c.strip() for c in value.split(","))
    )
    if "" in columns:
        raise OptionError(f"--columns: expected names or positions separated by commas, got {value!r}")
    return columns


_with_read_options = option_group(
    click.option(
        "--format",
        shell_complete=complete_format,
        help="Format of the input; by default its file name decides.",
    ),
    click.option(
        "--columns",
        callback=_columns,
        help="Columns of u, v and the weight: names, or positions from 0, separated by commas.",
    ),
    click.option("--header/--no-header", default=None, help="Whether the first line names the columns."),
    click.option("--one-based/--zero-based", default=None, help="Whether vertex ids start at 1 or at 0."),
    click.option("--vertices", "n", type=int, help="Number of vertices, if the file does not state it."),
    click.option("--unweighted", is_flag=True, help="Give every edge the weight 1."),
    click.option(
        "--names/--no-names",
        default=None,
        help="Whether ids are names of vertices; by default they are if those of the first edge are not "
        "whole numbers.",
    ),
    click.option("--layer", help="Name of the layer of lines, if the file has several."),
)
_READ_KEYWORDS = "format", "columns", "header", "one_based", "n", "unweighted", "names", "layer"


def with_read_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for reading a graph to a command.

    The command gets their values in one argument ``read_options``: keyword arguments of
    `boruvka.formats.read`.
    """

    @wraps(command)
    def collect(**arguments: Any) -> Any:
        read_options = {keyword: arguments.pop(keyword) for keyword in _READ_KEYWORDS}
        return command(read_options=read_options, **arguments)

    return _with_read_options(collect)
