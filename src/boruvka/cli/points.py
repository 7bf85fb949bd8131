"""Options for files of points, whose graph is complete and weighted by distance."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from boruvka.cli.options import STANDARD_STREAM, option_group, refuse_options, standard_input
from boruvka.errors import OptionError

if TYPE_CHECKING:
    from boruvka.formats.points import Points
    from boruvka.graph.distance_graph import DistanceGraph

_points_options = option_group(
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


class PointsOptions(NamedTuple):
    """How points become a graph."""

    metric: str
    min_samples: int | None
    degrees: bool

    @property
    def description(self) -> str:
        """The weights of pairs in words."""
        k = self.min_samples
        return f"{self.metric} distance" + ("" if k is None else f", mutual reachability of {k} neighbours")

    def to_json(self) -> dict[str, Any]:
        """The weights of pairs as fields of JSON."""
        return {"metric": self.metric, "min_samples": self.min_samples}


def with_points_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for points to a command, which gets them in one argument ``points``, None without.

    Raises
    ------
    OptionError
        Points have options that need ``--points``, or options of edges.
    """

    @wraps(command)
    def collect(
        is_points: bool, metric: str | None, min_samples: int | None, degrees: bool, **arguments: Any
    ) -> Any:
        if not is_points:
            needed = "is for points: write --points too, if the file holds points"
            refuse_options(needed, "metric", "min_samples", "degrees")
            return command(points=None, **arguments)
        edges_only = "one_based", "n", "unweighted", "names", "layer"
        refuse_options("is for edges: leave it out with --points", *edges_only)
        points = PointsOptions(metric or "euclidean", min_samples, degrees)
        if degrees and points.metric != "haversine":
            raise OptionError("--degrees is for latitude and longitude: write --metric haversine too")
        return command(points=points, **arguments)

    return _points_options(collect)


def read_coordinates(
    file: Path, points: PointsOptions, read_options: dict[str, Any], *, is_silent: bool
) -> Points:
    """Read points; a line on standard error names the columns that are used, if no option does."""
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
        left_out = f", not {_shortened(found.left_out)}" if found.left_out else ""
        name = "standard input" if file == STANDARD_STREAM else file
        used = f"{_shortened(found.columns)}{left_out}"
        click.echo(f"{name}: coordinates are {used} (--columns names others)", err=True)
    return found


def _shortened(names: tuple[str, ...], most: int = 10) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def read_point_graph(
    file: Path, points: PointsOptions, read_options: dict[str, Any], *, is_silent: bool
) -> DistanceGraph:
    """Read points and make their complete graph."""
    from boruvka.graph.graph import Graph

    coordinates = read_coordinates(file, points, read_options, is_silent=is_silent).coordinates
    return Graph.from_points(coordinates, points.metric, min_samples=points.min_samples)
