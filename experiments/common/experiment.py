"""What an experiment is, how it is run, and what it leaves behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from boruvka.bench import machine
from boruvka.bench.figures import save
from boruvka.bench.results import GraphResult, plain
from boruvka.bench.schemes import Confidence, KBest, Scheme
from boruvka.bench.tables import Table, three_figures
from boruvka.cli.exit_codes import OK
from boruvka.cli.main import run_command
from boruvka.cli.output import print_result
from boruvka.errors import FileError
from boruvka.formats.files import check_writable, writing
from boruvka.runtime.extras import require
from boruvka.runtime.processors import processors
from boruvka.runtime.progress import ProgressBar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Experiment", "Findings", "Request", "Setting", "requesting"]

RESULTS = Path(__file__).parents[1] / "results"
SECONDS = 10.0
"""No further run of a contestant is begun after so many seconds of its runs."""
QUICK = KBest(runs=2, best=2, within=1.0, most=2, seconds=1.0)
"""For a look at whether all works: its times mean nothing."""
SHOWN = 60
"""Rows: longer tables are left to the file."""

T = TypeVar("T")
Row = dict[str, Any]


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line.

    Attributes
    ----------
    quick : bool
        Run on tiny graphs, to see whether all works.
    output : Path
        The folder of results.
    kind : str
        The format of figures: svg or png.
    seconds : float
        No further run of a contestant on a graph is begun after so many seconds of its runs.
    threads, ranks : tuple of int
        Numbers of threads, of ranks; empty for those of the document, as far as they mean something here.
    roads : tuple of Path
        Files of road networks.
    """

    quick: bool = False
    output: Path = RESULTS
    kind: str = "svg"
    seconds: float = SECONDS
    threads: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    roads: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Setting:
    """What an experiment must know to run.

    Attributes
    ----------
    quick : bool
        As in `Request`.
    threads, ranks : tuple of int
        Numbers of threads, of ranks, ascending.
    roads : tuple of Path
        Files of road networks.
    scheme : KBest or Confidence
        When enough runs have been made.
    show : callable
        Called with how much is done, from 0 to 1, and what is done now.
    """

    quick: bool = False
    threads: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    roads: tuple[Path, ...] = ()
    scheme: Scheme = QUICK
    show: Callable[[float, str], None] = lambda done, doing: None

    def pick(self, full: T, quick: T) -> T:
        """Choose what is for a quick run, or for another."""
        return quick if self.quick else full


