"""``boruvka solve``, on one machine or on MPI ranks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

from boruvka.cli.event_log import EventLog
from boruvka.cli.exit_codes import BAD_INPUT, OK
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
    standard_input,
    standard_output,
    with_read_options,
)
from boruvka.cli.output import print_verification_failure
from boruvka.cli.points import PointsRequest, read_point_graph, refuse_options, with_points_options
from boruvka.cli.solve_report import SolveReport
from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.progress import Progress, ProgressBar, listening


class SolveRequest(NamedTuple):
    """The arguments of ``boruvka solve``."""

    file: Path
    output: Path | None
    output_format: str | None
    maximum: bool
    algorithm: str
    options: tuple[str, ...]
    backend: str
    partition_by: str | None
    method: str | None
    threads: int | None
    log: Path | None
    verify: bool
    memory: str | None
    checkpoint: Path | None
    as_json: bool
    quiet: bool
    read_options: dict[str, Any]
    points: PointsRequest | None

    @property
    def is_silent(self) -> bool:
        """Whether nothing but the result is printed."""
        return self.quiet or self.as_json

    def check_points(self) -> None:
        """Raise an error about options that are not for points, if the file holds points."""
        if self.points is not None:
            refuse_options(
                memory=self.memory,
                checkpoint=self.checkpoint,
                partition_by=self.partition_by,
                method=self.method,
            )
            if self.backend == "mpi":
                raise OptionError("--backend mpi is for edges: leave it out with --points")

    def read_graph(self) -> Any:
        """Read the graph of the file into memory."""
        from boruvka.formats import read

        if self.points is not None:
            return read_point_graph(self.file, self.points, self.read_options, is_silent=self.is_silent)
        return read(standard_input(self.file), **self.read_options)

    def check_outputs(self) -> None:
        """Raise an error if the forest or the log cannot be written, before any long work."""
        from boruvka.formats import check_output
        from boruvka.formats.files import check_writable

        if self.output == self.log == STANDARD_STREAM:
            raise OptionError("--output and --log cannot both be standard output")
        if self.output is None and self.output_format is not None:
            raise OptionError(
                f"--to {self.output_format} is the format of a file: name it, as -o FILE, or -o - for "
                "standard output"
            )
        if self.output is not None:
            check_output(standard_output(self.output), self.output_format)
        if self.log is not None:
            check_writable(standard_output(self.log))

    def check_names(self, graph: Any) -> None:
        """Raise an error if the file of the forest cannot hold the names of the vertices."""
        from boruvka.formats.name_columns import portable_names

        self._check_output(portable_names(graph.names))

    def check_names_of_source(self, source: Any) -> None:
        """Raise an error if streamed edges have names that the file of the forest cannot hold."""
        import numpy as np

        self._check_output(np.empty(0, object) if source.has_names else None)

    def _check_output(self, names: Any) -> None:
        from boruvka.formats import check_output

        if self.output is not None:
            check_output(standard_output(self.output), self.output_format, names)

    @property
    def logs_text(self) -> bool:
        """Whether the log is a text for people instead of lines of JSON."""
        return self.log is not None and self.log.suffix == ".txt"

    @contextmanager
    def listening(self) -> Iterator[EventLog | None]:
        """Show a bar and write the log of events while a block runs."""
        with ExitStack() as stack:
            bar = stack.enter_context(ProgressBar(visible=not self.is_silent))
            log = None
            if self.log is not None and not self.logs_text:
                log = stack.enter_context(EventLog(self.log))

            def tell(event: Progress) -> None:
                bar(event)
                if log is not None:
                    log(event)

            stack.enter_context(listening(tell))
            yield log

    def write_outputs(self, forest: Any, report: SolveReport, log: EventLog | None = None) -> None:
        """Write the forest, unless it is None, and the log to the files that were asked for."""
        from boruvka.formats import write
        from boruvka.formats.files import writing
        from boruvka.formats.format import EdgeTable
        from boruvka.formats.name_columns import portable_names

        if self.output is not None and forest is not None:
            table = EdgeTable.of(forest)
            table = table._replace(names=portable_names(table.names))
            write(table, standard_output(self.output), format=self.output_format)
        if log is not None:
            log.add_rounds(report.rounds)
        elif self.log is not None and self.logs_text:
            with writing(self.log) as stream:
                stream.write(report.log().encode())

    def remove_checkpoint(self) -> None:
        """Remove the state of a stream, once its forest is on the disk."""
        if self.checkpoint is None:
            return
        from boruvka.stream.checkpoint import make_durable, remove_checkpoint

        if self.output is not None and self.output != STANDARD_STREAM:
            make_durable(self.output)
        remove_checkpoint(self.checkpoint)

    def print_report(self, report: SolveReport) -> None:
        """Print the report in the requested form; on standard error if standard output has other output."""
        taken = STANDARD_STREAM in (self.output, self.log)
        if self.as_json:
            report.print_json(taken)
        elif not self.quiet:
            report.print_text(taken)


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
@click.option("--partition-by", help="With mpi: distribute edges or vertices.")
@click.option("--method", help="With mpi: how components are merged; by default filter-boruvka.")
@click.option("--threads", type=int, help="Number of threads; by default one per core.")
@click.option(
    "--log",
    type=FILE_PATH,
    help="Write what happens to this file, one JSON object a line; to a .txt the rounds, as text.",
)
@click.option("--verify", is_flag=True, help="Check the forest independently; exit with 1 if it is wrong.")
@memory_option
@click.option(
    "--checkpoint",
    type=FILE_PATH,
    help="With --memory: a folder for the state; the same command goes on from it after it was stopped. "
    "The state is removed when the forest is written.",
)
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@with_read_options
@with_points_options
def solve(**arguments: Any) -> int:
    """Find the minimum spanning forest of the graph in FILE; - is standard input.

    With --memory, or if FILE does not fit the memory, its edges are streamed, and only the forest is kept.
    Then FILE may also be a folder of Parquet files, or a pattern such as "edges/*.parquet".

    With --points, FILE is a table or an array of points, and the graph has all pairs of them as edges.

    On MPI ranks: mpiexec -n RANKS python -m boruvka solve FILE --backend mpi; --memory is that of each rank.
    """
    request = SolveRequest(**arguments)
    request.check_points()
    return _solve_on_ranks(request) if request.backend == "mpi" else _solve_on_one_machine(request)


def _solve_on_one_machine(request: SolveRequest) -> int:
    if request.partition_by is not None or request.method is not None:
        raise OptionError("--partition-by and --method need --backend mpi")
    is_stream = request.points is None and is_streamed(
        request.file, request.memory, request.read_options, request.is_silent, request.checkpoint
    )
    request.check_outputs()  # it imports libraries
    with request.listening() as log:
        code = _solve_stream(request, log) if is_stream else _solve_in_memory(request, log)
    if code == OK:
        request.remove_checkpoint()
    return code


def _solve_in_memory(request: SolveRequest, log: EventLog | None) -> int:
    """Solve a graph that is read whole."""
    from boruvka.solve import minimum_spanning_forest

    stopwatch = Stopwatch()
    with stopwatch.step("read"):
        graph = request.read_graph()
        request.check_names(graph)
    with stopwatch.step("solve"):
        forest = minimum_spanning_forest(
            graph,
            maximum=request.maximum,
            algorithm=request.algorithm,
            backend=request.backend,
            threads=request.threads,
            options=dict(map(named_value, request.options)),
        )
    verification = None
    if request.verify:
        from boruvka.forest.verify import verify

        with stopwatch.step("verify"):
            verification = verify(graph, forest)
    return _finish(request, stopwatch, forest, verification, log)


def _finish(
    request: SolveRequest, stopwatch: Stopwatch, forest: Any, verification: Any, log: EventLog | None
) -> int:
    """Write the forest, unless it is wrong, and report it."""
    is_wrong = verification is not None and not verification.ok
    output = None if is_wrong else request.output
    report = SolveReport.of_forest(forest, stopwatch.seconds, verification, output, request.points)
    with stopwatch.step("write"):
        request.write_outputs(None if is_wrong else forest, report, log)
    if log is not None:
        log.add_result(report.to_json())
    request.print_report(report)
    return print_verification_failure(verification)


def _solve_stream(request: SolveRequest, log: EventLog | None) -> int:
    """Solve streamed edges; only the forest is held in memory."""
    if request.algorithm != "auto" or request.options or request.backend not in ("auto", "threads"):
        raise OptionError("--algorithm, --option and --backend are for graphs in memory")
    from boruvka.runtime.processors import thread_count
    from boruvka.stream import verify
    from boruvka.stream.memory import parse_memory
    from boruvka.stream.solve import Request, find_forest

    stopwatch = Stopwatch()
    source = input_to_stream(request.file)
    if request.verify and source is not request.file:
        raise OptionError("--verify reads the edges again: write them to a file")
    with stopwatch.step("solve"):
        how = Request(
            parse_memory(request.memory),
            request.maximum,
            thread_count(request.threads),
            request.checkpoint,
            False,
            request.read_options,
        )
        forest = find_forest(source, how, request.check_names_of_source)
    stopwatch.seconds["read"] = 0.0  # edges are read while others are solved
    verification = None
    if request.verify:
        with stopwatch.step("verify"):
            verification = verify(
                source,
                forest,
                memory=request.memory,
                threads=request.threads,
                **request.read_options,
            )
    return _finish(request, stopwatch, forest, verification, log)


def _solve_on_ranks(request: SolveRequest) -> int:
    """Solve on all ranks; the first one prints the report, or the error that all of them raise."""
    if request.verify or request.algorithm != "auto" or request.options:
        raise OptionError("--verify, --algorithm and --option cannot be used with --backend mpi")
    if request.checkpoint is not None:
        raise OptionError("--checkpoint cannot be used with --backend mpi")
    if request.file == STANDARD_STREAM:
        raise OptionError("with --backend mpi, ranks cannot share standard input: write the graph to a file")
    from boruvka.distributed.solve_file import is_first_rank, solve_file

    try:
        part, seconds = solve_file(
            request.file,
            request.read_options,
            request.memory,
            {
                "maximum": request.maximum,
                "partition_by": request.partition_by or "auto",
                "method": request.method or "auto",
                "threads": request.threads,
            },
            prepare=request.check_outputs,
            check=request.check_names,
            finish=lambda part, forest: _write_of_ranks(request, part, forest),
            gather=request.output is not None,
        )
    except BoruvkaError:
        if is_first_rank():
            raise
        return BAD_INPUT
    if is_first_rank():
        request.print_report(SolveReport.of_ranks(part, seconds, request.output))
    return OK


def _write_of_ranks(request: SolveRequest, part: Any, forest: Any) -> None:
    """Write what rank 0 writes, and its log, which has the rounds alone."""
    report = SolveReport.of_ranks(part)
    if request.log is None or request.logs_text:
        request.write_outputs(forest, report)
        return
    with EventLog(request.log) as log:
        request.write_outputs(forest, report, log)
        log.add_result(report.to_json())


class Stopwatch:
    """Measures the seconds of each step of a command."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure a step."""
        begin = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begin
