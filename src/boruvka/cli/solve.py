"""``boruvka solve``, on one machine or on MPI ranks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click

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
from boruvka.cli.solve_report import SolveReport
from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.progress import spinner


class SolveRequest(NamedTuple):
    """The arguments of ``boruvka solve``."""

    file: Path
    output: Path | None
    output_format: str | None
    maximum: bool
    algorithm: str
    options: tuple[str, ...]
    backend: str
    distribute: str | None
    merge: str | None
    threads: int | None
    log: Path | None
    verify: bool
    memory: str | None
    checkpoint: Path | None
    as_json: bool
    quiet: bool
    read_options: dict[str, Any]

    @property
    def is_silent(self) -> bool:
        """Whether nothing but the result is printed."""
        return self.quiet or self.as_json

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
        self._check_output(graph.names)

    def check_names_of_source(self, source: Any) -> None:
        """Raise an error if streamed edges have names that the file of the forest cannot hold."""
        import numpy as np

        self._check_output(np.empty(0, object) if source.has_names else None)

    def _check_output(self, names: Any) -> None:
        from boruvka.formats import check_output

        if self.output is not None:
            check_output(standard_output(self.output), self.output_format, names)

    def write_outputs(self, forest: Any, report: SolveReport) -> None:
        """Write the forest, unless it is None, and the log to the files that were asked for."""
        from boruvka.formats import write
        from boruvka.formats.files import writing

        if self.output is not None and forest is not None:
            write(forest, standard_output(self.output), format=self.output_format)
        if self.log is not None:
            with writing(standard_output(self.log)) as stream:
                stream.write(report.log().encode())

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
@click.option("--distribute", help="With mpi: distribute edges or vertices.")
@click.option("--merge", help="With mpi: how components are merged; by default filter-boruvka.")
@click.option("--threads", type=int, help="Number of threads; by default one per core.")
@click.option("--log", type=FILE_PATH, help="Write what happened in each round to this file.")
@click.option("--verify", is_flag=True, help="Check the forest independently; exit with 1 if it is wrong.")
@memory_option
@click.option(
    "--checkpoint",
    type=FILE_PATH,
    help="With --memory: a folder for the state; the same command goes on from it after it was stopped.",
)
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@with_read_options
def solve(**arguments: Any) -> int:
    """Find the minimum spanning forest of the graph in FILE; - is standard input.

    With --memory, or if FILE does not fit the memory, its edges are streamed, and only the forest is kept.
    Then FILE may also be a folder of Parquet files, or a pattern such as "edges/*.parquet".

    On MPI ranks: mpiexec -n RANKS python -m boruvka solve FILE --backend mpi; --memory is that of each rank.
    """
    request = SolveRequest(**arguments)
    return _solve_on_ranks(request) if request.backend == "mpi" else _solve_on_one_machine(request)


def _solve_on_one_machine(request: SolveRequest) -> int:
    if request.distribute is not None or request.merge is not None:
        raise OptionError("--distribute and --merge need --backend mpi")
    is_stream = is_streamed(
        request.file, request.memory, request.read_options, request.is_silent, request.checkpoint
    )
    request.check_outputs()  # it imports libraries
    if is_stream:
        return _solve_stream(request)
    from boruvka.formats import read
    from boruvka.solve import minimum_spanning_forest

    show_progress = not request.is_silent
    stopwatch = Stopwatch(show_progress)
    with stopwatch.step("read", f"reading {request.file}"):
        graph = read(standard_input(request.file), **request.read_options)
        request.check_names(graph)
    with stopwatch.step("solve"):
        forest = minimum_spanning_forest(
            graph,
            maximum=request.maximum,
            algorithm=request.algorithm,
            backend=request.backend,
            threads=request.threads,
            options=dict(map(named_value, request.options)),
            progress=show_progress,
        )
    verification = None
    if request.verify:
        from boruvka.forest.verify import verify

        with stopwatch.step("verify", "verifying"):
            verification = verify(graph, forest)
    return _finish(request, stopwatch, forest, verification)


def _finish(request: SolveRequest, stopwatch: Stopwatch, forest: Any, verification: Any) -> int:
    """Write the forest, unless it is wrong, and report it."""
    is_wrong = verification is not None and not verification.ok
    output = None if is_wrong else request.output
    report = SolveReport.of_forest(forest, stopwatch.seconds, verification, output)
    with stopwatch.step("write", f"writing {output}" if output else None):
        request.write_outputs(None if is_wrong else forest, report)
    request.print_report(report)
    return print_verification_failure(verification)


def _solve_stream(request: SolveRequest) -> int:
    """Solve streamed edges; only the forest is held in memory."""
    if request.algorithm != "auto" or request.options or request.backend not in ("auto", "threads"):
        raise OptionError("--algorithm, --option and --backend are for graphs in memory")
    from boruvka.runtime.processors import thread_count
    from boruvka.stream import verify
    from boruvka.stream.memory import parse_memory
    from boruvka.stream.solve import Request, find_forest

    stopwatch = Stopwatch(not request.is_silent)
    source = input_to_stream(request.file)
    if request.verify and source is not request.file:
        raise OptionError("--verify reads the edges again: write them to a file")
    with stopwatch.step("solve"):
        how = Request(
            parse_memory(request.memory),
            request.maximum,
            thread_count(request.threads),
            request.checkpoint,
            not request.is_silent,
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
                progress=not request.is_silent,
                **request.read_options,
            )
    return _finish(request, stopwatch, forest, verification)


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
                "distribute": request.distribute or "auto",
                "merge": request.merge or "auto",
                "threads": request.threads,
            },
            prepare=request.check_outputs,
            check=request.check_names,
            finish=lambda part, forest: request.write_outputs(forest, SolveReport.of_ranks(part)),
            gather=request.output is not None,
        )
    except BoruvkaError:
        if is_first_rank():
            raise
        return BAD_INPUT
    if is_first_rank():
        request.print_report(SolveReport.of_ranks(part, seconds, request.output))
    return OK


class Stopwatch:
    """Measures the seconds of each step of a command.

    Parameters
    ----------
    show_progress : bool
        Whether to show a spinner while a step takes long.
    """

    def __init__(self, show_progress: bool):
        self.seconds: dict[str, float] = {}
        self._show_progress = show_progress

    @contextmanager
    def step(self, name: str, doing: str | None = None) -> Iterator[None]:
        """Measure a step; ``doing`` is the text of its spinner, None for no spinner."""
        begin = time.perf_counter()
        with spinner(doing, visible=self._show_progress and doing is not None):
            yield
        self.seconds[name] = time.perf_counter() - begin
