"""Output of commands: graphs and forests, logs, fields and tables, JSON."""

from __future__ import annotations

import io
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Self

import click

from boruvka.cli import FAILED, OK, WARNINGS
from boruvka.cli.options import JSON, OUTPUT_FORMAT, OUTPUT_PATH, STANDARD_STREAM
from boruvka.errors import OptionError, some_of
from boruvka.runtime.arguments import passing
from boruvka.runtime.libraries import require
from boruvka.runtime.output_files import check_writable, file_errors, writing
from boruvka.runtime.progress import listening

if TYPE_CHECKING:
    from boruvka.runtime.progress import Progress
    from boruvka.runtime.round_log import Round
    from boruvka.verification.verify import Verification


NEWICK = (".nwk", ".newick", ".tree", ".tre")
"""Endings of files of Newick."""
PICTURES, PAGE = (".png", ".svg", ".pdf"), ".html"
"""Endings of pictures, and of pages."""
TABLES: dict[str, tuple[str, dict[str, str]]] = {
    ".csv": ("to_csv", {"lineterminator": "\n"}),
    ".tsv": ("to_csv", {"lineterminator": "\n", "sep": "\t"}),
    ".parquet": ("to_parquet", {}),
    ".gpkg": ("to_file", {"driver": "GPKG", "engine": "pyogrio"}),
}
"""Endings of tables, and the methods of frames that write them; the last is for maps."""


class Output(NamedTuple):
    """Files and streams to which a command writes a graph or a forest, its log, and its report."""

    path: Path | None
    format: str | None
    log: Path | None = None
    as_json: bool = False
    linkage: bool = False
    """Whether Newick is the dendrogram of single linkage."""
    metadata: Path | None = None
    """A table of vertices."""
    metadata_id: str | None = None
    """Its column of names."""
    plot: Path | None = None
    """A picture of the tree."""
    keep: tuple[str | int, ...] = ()
    """Columns of the input."""
    has_index: bool = True
    """Whether edges of a forest have their indices, which are in no file after an update."""

    @classmethod
    def of(cls, given: dict[str, Any]) -> Output:
        """Take `output_options`, and others that are fields, out of a command's options."""
        path, format = given.pop("output"), given.pop("output_format")
        return cls(path, format, **{name: given.pop(name) for name in cls._fields[2:] if name in given})

    @property
    def is_newick(self) -> bool:
        """Whether the tree is written as Newick, which is not a format of graphs."""
        suffix = "" if self.path is None else self.path.suffix.lower()
        return suffix in NEWICK if self.format is None else self.format.lower() == "newick"

    def check(self, names: Any = None) -> None:
        """Raise an error if a file cannot be written, or cannot hold these names of vertices."""
        if self.path == self.log == STANDARD_STREAM:
            raise OptionError("--output and --log cannot both be standard output")
        if self.linkage and (self.path is None or not self.is_newick):
            raise OptionError("--linkage is for Newick: write -o tree.nwk too")
        if self.metadata is not None and (self.path is None or self.is_newick):
            raise OptionError(
                "--metadata adds columns to vertices: write -o tree.graphml too, or .gexf, .gml"
            )
        if self.keep and (self.path is None or self.is_newick):
            raise OptionError("--keep adds columns to the edges of a file: write -o forest.csv too")
        if self.path is None and self.format is not None:
            raise OptionError(
                f"--to {self.format} is the format of a file: write -o FILE too, or -o - for standard output"
            )
        if self.plot is not None:
            check_picture(self.plot, or_page=True)
        if self.path is not None and not self.is_newick:
            from boruvka.formats import check_output
            from boruvka.formats.name_columns import portable_names

            with passing(format="output_format"):
                more = [name for name in ("metadata", "keep") if getattr(self, name)]
                check_output(standard_output(self.path), self.format, portable_names(names), more)
        for path in (self.path if self.is_newick else None, self.log):
            if path is not None:
                check_writable(standard_output(path))

    @contextmanager
    def listening(self) -> Iterator[EventLog | None]:
        """Write the log of events, or without a log show a bar, while a block runs."""
        if self.log is None:
            with show_progress():
                yield None
        else:
            with EventLog(self.log) as log, listening(log):
                yield log

    def write(self, graph: Any, metadata: Any = None) -> None:
        """Write a graph or a forest, with names that other programs can read, if a file was named for it.

        A picture of a tree shows its load, if there is one. Metadata are the frame that
        `boruvka.cli.trees.metadata_of` makes.
        """
        if self.path is not None and self.is_newick:
            if not hasattr(graph, "to_newick"):
                raise OptionError(f"{self.path}: Newick holds trees: write those that boruvka solve finds")
            text = graph.to_newick(linkage=self.linkage)
            with writing(standard_output(self.path)) as file:
                file.write(text.encode())
        elif self.path is not None:
            from boruvka.formats import write
            from boruvka.formats.edge_table import EdgeTable
            from boruvka.formats.name_columns import portable_names

            table = EdgeTable.of(graph)
            edges = table.edges if self.has_index or table.coordinates is not None else None  # as for lines
            table = table._replace(names=portable_names(table.names), edges=edges)
            with passing(format="output_format"):
                write(table, standard_output(self.path), format=self.format, metadata=metadata)
        if self.plot is not None:
            by = "load" if "load" in graph.edge_columns else None
            if self.plot.suffix.lower() == PAGE:
                with writing(self.plot) as file:
                    graph.to_html(file, by=by)
            else:
                has_streets = graph.graph.annotations.places is not None
                write_picture(self.plot, graph.plot(by=by, graph_edges=has_streets))

    def print(self, report: Mapping[str, Any]) -> None:
        """Print the report, on standard error if standard output has the forest or the log."""
        print_fields(report, self.as_json, err=STANDARD_STREAM in (self.path, self.log))


