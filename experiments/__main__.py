"""Run all experiments or the named ones: ``python -m experiments [NAME]... [--quick]``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boruvka.cli.exit_codes import FAILED, OK
from boruvka.cli.main import run_command
from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.extras import require
from experiments import adjacency_matrix, anzalone, fuh_vemuri, sousa_2015, vineet_2009
from experiments.common.experiment import RESULTS, Request

PAPERS = (sousa_2015, fuh_vemuri, vineet_2009, adjacency_matrix, anzalone)
EXPERIMENTS = {experiment.name: experiment for paper in PAPERS for experiment in paper.EXPERIMENTS}
LISTING = "\b\n" + "\n".join(f"{name:24} {experiment.source}" for name, experiment in EXPERIMENTS.items())


def counts(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Parse numbers with commas."""
    allowed = click.IntRange(1, 1024)
    return tuple(
        sorted({int(allowed(text, parameter, context)) for text in (value or "").split(",") if value})
    )


@click.command(epilog=LISTING)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--quick", is_flag=True, help="Run on tiny graphs, to see whether everything works.")
@click.option("--redraw", is_flag=True, help="Measure nothing: tables and figures again from the results.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=RESULTS,
    help="The folder of results; by default `results` beside the experiments.",
)
@click.option("--figure-format", "kind", type=click.Choice(["svg", "png"]), default="svg", show_default=True)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=Request.seconds,
    help="Begin no further run of a contestant on a graph after so many seconds of its runs.",
    show_default=True,
)
@click.option(
    "--threads",
    callback=counts,
    help="Numbers of threads, with commas; by default the paper's up to twice the processors.",
)
@click.option(
    "--ranks",
    callback=counts,
    help="Numbers of ranks, with commas; by default the paper's up to twice the processors.",
)
@click.option(
    "--road",
    "roads",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A road network of DIMACS challenge 9 (.gr, .gr.gz), instead of a grid; may be repeated.",
)
def command(names: tuple[str, ...], **options: Any) -> int:
    """Run all experiments, or those that are named; if one fails, the others go on."""
    for name in names:
        if name not in EXPERIMENTS:
            raise OptionError(f"unknown experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    require("matplotlib", "plot")
    failed = 0
    for name in names or EXPERIMENTS:
        try:
            EXPERIMENTS[name].run(Request(**options))
        except BoruvkaError as error:
            click.echo(f"error: {name}: {error}\n", err=True)
            failed += 1
    return FAILED if failed else OK


if __name__ == "__main__":
    raise SystemExit(run_command(command, None, "python -m experiments"))
