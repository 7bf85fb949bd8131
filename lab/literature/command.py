"""The command ``python -m lab literature``: all experiments, or those that are named."""

from __future__ import annotations

from pathlib import Path

import click

from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.libraries import require
from lab.harness.command import FILE, counts
from lab.harness.figures import draw
from lab.harness.results import RESULTS, Record
from lab.literature import adjacency_matrix, anzalone, fuh_vemuri, sousa_2015, vineet_2009
from lab.literature.experiment import Setting

PAPERS = (sousa_2015, fuh_vemuri, vineet_2009, adjacency_matrix, anzalone)
EXPERIMENTS = {experiment.name: experiment for paper in PAPERS for experiment in paper.EXPERIMENTS}
LISTING = "\b\n" + "\n".join(f"{name:24} {experiment.source}" for name, experiment in EXPERIMENTS.items())


@click.command(epilog=LISTING)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--quick", is_flag=True, help="Run on tiny graphs, to see whether everything works.")
@click.option("--redraw", is_flag=True, help="Measure nothing: draw the figures of earlier results again.")
@click.option("-o", "--output", type=FILE, default=RESULTS, help="A folder; by default that of the results.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=Setting.seconds,
    show_default=True,
    help="Begin no further run of a contestant on a graph after so many seconds of its runs.",
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
def command(
    names: tuple[str, ...],
    quick: bool,
    redraw: bool,
    output: Path,
    seconds: float,
    threads: tuple[int, ...],
    ranks: tuple[int, ...],
    roads: tuple[Path, ...],
) -> int:
    """Measure the tables and figures of the papers; if one fails, the others go on.

    Each NAME writes NAME.json and a figure, when all of it is measured.
    """
    for name in names:
        if name not in EXPERIMENTS:
            raise OptionError(f"unknown experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    require("matplotlib", "plot")
    setting = Setting(quick, seconds, threads, ranks, roads)
    failed = 0
    for name in names or EXPERIMENTS:
        try:
            if redraw:
                record = Record.read(output / f"{name}.json")
                draw(EXPERIMENTS[name].figures, record.tables, output / f"{name}.svg")
            else:
                EXPERIMENTS[name].run(setting, output)
        except BoruvkaError as error:
            click.echo(f"error: {name}: {error}\n", err=True)
            failed += 1
    return int(failed > 0)