def output_options(noun: str) -> list[click.Option]:
    """Make the options for an `Output`, which holds what the noun says."""
    text = f"Write the {noun} to this file; - is standard output."
    text += " A file .nwk gets Newick." if noun in ("forest", "tree") else ""
    return [click.Option(["-o", "--output"], type=OUTPUT_PATH, help=text), OUTPUT_FORMAT, JSON]


class EventLog:
    """A log of what happens, while it happens, one JSON object a line; ``-`` is standard output.

    Events must be there while the command runs, and when it is killed, so they are not written to a temporary
    file first.

    Every object has "time" (UTC, ISO 8601), "seconds" since the log began, and "phase". Events of progress
    have "done", "total", "unit" and "round_edges"; the phase "round" has a round of the algorithm, "result"
    what ``--json`` prints; "error" and "interrupted" end a log early.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        The file cannot be written.
    """

    def __init__(self, path: Path):
        self._path, self._begin = path, time.monotonic()
        with file_errors(str(path)):
            self._file = sys.stdout if path == STANDARD_STREAM else path.open("w", encoding="utf-8")

    def __call__(self, event: Progress) -> None:
        """Write an event of progress."""
        self._write(**{name: value for name, value in event._asdict().items() if value != ""})

    def add_result(self, rounds: Iterable[Round], result: Mapping[str, Any]) -> None:
        """Write the rounds of the algorithm with the seconds of their steps, and the result.

        The times of the result are in "step_seconds".
        """
        for number, round_ in enumerate(rounds, 1):
            fields = round_._asdict()
            name, steps = fields.pop("phase"), fields.pop("seconds")
            self._write("round", number=number, name=name, **fields, steps=steps)
        fields = dict(result)
        self._write("result", step_seconds=fields.pop("seconds"), **fields)

    def _write(self, phase: str, **fields: Any) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        seconds = round(time.monotonic() - self._begin, 6)
        line = to_json({"time": now, "seconds": seconds, "phase": phase, **fields})
        with nullcontext() if self._path == STANDARD_STREAM else file_errors(str(self._path)):
            print(line, file=self._file, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        with suppress(OSError):  # the first error is raised
            if isinstance(error, KeyboardInterrupt):
                self._write("interrupted")
            elif error is not None and not isinstance(error, BrokenPipeError):
                self._write("error", message=str(error))
        if self._path != STANDARD_STREAM:
            with suppress(OSError):  # every line was flushed, or its error was raised
                self._file.close()


def standard_output(path: Path) -> Path | BinaryIO:
    """Return a file to write: standard output for ``-``."""
    return sys.stdout.buffer if path == STANDARD_STREAM else path


def is_silent() -> bool:
    """Return whether a command with ``--quiet`` or ``--json`` runs."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get("quiet") or context.params.get("as_json"))


def notice(text: str, err: bool = True) -> None:
    """Print a line, on standard error unless it says what was written, if the command is not silent."""
    if not is_silent():
        click.echo(text, err=err)


def check_table(output: Path, takes_maps: bool = False) -> None:
    """Raise an error unless a table can be written to a file."""
    endings = [ending for ending in TABLES if takes_maps or ending != ".gpkg"]
    if output != STANDARD_STREAM and output.suffix.lower() not in endings:
        raise OptionError(
            f"{output}: a table ends in .csv, .tsv or .parquet{', a map in .gpkg' * takes_maps}"
        )
    check_writable(standard_output(output))
    require("pandas", "pandas")
    if output.suffix.lower() == ".parquet":
        require("pyarrow", "arrow")


def write_table(table: Any, output: Path) -> None:
    """Write a frame to a file, whose ending is its format."""
    method, how = TABLES.get(output.suffix.lower(), TABLES[".csv"])
    if not hasattr(table, method):
        raise OptionError(f"{output}: a map is of lines, and these edges have none: write .csv")
    content = io.BytesIO()
    how = how | {"layer": output.stem} if method == "to_file" else how
    getattr(table, method)(content, index=False, **how)
    with writing(standard_output(output)) as stream:
        stream.write(content.getbuffer())


def check_picture(path: Path, or_page: bool = False) -> None:
    """Raise an error unless a picture, or perhaps a page, can be drawn and written to a file."""
    if path.suffix.lower() not in (*PICTURES, *[PAGE] * or_page):
        raise OptionError(f"{path}: a picture ends in .png, .svg or .pdf{', a page in .html' * or_page}")
    if path.suffix.lower() != PAGE:
        require("matplotlib", "plot")
    check_writable(path)


def write_picture(path: Path, axes: Any) -> None:
    """Write the picture that has these axes."""
    from boruvka.trees.plotting.style import figure_of

    with writing(path) as file:
        figure_of(axes).savefig(file, format=path.suffix[1:].lower(), dpi=150)


def print_written(output: Path, what: str) -> None:
    """Say what was written to a file, on standard error if it is standard output."""
    is_standard = output == STANDARD_STREAM
    notice(f"{'standard output' if is_standard else output}: {what}", err=is_standard)


def show_progress() -> listening:
    """Show a bar while a block runs, if the command is not silent."""
    return listening(not is_silent())


def print_fields(fields: Mapping[str, Any], as_json: bool = False, err: bool = False) -> None:
    """Print names and values as one JSON object, with warnings, or unless --quiet in two columns."""
    if as_json:
        click.echo(to_json({**fields, "warnings": WARNINGS}), err=err)
        return
    width = max(map(len, fields))
    for name, value in {} if is_silent() else fields.items():
        if text := _text(value):
            label = click.style(name.replace("_", " ").ljust(width), bold=True)
            click.echo(f"{label}  {text}", err=err)


def _text(value: Any) -> str:
    """Return a value of a field for people, or the first of many; empty for none; a tuple is a range."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(each)}" for name, each in value.items())
    if isinstance(value, list):
        return some_of([*map(_text, value)])
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


def rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return the seconds of each step with four decimals, as reports show them."""
    return {step: round(value, 4) for step, value in seconds.items()}


def exit_code(verification: Verification | None) -> int:
    """Return the exit code of a verification; print on standard error what is wrong with a forest."""
    if verification is None or verification.ok:
        return OK
    click.echo(f"verification failed: {verification.message}", err=True)
    return FAILED
