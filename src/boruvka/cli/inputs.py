"""Input of commands: graphs and points, and the options for reading them."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from boruvka.cli.options import STANDARD_STREAM, Decorator, format_option, refuse_options
from boruvka.errors import FileError, OptionError

if TYPE_CHECKING:
    from boruvka.formats.points import Points

LONGEST_POSITION = 18
"""Digits of the position of a column; what is longer is a name."""


def _columns(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int | str, ...] | None:
    if value is None:
        return None
    columns = [column.strip() for column in value.split(",")]
    if "" in columns:
        raise OptionError(f"--columns: expected names or positions separated by commas, got {value!r}")
    return tuple(map(_name_or_position, columns))


def _column(context: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    return None if value is None else _name_or_position(value)


def _name_or_position(column: str) -> int | str:
    is_position = column.isascii() and column.isdigit() and len(column) <= LONGEST_POSITION
    return int(column) if is_position else column


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


def _format_option(*flags: str, **attributes: Any) -> Decorator:
    """Make an option of some formats: `boruvka formats NAME` shows it, and the help of commands does not."""
    return click.option(*flags, hidden=True, **attributes)


_READ_OPTIONS: dict[str, Decorator] = {
    "format": format_option(
        "--format", "format", "input", " boruvka formats NAME lists the options for reading a format."
    ),
    "columns": click.option(
        "--columns",
        callback=_columns,
        help="Columns of u, v and the weight: names, or positions from 0, separated by commas.",
    ),
    "header": _format_option(
        "--header/--no-header", default=None, help="Whether the first line names the columns."
    ),
    "one_based": _format_option(
        "--one-based/--zero-based", default=None, help="Whether vertex ids start at 1 or at 0."
    ),
    "n": _format_option("--vertices", "n", type=int, help="Number of vertices, if the file does not say."),
    "unweighted": _format_option("--unweighted", is_flag=True, help="Give every edge the weight 1."),
    "names": _format_option(
        "--names/--no-names",
        default=None,
        help="Whether ids are names of vertices; by default they are if those of the first edge are not "
        "whole numbers.",
    ),
    "missing": _format_option(
        "--missing",
        default="error",
        show_default=True,
        help="What to do with rows that have no end or no weight: error, or drop to leave them out.",
    ),
    "default": _format_option(
        "--default-weight", "default", type=_number, metavar="NUMBER", help="Weight of edges that have none."
    ),
    "layer": _format_option("--layer", help="Name of the layer of lines, if the file has several."),
    "node": _format_option("--node", is_flag=True, help="Split the lines of a map where they meet."),
    "ways": _format_option(
        "--ways",
        default="cars",
        show_default=True,
        help="Ways of OpenStreetMap: cars for roads, all, or values of the tag highway: footway,path.",
    ),
}
"""Options for the keyword arguments of `boruvka.formats.read`."""
_OPTIONS_OF_EDGES = (
    *("one_based", "n", "unweighted", "names", "missing", "default", "layer", "node", "ways"),
    *("memory", "checkpoint", "partition_by", "method"),  # which not every command has
)
_POINTS_OPTIONS: dict[str, Decorator] = {
    "is_points": click.option(
        "--points",
        "is_points",
        is_flag=True,
        help="The file holds points: all pairs are edges, weighted by distance. --columns names coordinates.",
    ),
    "is_profiles": click.option(
        "--profiles",
        "is_profiles",
        is_flag=True,
        help="The file holds allelic profiles: all pairs are edges, weighted by the number of loci that "
        "differ. --columns names loci, --id the names of strains, and --missing what a locus without an "
        "allele means: error, ignore, scale or differ.",
    ),
    "collapse": click.option(
        "--collapse", is_flag=True, help="Make one vertex of profiles that are equal, named as the first."
    ),
    "metric": click.option("--metric", default="euclidean", show_default=True, help="Distance of points."),
    "min_samples": click.option(
        "--min-samples",
        type=int,
        help="Weigh pairs by the mutual reachability distance of HDBSCAN: the distance to the k-th nearest "
        "point, which counts itself, is a lower bound.",
    ),
    "id": click.option("--id", callback=_column, help="Column that holds the names of points."),
    "degrees": click.option(
        "--degrees", is_flag=True, help="Points are latitude and longitude in degrees; for haversine."
    ),
}
"""Options for the fields of `Input`."""


class Input(NamedTuple):
    """A file with a graph, or with points whose graph is complete and weighted by distance."""

    path: Path
    read_options: dict[str, Any]
    """Keyword arguments of `boruvka.formats.read`."""
    is_points: bool = False
    is_profiles: bool = False
    collapse: bool = False
    metric: str = "euclidean"
    min_samples: int | None = None
    id: str | int | None = None
    degrees: bool = False

    def check(self) -> None:
        """Raise an `OptionError` if options of points and of edges were mixed."""
        needed = "is for points: write --points too, if the file holds points"
        if not self.is_profiles:
            refuse_options("is for profiles: write --profiles too", "collapse")
        if not self.is_points:
            refuse_options(needed, "metric", "min_samples", "degrees")
        if not (self.is_points or self.is_profiles):
            refuse_options(needed, "id")
            return
        if self.is_points and self.is_profiles:
            raise OptionError("write --points or --profiles, not both")
        kind, taken = ("--profiles", ("missing",)) if self.is_profiles else ("--points", ())
        refused = (name for name in _OPTIONS_OF_EDGES if name not in taken)
        refuse_options(f"is for edges: leave it out with {kind}", *refused)
        if self.degrees and self.metric != "haversine":
            raise OptionError("--degrees is for latitude and longitude: write --metric haversine too")

    def read(self, is_silent: bool = False) -> Any:
        """Read the graph, or make that of the points or profiles."""
        if self.is_profiles:
            from boruvka.formats.points import read_profiles
            from boruvka.graph.graph import Graph
            from boruvka.runtime.arguments import passing

            known = {keyword: self.read_options[keyword] for keyword in ("format", "columns", "header")}
            found = read_profiles(standard_input(self.path), **known, id=self.id)
            how = {"missing": self.read_options["missing"], "collapse": self.collapse}
            with passing(missing="missing", loci="columns"):
                return Graph.from_profiles(found.profiles, **how, names=found.names, loci=found.loci)
        if self.is_points:
            from boruvka.graph.graph import Graph

            points = self.read_points(is_silent)
            return Graph.from_points(
                points.coordinates, self.metric, min_samples=self.min_samples, names=points.names
            )
        from boruvka.formats import read

        return read(standard_input(self.path), **self.read_options)

    def read_points(self, is_silent: bool) -> Points:
        """Read points; a line on standard error names the columns that are used, if no option does."""
        from boruvka.formats.points import read_points

        options = {keyword: self.read_options[keyword] for keyword in ("format", "columns", "header")}
        degrees = self.degrees if self.metric == "haversine" else None
        found = read_points(standard_input(self.path), **options, degrees=degrees, id=self.id)
        is_table = found.left_out or any(not name.isdigit() for name in found.columns)
        if options["columns"] is None and is_table and not is_silent:
            left_out = f", not {_shortened(found.left_out)}" if found.left_out else ""
            name = "standard input" if self.path == STANDARD_STREAM else self.path
            used = f"{_shortened(found.columns)}{left_out}"
            click.echo(f"{name}: coordinates are {used} (--columns names others)", err=True)
        return found

    def is_streamed(self, memory: str | None, is_silent: bool) -> bool:
        """Return whether to stream the edges instead of reading them into memory.

        If the file is too large and no option asks for streaming, a line on standard error says so.
        """
        if self.is_points or self.is_profiles:
            return False
        if memory is not None:
            from boruvka.stream.memory import free_memory_at_once, parse_memory

            parse_memory(memory)
            free_memory_at_once()
            return True
        refuse_options("needs --memory", "checkpoint")
        if self.path == STANDARD_STREAM:
            return False
        from boruvka.stream.memory import is_larger_than_memory, names_several_files

        if names_several_files(self.path):
            return True
        if not is_larger_than_memory(self.path, self.read_options["format"]):
            return False
        if not is_silent:
            click.echo(
                f"{self.path} does not fit the memory: its edges are streamed (see --memory)", err=True
            )
        return True


def with_input(argument: str, points: bool = False) -> Decorator:
    """Make a decorator that gives a command an `Input` in the place of the path in an argument.

    Parameters
    ----------
    argument : str
        The name of the argument.
    points : bool
        Whether the file may hold points.
    """
    points_options = _POINTS_OPTIONS if points else {}

    def add_options(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def collect(**arguments: Any) -> Any:
            read_options = {keyword: arguments.pop(keyword) for keyword in _READ_OPTIONS}
            points_fields = {keyword: arguments.pop(keyword) for keyword in points_options}
            source = Input(arguments.pop(argument), read_options, **points_fields)
            source.check()
            return command(**{argument: source}, **arguments)

        with_options: Callable[..., Any] = collect
        for decorate in reversed([*_READ_OPTIONS.values(), *points_options.values()]):
            with_options = decorate(with_options)
        return with_options

    return add_options


def options_of_format(names: Collection[str]) -> list[tuple[str, str]]:
    """Return the flags and the help of the options for reading files of a format.

    Parameters
    ----------
    names : collection of str
        The options that the format takes, as `boruvka.formats.read` calls them.
    """

    def read(**arguments: Any) -> None:
        """Take the options."""

    read_with_options: Callable[..., Any] = read
    for decorate in _READ_OPTIONS.values():
        read_with_options = decorate(read_with_options)
    command = click.command()(read_with_options)
    context, records = click.Context(command), []
    for option in reversed(command.params):
        if isinstance(option, click.Option) and option.name in names:
            option.hidden = False
            records.append(option.get_help_record(context))
    return [record for record in records if record is not None]


def standard_input(path: Path) -> Path | BinaryIO:
    """Return a file to read: standard input for ``-``.

    Standard input gets its own buffer: if a thread waits for input when the process is interrupted, Python
    cannot free the buffer of ``sys.stdin``, and aborts.
    """
    if path != STANDARD_STREAM:
        return path
    if sys.stdin is None:
        raise FileError("standard input is closed")
    with suppress(AttributeError, OSError):  # it has no descriptor
        raw = io.FileIO(sys.stdin.fileno(), closefd=False)
        raw.name = "<stdin>"
        return io.BufferedReader(raw)
    return sys.stdin.buffer


def _shortened(names: tuple[str, ...], most: int = 10) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
