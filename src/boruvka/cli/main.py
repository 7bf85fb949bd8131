"""The command line. Whatever takes long to import is imported by the command that needs it."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

import boruvka
from boruvka.errors import BoruvkaError, GraphError, OptionError
from boruvka.runtime.progress import spinner

OK, FAILED, BAD_INPUT, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141
WIDE = 250
"""Columns of a table of numbers in a file or a pipe."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line; by default that of the process.

    Returns
    -------
    int
        0 if all went well, 1 for a failed verification, 2 for bad input or usage or where standard output
        cannot be written, 130 on interrupt, 141 where who read a pipe has left.
    """
    return run_command(app, arguments, "boruvka")


def run_command(command: click.Command, arguments: Sequence[str] | None, name: str) -> int:
    """Run a command of any program of ours; errors become a line and an exit code, as for `main`."""
    try:
        return run(command, arguments, name)
    except (SystemExit, BrokenPipeError):  # so click and rich leave where nobody reads
        code = UNREAD
    except OSError as error:  # files have errors of our own
        code = BAD_INPUT
        with suppress(OSError):
            click.echo(f"error: {error.filename or 'standard output'}: {error.strerror or error}", err=True)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:  # Python flushes once more, and would exit with a code of its own
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def run(command: click.Command, arguments: Sequence[str] | None, name: str) -> int:
    """Run a command, and say on standard error what is wrong."""
    try:
        return command.main(arguments, prog_name=name, standalone_mode=False) or OK
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except BoruvkaError as error:
        click.echo(f"error: {error}", err=True)
        return BAD_INPUT
    except MemoryError as error:
        click.echo(f"error: not enough memory: {error}", err=True)
        return BAD_INPUT


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(boruvka.__version__, prog_name="boruvka")
def app() -> None:
    """Minimum spanning forests of large graphs, exact and fast."""


def reading() -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options that say how to read a graph."""
    options = [
        click.option("--format", help="Format of the input, where its ending does not say."),
        click.option("--columns", help="Where u, v and weight are: names or positions from 0, with commas."),
        click.option("--header/--no-header", default=None, help="Whether the first line names the columns."),
        click.option("--one-based/--zero-based", default=None, help="Whether ids begin at 1 or at 0."),
        click.option("--vertices", "n", type=int, help="Number of vertices, where the file does not say."),
        click.option("--unweighted", is_flag=True, help="Give every edge the weight 1."),
    ]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def named_value(text: str) -> tuple[str, bool | int | str]:
    """Parse NAME=VALUE; NAME alone is true."""
    name, _, value = text.partition("=")
    known: dict[str, bool | int | str] = {"": True, "true": True, "yes": True, "false": False, "no": False}
    with suppress(ValueError):
        known[value] = int(value)
    return name.replace("-", "_"), known.get(value.lower(), value)


as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
any_file = click.Path(path_type=Path)


