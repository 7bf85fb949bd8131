"""``boruvka verify``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli.file_command import FileCommand
from boruvka.cli.inputs import Input, standard_input
from boruvka.cli.options import FILE_PATH, JSON, MAXIMUM, MEMORY, STANDARD_STREAM, THREADS, format_option
from boruvka.cli.outputs import OK, exit_code, notice, print_fields, show_progress
from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.arguments import passing

if TYPE_CHECKING:
    from boruvka.verification.verify import Verification


@click.command(
    cls=FileCommand,
    reads="graph",
    takes_points=True,
    params=[format_option("--forest-format", "forest_format", "forest"), MAXIMUM, THREADS, MEMORY, JSON],
)
@click.argument("forests", metavar="FOREST...", type=FILE_PATH, nargs=-1, required=True)
@click.option("--any", "takes_any", is_flag=True, help="Of several minimum spanning forests, all are right.")
def verify(
    graph: Input, forests: tuple[Path, ...], takes_any: bool, maximum: bool, as_json: bool, **options: Any
) -> int:
    """Check that FOREST is the minimum spanning forest of GRAPH; exit with 1 if it is not.

    Of several minimum spanning forests, the one that comes first by the indices of edges is right; the
    message says if FOREST is another one, which --any takes, too.

    FOREST may have the columns that --columns names, or columns source and target, with or without a weight.
    Of several files, each has a line that begins with its name, and one that cannot be read is wrong.

    One may be -, standard input. With --memory, or if GRAPH does not fit the memory, only the forest is in
    memory; it must have the indices of its edges. With --points, GRAPH is a file of points, as for solve.

    \b
    Examples:
      boruvka verify graph.gr forest.csv
      boruvka verify graph.gr forest.csv --any
    """
    from boruvka.verification.verify import Verification

    code, have_names, is_streamed = OK, len(forests) > 1, graph.is_streamed(options["memory"])
    if [graph.path, *forests].count(STANDARD_STREAM) > 1:
        raise OptionError("graph and forest cannot both be standard input")
    if is_streamed and have_names and graph.path == STANDARD_STREAM:
        raise OptionError("standard input cannot be read for each forest: write the graph to a file")
    with show_progress():
        whole_graph = None if is_streamed else graph.read()
    for path in forests:
        try:
            with show_progress():
                found = _verified(graph, whole_graph, path, maximum, **options)
        except BoruvkaError as error:
            if not have_names:
                raise
            found = Verification(False, str(error))
        message = f"{path}: {found.message.removeprefix(f'{path}: ')}" if have_names else found.message
        found = replace(found, ok=found.ok or (takes_any and found.is_minimum), message=message)
        code = max(code, exit_code(found))  # first, as standard output may be closed
        if as_json:
            kind = "is_maximum" if maximum else "is_minimum"
            print_fields({"verified": found.ok, kind: found.is_minimum, "message": message}, as_json)
        elif found.ok:
            notice(message, err=False)
    return code


def _verified(
    graph: Input, whole_graph: Any, path: Path, maximum: bool, threads: Any, memory: Any, forest_format: Any
) -> Verification:
    """Verify the forest in a file, with the graph in memory or without."""
    from boruvka.formats import read_forest, read_forest_edges
    from boruvka.graph.edge_lookup import NoSuchEdge
    from boruvka.graph.validation import check_maximum
    from boruvka.trees.forest import Forest
    from boruvka.verification.verify import Verification, verify

    how: dict[str, Any] = {"maximum": maximum, "threads": threads}
    columns = None if graph.is_points else graph.read_options["columns"]
    of_file: Any = {"format": forest_format, "columns": columns}
    try:
        with passing(format="forest_format"):
            if whole_graph is None:
                table = read_forest_edges(standard_input(path), **of_file)
                check_maximum((str(path), table.maximum), maximum)
            else:
                edges = read_forest(standard_input(path), whole_graph, maximum=maximum, **of_file)
    except NoSuchEdge as error:  # an edge that is not in the graph
        return Verification(False, str(error))
    if whole_graph is None:
        from boruvka.stream import verify as verify_streamed

        return verify_streamed(standard_input(graph.path), table, memory=memory, **how, **graph.read_options)
    return verify(whole_graph, Forest(whole_graph, edges, maximum, _is_optimal=False), **how)
