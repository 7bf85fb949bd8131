"""``boruvka verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli.options import (
    FILE_PATH,
    STANDARD_STREAM,
    complete_format,
    input_to_stream,
    is_streamed,
    json_option,
    memory_option,
    refuse_options,
    standard_input,
    with_read_options,
)
from boruvka.cli.output import print_json, print_verification_failure
from boruvka.cli.points import PointsOptions, read_point_graph, with_points_options
from boruvka.errors import GraphError, OptionError
from boruvka.runtime.progress import listening

if TYPE_CHECKING:
    from boruvka.forest.verify import Verification


@click.command()
@click.argument("graph", type=FILE_PATH)
@click.argument("forest", type=FILE_PATH)
@click.option(
    "--forest-format",
    shell_complete=complete_format,
    help="Format of the forest; by default its file name decides.",
)
@click.option("--maximum", is_flag=True, help="Check for the maximum spanning forest.")
@memory_option
@json_option
@with_read_options
@with_points_options
def verify(
    graph: Path,
    forest: Path,
    forest_format: str | None,
    maximum: bool,
    memory: str | None,
    as_json: bool,
    read_options: dict[str, Any],
    points: PointsOptions | None,
) -> int:
    """Check that FOREST is the minimum spanning forest of GRAPH; exit with 1 if it is not.

    Either may be -, standard input. With --memory, or if GRAPH does not fit the memory, only the forest is in
    memory; it must have the indices of its edges. With --points, GRAPH is a file of points, as for solve.

    \b
    Example:
      boruvka verify graph.gr forest.csv
    """
    from boruvka.forest.verify import Verification, verify
    from boruvka.formats import read, read_forest

    if graph == forest == STANDARD_STREAM:
        raise OptionError("graph and forest cannot both be standard input")
    if points is not None:
        refuse_options("is for edges: leave it out with --points", "memory")
    elif is_streamed(graph, memory, read_options, as_json):
        from boruvka.formats import read_forest_edges
        from boruvka.stream import verify as verify_streamed

        table = read_forest_edges(standard_input(forest), format=forest_format)
        how = {"memory": memory, "maximum": maximum, "progress": not as_json, **read_options}
        return _print(verify_streamed(input_to_stream(graph), table, **how), as_json)
    with listening(not as_json):
        if points is None:
            whole_graph: Any = read(standard_input(graph), **read_options)
        else:
            whole_graph = read_point_graph(graph, points, read_options, is_silent=as_json)
        try:
            edges = read_forest(standard_input(forest), whole_graph, format=forest_format)
        except GraphError as error:  # an edge that is not in the graph
            verification = Verification(False, str(error))
        else:
            verification = verify(whole_graph, edges, maximum=maximum)
    return _print(verification, as_json)


def _print(verification: Verification, as_json: bool) -> int:
    if as_json:
        print_json({"verified": verification.ok, "message": verification.message})
    elif verification.ok:
        click.echo(verification.message)
    return print_verification_failure(verification)
