"""``boruvka info``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from boruvka.cli.options import FILE_PATH, json_option, refuse_options, standard_input, with_read_options
from boruvka.cli.output import json_number, print_fields, print_json
from boruvka.cli.points import PointsOptions, read_coordinates, with_points_options
from boruvka.runtime.argument_names import hint
from boruvka.runtime.progress import listening, report

MANY_VERTICES = 1_000_000
"""Number of vertices above which a large share of isolated vertices causes a hint."""


@click.command()
@click.argument("file", type=FILE_PATH, required=False)
@click.option("--backends", is_flag=True, help="List the backends instead, and why some are not available.")
@json_option
@with_read_options
@with_points_options
def info(
    file: Path | None,
    backends: bool,
    as_json: bool,
    read_options: dict[str, Any],
    points: PointsOptions | None,
) -> None:
    """Summarise the graph, or with --points the points, in FILE; - is standard input.

    \b
    Examples:
      boruvka info graph.gr
      boruvka info --backends
    """
    if backends:
        _print_backends(as_json)
    elif file is None:
        raise click.UsageError("Missing argument 'FILE': a graph, or the option --backends.")
    elif points is not None:
        refuse_options("weighs pairs of points: leave it out, info shows points", "min_samples")
        _print_points(file, as_json, read_options, points)
    else:
        _print_summary(file, as_json, read_options)


def _print_backends(as_json: bool) -> None:
    from boruvka.backends import MODULES, why_not

    problems = {name: why_not(name) for name in MODULES}
    if as_json:
        print_json(problems)
    else:
        print_fields([(name, problem or "available") for name, problem in problems.items()])


def _print_summary(file: Path, as_json: bool, read_options: dict[str, Any]) -> None:
    from boruvka.formats import read
    from boruvka.graph.summary import summarise

    with listening(not as_json):
        graph = read(standard_input(file), **read_options)
        report("summarise", 0)
        summary, hints = summarise(graph), list(_hints(graph))
    if as_json:
        print_json({**{name: json_number(value) for name, value in summary.items()}, "hints": hints})
        return
    print_fields(
        [
            (name.replace("_", " "), f"{value:,}" if isinstance(value, int) else str(value))
            for name, value in summary.items()
        ]
    )
    for line in hints:
        click.echo(line)


def _print_points(file: Path, as_json: bool, read_options: dict[str, Any], points: PointsOptions) -> None:
    import numpy as np

    with listening(not as_json):
        found = read_coordinates(file, points, read_options, is_silent=as_json)
        x = found.coordinates
        distinct = len(np.unique(x, axis=0))
    counts = {"points": len(x), "distinct_points": distinct, "coordinates": x.shape[1]}
    ends = list(zip(x.min(axis=0).tolist(), x.max(axis=0).tolist(), strict=True)) if len(x) else []
    if as_json:
        print_json({**counts, "type": str(x.dtype), "columns": found.columns, "ranges": ends})
        return
    fields = [(name.replace("_", " "), f"{count:,}") for name, count in counts.items()]
    fields.append(("type", str(x.dtype)))
    if len(found.columns) == len(ends):  # else a column holds several coordinates
        ranges = zip(found.columns, ends, strict=True)
        fields += [(name, f"{low:g} to {high:g}") for name, (low, high) in ranges]
    print_fields(fields)


def _hints(graph: Any) -> Iterator[str]:
    """Yield hints on what may have been read wrongly."""
    if graph.m and min(int(graph.u.min()), int(graph.v.min())) == 1:
        yield "vertex 0 has no edge, vertex 1 has: if ids begin at 1, read with --one-based"
    if graph.n > MANY_VERTICES and graph.n > 16 * graph.m:
        passed = ": if ids are names with gaps, {names} numbers only those that occur"
        yield f"most vertices have no edge{hint(passed, names=True)}"
