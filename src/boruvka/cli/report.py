"""``boruvka report``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boruvka.cli.options import FILE_PATH
from boruvka.cli.output import print_result

if TYPE_CHECKING:
    from boruvka.bench.results import Results


@click.command()
@click.argument("files", metavar="RESULTS...", type=FILE_PATH, nargs=-1, required=True)
@click.option("-o", "--output", type=FILE_PATH, help="Write a page to this file, .html or .md.")
@click.option("--figures", type=FILE_PATH, help="Write the figures to this folder.")
@click.option(
    "--figure-format",
    type=click.Choice(["svg", "png"]),
    default="svg",
    show_default=True,
    help="Format of the figures.",
)
@click.option(
    "--baseline", default="boruvka", show_default=True, help="Compare times with those of this contestant."
)
@click.option("--steps", is_flag=True, help="Print the steps of each round of our algorithms.")
def report(
    files: tuple[Path, ...],
    output: Path | None,
    figures: Path | None,
    figure_format: str,
    baseline: str,
    steps: bool,
) -> None:
    """Show the results of `boruvka bench` as tables, as a page or as figures."""
    from boruvka.bench.results import read_results
    from boruvka.bench.tables import check_baseline

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
        _print_tables(results, baseline, steps)


def _print_tables(results: Sequence[Results], baseline: str, steps: bool) -> None:
    from boruvka.bench.tables import steps_table, times_table

    for graph in (graph for result in results for graph in result.graphs):
        print_result(times_table(graph, baseline))
        for entry in graph.entries if steps else ():
            if entry.rounds:
                print_result(steps_table(entry))
