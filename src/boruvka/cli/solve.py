"""``boruvka solve``, on one machine or on MPI ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from boruvka.cli import BAD_INPUT, OK, options
from boruvka.cli.info import hints_on_components
from boruvka.cli.inputs import Input, standard_input, with_input
from boruvka.cli.options import FILE_PATH, OUTPUT_PATH, STANDARD_STREAM, refuse_options
from boruvka.cli.outputs import EventLog, Output, exit_code
from boruvka.cli.writing_command import WritingCommand
from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.arguments import passing
from boruvka.runtime.round_log import Timer


@click.command(cls=WritingCommand)
@click.argument("file", type=FILE_PATH)
@click.option("-o", "--output", type=OUTPUT_PATH, help="Write the forest to this file; - is standard output.")
@options.output_format
@options.maximum
@click.option(
    "--algorithm",
    default="auto",
    show_default=True,
    shell_complete=options.completing("boruvka.algorithms.registry", "ALGORITHMS"),
    help="An algorithm that `boruvka algorithms` lists.",
)
@click.option("--option", "options", metavar="NAME[=VALUE]", multiple=True, help="Option of the algorithm.")
@click.option(
    "--backend",
    default="auto",
    show_default=True,
    shell_complete=options.completing("boruvka.cli.installation", "BACKENDS"),
    help="A backend that `boruvka backends` lists.",
)
@click.option("--partition-by", help="With mpi: partition edges or vertices.")
@click.option("--method", help="With mpi: how components are merged; by default filter-boruvka.")
@click.option(
    "--required", type=FILE_PATH, help="A file of edges that must be in the forest, as -o writes it."
)
@click.option("--excluded", type=FILE_PATH, help="A file of edges that must not be in the forest.")
@click.option("--threads", type=int, help="Number of threads; by default one per core.")
@click.option("--log", type=OUTPUT_PATH, help="Write events and rounds to this file, one JSON object a line.")
@click.option("--verify", is_flag=True, help="Check the forest independently; exit with 1 if it is wrong.")
@options.memory
@click.option(
    "--checkpoint",
    type=FILE_PATH,
    help="With --memory: a folder for the state, from which the same command resumes after it was stopped. "
    "The state is removed when the forest is written.",
)
@options.json
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@with_input("file", points=True)
def solve(
    file: Input,
    output: Path | None,
    output_format: str | None,
    log: Path | None,
    as_json: bool,
    quiet: bool,
    **how: Any,
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
      boruvka solve cables.csv --required existing.csv -o plan.csv
      boruvka solve places.csv --points --columns x,y -o forest.csv
      boruvka solve "edges/*.parquet" --memory 2G -o forest.parquet
    """
    target = Output(output, output_format, log, as_json, quiet or as_json)
    if how["backend"] == "mpi":
        return _solve_on_ranks(target, file, **how)
    refuse_options("needs --backend mpi", *_OF_RANKS)
    is_stream = file.is_streamed(how["memory"], target.is_silent)
    target.check()  # it imports libraries
    with target.listening() as events:
        find = _find_in_stream if is_stream else _find_in_memory
        forest, verification, seconds = find(target, file, **how)
        is_right = verification is None or verification.ok
        with Timer(seconds, "write"):
            if is_right:
                target.write(forest)
        report = report_of(forest, seconds, file)
        if not is_stream:
            report["hints"] = list(hints_on_components(forest.graph, forest.n_components))
        if verification is not None:
            report["verified"] = verification.ok
        if events is not None:
            events.add_result(forest.rounds, report)
    code = exit_code(verification)  # first, as standard output may be closed
    target.print(report)
    if is_right and how["checkpoint"] is not None:
        _remove_checkpoint(how["checkpoint"], output)
    return code


_OF_RANKS = "partition_by", "method"
_CONSTRAINTS = "required", "excluded"


def _find_in_memory(target: Output, file: Input, **how: Any) -> tuple[Any, Any, dict[str, float]]:
    """Solve a graph that is read whole; return the forest, its verification, and the seconds of the steps."""
    from boruvka.formats import read_forest
    from boruvka.trees.solve import minimum_spanning_forest

    if how["verify"]:
        refuse_options("cannot be used with --verify: it checks forests without constraints", *_CONSTRAINTS)
    seconds: dict[str, float] = {}
    verification = None
    with Timer(seconds, "read"):
        graph = file.read(target.is_silent)
        target.check(graph.names)
    with Timer(seconds, "solve"):
        given = {name: how[name] for name in ("maximum", "algorithm", "backend", "threads")}
        with passing(format="forest_format"):  # an option that this command has not
            given |= {name: read_forest(how[name], graph) for name in _CONSTRAINTS if how[name] is not None}
        forest = minimum_spanning_forest(graph, **given, options=dict(map(named_value, how["options"])))
    if how["verify"]:
        from boruvka.verification.verify import verify

        with Timer(seconds, "verify"):
            verification = verify(graph, forest)
    return forest, verification, seconds


