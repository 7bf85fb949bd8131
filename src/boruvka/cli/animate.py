"""``boruvka animate``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boruvka.cli.options import FILE_PATH, STANDARD_STREAM, standard_output, with_read_options
from boruvka.cli.pictures import coordinates_of, find_forest, with_map_options


@click.command()
@click.argument("file", type=FILE_PATH)
@click.option(
    "-o", "--output", type=FILE_PATH, required=True, help="Write the animation to this file: .gif or .html."
)
@click.option(
    "--to", "output_format", type=click.Choice(["gif", "html"]), help="Format of the animation, for -o -."
)
@with_map_options
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 60),
    default=1.2,
    show_default=True,
    help="How long a round is shown.",
)
@with_read_options
def animate(
    file: Path,
    output: Path,
    output_format: str | None,
    coordinates: Path | None,
    system: str | None,
    maximum: bool,
    seconds: float,
    read_options: dict[str, Any],
) -> None:
    """Show how the components of the graph in FILE grow, round by round; - is standard input.

    The page (.html) is one file with buttons and a slider, which needs no network.
    """
    from boruvka.formats.files import check_writable, writing
    from boruvka.plotting.animation import animation_format
    from boruvka.runtime.argument_names import passing
    from boruvka.runtime.extras import require

    target = standard_output(output)
    with passing(format="output_format"):
        chosen = animation_format(target, output_format)
    require("matplotlib", "plot")
    check_writable(target)
    forest = find_forest(file, maximum, read_options)
    where = coordinates_of(forest, coordinates, system, bool(read_options["one_based"]))
    with writing(target) as stream:
        forest.animate(stream, **where, format=chosen, seconds=seconds)
    rounds = int(forest.edge_rounds.max(initial=0))
    click.echo(f"{output}: {rounds} rounds, {forest.n:,} vertices", err=output == STANDARD_STREAM)
