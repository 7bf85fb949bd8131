"""The base classes of experiments: declarations, the run, and the files that it writes."""

from __future__ import annotations

import functools
import inspect
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import click

from boruvka import Graph
from boruvka.runtime.processors import processors
from lab.contestants.ours import Ours
from lab.harness.command import check_output, finish, show
from lab.harness.figures import Figure, draw
from lab.harness.graphs import graph_of
from lab.harness.results import GraphResult, Record, Tables, times_of
from lab.harness.schemes import KBest, Scheme
from lab.harness.turns import SHORT, Plan, race
from lab.literature.roads import roads_of, too_large

T = TypeVar("T")


@dataclass(frozen=True)
class Setting:
    """How to run experiments.

    Attributes
    ----------
    quick : bool
        Run on tiny graphs, to see whether everything works.
    seconds : float
        No further run of a contestant on a graph begins after so many seconds of its runs.
    threads, ranks : tuple of int
        Numbers of threads, of ranks; empty for the numbers of the paper, as far as this machine has
        processors.
    roads : tuple of Path
        Files of road networks.
    """

    quick: bool = False
    seconds: float = 10.0
    threads: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    roads: tuple[Path, ...] = ()

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
    tables : dict of str to list of rows
    parameters : dict
    remarks : tuple of str
        Notes for the reader.
    """

    tables: Tables = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


class Experiment:
    """A table or figure of the literature; the docstring of each subclass describes it.

    Attributes
    ----------
    name : str
        Its name on the command line, which its files have too.
    source : str
        The paper, and the number of the table or figure.
    threads, ranks : tuple of int, optional
        Numbers of threads, of ranks in the paper.
    counted : bool
        Run all these ranks on any machine, for they are only counted on and not timed.
    scheme : type
        When enough runs have been made.
    networks, quick_networks : tuple of str
        Road networks to run on, see `lab.literature.roads`.
    road_weights : str
        Kind of the weights of grids in place of networks, see `boruvka.generators`.
    figures : tuple of Figure
        The curves or bars to draw.
    """

    name: ClassVar[str]
    source: ClassVar[str]
    threads: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    counted = False
    scheme: type[Scheme] = KBest
    networks: tuple[str, ...] = ()
    quick_networks: tuple[str, ...] = ()
    road_weights = "uniform"
    figures: tuple[Figure, ...] = ()

    def measure(self, setting: Setting) -> Findings:
        """Run the experiment."""
        raise NotImplementedError

    @property
    def reported(self) -> dict[str, Any]:
        """The figures that the paper reports."""
        return reported_by(type(self).__module__.rpartition(".")[2], self.name)

    def specifications(self, setting: Setting) -> Sequence[str]:
        """List the generated graphs to run on."""
        return ()

    def made(self, specification: str) -> Graph:
        """Make a generated graph."""
        return graph_of(specification)

    def cases(self, setting: Setting) -> Iterator[tuple[str, Callable[[], Graph]]]:
        """List names and makers of the graphs to run on: road networks, then generated graphs."""
        yield from roads_of(*self._roads(setting))[0].items()
        for specification in self.specifications(setting):
            yield specification, partial(self.made, specification)

    def remarks(self, setting: Setting) -> list[str]:
        """List the remarks on the graphs."""
        return roads_of(*self._roads(setting))[1]

    def _roads(self, setting: Setting) -> tuple[Any, ...]:
        names = setting.pick(self.networks, self.quick_networks or self.networks)
        return names, setting.roads if names else (), setting.quick, self.road_weights

    def filled(self, setting: Setting) -> Setting:
        """Fill in numbers of threads and ranks."""
        cores = setting.pick(processors(), 2)
        ranks = setting.pick(self.ranks if self.counted else _counts_to(cores, self.ranks), (1, 2))
        threads = setting.threads or _counts_to(cores, self.threads)
        return replace(setting, threads=threads, ranks=setting.ranks or ranks)

    def scheme_of(self, setting: Setting) -> Scheme:
        """Return the scheme; the times of a quick run mean nothing."""
        return setting.pick(self.scheme(seconds=setting.seconds), KBest(runs=2, most=2, seconds=1.0))

    def run(self, setting: Setting, folder: Path) -> Record:
        """Measure, and write NAME.json and a figure; earlier files stay until everything is measured."""
        path = folder / f"{self.name}.json"
        check_output(path)
        click.secho(f"{self.name}: {self.source}", bold=True)
        setting = self.filled(setting)
        found = self.measure(setting)
        parameters = {"quick": setting.quick, "about": inspect.getdoc(type(self)), **found.parameters}
        record = Record(self.name, found.tables, parameters, found.remarks)
        finish(record, path)
        draw(self.figures, record.tables, path.with_suffix(".svg"))
        return record


class Race(Experiment):
    """An experiment in which contestants take turns on graphs."""

    contestants: tuple[Ours, ...] = ()

    def counts(self, setting: Setting) -> Sequence[int]:
        """Choose the numbers of threads."""
        return setting.threads

    def measure(self, setting: Setting) -> Findings:
        """Race on every graph that fits into memory."""
        graphs, remarks = [], self.remarks(setting)
        plan = Plan(
            self.contestants,
            self.counts(setting),
            self.scheme_of(setting),
            short=setting.short,
            in_process=True,
        )
        for name, make in self.cases(setting):
            show(f"{name}: making the graph")
            graph = make()
            if reason := too_large(graph.m):
                remarks.append(f"{name} left out: {reason}")
            else:
                graphs.append(race(name, graph, plan, show))
        options = {c.name: {"algorithm": c.algorithm, "options": c.options} for c in self.contestants}
        parameters = {"threads": list(plan.threads), "contestants": options, **self.parameters(setting)}
        return Findings(self.tables(graphs, parameters), parameters, tuple(remarks))

    def parameters(self, setting: Setting) -> dict[str, Any]:
        """Return further parameters."""
        return {}

    def tables(self, graphs: Sequence[GraphResult], parameters: Mapping[str, Any]) -> Tables:
        """List the times of all contestants."""
        return {"times": times_of(graphs)}


@functools.cache
def reported_by(paper: str, experiment: str) -> dict[str, Any]:
    """Return what a paper reports on an experiment, with its title and machine, from literature.toml."""
    table = tomllib.loads(Path(__file__).with_name("literature.toml").read_text())[paper]
    shared = {name: value for name, value in table.items() if not isinstance(value, dict)}
    return {**shared, **table[experiment]}


def _counts_to(here: int, counts: Sequence[int]) -> tuple[int, ...]:
    """List the counts of the paper up to twice the number of processors, and this number."""
    return tuple(sorted({here, *(count for count in counts if count <= 2 * here)}))
