"""``boruvka plot``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from boruvka.cli.options import FILE_PATH, STANDARD_STREAM, standard_output, with_read_options
from boruvka.cli.pictures import coordinates_of, find_forest, with_map_options
from boruvka.errors import OptionError

PICTURES = ("png", "svg", "pdf")
DOTS_PER_INCH = 150


@click.command()
@click.argument("file", type=FILE_PATH)
@click.option(
    "-o",
    "--output",
    type=FILE_PATH,
    required=True,
    help="Write the picture to this file: .png, .svg or .pdf.",
)
@click.option("--to", "output_format", type=click.Choice(PICTURES), help="Format of the picture, for -o -.")
@with_map_options
@click.option(
    "--by",
    type=click.Choice(["round", "component", "weight"]),
    default="round",
    show_default=True,
    help="What colours tell.",
)
@click.option("--graph-edges", is_flag=True, help="Draw the other edges of the graph too, in grey.")
@click.option("--dendrogram", is_flag=True, help="Draw the dendrogram of single linkage instead of a map.")
@click.option(
    "--dpi", type=click.IntRange(20, 1200), default=DOTS_PER_INCH, show_default=True, help="Dots per inch."
)
@with_read_options
def plot(
    file: Path,
    output: Path,
    output_format: str | None,
    coordinates: Path | None,
    system: str | None,
    maximum: bool,
    by: str,
    graph_edges: bool,
    dendrogram: bool,
    dpi: int,
    read_options: dict[str, Any],
) -> None:
    """Draw the minimum spanning forest of the graph in FILE on a map; - is standard input."""
    from boruvka.formats.files import check_writable, writing
    from boruvka.runtime.extras import require

    picture_format = output_format or os.path.splitext(output.name)[1][1:].lower()
    if picture_format not in PICTURES:
        raise OptionError(f"{output}: a picture ends in .png, .svg or .pdf, or pass --to png")
    require("matplotlib", "plot")
    target = standard_output(output)
    check_writable(target)
    forest = find_forest(file, maximum, read_options)
    if dendrogram:
        axes = forest.plot_dendrogram()
    else:
        where = coordinates_of(forest, coordinates, system, bool(read_options["one_based"]))
        axes = forest.plot(**where, by=by, graph_edges=graph_edges)
    figure = axes.get_figure(root=True)
    assert figure is not None
    with writing(target) as stream:
        figure.savefig(stream, format=picture_format, dpi=dpi)
    click.echo(f"{output}: {len(forest):,} edges of {forest.n:,} vertices", err=output == STANDARD_STREAM)
