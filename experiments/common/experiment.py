"""The base classes of experiments: declarations, the run, and the files that it writes."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import click

from boruvka.bench import machine
from boruvka.bench.contestant_run import SHORT
from boruvka.bench.contestants import Contestant, Ours
from boruvka.bench.decode import decoded
from boruvka.bench.figures import save
from boruvka.bench.graphs import graph_of
from boruvka.bench.report import make_folder
from boruvka.bench.results import GraphResult, plain, write_json
from boruvka.bench.run import Plan, measure_in_process
from boruvka.bench.schemes import Confidence, KBest, Scheme
from boruvka.cli.output import print_result
from boruvka.formats.files import check_writable
from boruvka.graph.graph import Graph
from boruvka.runtime.extras import require
from boruvka.runtime.processors import processors
from boruvka.runtime.progress import Progress, ProgressBar
from experiments.common.literature import reported_by
from experiments.common.panels import Panel, figure_of
from experiments.common.roads import remarks_on, roads_of, too_large
from experiments.common.tables import Tables, as_text, times_of

__all__ = ["Experiment", "Findings", "Race", "Request", "Setting", "described"]

RESULTS = Path(__file__).parents[1] / "results"
QUICK = KBest(runs=2, best=2, within=1.0, most=2, seconds=1.0)
"""To see whether everything works; its times mean nothing."""
SHOWN = 60
"""Rows: longer tables are written only to the file."""
T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """The options of the command line.

    Attributes
    ----------
    quick : bool
        Run on tiny graphs, to see whether everything works.
    redraw : bool
        Measure nothing: compute tables and figures again from the results.
    output : Path
        The folder of results.
    kind : str
        The format of figures: svg or png.
    seconds : float
        No further run of a contestant on a graph begins after so many seconds of its runs.
    threads, ranks : tuple of int
        Numbers of threads, of ranks; empty for those of the paper, as far as this machine has processors.
    roads : tuple of Path
        Files of road networks.
    """

    quick: bool = False
    redraw: bool = False
    output: Path = RESULTS
    kind: str = "svg"
    seconds: float = 10.0
    threads: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    roads: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Setting(Request):
    """A request with numbers of threads and ranks filled in, the scheme, and where to show progress."""

    scheme: Scheme = QUICK
    show: Callable[[float, str], None] = lambda done, doing: None

    @property
    def short(self) -> float:
        """Seconds: shorter solves are repeated within a run; in a quick run none is."""
        return self.pick(SHORT, 0.0)

    def pick(self, full: T, quick: T) -> T:
        """Return one value for a full run, and another for a quick one."""
        return quick if self.quick else full


@dataclass(frozen=True)
class Findings:
    """The results of an experiment.

    Attributes
    ----------
    parameters : dict
        The parameters of the run.
    tables : dict of str to list of rows
        Each row is a dict; all rows of a table have the same names.
    graphs : tuple of GraphResult
        All runs, if runs were timed.
    remarks : tuple of str
        What a reader must know.
    """

    parameters: dict[str, Any] = field(default_factory=dict)
    tables: Tables = field(default_factory=dict)
    graphs: tuple[GraphResult, ...] = ()
    remarks: tuple[str, ...] = ()


class Experiment:
    """A table or figure of the literature; the docstring of each subclass describes it.

    Attributes
    ----------
    name : str
        Its name on the command line, and that of its files.
    source : str
        The paper, and the number of the table or figure.
    threads, ranks : tuple of int, optional
        Numbers of threads, of ranks in the paper; None if there is nothing to choose.
    counted : bool
        Run all these ranks on any machine, for they are only counted on and not timed.
    scheme : type
        When enough runs have been made.
    networks, quick_networks : tuple of str
        Road networks to run on, see `experiments.common.roads`.
    road_weights : str
        Kind of the weights of grids in place of networks, see `boruvka.generators`.
    columns : int
        Panels of the figure side by side.
    """

    name: ClassVar[str]
    source: ClassVar[str]
    threads: tuple[int, ...] | None = None
    ranks: tuple[int, ...] | None = None
    counted = False
    scheme: type[KBest] | type[Confidence] = KBest
    networks: tuple[str, ...] = ()
    quick_networks: tuple[str, ...] = ()
    road_weights = "uniform"
    columns = 1
    graph_type: type[GraphResult] = GraphResult

    def measure(self, setting: Setting) -> Findings:
        """Run the experiment."""
        raise NotImplementedError

    def tables(self, graphs: Sequence[Any], parameters: Mapping[str, Any]) -> Tables:
        """Compute the tables that follow from timed runs."""
        return {}

    def panels(self, tables: Tables, parameters: Mapping[str, Any]) -> list[Panel]:
        """Return the panels of the figure; none where there is nothing to draw."""
        raise NotImplementedError

    @property
    def about(self) -> str:
        """The description."""
        return inspect.getdoc(type(self)) or ""

    @property
    def reported(self) -> dict[str, Any]:
        """What the paper reports."""
        return reported_by(type(self).__module__.rpartition(".")[2], self.name)

    def specifications(self, setting: Setting) -> Sequence[str]:
        """List the generated graphs to run on."""
        return ()

    def made(self, specification: str) -> Graph:
        """Make a generated graph."""
        return graph_of(specification)

    def cases(self, setting: Setting) -> Iterator[tuple[str, Callable[[], Graph]]]:
        """List names and makers of the graphs to run on: road networks, then generated graphs."""
        for road in roads_of(*self._roads(setting)):
            yield road.title, road.make
        for specification in self.specifications(setting):
            yield specification, partial(self.made, specification)

    def _roads(self, setting: Setting) -> tuple[Any, ...]:
        names = setting.pick(self.networks, self.quick_networks or self.networks)
        return names, setting.roads if names else (), setting.quick, self.road_weights

    def remarks(self, setting: Setting) -> tuple[str, ...]:
        """List the remarks on the graphs."""
        return remarks_on(*self._roads(setting))

    def run(self, request: Request) -> Findings:
        """Measure, and write NAME.json and a figure; earlier files stay until everything is measured."""
        require("matplotlib", "plot")
        make_folder(request.output)
        path = request.output / f"{self.name}.json"
        check_writable(path)
        click.secho(f"{self.name}: {self.source}", bold=True)
        if request.redraw:
            record, findings = self._read(path)
        else:
            with ProgressBar() as bar:
                setting = self.setting(
                    request, lambda done, doing: bar(Progress("measure", done, 1.0, detail=doing))
                )
                findings = self.measure(setting)
            record = self._conditions(setting)
        write_json(plain({**record, **self._identity(), **asdict(findings)}), path)
        self._write_figure(findings, path.with_suffix(f".{request.kind}"))
        for name, rows in findings.tables.items():
            if 0 < len(rows) <= SHOWN:
                print_result(as_text(name, rows))
        for remark in findings.remarks:
            click.echo(remark)
        click.echo(f"{path}\n")
        return findings

    def setting(self, request: Request, show: Callable[[float, str], None]) -> Setting:
        """Fill in defaults."""
        scheme = QUICK if request.quick else self.scheme(seconds=request.seconds)
        threads = request.threads or _counts_to(2 if request.quick else processors(), self.threads)
        ranks = (self.ranks or ()) if self.counted else _counts_to(processors(), self.ranks)
        ranks = request.ranks or ((1, 2) if request.quick else ranks)
        return Setting(**{**vars(request), "threads": threads, "ranks": ranks}, scheme=scheme, show=show)

    def _identity(self) -> dict[str, Any]:
        return {
            "experiment": self.name,
            "about": self.about,
            "source": self.source,
            "reported": self.reported,
        }

    def _conditions(self, setting: Setting) -> dict[str, Any]:
        return {
            **self._identity(),
            "quick": setting.quick,
            "machine": machine.describe(),
            "versions": machine.versions(),
            "scheme": {"name": setting.scheme.name, **asdict(setting.scheme)},
            "threads": setting.threads if self.threads is not None else None,
            "ranks": setting.ranks if self.ranks is not None else None,
        }

    def _read(self, path: Path) -> tuple[dict[str, Any], Findings]:
        """Read earlier results, with the tables of timed runs computed again."""
        record = json.loads(path.read_text())
        graphs = decoded(tuple[self.graph_type, ...], record["graphs"], "graphs")  # type: ignore[name-defined]
        tables = {**record["tables"], **self.tables(graphs, record["parameters"])}
        return record, Findings(record["parameters"], tables, graphs, tuple(record["remarks"]))

    def _write_figure(self, findings: Findings, path: Path) -> None:
        panels = self.panels(findings.tables, findings.parameters)
        if panels:
            save(figure_of(panels, self.columns), path)
        else:
            path.unlink(missing_ok=True)  # it would show other results than those beside it


class Race(Experiment):
    """An experiment in which contestants take turns on graphs.

    Attributes
    ----------
    contestants : tuple of Ours
    """

    contestants: tuple[Ours, ...] = ()
    threads: tuple[int, ...] | None = ()

    def counts(self, setting: Setting) -> Sequence[int]:
        """Choose the numbers of threads."""
        return setting.threads

    def measure(self, setting: Setting) -> Findings:
        """Race on every graph that fits into memory."""
        graphs, remarks = [], list(self.remarks(setting))
        plan = Plan(self.contestants, self.counts(setting), setting.scheme, short=setting.short)
        for name, make in self.cases(setting):
            setting.show(0, f"{name}: making the graph")
            graph = make()
            if reason := too_large(graph.m):
                remarks.append(f"{name} left out: {reason}")
            else:
                graphs.append(measure_in_process(name, graph, plan, _prefixed(setting, name)))
        parameters = {
            "graphs": [graph.name for graph in graphs],
            "threads": list(plan.threads),
            "contestants": described(self.contestants),
            **self.parameters(setting, graphs),
        }
        return Findings(parameters, self.tables(graphs, parameters), tuple(graphs), tuple(remarks))

    def parameters(self, setting: Setting, graphs: Sequence[GraphResult]) -> dict[str, Any]:
        """Return further parameters."""
        return {}

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        """List the times of all contestants."""
        return {"times": times_of(graphs).to_dicts()}


def described(contestants: Sequence[Contestant]) -> dict[str, Any]:
    """Return the algorithm and options of each contestant by its name."""
    return {
        c.name: {"algorithm": c.algorithm, "options": c.options} for c in contestants if isinstance(c, Ours)
    }


def _prefixed(setting: Setting, name: str) -> Callable[[float, str], None]:
    return lambda done, doing: setting.show(done, f"{name}: {doing}")


def _counts_to(here: int, counts: tuple[int, ...] | None) -> tuple[int, ...]:
    """List the counts of the paper up to twice the number of processors, and this number."""
    return tuple(sorted({here, *(count for count in counts or () if count <= 2 * here)}))
