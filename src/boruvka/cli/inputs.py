"""Input of commands: graphs and points, and the options for reading them."""

from __future__ import annotations

import io
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from boruvka.cli.options import FILE_PATH, STANDARD_STREAM, Number, Numbers, format_option, refuse_options
from boruvka.cli.outputs import notice
from boruvka.errors import FileError, OptionError, some_of, warn
from boruvka.graph.distances import UNITS
from boruvka.runtime.arguments import argument

if TYPE_CHECKING:
    from boruvka.formats.points import Points

LONGEST_POSITION = 18
"""Digits of the position of a column; a longer number is a name."""
EXACTLY = "exactly"
"""The value of --node without a distance."""


def _columns(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[int | str, ...] | None:
    if value is None:
        return () if parameter.name == "keep" else None
    columns = [column.strip() for column in value.split(",")]
    if "" in columns:
        raise OptionError(
            f"{parameter.opts[0]}: expected names or positions separated by commas, got {value!r}"
        )
    return tuple(map(_name_or_position, columns))


def _texts(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Any:
    several = r"(?<![^,])\*,\*(?![^,])"  # a pattern with a comma: two alleles
    found = tuple(text for value in values for text in re.findall(rf"{several}|[^,]+", value))
    return found if values or parameter.name == "drop" else None


def _name_or_position(column: str) -> int | str:
    is_position = column.isascii() and column.isdigit() and len(column) <= LONGEST_POSITION
    return int(column) if is_position else column


class FormatOption(click.Option):
    """An option for reading some formats: `boruvka formats NAME` shows it, the help of commands does not."""

    shown_with = ""
    """The parameter of commands whose help shows the option, too."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        """Return the flags and the help, except for the help of other commands that read files."""
        names = {context.info_name, *(parameter.name for parameter in context.command.params)}
        return super().get_help_record(context) if {"formats", self.shown_with} & names else None


class ProfileOption(FormatOption):
    """An option for reading some formats, and profiles: the help of commands that read profiles shows it."""

    shown_with = "is_profiles"


READ_OPTIONS = (
    format_option(
        "--format", "format", "input", " boruvka formats NAME lists the options for reading a format."
    ),
    click.Option(
        ["--columns"],
        callback=_columns,
        help="Columns of u, v and the weight, or series: names, or positions from 0, separated by commas.",
    ),
    click.Option(
        ["--keep"],
        callback=_columns,
        metavar="COLUMN,...",
        help="Columns of a table of edges that the output has, too: names, or positions from 0.",
    ),
    FormatOption(["--header/--no-header"], default=None, help="Whether the first line names the columns."),
    FormatOption(["--one-based/--zero-based"], default=None, help="Whether vertex ids start at 1 or at 0."),
    FormatOption(
        ["--vertices", "n"],
        metavar="NUMBER|TABLE",
        callback=lambda context, option, x: x and (int(x) if x.lstrip("-").isdigit() else Path(x)),
        help="Number of vertices, if the file does not say; or a table of their names, also without an edge.",
    ),
    FormatOption(["--unweighted"], is_flag=True, help="Give every edge the weight 1."),
    FormatOption(
        ["--names/--no-names"],
        default=None,
        help="Whether ids are names; by default if those of the first edge are not whole numbers.",
    ),
    ProfileOption(
        ["--missing"],
        default="error",
        show_default=True,
        help="What to do with rows that have no end, no weight or no coordinate: error, or drop to leave "
        "them out. With --profiles, with loci that have no allele: error, ignore, scale or differ. With "
        "series, which lack a value: error, drop, pairwise or, of prices, ffill.",
    ),
    ProfileOption(
        ["--drop"],
        multiple=True,
        callback=_texts,
        metavar="NAME,...",
        help="Leave out profiles, or series, of these names.",
    ),
    FormatOption(["--min-periods"], type=int, help="With --missing pairwise, least number of common rows."),
    FormatOption(
        ["--default-weight", "default"],
        type=Number(),
        metavar="NUMBER",
        help="Weight of edges that have none.",
    ),
    FormatOption(["--bad-rows"], default="error", show_default=True, help="Malformed rows: error, or skip."),
    FormatOption(["--layer"], help="Name of the layer of lines, if the file has several."),
    FormatOption(
        ["--node"],
        is_flag=False,
        flag_value=EXACTLY,
        metavar="[METRES]",
        callback=lambda _, option, x: x == EXACTLY or (x is not None and Number().convert(x, option, None)),
        help="Split the lines of a map where they meet, or their ends are at most so far apart.",
    ),
    FormatOption(
        ["--attach"],
        type=FILE_PATH,
        multiple=True,
        callback=lambda context, parameter, value: value or None,
        help="Map of places, such as buildings, or its layer FILE:LAYER, or table with columns x and y, or "
        "lon and lat: each is joined to the nearest point of a line, which is split there. May be repeated.",
    ),
    FormatOption(["--tolerance"], type=float, metavar="METRES", help="Greatest distance of --attach."),
    FormatOption(["--link-rate"], type=float, metavar="NUMBER", help="Weight of a link per metre."),
    FormatOption(["--rate"], metavar="COLUMN", help="Column of a map: the weight of a line per metre."),
    FormatOption(
        ["--zero-is-no-edge/--zero-is-distance"],
        default=None,
        help="Whether a zero in a matrix means no edge; by default the other weights decide.",
    ),
    FormatOption(["--correlations"], is_flag=True, help="The matrix holds correlations: take distances."),
    ProfileOption(
        ["--collapse"],
        is_flag=True,
        help="Make one vertex of profiles that are equal, or of such rows of a matrix, named as the first.",
    ),
    FormatOption(
        ["--ways"],
        default="cars",
        show_default=True,
        help="Ways of OpenStreetMap: cars for roads, all, or values of the tag highway: footway,path.",
    ),
)
"""Options for the keyword arguments of `boruvka.formats.read`."""
POINT_OPTIONS = (
    click.Option(
        ["--points", "is_points"],
        is_flag=True,
        help="The file holds points: all pairs are edges, weighted by distance. --columns names coordinates.",
    ),
    click.Option(
        ["--profiles", "is_profiles"],
        is_flag=True,
        help="The file holds allelic profiles, or aligned sequences (FASTA): all pairs are edges, weighted "
        "by the number of loci that differ. --columns names loci, and --id the names of strains. Several "
        "files are joined by the names of loci.",
    ),
    click.Option(
        ["--metric"],
        help="Distance of points; by default great_circle, in kilometres, with --degrees, a map in degrees, "
        "or columns lat and lon; haversine for dec and ra; else euclidean.",
    ),
    click.Option(
        ["--min-samples"], type=int, help="Weigh pairs by mutual reachability: rank of the core distance."
    ),
    click.Option(
        ["--box"],
        type=Numbers(),
        callback=lambda context, parameter, value: value[0] if value and len(value) == 1 else value,
        metavar="LENGTHS",
        help="Length of a periodic box, or one for each coordinate; inf for an open axis.",
    ),
    click.Option(["--wrap"], is_flag=True, help="Points outside of the box stand for their images inside."),
    click.Option(
        ["--id"], type=_name_or_position, metavar="TEXT", help="Column that holds the names of points."
    ),
    click.Option(
        ["--no-allele"],
        multiple=True,
        callback=_texts,
        metavar="TEXT,...",
        help="With --profiles, more texts that mean that a locus has no allele; * stands for any text.",
    ),
    click.Option(
        ["--not-loci"],
        multiple=True,
        callback=_texts,
        metavar="TEXT,...",
        help="With --profiles, columns that are no loci; * stands for any text.",
    ),
    click.Option(["--max-missing"], type=float, help="Leave out profiles that lack a larger share of loci."),
    click.Option(["--max-missing-loci"], type=float, help="Leave out loci that more of the profiles lack."),
    click.Option(
        ["--null", "null_value"],
        type=Number(),
        metavar="NUMBER",
        help="A number, such as -999, that stands for a missing coordinate: such points are left out.",
    ),
    click.Option(["--scale"], is_flag=True, help="Divide coordinates by their standard deviations."),
    click.Option(["--degrees"], is_flag=True, help="Points are latitude and longitude in degrees."),
)
"""Options for the fields of `Input`."""
DATE = click.Option(["--date"], help="The window to read, of what boruvka windows wrote.")
_OF_TABLES = "format", "columns", "header"
_OF_PROFILES = "no_allele", "not_loci", "max_missing", "max_missing_loci"
"""Options for reading tables of points, too, and those for profiles."""


class Input(NamedTuple):
    """A file with a graph, or with points whose graph is complete and weighted by distance."""

    path: Path
    read_options: dict[str, Any]
    """Keyword arguments of `boruvka.formats.read`."""
    is_points: bool = False
    is_profiles: bool = False
    metric: str | None = None
    min_samples: int | None = None
    box: float | tuple[float, ...] | None = None
    wrap: bool = False
    id: str | int | None = None
    no_allele: tuple[str, ...] = ()
    not_loci: tuple[str, ...] | None = None
    max_missing: float | None = None
    max_missing_loci: float | None = None
    degrees: bool = False
    null_value: float | None = None
    scale: bool = False
    date: str | None = None
    others: tuple[Path, ...] = ()
    """More files of profiles."""

    @classmethod
    def of(cls, path: Path, given: dict[str, Any], others: tuple[Path, ...] = ()) -> Input:
        """Take the options for reading a file out of the values of a command's options, and check them."""
        read_options = {str(option.name): given.pop(str(option.name), ()) for option in READ_OPTIONS}
        fields = {name: given.pop(name) for name in cls._fields[2:] if name in given}
        present = {name: x for name, x in fields.items() if x is not None}
        file = cls(path, read_options, others=others, **present)
        file.check()
        return file

    def check(self) -> None:
        """Raise an `OptionError` if options of points and of edges were mixed."""
        needed = "is for points: write --points too, if the file holds points"
        if not self.is_points:
            of_points = "metric", "min_samples", "box", "degrees", "null_value", "scale", "min_cluster_size"
            refuse_options(needed, *of_points)
        if self.box is None:
            refuse_options("needs --box", "wrap")
        if not self.is_profiles:
            is_of_series = str(self.read_options["format"]).lower() in ("returns", "prices")
            of_profiles = _OF_PROFILES if is_of_series else (*_OF_PROFILES, "drop")
            refuse_options("is for what boruvka windows wrote", *(["date"] * is_of_series))
            refuse_options("is for profiles: write --profiles too", *of_profiles)
        if not (self.is_points or self.is_profiles):
            refuse_options(needed, "id")
            return
        if self.is_points and self.is_profiles:
            raise OptionError("write --points or --profiles, not both")
        kind = "--profiles" if self.is_profiles else "--points"
        taken = {*_OF_TABLES, "missing", *(("collapse", "drop") if self.is_profiles else ("layer",))}
        refused = (name for name in self.read_options if name not in taken)
        of_edges = (*refused, "date", "memory", "checkpoint", "partition_by", "method")
        refuse_options(f"is for edges: leave it out with {kind}", *of_edges)
        if self.degrees and self.metric not in (None, *UNITS):
            raise OptionError(
                "--degrees is for latitude and longitude: leave out --metric, or write --metric haversine"
            )

    def read(self) -> Any:
        """Read the graph, or make the graph of all pairs of points or profiles."""
        if self.is_profiles:
            from boruvka.formats.points import read_profile_graph

            of_both = "missing", "collapse", "drop"
            rules: dict[str, Any] = {name: self.read_options[name] for name in of_both}
            rules |= {name: getattr(self, name) for name in ("id", *_OF_PROFILES)}
            files: list[Any] = [*map(standard_input, (self.path, *self.others))]
            graph: Any = read_profile_graph(files, **self._table_options, **rules)
            if click.get_current_context().params.get("collapse_at") is not None:  # no warning advises it
                graph = graph.annotated(profiles=graph.profiles._replace(is_collapsed=False))
            return graph
        if self.is_points:
            from boruvka.graph.graph import Graph

            points = self.read_points()
            graph = Graph.from_points(points, min_samples=self.min_samples)
            given = self.id if isinstance(self.id, str) else None
            return graph.annotated(id_column=points.column_of_names or given)
        from boruvka.formats import read

        if not isinstance(table := self.read_options["n"], Path):
            return read(standard_input(self.path), date=self.date, **self.read_options)
        from boruvka.formats.metadata import read_metadata
        from boruvka.trees.queries.update import with_vertices

        graph = read(standard_input(self.path), date=self.date, **self.read_options | {"n": None})
        if graph.n and not graph.has_names:
            raise OptionError(f"{table}: a table of vertices is for names, not numbers: write --names too")
        names = [*map(str, graph.name_of(slice(None)).tolist())] if graph.n else []
        return with_vertices(graph.with_names(names), read_metadata(table, vertices={*names}).names)

    @property
    def _table_options(self) -> dict[str, Any]:
        """Keyword arguments for reading a table of points."""
        return {name: self.read_options[name] for name in _OF_TABLES}

    def read_points(self) -> Points:
        """Read points; a line on standard error names the columns that are used, if no option does."""
        from boruvka.formats.points import read_points

        how = {name: getattr(self, name) for name in ("metric", "degrees", "id", "box", "wrap", "null_value")}
        how |= self._table_options | {name: self.read_options[name] for name in ("layer", "missing")}
        found = read_points(standard_input(self.path), **how)
        has_names = found.left_out or any(not name.isdigit() for name in found.columns)
        is_default = self.read_options["columns"] is None
        is_chosen = is_default or not (found.unit is None and found.column_of_names is None)
        if is_chosen and has_names:
            left_out = f", not {some_of(found.left_out)}" if found.left_out else ""
            if found.column_of_names is not None:
                left_out += f"; {found.column_of_names or 'the index'} holds the names"
            more = f" ({'--columns' if is_default else '--id'} names others)"
            if found.unit is not None:  # of a map, or degrees
                unit = UNITS.get(found.metric) or found.unit or "the unit of the coordinates"
                more = f"; distances are {found.metric}, in {unit} (--metric names others)"
                more = more if self.metric is None else ""
            name = "standard input" if self.path == STANDARD_STREAM else self.path
            is_hdbscan = click.get_current_context().params.get("min_cluster_size") is not None
            if is_default and is_hdbscan and {*found.numbers} - {*found.columns}:
                every, these = (argument("columns", names) for names in (found.numbers, found.columns))
                warn(f"{name}: clusters in {some_of(found.columns)} alone: pass {every} for all, or {these}")
            notice(f"{name}: coordinates are {some_of(found.columns)}{left_out}{more}")
        if self.scale and (found.metric in UNITS or self.box is not None):
            raise OptionError("--scale is for a flat space, not for a sphere or a box: leave it out")
        return found.scaled() if self.scale else found

    def is_streamed(self, memory: str | None) -> bool:
        """Return whether to stream the edges instead of reading them into memory.

        If the file is too large and no option asks for streaming, a line on standard error says so.
        """
        if self.is_points or self.is_profiles:
            return False
        if memory is not None:
            refuse_options("is for graphs in memory: leave out --memory", "date")
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
        notice(f"{self.path} does not fit the memory: its edges are streamed (see --memory)")
        return True


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
