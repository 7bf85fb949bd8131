"""Options for files of points, whose graph is complete and weighted by distance."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from boruvka.cli.options import STANDARD_STREAM, option_text, standard_input
from boruvka.errors import OptionError

if TYPE_CHECKING:
    from boruvka.formats.points import Points
    from boruvka.graph.distance_graph import DistanceGraph

__all__ = ["PointsRequest", "read_coordinates", "read_point_graph", "refuse_options", "with_points_options"]

_POINTS_OPTIONS = (
    click.option(
        "--points",
        "is_points",
        is_flag=True,
        help="The file holds points: all pairs are edges, weighted by distance. --columns names coordinates.",
    ),
    click.option("--metric", help="Distance of points; by default euclidean."),
    click.option(
        "--min-samples",
        type=int,
        help="Weigh pairs by the mutual reachability distance of HDBSCAN: the distance to the k-th nearest "
        "point, which counts itself, is a lower bound.",
    ),
    click.option(
        "--degrees", is_flag=True, help="Points are latitude and longitude in degrees; for haversine."
    ),
)
_EDGES_ONLY = ("one_based", "n", "unweighted", "names", "layer")
"""Options of `boruvka.formats.read` that say nothing about points."""


class PointsRequest(NamedTuple):
    """How points become a graph."""

    metric: str
    min_samples: int | None
    degrees: bool

    @property
    def description(self) -> str:
        """The weights of pairs in words."""
        k = self.min_samples
        return f"{self.metric} distance" + ("" if k is None else f", mutual reachability of {k} neighbours")


def with_points_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for points to a command, which gets them in one argument ``points``, None without.

    Raises
    ------
    OptionError
        Points have options that need ``--points``, or options of edges.
    """

    @wraps(command)
    def collect(**arguments: Any) -> Any:
        is_points = arguments.pop("is_points")
        metric, k, degrees = (arguments.pop(name) for name in ("metric", "min_samples", "degrees"))
        if not is_points:
            given = {"--metric": metric, "--min-samples": k, "--degrees": degrees or None}
            for option in (option for option, value in given.items() if value is not None):
                raise OptionError(f"{option} is for points: write --points too, if the file holds points")
            return command(points=None, **arguments)
        refuse_options(**{name: arguments["read_options"][name] for name in _EDGES_ONLY})
        points = PointsRequest(metric or "euclidean", k, degrees)
        if degrees and points.metric != "haversine":
            raise OptionError("--degrees is for latitude and longitude: write --metric haversine too")
        return command(points=points, **arguments)

    for option in reversed(_POINTS_OPTIONS):
        collect = option(collect)
    return collect


def refuse_options(**given: Any) -> None:
    """Raise an `OptionError` about the first of these options of the running command that has a value."""
    for name, value in given.items():
        if value is not None and (value is not False or name != "unweighted"):
            option = option_text(name, value)
            raise OptionError(f"{option} is for edges: leave it out with --points")


def read_coordinates(
    file: Path, points: PointsRequest, read_options: dict[str, Any], *, is_silent: bool
) -> Points:
    """Read points; a line on standard error says which columns are taken where the user names none."""
    from boruvka.formats.points import read_points

    found = read_points(
        standard_input(file),
        format=read_options["format"],
        columns=read_options["columns"],
        header=read_options["header"],
        degrees=points.degrees if points.metric == "haversine" else None,
    )
    is_table = found.left_out or any(not name.isdigit() for name in found.columns)
    if read_options["columns"] is None and is_table and not is_silent:
        taken = _shortened(found.columns)
        left_out = f", not {_shortened(found.left_out)}" if found.left_out else ""
        name = "standard input" if file == STANDARD_STREAM else file
        click.echo(f"{name}: coordinates are {taken}{left_out} (--columns names others)", err=True)
    return found


def _shortened(names: tuple[str, ...], most: int = 10) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def read_point_graph(
    file: Path, points: PointsRequest, read_options: dict[str, Any], *, is_silent: bool
) -> DistanceGraph:
    """Read points and make their complete graph."""
    from boruvka.graph.graph import Graph

    coordinates = read_coordinates(file, points, read_options, is_silent=is_silent).coordinates
    if points.min_samples is None:
        return Graph.from_points(coordinates, points.metric)
    return Graph.from_points(coordinates, points.metric, min_samples=points.min_samples)
