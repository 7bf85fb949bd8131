"""``boruvka bench``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from boruvka.cli.options import FILE_PATH, comma_separated, json_option
from boruvka.cli.output import print_json, print_result
from boruvka.errors import OptionError
from boruvka.runtime.progress import Progress, ProgressBar

if TYPE_CHECKING:
    from boruvka.bench.results import Results
    from boruvka.bench.run import Plan


class BenchRequest(NamedTuple):
    """The arguments of ``boruvka bench``."""

    graphs: tuple[str, ...]
    suite: str | None
    algorithms: tuple[str, ...]
    contestants: tuple[str, ...] | None
    external: Path | None
    threads: tuple[int, ...]
    conversions: bool
    scheme: str
    time_limit: float
    output: Path | None
    as_json: bool
    is_points: bool
    metric: str | None
    mutual_reachability: int | None
    hdbscan: int | None


def _thread_counts(context: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    counts = comma_separated(context, parameter, value) or ()
    if not counts or not all(count.isdigit() and 1 <= int(count) <= 1024 for count in counts):
        raise OptionError(f"--threads: expected numbers from 1 to 1024 separated by commas, got {value!r}")
    return tuple(sorted({int(count) for count in counts}))


@click.command()
@click.argument("graphs", metavar="[GRAPH]...", nargs=-1)
@click.option(
    "--suite",
    help="Add a named set of graphs: quick, small, race, weights, curve or conversions; of points: quick, "
    "dimensions or race.",
)
@click.option(
    "--algorithms",
    default="auto",
    callback=comma_separated,
    show_default=True,
    help="Our algorithms, separated by commas, or all.",
)
@click.option(
    "--contestants",
    callback=comma_separated,
    help="Other libraries, separated by commas; by default all that are installed.",
)
@click.option("--external", type=FILE_PATH, help="A TOML file that describes programs to run as contestants.")
@click.option(
    "--threads",
    default="1",
    callback=_thread_counts,
    show_default=True,
    help="Numbers of threads, separated by commas.",
)
@click.option(
    "--conversions",
    is_flag=True,
    help="Measure conversions of objects of other libraries instead; --contestants names objects.",
)
@click.option(
    "--points",
    "is_points",
    is_flag=True,
    help="Measure on points: a GRAPH is a file of points, or a family of generated points.",
)
@click.option("--metric", help="Distance of points; by default euclidean.")
@click.option(
    "--mutual-reachability",
    type=click.IntRange(min=1),
    help="With --points: weigh pairs by mutual reachability of so many neighbours, the point itself counted.",
)
@click.option(
    "--hdbscan",
    type=click.IntRange(min=2),
    help="With --points: measure HDBSCAN from points to labels, with this least size of a cluster.",
)
@click.option("--scheme", default="k-best", show_default=True, help="k-best or confidence.")
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    show_default=True,
    help="Seconds that a conversion or a run may take.",
)
@click.option("-o", "--output", type=FILE_PATH, help="Write the results to this JSON file.")
@json_option
def bench(**arguments: Any) -> None:
    """Measure our algorithms against the other libraries that are installed.

    A GRAPH is a file, or a family of `boruvka generate` with its arguments, such as
    kronecker:scale=20,dtype=float64. The default is three small graphs. With --points, it is a file of points
    or a family such as uniform:n=100000,d=3.
    """
    from boruvka.bench.results import to_json
    from boruvka.bench.run import measure

    request = BenchRequest(**arguments)
    names, plan = _names(request), _plan(request)
    with ProgressBar(visible=not request.as_json) as bar:
        show_results = _IncrementalOutput(request, bar)
        results = measure(
            names,
            plan,
            on_graph=show_results,
            show=lambda done, doing: bar(Progress("measure", done, 1.0, detail=doing)),
        )
    if not results.complete:
        show_results(results)
    if request.as_json:
        print_json(to_json(results))
    if not results.complete:
        raise KeyboardInterrupt


def _names(request: BenchRequest) -> tuple[str, ...]:
    from boruvka.bench.graphs import names_of

    if request.is_points:
        from boruvka.bench.point_sets import POINT_FAMILIES, POINT_SUITES

        return names_of(request.graphs, request.suite, POINT_SUITES, POINT_FAMILIES)
    suite = request.suite or ("conversions" if request.conversions and not request.graphs else None)
    return names_of(request.graphs, suite)


def _plan_of_points(request: BenchRequest) -> Plan:
    from boruvka.bench.contestants.points import chosen_for_points
    from boruvka.bench.point_sets import PointsTask
    from boruvka.bench.run import Plan
    from boruvka.bench.schemes import scheme_named
    from boruvka.graph.distances import OTHER_NAMES

    if request.conversions or request.external is not None:
        raise OptionError("--conversions and --external are for graphs: leave them out with --points")
    k = request.mutual_reachability
    if request.hdbscan is not None and k is None:
        k = request.hdbscan  # as HDBSCAN does
    if request.hdbscan is not None and k == 1:
        raise OptionError("--mutual-reachability must be at least 2 with --hdbscan: others cannot count 1")
    metric = request.metric or "euclidean"
    task = PointsTask(OTHER_NAMES.get(metric, metric), k, request.hdbscan)
    return Plan(
        chosen_for_points(task, request.algorithms, request.contestants),
        threads=request.threads,
        scheme=scheme_named(request.scheme),
        named=request.contestants or (),
        time_limit=request.time_limit,
        probes=False,
        points=task,
    )


def _plan(request: BenchRequest) -> Plan:
    if request.is_points:
        return _plan_of_points(request)
    for option, value in (
        ("--metric", request.metric),
        ("--mutual-reachability", request.mutual_reachability),
        ("--hdbscan", request.hdbscan),
    ):
        if value is not None:
            raise OptionError(f"{option} is for points: write --points too")
    from boruvka.bench.contestants import chosen, conversions_of
    from boruvka.bench.contestants.program import read_programs
    from boruvka.bench.run import Plan
    from boruvka.bench.schemes import scheme_named

    if request.conversions:
        return Plan(
            conversions_of(request.contestants),
            threads=(1,),
            scheme=scheme_named(request.scheme),
            time_limit=request.time_limit,
            probes=False,
        )
    programs = read_programs(request.external) if request.external is not None else {}
    return Plan(
        chosen(request.algorithms, request.contestants, programs),
        threads=request.threads,
        scheme=scheme_named(request.scheme),
        named=request.contestants or (),
        time_limit=request.time_limit,
    )


class _IncrementalOutput:
    """Writes all results so far, and prints the tables of the graphs that are new."""

    def __init__(self, request: BenchRequest, bar: ProgressBar):
        self._request, self._bar = request, bar
        self._printed = 0

    def __call__(self, results: Results) -> None:
        from boruvka.bench.results import write_results
        from boruvka.bench.tables import times_table

        if self._request.output is not None:
            write_results(results, self._request.output)
        self._bar.stop()
        if not self._request.as_json:
            for graph in results.graphs[self._printed :]:
                print_result(times_table(graph))
        self._printed = len(results.graphs)
