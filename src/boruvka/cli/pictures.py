"""Shared by ``boruvka plot`` and ``boruvka animate``: their options, and the forest of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli.options import FILE_PATH, standard_input
from boruvka.runtime.progress import listening

if TYPE_CHECKING:
    from boruvka.forest.forest import Forest

__all__ = ["coordinates_of", "find_forest", "with_map_options"]

_MAP_OPTIONS = (
    click.option(
        "--coordinates",
        type=FILE_PATH,
        help="A file with the coordinates of the vertices: DIMACS .co, a table with columns id, x, y "
        "(.csv, .tsv, .parquet ...), or .npy, also compressed. Without it, up to 1000 vertices are laid out.",
    ),
    click.option(
        "--system",
        type=click.Choice(["xy", "lonlat", "latlon"]),
        help="Meaning of the two columns of coordinates; by default what the file names, else x and y.",
    ),
    click.option("--maximum", is_flag=True, help="Find the maximum spanning forest."),
)


def with_map_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of coordinates to a command."""
    for option in reversed(_MAP_OPTIONS):
        command = option(command)
    return command


def find_forest(file: Path, maximum: bool, read_options: dict[str, Any]) -> Forest:
    """Read the graph in a file, and find its forest."""
    from boruvka.formats import read
    from boruvka.solve import minimum_spanning_forest

    with listening(True):
        graph = read(standard_input(file), **read_options)
        return minimum_spanning_forest(graph, maximum=maximum)


def coordinates_of(
    forest: Forest, coordinates: Path | None, system: str | None, one_based: bool
) -> dict[str, Any]:
    """Read the coordinates that an option names: arguments of `Forest.plot` and `Forest.animate`."""
    if coordinates is None:
        return {"coordinates": None, "system": system}
    from boruvka.errors import FormatError, GraphError
    from boruvka.formats.points import read_coordinates
    from boruvka.plotting.coordinates import coordinates_by_vertex

    points, vertices, named_system = read_coordinates(coordinates, one_based=one_based)
    try:
        if vertices is not None:
            points = coordinates_by_vertex(forest, vertices, points)
    except GraphError as error:
        raise FormatError(f"{coordinates}: {error}") from None
    return {"coordinates": points, "system": system or named_system}