@app.command()
@click.argument("file", type=any_file)
@click.option("-o", "--output", type=any_file, help="Write the forest to this file.")
@click.option("--to", "output_format", help="Format of the output, where its ending does not say.")
@click.option("--maximum", is_flag=True, help="Find the maximum spanning forest.")
@click.option("--algorithm", default="auto", help="One that `boruvka algorithms` lists.", show_default=True)
@click.option(
    "--option", "algorithm_options", multiple=True, metavar="NAME[=VALUE]", help="One of its options."
)
@click.option(
    "--backend",
    default="auto",
    help="One that `boruvka info --backends` lists.",
    show_default=True,
)
@click.option("--distribute", help="With mpi: deal edges or vertices to ranks.")
@click.option("--merge", help="With mpi: how components merge; by default filter-boruvka.")
@click.option("--threads", type=int, help="How many threads to use; by default one for each core.")
@click.option("--log", type=any_file, help="Write what happened in each round to this file.")
@click.option(
    "--verify", "check", is_flag=True, help="Check the forest independently; exit 1 if it is wrong."
)
@as_json
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@reading()
def solve(
    file: Path,
    output: Path | None,
    output_format: str | None,
    maximum: bool,
    algorithm: str,
    algorithm_options: tuple[str, ...],
    backend: str,
    distribute: str | None,
    merge: str | None,
    threads: int | None,
    log: Path | None,
    check: bool,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Find the minimum spanning forest of the graph in FILE.

    On the ranks of MPI: mpiexec -n RANKS python -m boruvka solve FILE --backend mpi
    """
    if backend == "mpi":
        if check or algorithm != "auto" or algorithm_options:
            raise OptionError("--verify, --algorithm and --option do not go with --backend mpi")
        return solve_on_ranks(
            (file, output, output_format, log, how_to_read(**options)),
            {
                "maximum": maximum,
                "distribute": distribute or "auto",
                "merge": merge or "auto",
                "threads": threads,
            },
            as_json=as_json,
            quiet=quiet,
        )
    if distribute is not None or merge is not None:
        raise OptionError("--distribute and --merge go with --backend mpi")
    from boruvka.forest.report import format_log
    from boruvka.formats import check_output
    from boruvka.formats.files import check_writable, writing

    talk = not (quiet or as_json)
    clock = Clock(talk)
    if output is not None:
        check_output(output, output_format)
    if log is not None:
        check_writable(log)
    with clock.time("read", f"reading {file}"):
        graph = read(file, **options)
    with clock.time("solve"):
        forest = boruvka.minimum_spanning_forest(
            graph,
            maximum=maximum,
            algorithm=algorithm,
            backend=backend,
            threads=threads,
            options=dict(map(named_value, algorithm_options)),
            progress=talk,
        )
    verification = None
    if check:
        with clock.time("verify", "verifying"):
            verification = boruvka.verify(graph, forest)
    failed = verification is not None and not verification.ok
    with clock.time("write", f"writing {output}"):
        if output is not None and not failed:
            boruvka.write(forest, output, format=output_format)
        if log is not None:
            with writing(log) as stream:
                stream.write(format_log(forest).encode())
    seconds = clock.seconds
    if as_json:
        report = {
            "vertices": graph.n,
            "edges": graph.m,
            "components": forest.components,
            "forest_edges": len(forest),
            "weight": json_number(forest.weight),
            "algorithm": forest.algorithm,
            "backend": forest.backend,
            "threads": forest.threads,
            "rounds": len(forest.rounds),
            "verified": None if verification is None else verification.ok,
            "seconds": {step: seconds[step] for step in ("read", "solve", "write")},
        }
        click.echo(json.dumps(report, allow_nan=False))
    elif not quiet:
        rows = [
            ("graph", f"{counted(graph.n, 'vertex')}, {counted(graph.m, 'edge')}, weights {graph.w.dtype}"),
            ("forest", f"{counted(len(forest), 'edge')}, {counted(forest.components, 'component')}"),
            ("weight", f"{forest.weight}"),
            ("solver", f"{forest.algorithm} on {forest.backend}, {counted(forest.threads, 'thread')}"),
            ("rounds", f"{len(forest.rounds)}"),
            ("seconds", ", ".join(f"{step} {seconds[step]:.3f}" for step in seconds)),
        ]
        if verification is not None and verification.ok:
            rows.append(("verified", verification.message))
        if output is not None and not failed:
            rows.append(("written", str(output)))
        print_rows(rows)
    if verification is not None and failed:
        click.echo(f"verification failed: {verification.message}", err=True)
        return FAILED
    return OK


def solve_on_ranks(files: tuple[Any, ...], how: dict[str, Any], *, as_json: bool, quiet: bool) -> int:
    """Do what `solve` does on every rank; the first one prints."""
    from boruvka.distributed.command import is_first, solve_file

    try:
        answer = solve_file(*files, **how)
    except BoruvkaError:
        if is_first():  # the others have the same error
            raise
        return BAD_INPUT
    if answer is None or (quiet and not as_json):
        return OK
    part, seconds, sent = answer.part, answer.seconds, answer.sent
    if as_json:
        report = {
            "vertices": part.n,
            "edges": part.m,
            "components": part.components,
            "forest_edges": part.size,
            "weight": json_number(part.weight),
            "algorithm": f"{part.distribute}/{part.merge}",
            "backend": "mpi",
            "ranks": part.ranks,
            "threads": part.threads,
            "rounds": len(part.rounds),
            "verified": None,
            "seconds": seconds,
            "steps": answer.steps,
            "sent": sent,
        }
        click.echo(json.dumps(report, allow_nan=False))
        return OK
    rows = [
        ("graph", f"{counted(part.n, 'vertex')}, {counted(part.m, 'edge')}, weights {part.w.dtype}"),
        ("forest", f"{counted(part.size, 'edge')}, {counted(part.components, 'component')}"),
        ("weight", f"{part.weight}"),
        (
            "solver",
            f"{part.merge} by {part.distribute} on mpi, {counted(part.ranks, 'rank')}, "
            f"{counted(part.threads, 'thread')} each",
        ),
        ("rounds", f"{len(part.rounds)}"),
        ("seconds", ", ".join(f"{step} {seconds[step]:.3f}" for step in seconds)),
        ("steps", ", ".join(f"{step} {time:.3f}" for step, time in answer.steps.items())),
        ("sent", f"{sent['bytes']:,} bytes, {sent['messages']:,} messages, by the rank that sent most"),
    ]
    if files[1] is not None:
        rows.append(("written", str(files[1])))
    print_rows(rows)
    return OK


@app.command()
@click.argument("file", type=any_file, required=False)
@click.option("--backends", is_flag=True, help="Say instead which backends can run here, or why not.")
@as_json
@reading()
def info(file: Path | None, backends: bool, as_json: bool, **options: Any) -> int:
    """Say what graph is in FILE."""
    from boruvka.backends import MODULES, why_not
    from boruvka.graph.summary import summarise

    if backends:
        problems = {name: why_not(name) for name in MODULES}
        if as_json:
            click.echo(json.dumps(problems))
        else:
            print_rows([(name, problem or "available") for name, problem in problems.items()])
        return OK
    if file is None:
        raise click.UsageError("Missing argument 'FILE': a graph, or the option --backends.")
    with spinner(f"reading {file}", visible=not as_json):
        summary = summarise(read(file, **options))
    if as_json:
        click.echo(json.dumps({k: json_number(x) for k, x in summary.items()}, allow_nan=False))
    else:
        print_rows(
            [(k.replace("_", " "), f"{x:,}" if isinstance(x, int) else str(x)) for k, x in summary.items()]
        )
    return OK


@app.command()
@click.argument("input", type=any_file)
@click.argument("output", type=any_file)
@click.option("--to", "output_format", help="Format of the output, where its ending does not say.")
@reading()
def convert(input: Path, output: Path, output_format: str | None, **options: Any) -> int:
    """Write the graph in INPUT to OUTPUT in another format."""
    from boruvka.formats import check_output

    check_output(output, output_format)
    with spinner(f"reading {input}"):
        graph = read(input, **options)
    with spinner(f"writing {output}"):
        boruvka.write(graph, output, format=output_format)
    return OK


@app.command()
@click.argument("graph", type=any_file)
@click.argument("forest", type=any_file)
@click.option("--forest-format", help="Format of the forest, where its ending does not say.")
@click.option("--maximum", is_flag=True, help="It should be the maximum spanning forest.")
@as_json
@reading()
def verify(
    graph: Path, forest: Path, forest_format: str | None, maximum: bool, as_json: bool, **options: Any
) -> int:
    """Check that FOREST holds the minimum spanning forest of GRAPH; exit 1 if it does not."""
    from boruvka.formats import read_forest

    with spinner(f"reading {graph}", visible=not as_json):
        whole = read(graph, **options)
    try:
        with spinner(f"reading {forest}", visible=not as_json):
            edges = read_forest(forest, whole, format=forest_format)
    except GraphError as error:  # an edge that is not in the graph
        verification = boruvka.Verification(False, str(error))
    else:
        with spinner("verifying", visible=not as_json):
            verification = boruvka.verify(whole, edges, maximum=maximum)
    if as_json:
        click.echo(json.dumps({"verified": verification.ok, "message": verification.message}))
    elif verification.ok:
        click.echo(verification.message)
    if not verification.ok:
        click.echo(f"verification failed: {verification.message}", err=True)
        return FAILED
    return OK


@app.command()
def algorithms() -> int:
    """List the algorithms."""
    from boruvka.algorithms.registry import ALGORITHMS

    rows = [(a.name, a.use, a.complexity, " ".join(a.options), a.source) for a in ALGORITHMS.values()]
    print_table(("name", "use it for", "complexity", "options", "source"), rows)
    return OK


@app.command()
def formats() -> int:
    """List the file formats."""
    from boruvka.formats import FORMATS

    rows = [(f.name, " ".join(f.endings), f.description) for f in FORMATS]
    print_table(("name", "endings", "what it is"), rows)
    return OK


class Families(click.Group):
    """One command for each family of graphs, with the arguments of its generator as options."""

    def list_commands(self, context: click.Context) -> list[str]:
        """List the names of the families."""
        from boruvka.generators import FAMILIES

        return list(FAMILIES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Make the command of a family."""
        from boruvka.formats import check_output
        from boruvka.generators import FAMILIES

        if name not in FAMILIES:
            return None
        family = FAMILIES[name]
        options: list[click.Parameter] = [option_of(parameter) for parameter in family.parameters]
        options.append(
            click.Option(["-o", "--output"], type=any_file, required=True, help="The file to write.")
        )
        options.append(
            click.Option(["--to", "output_format"], help="Its format, where its ending does not say.")
        )

        def generate(output: Path, output_format: str | None, **arguments: Any) -> int:
            check_output(output, output_format)
            with spinner(f"generating {name}"):
                graph = family.function(**arguments)
            with spinner(f"writing {output}"):
                boruvka.write(graph, output, format=output_format)
            click.echo(f"{output}: {counted(graph.n, 'vertex')}, {counted(graph.m, 'edge')}")
            return OK

        return click.Command(
            name, params=options, callback=generate, help=f"{family.summary}\n\nSource: {family.source}."
        )


def option_of(parameter: Any) -> click.Option:
    """Make an option of an argument of a generator."""
    flag = "--" + parameter.name.replace("_", "-")
    if parameter.type is bool:
        return click.Option(
            [f"{flag}/--no-{flag[2:]}", parameter.name], default=parameter.default, help=parameter.help
        )
    return click.Option(
        [flag, parameter.name],
        type=click.Choice(parameter.choices) if parameter.choices else parameter.type,
        default=parameter.default,
        show_default=parameter.default is not None,
        help=parameter.help,
    )


@app.command(cls=Families)
def generate() -> None:
    """Make a graph of a family, the same for the same seed."""


def listed(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    """Split the names of an option at commas."""
    return None if value is None else tuple(name.strip() for name in value.split(",") if name.strip())


@app.command()
@click.argument("graphs", metavar="[GRAPH]...", nargs=-1)
@click.option("--suite", help="Measure a named set of graphs too: quick, small, race, weights or curve.")
@click.option(
    "--algorithms", default="auto", callback=listed, help="Ours, with commas, or all.", show_default=True
)
@click.option("--contestants", callback=listed, help="The others, with commas; by default all installed.")
@click.option("--external", type=any_file, help="A TOML file that describes programs to run as contestants.")
@click.option(
    "--threads", default="1", callback=listed, help="Numbers of threads, with commas.", show_default=True
)
@click.option("--scheme", default="k-best", help="k-best or confidence.", show_default=True)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=300.0,
    help="Seconds for a conversion or a run.",
    show_default=True,
)
@click.option("-o", "--output", type=any_file, help="Write the results to this JSON file.")
@as_json
def bench(
    graphs: tuple[str, ...],
    suite: str | None,
    algorithms: tuple[str, ...],
    contestants: tuple[str, ...] | None,
    external: Path | None,
    threads: tuple[str, ...],
    scheme: str,
    time_limit: float,
    output: Path | None,
    as_json: bool,
) -> int:
    """Measure our algorithms against the other libraries that are installed.

    A GRAPH is a file, or a family that `boruvka generate` knows with its arguments, such as
    kronecker:scale=20,dtype=float64. Without one, three small graphs are measured.
    """
    from boruvka.bench.contestants import chosen
    from boruvka.bench.contestants.program import read_programs
    from boruvka.bench.graphs import names_of
    from boruvka.bench.results import Results, to_json, write_results
    from boruvka.bench.run import Plan, measure
    from boruvka.bench.schemes import scheme_named
    from boruvka.bench.tables import times_table
    from boruvka.runtime.progress import ProgressBar

    bad = [count for count in threads if not (count.isdigit() and 1 <= int(count) <= 1024)]
    if bad or not threads:
        raise OptionError(
            f"--threads: expected numbers from 1 to 1024 with commas, got {','.join(threads)!r}"
        )
    names = names_of(graphs, suite)
    programs = read_programs(external) if external is not None else {}
    plan = Plan(
        chosen(algorithms, contestants, programs),
        threads=sorted({int(count) for count in threads}),
        scheme=scheme_named(scheme),
        named=contestants or (),
        time_limit=time_limit,
    )

    printed = 0
    with ProgressBar(1.0, visible=not as_json) as bar:

        def on_graph(results: Results) -> None:
            nonlocal printed
            if output is not None:
                write_results(results, output)
            bar.stop()
            for graph in results.graphs[printed:] if not as_json else ():
                print_result(times_table(graph))
            printed = len(results.graphs)

        results = measure(names, plan, on_graph=on_graph, show=bar.update)
    if not results.complete:
        on_graph(results)
    if as_json:
        click.echo(json.dumps(to_json(results), allow_nan=False))
    if not results.complete:
        raise KeyboardInterrupt
    return OK


@app.command()
@click.argument("files", metavar="RESULTS...", type=any_file, nargs=-1, required=True)
@click.option("-o", "--output", type=any_file, help="Write a page to this file: .html or .md.")
@click.option("--figures", type=any_file, help="Write the figures into this folder.")
@click.option(
    "--figure-format",
    type=click.Choice(["svg", "png"]),
    default="svg",
    help="Their format.",
    show_default=True,
)
@click.option("--baseline", default="boruvka", help="Set times against this contestant.", show_default=True)
@click.option("--steps", is_flag=True, help="Print the steps of each round of ours.")
def report(
    files: tuple[Path, ...],
    output: Path | None,
    figures: Path | None,
    figure_format: str,
    baseline: str,
    steps: bool,
) -> int:
    """Show what `boruvka bench` has measured: tables, or a page, or figures."""
    from boruvka.bench.results import read_results
    from boruvka.bench.tables import check_baseline, steps_table, times_table

    results = [read_results(file) for file in files]
    check_baseline(results, baseline)
    if output is not None:
        from boruvka.bench.report import write_report

        write_report(results, output, baseline)
        click.echo(str(output))
    if figures is not None:
        from boruvka.bench.report import write_figures

        for path in write_figures(results, figures, figure_format):
            click.echo(str(path))
    if output is None and figures is None:
        for graph in (graph for result in results for graph in result.graphs):
            print_result(times_table(graph, baseline))
            for entry in graph.entries if steps else ():
                if entry.rounds:
                    print_result(steps_table(entry))
    return OK


@dataclass
class Clock:
    """The seconds of the steps of a command."""

    talk: bool
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, step: str, doing: str | None = None) -> Iterator[None]:
        """Time a step, with a word on what is done where that takes long."""
        begin = time.perf_counter()
        with spinner(doing, visible=self.talk and doing is not None):
            yield
        self.seconds[step] = time.perf_counter() - begin