def _find_in_stream(target: Output, file: Input, **how: Any) -> tuple[Any, Any, dict[str, float]]:
    """Solve streamed edges, of which only the forest is in memory, as `_find_in_memory` does."""
    refuse_options("is for graphs in memory", "algorithm", "options", *_CONSTRAINTS)
    if how["backend"] not in ("auto", "threads", "cuda"):
        raise OptionError(f"--backend {how['backend']} is for graphs in memory")
    if how["verify"] and file.path == STANDARD_STREAM:
        raise OptionError("--verify reads the edges again: write them to a file")
    import numpy as np

    from boruvka.runtime.processors import thread_count
    from boruvka.stream import verify
    from boruvka.stream.memory import parse_memory
    from boruvka.stream.one_pass import StreamOptions, find_forest

    memory, threads = parse_memory(how["memory"]), thread_count(how["threads"])
    source, read_options = standard_input(file.path), file.read_options

    def check_names(opened: Any) -> None:
        target.check(np.empty(0, object) if opened.has_names else None)

    seconds: dict[str, float] = {}
    verification = None
    with Timer(seconds, "solve"):
        backend = "threads" if how["backend"] == "auto" else how["backend"]
        request = memory, how["maximum"], threads, how["checkpoint"], False, read_options, backend
        forest = find_forest(source, StreamOptions(*request), check_names)
    merging = sum(_steps(forest).values())
    seconds = {"read": seconds["solve"] - merging, "solve": merging}
    if how["verify"]:
        with Timer(seconds, "verify"):
            verification = verify(source, forest, memory=how["memory"], threads=threads, **read_options)
    return forest, verification, seconds


def _solve_on_ranks(target: Output, file: Input, **how: Any) -> int:
    """Solve on all ranks; the first one prints the report, or the error that all of them raise."""
    refuse_options(
        "cannot be used with --backend mpi", "verify", "algorithm", "options", "checkpoint", *_CONSTRAINTS
    )
    if file.is_points or file.is_profiles:
        kind = "--points" if file.is_points else "--profiles"
        raise OptionError(f"--backend mpi is for edges: leave it out with {kind}")
    if file.path == STANDARD_STREAM:
        raise OptionError("with --backend mpi, ranks cannot share standard input: write the graph to a file")
    from boruvka.distributed.solve_file import is_first_rank, solve_file

    def finish(part: Any, forest: Any) -> None:
        if forest is not None:
            target.write(forest)
        if target.log is not None:
            with EventLog(target.log) as events:
                events.add_result(part.rounds, report_of(part, {}, file))

    given = {"maximum": how["maximum"], "threads": how["threads"]}
    given |= {name: how[name] or "auto" for name in _OF_RANKS}
    try:
        part, seconds = solve_file(
            file.path,
            file.read_options,
            how["memory"],
            given,
            prepare=target.check,
            check=lambda graph: target.check(graph.names),
            finish=finish,
            gather=target.path is not None,
        )
    except BoruvkaError:
        if is_first_rank():
            raise
        return BAD_INPUT
    if is_first_rank():
        target.print(report_of(part, seconds, file))
    return OK


def report_of(found: Any, seconds: dict[str, float], file: Input) -> dict[str, Any]:
    """Return the report on a forest, or on the part of a forest that an MPI rank has."""
    is_part = hasattr(found, "ranks")
    report = {
        "vertices": found.n,
        "edges": found.m if is_part else found.graph.m,
        "weights": str(found.graph.dtype),
        "components": found.n_components,
        "forest_edges": found.n - found.n_components,
        "weight": found.weight,
        "algorithm": f"{found.partition_by}/{found.method}" if is_part else found.algorithm,
        "backend": "mpi" if is_part else found.backend,
        "threads": found.threads,
        "rounds": sum(round_.merges for round_ in found.rounds),
        "steps": _rounded(_steps(found)),
        "verified": None,
        "seconds": _rounded(seconds),
    }
    if file.is_points:
        report |= {"metric": file.metric, "min_samples": file.min_samples}
    if is_part:
        report |= {
            "ranks": found.ranks,
            "sent": _sum(round_.sent for round_ in found.rounds),
        }
    return report


def _steps(found: Any) -> dict[str, float]:
    """Return the seconds of each step, in all rounds together."""
    return _sum(round_.seconds for round_ in found.rounds)


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {step: round(value, 4) for step, value in seconds.items()}


def _sum(counts: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Sum the values of each name."""
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)


def named_value(text: str) -> tuple[str, bool | int | str]:
    """Parse NAME=VALUE, where the value is a boolean, an integer or a word; NAME alone means true."""
    name, _, value = text.partition("=")
    known: dict[str, bool | int | str] = {"": True, "true": True, "yes": True, "false": False, "no": False}
    with suppress(ValueError):
        known[value] = int(value)
    return name.replace("-", "_"), known.get(value.lower(), value)


def _remove_checkpoint(folder: Path, output: Path | None) -> None:
    """Remove the state of a stream, once its forest is on the disk."""
    from boruvka.stream.checkpoint import make_durable, remove_checkpoint

    if output is not None and output != STANDARD_STREAM:
        make_durable(output)
    remove_checkpoint(folder)
