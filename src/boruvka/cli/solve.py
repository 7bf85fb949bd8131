"""``boruvka solve``, on one machine or on MPI ranks."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli import BAD_INPUT, OK
from boruvka.cli.file_command import FileCommand
from boruvka.cli.graphs import hints_on_streets
from boruvka.cli.inputs import Input, standard_input
from boruvka.cli.options import (
    EXCLUDED,
    FILE_PATH,
    MEMORY,
    OF_FOREST,
    OUTPUT_PATH,
    STANDARD_STREAM,
    THREADS,
    completing,
    refuse_options,
)
from boruvka.cli.outputs import EventLog, exit_code, notice, rounded
from boruvka.cli.trees import chosen_edges, metadata_of, warn_of_infinity
from boruvka.errors import BoruvkaError, OptionError
from boruvka.graph.distances import UNITS
from boruvka.runtime.arguments import argument
from boruvka.runtime.round_log import Timer

if TYPE_CHECKING:
    from boruvka.distributed import ForestPart
    from boruvka.distributed.communicator import Communicator
    from boruvka.graph.graph import Graph
    from boruvka.trees.forest import Forest
    from boruvka.verification.verify import Verification


@click.command(
    cls=FileCommand,
    reads="file",
    takes_points=True,
    writes="forest",
    params=[*OF_FOREST, THREADS, MEMORY, EXCLUDED],
)
@click.option("--linkage", is_flag=True, help="With -o tree.nwk, write the dendrogram of single linkage.")
@click.option("--log", type=OUTPUT_PATH, help="Write events and rounds to this file, one JSON object a line.")
@click.option(
    "--algorithm",
    default="auto",
    show_default=True,
    shell_complete=completing("boruvka.algorithms.registry", "ALGORITHMS"),
    help="An algorithm that `boruvka algorithms` lists.",
)
@click.option("--option", "options", metavar="NAME[=VALUE]", multiple=True, help="Option of the algorithm.")
@click.option(
    "--backend",
    default="auto",
    show_default=True,
    shell_complete=completing("boruvka.cli.installation", "BACKENDS"),
    help="A backend that `boruvka backends` lists.",
)
@click.option("--partition-by", default="auto", help="With mpi: partition edges or vertices.")
@click.option("--method", default="auto", help="With mpi: how components merge (filter-boruvka).")
@click.option("--required", type=FILE_PATH, multiple=True, help="File of edges that must be in the forest.")
@click.option("--verify", is_flag=True, help="Check the forest independently; exit with 1 if it is wrong.")
@click.option("--checkpoint", type=FILE_PATH, help="With --memory: a folder for the state, to resume.")
def solve(**given: Any) -> int:
    """Find the minimum spanning forest of the graph in FILE; - is standard input.

    With --memory, or if FILE does not fit in memory, its edges are streamed, and only the forest is kept.
    Then FILE may also be a folder of Parquet files, or a pattern such as "edges/*.parquet". After it was
    stopped, the same command resumes from the state in the folder of --checkpoint, which is removed when the
    forest is written.

    Required edges are in a file that -o wrote, or one with the --columns of FILE. --required may be given
    several times. All vertices are tips of the dendrogram of --linkage.

    With --points, FILE is a table or an array of points, and the graph has all pairs of them as edges.

    On MPI ranks: mpiexec -n RANKS python -m boruvka solve FILE --backend mpi; each rank has its own --memory.

    \b
    Examples:
      boruvka solve graph.gr -o forest.csv --verify
      boruvka solve roads.csv --columns from,to,cost --maximum --json
      boruvka solve cables.csv --required existing.csv -o plan.csv
      boruvka solve profiles.txt --profiles --collapse --metadata strains.csv -o tree.graphml
      boruvka solve places.csv --points --columns x,y --id id -o forest.csv
      boruvka solve "edges/*.parquet" --memory 2G -o forest.parquet
    """
    command = SimpleNamespace(**given)
    target = command.target
    if command.backend == "mpi":
        return _solve_on_ranks(command)
    ranks = "is for boruvka windows, where a window of all rows makes one tree"
    refuse_options(ranks if command.method == "spearman" else "needs --backend mpi", "method")
    refuse_options("needs --backend mpi", "partition_by")
    is_streamed = command.file.is_streamed(command.memory)
    target.check()  # it imports libraries
    seconds: dict[str, float] = {}
    resumed: list[int] = []
    with target.listening() as events:
        if is_streamed:
            forest, metadata = _solve_streamed(command, seconds, resumed), None
        else:
            forest, metadata = _solve_in_memory(command, seconds)
        verification = None
        if command.verify:
            with Timer(seconds, "verify"):
                verification = _verify(command, forest, is_streamed)
        is_right = verification is None or verification.ok
        at = command.collapse_at
        result = forest if at is None else forest.collapse_at(at)
        with Timer(seconds, "write"):
            if is_right:
                target.write(result, metadata)
        report = report_of(forest, seconds, command.file)
        if command.checkpoint is not None:
            report["resumed_at"] = next(iter(resumed), None)
        if at is not None:
            report |= {"groups": result.n, "edges_left": len(result)}
        if not is_streamed:
            report["hints"] = [*hints_on_streets(forest.graph)]
        if verification is not None:
            report["verified"] = verification.ok
        if events is not None:
            events.add_result(forest.rounds, report)
    code = exit_code(verification)  # first, as standard output may be closed
    target.print(report)
    if is_right and command.checkpoint is not None:
        from boruvka.stream import remove_checkpoint

        remove_checkpoint(command.checkpoint)
    return code


def _solve_in_memory(command: SimpleNamespace, seconds: dict[str, float]) -> tuple[Forest, Any]:
    """Read the whole graph and solve it; add the seconds of both steps. Return the metadata, too."""
    from boruvka.trees.minimum_spanning import minimum_spanning_forest

    if command.verify:
        refuse_options(
            "cannot be used with --verify: it checks forests without constraints", "required", "excluded"
        )
    options = dict(map(named_value, command.options))
    if len(options) < len(command.options):
        raise OptionError(f"{argument('options')} has a name twice: {', '.join(command.options)}")
    with Timer(seconds, "read"):
        graph = command.file.read()
        command.target.check(graph.names)
        metadata = metadata_of(graph, command.target.metadata, command.target.metadata_id)
    with Timer(seconds, "solve"):
        columns = command.file.read_options["columns"]
        how = _named(command, "maximum", "algorithm", "backend", "threads")
        for name, paths in _named(command, "required", "excluded").items():
            how[name] = chosen_edges(name, paths, graph, columns)
        forest = minimum_spanning_forest(graph, options=options, **how)
    return forest, metadata


def _named(command: SimpleNamespace, *names: str) -> dict[str, Any]:
    """Return the values of options that are arguments of the same names in Python."""
    return {name: vars(command)[name] for name in names}


def _solve_streamed(command: SimpleNamespace, seconds: dict[str, float], resumed: list[int]) -> Forest:
    """Solve streamed edges, of which only the forest is in memory; add the seconds to read and to merge.

    If it goes on from a checkpoint, the number of edges that were read before it is added to ``resumed``.
    """
    in_memory = "is for graphs in memory: leave out --memory; boruvka convert makes one file of a folder"
    refuse_options(in_memory, "algorithm", "options", "required", "excluded", "metadata")
    if command.backend not in ("auto", "threads", "cuda"):
        raise OptionError(f"--backend {command.backend} {in_memory}")
    if command.verify and command.file.path == STANDARD_STREAM:
        raise OptionError("--verify reads the edges again: write them to a file")
    import numpy as np

    from boruvka.runtime.processors import thread_count
    from boruvka.stream.memory import parse_memory
    from boruvka.stream.one_pass import StreamRequest, find_forest

    def on_resume(rows: int, message: str) -> None:
        resumed.append(rows)
        notice(message)

    request = StreamRequest(
        memory=parse_memory(command.memory),
        maximum=command.maximum,
        threads=thread_count(command.threads),
        checkpoint=command.checkpoint,
        progress=False,
        read_options=command.file.read_options,
        backend="threads" if command.backend == "auto" else command.backend,
        on_open=lambda source: command.target.check(np.empty(0, object) if source.has_names else None),
        on_resume=on_resume,
    )
    begin = time.perf_counter()
    forest = find_forest(standard_input(command.file.path), request)
    merging = sum(_steps(forest).values())
    seconds |= {"read": time.perf_counter() - begin - merging, "solve": merging}
    return forest


def _verify(command: SimpleNamespace, forest: Forest, is_streamed: bool) -> Verification:
    """Check a forest against its graph, or by a second pass over the edges of its file."""
    if is_streamed:
        from boruvka.stream import verify as verify_streamed

        how = _named(command, "memory", "threads") | command.file.read_options
        return verify_streamed(command.file.path, forest, **how)
    from boruvka.verification.verify import verify

    return verify(forest.graph, forest)


def _solve_on_ranks(command: SimpleNamespace) -> int:
    """Solve on all ranks; the first one prints the report, or the error that all of them raise."""
    refuse_options(
        "cannot be used with --backend mpi",
        *("verify", "algorithm", "options", "checkpoint", "required", "excluded", "collapse_at", "metadata"),
        "date",
    )
    file, target = command.file, command.target
    if file.is_points or file.is_profiles:
        kind = "--points" if file.is_points else "--profiles"
        raise OptionError(f"--backend mpi is for edges: leave it out with {kind}")
    if file.path == STANDARD_STREAM:
        raise OptionError("with --backend mpi, ranks cannot share standard input: write the graph to a file")
    from boruvka.distributed.communicator import Communicator

    communicator = Communicator(None, "command")
    try:
        part, seconds = _part_of_rank(command, communicator)
    except BoruvkaError:
        if communicator.rank == 0:
            raise
        return BAD_INPUT
    if communicator.rank == 0:
        target.print(report_of(part, seconds, file))
    return OK


def _part_of_rank(
    command: SimpleNamespace, communicator: Communicator
) -> tuple[ForestPart, dict[str, float]]:
    """Read this rank's part of the edges and solve it; the first rank writes the forest.

    Returns the part of the forest, and the seconds of each step on the slowest rank.
    """
    from boruvka.distributed import minimum_spanning_forest
    from boruvka.distributed.collective_errors import abort_on_error, run_locally
    from boruvka.distributed.forest_part import gather_forest

    target, seconds = command.target, {"read": 0.0, "solve": 0.0, "write": 0.0}

    def on_first_rank(function: Callable[[], object]) -> None:
        run_locally(communicator, lambda: function() if communicator.rank == 0 else None)

    def finish() -> None:
        if forest is not None:
            target.write(forest)
        if target.log is not None:
            with EventLog(target.log) as events:
                events.add_result(part.rounds, report_of(part, {}, command.file))

    with abort_on_error(communicator):
        on_first_rank(target.check)
        with Timer(seconds, "read"):
            graph, index, m = _edges_of_rank(command, communicator)
        on_first_rank(lambda: target.check(graph.names))
        how = _named(command, "maximum", "threads", "partition_by", "method")
        part = minimum_spanning_forest(graph, index=index, **how)
        part = replace(part, m=m)
        seconds["solve"] = part.seconds
    with Timer(seconds, "write"):
        with abort_on_error(communicator):
            forest = None if target.path is None else gather_forest(communicator, part, graph)
        with abort_on_error(communicator, on_interrupt=False):  # it removes a file that is half written
            on_first_rank(finish)
    slowest = communicator.comm.allreduce(list(seconds.values()), lambda a, b: list(map(max, a, b)))
    return part, dict(zip(seconds, slowest, strict=True))


def _edges_of_rank(command: SimpleNamespace, communicator: Communicator) -> tuple[Graph, Any, int]:
    """Return the edges of this rank, the indices of streamed edges, and the number of edges of all ranks."""
    from boruvka import distributed
    from boruvka.distributed.collective_errors import run_locally
    from boruvka.stream.memory import names_several_files

    path, options = command.file.path, command.file.read_options
    if command.memory is None and not run_locally(communicator, lambda: names_several_files(path)):
        graph = distributed.read(path, **options)
        return graph, None, communicator.sum_of(graph.m)
    return distributed.stream(
        path, memory=command.memory, maximum=command.maximum, threads=command.threads, **options
    )


def report_of(found: Any, seconds: dict[str, float], file: Input) -> dict[str, Any]:
    """Return the report on a forest, or on the part of a forest that an MPI rank has."""
    is_part = hasattr(found, "ranks")
    if not is_part:
        warn_of_infinity(found, "forest")
    report = {
        "vertices": found.n,
        **({"edges": found.m} if is_part else {found.graph.counted: found.graph.m}),
        "weights": str(found.graph.dtype),
        "components": found.n_components,
        "forest_edges": found.n - found.n_components,
        "weight": found.weight,
        "algorithm": f"{found.partition_by}/{found.method}" if is_part else found.algorithm,
        "backend": "mpi" if is_part else found.backend,
        "threads": found.threads,
        "rounds": sum(round_.merges for round_ in found.rounds),
        "steps": rounded(_steps(found)),
        "row_counts": None if is_part else found.graph.annotations.row_counts,
        "verified": None,
        "seconds": rounded(seconds),
    }
    if file.is_points:
        metric = file.metric or found.graph.distance.__name__.removeprefix("periodic_")
        unit = "standard deviations" if file.scale else UNITS.get(metric)
        report |= {"metric": metric, "unit": unit, "min_samples": file.min_samples}
        if found.graph.box is not None:
            report["box"] = [None if math.isinf(x) else x for x in found.graph.box.tolist()]
    if is_part:
        report |= {"ranks": found.ranks, "sent": _sum(round_.sent for round_ in found.rounds)}
    return report


def _steps(found: Any) -> dict[str, float]:
    """Return the seconds of each step, in all rounds together."""
    return _sum(round_.seconds for round_ in found.rounds)


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
