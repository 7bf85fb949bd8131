"""``boruvka solve``, on one machine or on MPI ranks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from boruvka.cli.event_log import EventLog
from boruvka.cli.options import (
    FILE_PATH,
    STANDARD_STREAM,
    complete_algorithm,
    complete_backend,
    input_to_stream,
    is_streamed,
    json_option,
    memory_option,
    named_value,
    output_format_option,
    refuse_options,
    standard_input,
    standard_output,
    with_read_options,
)
from boruvka.cli.output import BAD_INPUT, OK, print_fields, print_json, print_verification_failure
from boruvka.cli.points import PointsOptions, read_point_graph, with_points_options
from boruvka.cli.report import Report
from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.progress import Progress, ProgressBar, listening


@click.command()
@click.argument("file", type=FILE_PATH)
@click.option("-o", "--output", type=FILE_PATH, help="Write the forest to this file; - is standard output.")
@output_format_option
@click.option("--maximum", is_flag=True, help="Find the maximum spanning forest.")
@click.option(
    "--algorithm",
    default="auto",
    show_default=True,
    shell_complete=complete_algorithm,
    help="An algorithm that `boruvka algorithms` lists.",
)
@click.option("--option", "options", metavar="NAME[=VALUE]", multiple=True, help="Option of the algorithm.")
@click.option(
    "--backend",
    default="auto",
    show_default=True,
    shell_complete=complete_backend,
    help="A backend that `boruvka info --backends` lists.",
)
@click.option("--partition-by", help="With mpi: partition edges or vertices.")
@click.option("--method", help="With mpi: how components are merged; by default filter-boruvka.")
@click.option("--threads", type=int, help="Number of threads; by default one per core.")
@click.option("--log", type=FILE_PATH, help="Write events and rounds to this file, one JSON object a line.")
@click.option("--verify", is_flag=True, help="Check the forest independently; exit with 1 if it is wrong.")
@memory_option
@click.option(
    "--checkpoint",
    type=FILE_PATH,
    help="With --memory: a folder for the state, from which the same command resumes after it was stopped. "
    "The state is removed when the forest is written.",
)
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@with_read_options
@with_points_options
def solve(
    output: Path | None, output_format: str | None, log: Path | None, as_json: bool, quiet: bool, **how: Any
) -> int:
    """Find the minimum spanning forest of the graph in FILE; - is standard input.

    With --memory, or if FILE does not fit in memory, its edges are streamed, and only the forest is kept.
    Then FILE may also be a folder of Parquet files, or a pattern such as "edges/*.parquet".

    With --points, FILE is a table or an array of points, and the graph has all pairs of them as edges.

    On MPI ranks: mpiexec -n RANKS python -m boruvka solve FILE --backend mpi; --memory is that of each rank.

    \b
    Examples:
      boruvka solve graph.gr -o forest.csv --verify
      boruvka solve roads.csv --columns from,to,cost --maximum --json
      boruvka solve places.csv --points --columns x,y -o forest.csv
      boruvka solve "edges/*.parquet" --memory 2G -o forest.parquet
    """
    outputs = Outputs(output, output_format, log, as_json, quiet or as_json)
    if how["points"] is not None:
        refuse_options("is for edges: leave it out with --points", "memory", "checkpoint", *_OF_RANKS)
    if how["backend"] == "mpi":
        return _solve_on_ranks(outputs, **how)
    refuse_options("needs --backend mpi", *_OF_RANKS)
    is_stream = how["points"] is None and is_streamed(
        how["file"], how["memory"], how["read_options"], outputs.is_silent, how["checkpoint"]
    )
    outputs.check()  # it imports libraries
    with outputs.listening() as events:
        code = (_solve_stream if is_stream else _solve_in_memory)(outputs, events, **how)
    if code == OK and how["checkpoint"] is not None:
        _remove_checkpoint(how["checkpoint"], output)
    return code


_OF_RANKS = "partition_by", "method"


class Outputs(NamedTuple):
    """Files and streams to which a command writes the forest, the log and the report."""

    forest: Path | None
    format: str | None
    log: Path | None
    as_json: bool
    is_silent: bool
    """Whether nothing but the result is printed."""

    def check(self) -> None:
        """Raise an error if the forest or the log cannot be written, before any long work."""
        if self.forest == self.log == STANDARD_STREAM:
            raise OptionError("--output and --log cannot both be standard output")
        if self.forest is None and self.format is not None:
            raise OptionError(
                f"--to {self.format} is the format of a file: write -o FILE too, or -o - for standard output"
            )
        self.check_names(None)
        if self.log is not None:
            from boruvka.formats.files import check_writable

            check_writable(standard_output(self.log))

    def check_names(self, names: Any) -> None:
        """Raise an error if the file of the forest cannot hold these names of vertices."""
        from boruvka.formats import check_output
        from boruvka.formats.name_columns import portable_names

        if self.forest is not None:
            check_output(standard_output(self.forest), self.format, portable_names(names))

    @contextmanager
    def listening(self) -> Iterator[EventLog | None]:
        """Show a bar, and write the log of events, while a block runs."""
        with ExitStack() as stack:
            bar = stack.enter_context(ProgressBar(visible=not self.is_silent))
            log = None if self.log is None else stack.enter_context(EventLog(self.log))

            def receive(event: Progress) -> None:
                bar(event)
                if log is not None:
                    log(event)

            stack.enter_context(listening(receive))
            yield log

    def write(self, forest: Any) -> None:
        """Write the forest, if a file was named for it."""
        if self.forest is not None and forest is not None:
            from boruvka.formats import write
            from boruvka.formats.format import EdgeTable
            from boruvka.formats.name_columns import portable_names

            table = EdgeTable.of(forest)
            table = table._replace(names=portable_names(table.names))
            write(table, standard_output(self.forest), format=self.format)

    def print(self, report: Report) -> None:
        """Print the report, on standard error if standard output has the forest or the log."""
        is_taken = STANDARD_STREAM in (self.forest, self.log)
        if self.as_json:
            print_json(report.to_json(), is_taken)
        elif not self.is_silent:
            print_fields(report.to_text(), is_taken)


def _solve_in_memory(outputs: Outputs, events: EventLog | None, file: Path, **how: Any) -> int:
    """Solve a graph that is read whole."""
    from boruvka.formats import read
    from boruvka.solve import minimum_spanning_forest

    stopwatch, points = Stopwatch(), how["points"]
    with stopwatch.step("read"):
        if points is None:
            graph: Any = read(standard_input(file), **how["read_options"])
        else:
            graph = read_point_graph(file, points, how["read_options"], is_silent=outputs.is_silent)
        outputs.check_names(graph.names)
    with stopwatch.step("solve"):
        options = dict(map(named_value, how["options"]))
        given = {name: how[name] for name in ("maximum", "algorithm", "backend", "threads")}
        forest = minimum_spanning_forest(graph, **given, options=options)
    verification = None
    if how["verify"]:
        from boruvka.forest.verify import verify

        with stopwatch.step("verify"):
            verification = verify(graph, forest)
    return _finish(outputs, events, stopwatch, forest, verification, points)


def _solve_stream(outputs: Outputs, events: EventLog | None, file: Path, **how: Any) -> int:
    """Solve streamed edges; only the forest is held in memory."""
    refuse_options("is for graphs in memory", "algorithm", "options")
    if how["backend"] not in ("auto", "threads"):
        raise OptionError(f"--backend {how['backend']} is for graphs in memory")
    import numpy as np

    from boruvka.runtime.processors import thread_count
    from boruvka.stream import verify
    from boruvka.stream.memory import parse_memory
    from boruvka.stream.solve import StreamOptions, find_forest

    stopwatch, source, read_options = Stopwatch(), input_to_stream(file), how["read_options"]
    memory, threads = parse_memory(how["memory"]), thread_count(how["threads"])
    if how["verify"] and source is not file:
        raise OptionError("--verify reads the edges again: write them to a file")

    def check_names(opened: Any) -> None:
        outputs.check_names(np.empty(0, object) if opened.has_names else None)

    with stopwatch.step("solve"):
        request = StreamOptions(memory, how["maximum"], threads, how["checkpoint"], False, read_options)
        forest = find_forest(source, request, check_names)
    stopwatch.seconds["read"] = 0.0  # edges are read while others are solved
    verification = None
    if how["verify"]:
        with stopwatch.step("verify"):
            verification = verify(source, forest, memory=how["memory"], threads=threads, **read_options)
    return _finish(outputs, events, stopwatch, forest, verification)


def _finish(
    outputs: Outputs,
    events: EventLog | None,
    stopwatch: Stopwatch,
    forest: Any,
    verification: Any,
    points: PointsOptions | None = None,
) -> int:
    """Write the forest, unless it is wrong, and report it."""
    is_wrong = verification is not None and not verification.ok
    report = Report(forest, stopwatch.seconds, verification, None if is_wrong else outputs.forest, points)
    with stopwatch.step("write"):
        outputs.write(None if is_wrong else forest)
    if events is not None:
        events.add_report(report)
    outputs.print(report)
    return print_verification_failure(verification)


def _solve_on_ranks(outputs: Outputs, file: Path, **how: Any) -> int:
    """Solve on all ranks; the first one prints the report, or the error that all of them raise."""
    refuse_options("cannot be used with --backend mpi", "verify", "algorithm", "options", "checkpoint")
    if how["points"] is not None:
        raise OptionError("--backend mpi is for edges: leave it out with --points")
    if file == STANDARD_STREAM:
        raise OptionError("with --backend mpi, ranks cannot share standard input: write the graph to a file")
    from boruvka.distributed.solve_file import is_first_rank, solve_file

    def finish(part: Any, forest: Any) -> None:
        outputs.write(forest)
        if outputs.log is not None:
            with EventLog(outputs.log) as events:
                events.add_report(Report(part, {}))

    given = {"maximum": how["maximum"], "threads": how["threads"]}
    given |= {name: how[name] or "auto" for name in _OF_RANKS}
    try:
        part, seconds = solve_file(
            file,
            how["read_options"],
            how["memory"],
            given,
            prepare=outputs.check,
            check=lambda graph: outputs.check_names(graph.names),
            finish=finish,
            gather=outputs.forest is not None,
        )
    except BoruvkaError:
        if is_first_rank():
            raise
        return BAD_INPUT
    if is_first_rank():
        outputs.print(Report(part, seconds, output=outputs.forest))
    return OK


def _remove_checkpoint(folder: Path, output: Path | None) -> None:
    """Remove the state of a stream, once its forest is on the disk."""
    from boruvka.stream.checkpoint import make_durable, remove_checkpoint

    if output is not None and output != STANDARD_STREAM:
        make_durable(output)
    remove_checkpoint(folder)


class Stopwatch:
    """Measures the seconds of each step of a command."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure a step."""
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start