@dataclass(frozen=True)
class Findings:
    """What an experiment has found.

    Attributes
    ----------
    reported : dict
        What the document reports: its machine, its numbers.
    parameters : dict
        What was run here.
    tables : dict of str to list of rows
        Ours, each row a dict of the same names.
    graphs : tuple of GraphResult
        All runs, where runs were timed.
    remarks : tuple of str
        What a reader must know.
    """

    reported: dict[str, Any]
    parameters: dict[str, Any]
    tables: dict[str, list[Row]]
    graphs: tuple[GraphResult, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """A table or figure of the literature.

    Attributes
    ----------
    name : str
        That of the file, and of what it writes.
    about : str
        The docstring of the file.
    source : str
        The document, and the number of the table or figure.
    measure : callable
        Runs it: from a `Setting` to `Findings`.
    draw : callable
        Draws what it found; None where there is nothing to draw.
    threads, ranks : tuple of int, optional
        Numbers of threads, of ranks in the document; None where there is nothing to choose.
    counted : bool
        Whether all these ranks are run, on any machine, for they are only counted on and not timed.
    roads : bool
        Whether it runs on road networks.
    scheme : type
        How runs are measured.
    """

    name: str
    about: str
    source: str
    measure: Callable[[Setting], Findings]
    draw: Callable[[Findings], Figure | None]
    threads: tuple[int, ...] | None = field(default=None, kw_only=True)
    ranks: tuple[int, ...] | None = field(default=None, kw_only=True)
    counted: bool = field(default=False, kw_only=True)
    roads: bool = field(default=False, kw_only=True)
    scheme: type[KBest] | type[Confidence] = field(default=KBest, kw_only=True)

    def main(self, arguments: Sequence[str] | None = None) -> int:
        """Run it as a program; errors become a line and an exit code, as for `boruvka`."""

        def run(**asked: Any) -> int:
            self.run(Request(**asked))
            return OK

        command = click.command(help=f"\b\n{self.about}")(run)
        return run_command(
            requesting(
                command,
                threads=self.threads is not None,
                ranks=self.ranks is not None,
                roads=self.roads,
            ),
            arguments,
            f"python -m experiments.{self.name}",
        )

    def run(self, request: Request) -> Findings:
        """Measure, and leave NAME.json and a figure; until all is measured, earlier ones stay."""
        require("matplotlib", "plot")
        path = _folder(request.output) / f"{self.name}.json"
        check_writable(path)
        click.secho(f"{self.name}: {self.source}", bold=True)
        with ProgressBar(1.0, visible=True) as bar:
            setting = self.setting(request, bar.update)
            findings = self.measure(setting)
        with writing(path) as file:
            file.write(
                json.dumps(self._record(setting, findings), indent=1, allow_nan=False).encode() + b"\n"
            )
        self._leave_figure(findings, path.with_suffix(f".{request.kind}"))
        for name, rows in findings.tables.items():
            if 0 < len(rows) <= SHOWN:
                print_result(_table(name, rows))
        for remark in findings.remarks:
            click.echo(remark)
        click.echo(f"{path}\n")
        return findings

    def setting(self, request: Request, show: Callable[[float, str], None]) -> Setting:
        """Fill in what was not asked for."""
        scheme = QUICK if request.quick else self.scheme(seconds=request.seconds)
        threads = request.threads or counts_to(2 if request.quick else processors(), self.threads)
        ranks = request.ranks or self._rank_counts(request.quick)
        return Setting(request.quick, threads, ranks, request.roads, scheme, show)

    def _rank_counts(self, quick: bool) -> tuple[int, ...]:
        if quick:
            return (1, 2)
        return (self.ranks or ()) if self.counted else counts_to(processors(), self.ranks)

    def _record(self, setting: Setting, findings: Findings) -> dict[str, Any]:
        record = {
            "experiment": self.name,
            "about": self.about,
            "source": self.source,
            "quick": setting.quick,
            "machine": machine.describe(),
            "versions": machine.versions(),
            "scheme": {"name": setting.scheme.name, **asdict(setting.scheme)},
            "threads": setting.threads if self.threads is not None else None,
            "ranks": setting.ranks if self.ranks is not None else None,
            **asdict(findings),
        }
        return plain(record)

    def _leave_figure(self, findings: Findings, path: Path) -> None:
        figure = self.draw(findings)
        if figure is None:
            path.unlink(missing_ok=True)  # it would show something else than the results beside it
        else:
            save(figure, path)


def counts_to(here: int, counts: tuple[int, ...] | None) -> tuple[int, ...]:
    """List those of the document up to twice as many as there are processors, and all of these."""
    return tuple(sorted({here, *(count for count in counts or () if count <= 2 * here)}))


def requesting(
    command: click.Command, *, threads: bool = True, ranks: bool = True, roads: bool = True
) -> click.Command:
    """Add the options of a `Request` to a command."""
    command.params += [
        click.Option(["--quick"], is_flag=True, help="Run on tiny graphs, to see whether all works."),
        click.Option(
            ["-o", "--output"],
            type=click.Path(path_type=Path),
            default=RESULTS,
            help="The folder of results; by default `results` beside the experiments.",
        ),
        click.Option(
            ["--figure-format", "kind"], type=click.Choice(["svg", "png"]), default="svg", show_default=True
        ),
        click.Option(
            ["--seconds"],
            type=click.FloatRange(min=0, min_open=True),
            default=SECONDS,
            help="Begin no further run of a contestant on a graph after so many seconds of its runs.",
            show_default=True,
        ),
    ]
    for name, applies in (("threads", threads), ("ranks", ranks)):
        if applies:
            help_text = (
                f"Numbers of {name}, with commas; by default the document's up to twice the processors."
            )
            command.params.append(click.Option([f"--{name}"], callback=_counts, help=help_text))
    if roads:
        command.params.append(
            click.Option(
                ["--road", "roads"],
                multiple=True,
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                help="A road network of DIMACS challenge 9 (.gr, .gr.gz), for its stand-in; may be repeated.",
            )
        )
    return command


def _counts(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    if value is None:
        return ()
    allowed = click.IntRange(1, 1024)
    return tuple(sorted({int(allowed(text, parameter, context)) for text in value.split(",")}))


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from None
    return path


def _table(name: str, rows: list[Row]) -> Table:
    header = tuple(rows[0]) if rows else ()
    return Table(name, header, tuple(tuple(_cell(row[column]) for column in header) for row in rows))


def _cell(x: Any) -> str:
    match x:
        case None:
            return ""
        case bool():
            return "yes" if x else "no"
        case int():
            return f"{x:,}"
        case float():
            return three_figures(x)
        case _:
            return str(x)