def read(path: Path, **options: Any) -> boruvka.Graph:
    """Read a graph as the options of the command line say."""
    return boruvka.read(path, **how_to_read(**options))


def how_to_read(columns: str | None = None, **options: Any) -> dict[str, Any]:
    """Take the options of the command line as `boruvka.read` does."""
    names = None
    if columns is not None:
        names = tuple(int(c) if c.isdigit() else c for c in (c.strip() for c in columns.split(",")))
        if "" in names:
            raise OptionError(f"--columns: expected names or positions with commas, got {columns!r}")
    return {"columns": names, **options}


def counted(number: int, noun: str) -> str:
    """Put a number before a noun."""
    plural = {"vertex": "vertices"}.get(noun, f"{noun}s")
    return f"{number:,} {noun if number == 1 else plural}"


def json_number(x: Any) -> Any:
    """Turn what JSON has no number for into a string: "inf", "-inf", "nan", a long double beyond float64."""
    number = float(x) if isinstance(x, np.longdouble) else x
    return str(x) if isinstance(number, float) and not math.isfinite(number) else number


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], numbers: bool = False) -> None:
    """Print a table with a header, its cells wrapped to the width of the terminal.

    In a table of numbers, all columns but the first and those of words are set to the right, and no
    cell is wrapped where the output is no terminal.
    """
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for i, name in enumerate(header):
        right = numbers and i > 0 and name not in ("phase", "step", "error")
        table.add_column(name, justify="right" if right else "left")
    for row in rows:
        table.add_row(*row)
    wide = numbers and not (sys.stdout and sys.stdout.isatty())
    Console(width=WIDE if wide else None).print(table)


def print_result(table: Any) -> None:
    """Print a table of results: its title, numbers to the right, remarks below."""
    click.secho(f"\n{table.title}", bold=True)
    print_table(table.header, table.rows, numbers=True)
    for remark in table.remarks:
        click.echo(remark)


def print_rows(rows: Sequence[tuple[str, str]]) -> None:
    """Print names and what they stand for, in two columns."""
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        click.echo(f"{click.style(name.ljust(width), bold=True)}  {text}")
