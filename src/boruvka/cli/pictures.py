"""``boruvka plot`` and ``boruvka animate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli.options import (
    FILE_PATH,
    STANDARD_STREAM,
    option_group,
    standard_input,
    standard_output,
    with_read_options,
)
from boruvka.errors import OptionError
from boruvka.runtime.progress import listening

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

PICTURES = ("png", "svg", "pdf")
DOTS_PER_INCH = 150

_with_map_options = option_group(
    click.option(
        "--coordinates",
        type=FILE_PATH,
        help="A file with the coordinates of the vertices: DIMACS .co, a table with columns id, x, y "
        "(.csv, .tsv, .parquet), or .npy, also compressed. Without it, up to 1000 vertices are laid out.",
    ),
    click.option(
        "--system",
        type=click.Choice(["xy", "lonlat", "latlon"]),
        help="Meaning of the two columns of coordinates; by default what the file states, else x and y.",
    ),
    click.option("--maximum", is_flag=True, help="Find the maximum spanning forest."),
)


@click.command()
@click.argument("file", type=FILE_PATH)
@click.option("-o", "--output", type=FILE_PATH, required=True, help="Write this file: .png, .svg or .pdf.")
@click.option("--to", "output_format", type=click.Choice(PICTURES), help="Format of the picture, for -o -.")
@_with_map_options
@click.option(
    "--by",
    type=click.Choice(["round", "component", "weight"]),
    default="round",
    show_default=True,
    help="Property shown by the colour of an edge.",
)
@click.option("--graph-edges", is_flag=True, help="Draw the other edges of the graph too, in grey.")
@click.option("--dendrogram", is_flag=True, help="Draw the dendrogram of single linkage instead of a map.")
@click.option(
    "--dpi", type=click.IntRange(20, 1200), default=DOTS_PER_INCH, show_default=True, help="Dots per inch."
)
@with_read_options
def plot(
    output: Path,
    output_format: str | None,
    by: str,
    graph_edges: bool,
    dendrogram: bool,
    dpi: int,
    **how: Any,
) -> None:
    """Draw the minimum spanning forest of the graph in FILE on a map; - is standard input.

    \b
    Examples:
      boruvka plot graph.gr -o map.png
      boruvka plot graph.gr --coordinates places.csv --by weight -o map.svg
    """
    picture_format = output_format or output.suffix[1:].lower()
    if picture_format not in PICTURES:
        raise OptionError(f"{output}: a picture ends in .png, .svg or .pdf, or pass --to png")

    def draw(forest: Forest, stream: Any, where: dict[str, Any]) -> str:
        if dendrogram:
            axes = forest.plot_dendrogram()
        else:
            axes = forest.plot(**where, by=by, graph_edges=graph_edges)
        figure = axes.get_figure(root=True)
        assert figure is not None
        figure.savefig(stream, format=picture_format, dpi=dpi)
        return f"{len(forest):,} edges of {forest.n:,} vertices"

    _write_picture(output, draw, **how)


@click.command()
@click.argument("file", type=FILE_PATH)
@click.option("-o", "--output", type=FILE_PATH, required=True, help="Write this file: .gif or .html.")
@click.option(
    "--to", "output_format", type=click.Choice(["gif", "html"]), help="Format of the animation, for -o -."
)
@_with_map_options
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 60),
    default=1.2,
    show_default=True,
    help="Seconds for which a round is shown.",
)
@with_read_options
def animate(output: Path, output_format: str | None, seconds: float, **how: Any) -> None:
    """Show how the components of the graph in FILE grow, round by round; - is standard input.

    The page (.html) is one file with buttons and a slider, which needs no network.

    \b
    Example:
      boruvka animate graph.gr -o rounds.gif
    """
    from boruvka.plotting.animation import animation_format
    from boruvka.runtime.argument_names import passing

    with passing(format="output_format"):
        chosen = animation_format(standard_output(output), output_format)

    def draw(forest: Forest, stream: Any, where: dict[str, Any]) -> str:
        forest.animate(stream, **where, format=chosen, seconds=seconds)
        return f"{int(forest.edge_rounds.max(initial=0))} rounds, {forest.n:,} vertices"

    _write_picture(output, draw, **how)


def _write_picture(
    output: Path,
    draw: Callable[[Forest, Any, dict[str, Any]], str],
    file: Path,
    coordinates: Path | None,
    system: str | None,
    maximum: bool,
    read_options: dict[str, Any],
) -> None:
    """Find the forest of the graph in a file, and draw it into another file; print its size."""
    from boruvka.formats import read
    from boruvka.formats.files import check_writable, writing
    from boruvka.runtime.extras import require
    from boruvka.solve import minimum_spanning_forest

    require("matplotlib", "plot")
    target = standard_output(output)
    check_writable(target)
    with listening(True):
        forest = minimum_spanning_forest(read(standard_input(file), **read_options), maximum=maximum)
    where: dict[str, Any] = {"coordinates": None, "system": system}
    if coordinates is not None:
        from boruvka.plotting.coordinates import read_coordinates

        points, stated = read_coordinates(coordinates, forest, bool(read_options["one_based"]))
        where = {"coordinates": points, "system": system or stated}
    with writing(target) as stream:
        size = draw(forest, stream, where)
    click.echo(f"{output}: {size}", err=output == STANDARD_STREAM)
