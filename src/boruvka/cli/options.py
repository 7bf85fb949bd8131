"""Options that several commands share, and how messages name them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from boruvka.errors import OptionError, shown


class _FilePath(click.Path):
    """A path that is not empty: an empty variable of a shell would otherwise mean this folder."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if not os.fspath(value):
            self.fail("the name of a file is empty", parameter, context)
        return super().convert(value, parameter, context)


class OutputPath(_FilePath):
    """The path of a file that a command writes; the name of standard output in Linux is ``-``, too."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the path."""
        given = "-" if os.fspath(value) in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1") else value
        return super().convert(given, parameter, context)


class Number(click.ParamType):
    """A number that is exact, an integer of any size or a float; or a text in which a pattern is found.

    Parameters
    ----------
    others : str
        The pattern, such as `ANGLE`; by default no text has it.
    """

    name = "number"

    def __init__(self, others: str = r"(?!)"):
        self._others = others

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the number of a text, or the text."""
        if re.search(self._others, str(value)):
            return value
        for type_ in int, float:
            with suppress(ValueError):
                if (number := type_(value)) == number:  # NaN is not
                    return number
        self.fail(f"expected a number, got {shown(value)}", parameter, context)


class Numbers(Number):
    """Numbers between commas, or other texts as of `Number`."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the numbers and the other texts."""
        convert = partial(super().convert, parameter=parameter, context=context)
        return tuple(map(convert, value.split(",")))


ANGLE = r"""\d\s*([a-z]+|[°'′"″])$"""
"""Pattern of numbers with a unit, such as 0.5deg."""
FILE_PATH, OUTPUT_PATH = _FilePath(path_type=Path), OutputPath(path_type=Path)
STANDARD_STREAM = Path("-")
"""The name of standard input and standard output on a command line."""


def completing(module: str, table: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Make a function that completes a name of a table, whose module is imported when a shell asks."""

    def complete(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
        names = [getattr(each, "name", each) for each in getattr(import_module(module), table)]
        return [name for name in names if name.startswith(prefix)]

    return complete


def format_option(flag: str, keyword: str, noun: str, more: str = "") -> click.Option:
    """Make an option for the format of a file of graphs."""
    return click.Option(
        [flag, keyword],
        shell_complete=completing("boruvka.formats", "FORMATS"),
        help=f"Format of the {noun}; by default its file name decides.{more}",
    )


OUTPUT_FORMAT = format_option("--to", "output_format", "output")
REQUIRED_OUTPUT = click.Option(
    ["-o", "--output"], type=OUTPUT_PATH, required=True, help="Write this file; - is standard output."
)
MAXIMUM = click.Option(["--maximum"], is_flag=True, help="Take the maximum spanning forest instead.")
COLLAPSE_AT = click.Option(
    ["--collapse-at"],
    type=Number(ANGLE),
    metavar="WEIGHT",
    help="Make one vertex of those that edges of at most this weight join: 0 for strains at distance 0.",
)
PRUNED = [
    click.Option(["--longest"], type=Number(ANGLE), metavar="WEIGHT", help="Leave out longer edges first."),
    click.Option(["--fewest"], default=1, metavar="NUMBER", help="Leave out side branches of fewer edges."),
]
EXCLUDED = click.Option(
    ["--excluded"],
    type=FILE_PATH,
    multiple=True,
    metavar="FILE|COLUMN=VALUE|COLUMN=@FILE",
    help="Edges that must not be in the result: a file of them, or in a map those with a value in a "
    "column, or none (COLUMN=), or one of the lines of a file. May be given several times.",
)
QUIET = click.Option(["-q", "--quiet"], is_flag=True, help="Print nothing but errors and warnings.")
METADATA = [
    click.Option(["--metadata"], type=FILE_PATH, help="Table of vertices, or map; matched by names."),
    click.Option(["--metadata-id"], metavar="COLUMN", help="Its column of names; by default the best."),
]
OF_FOREST = [MAXIMUM, COLLAPSE_AT, *METADATA]
"""Options of commands that find a forest or network, and write it with metadata of its vertices."""
OF_PICTURE = [REQUIRED_OUTPUT, *OF_FOREST, *PRUNED]
"""Options of the command that draws one, perhaps pruned."""
THREADS = click.Option(["--threads"], type=int, help="Number of threads; by default one per core.")
JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON object and nothing else.")
MEMORY = click.Option(
    ["--memory"],
    help="Memory of this process, such as 2G: edges are streamed, and only the forest is in memory.",
)


def refuse_options(reason: str, *names: str) -> None:
    """Raise an `OptionError` if one of these options of the running command was given."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise OptionError(f"{option_text(name, context.params[name])} {reason}")


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
    if value is None or value is True or value == option.flag_value or option.is_flag:
        return flag
    if isinstance(value, dict):
        return " ".join(f"{flag} {key}" if of is True else f"{flag} {key}={of}" for key, of in value.items())
    return f"{flag} {shlex.quote(','.join(map(str, value)) if isinstance(value, tuple) else str(value))}"
