"""``boruvka verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boruvka.cli.file_command import FileCommand
from boruvka.cli.inputs import Input, standard_input
from boruvka.cli.options import FILE_PATH, JSON, MAXIMUM, MEMORY, STANDARD_STREAM, THREADS, format_option
from boruvka.cli.outputs import exit_code, notice, print_fields, show_progress
from boruvka.errors import OptionError
from boruvka.runtime.arguments import passing


@click.command(
    cls=FileCommand,
    reads="graph",
    takes_points=True,
    params=[format_option("--forest-format", "forest_format", "forest"), MAXIMUM, THREADS, MEMORY, JSON],
)
@click.argument("forest", type=FILE_PATH)
def verify(
    graph: Input,
    forest: Path,
    forest_format: str | None,
    maximum: bool,
    threads: int | None,
    memory: str | None,
    as_json: bool,
) -> int:
    """Check that FOREST is the minimum spanning forest of GRAPH; exit with 1 if it is not.

    Of several minimum spanning forests, the one that comes first by the indices of edges is right; the
    message says if FOREST is another one.

    FOREST may have the columns that --columns names, or columns source and target, with or without a weight.

    Either may be -, standard input. With --memory, or if GRAPH does not fit the memory, only the forest is in
    memory; it must have the indices of its edges. With --points, GRAPH is a file of points, as for solve.

    \b
    Example:
      boruvka verify graph.gr forest.csv
    """
    from boruvka.formats import read_forest, read_forest_edges
    from boruvka.graph.edge_lookup import NoSuchEdge
    from boruvka.trees.forest import Forest
    from boruvka.verification.verify import Verification, verify

    if graph.path == forest == STANDARD_STREAM:
        raise OptionError("graph and forest cannot both be standard input")
    with show_progress():
        if graph.is_streamed(memory):
            from boruvka.graph.validation import check_maximum
            from boruvka.stream import verify as verify_streamed

            with passing(format="forest_format"):
                columns = graph.read_options["columns"]
                table = read_forest_edges(standard_input(forest), format=forest_format, columns=columns)
            source = standard_input(graph.path)
            check_maximum((str(forest), table.maximum), maximum)
            verification = verify_streamed(
                source, table, memory=memory, maximum=maximum, threads=threads, **graph.read_options
            )
        else:
            whole_graph = graph.read()
            try:
                with passing(format="forest_format"):
                    columns = None if graph.is_points else graph.read_options["columns"]
                    how: Any = {"format": forest_format, "columns": columns, "maximum": maximum}
                    edges = read_forest(standard_input(forest), whole_graph, **how)
            except NoSuchEdge as error:  # an edge that is not in the graph
                verification = Verification(False, str(error))
            else:
                tree = Forest(whole_graph, edges, maximum, _is_optimal=False)  # indices, of any edges
                verification = verify(whole_graph, tree, maximum=maximum, threads=threads)
    code = exit_code(verification)  # first, as standard output may be closed
    if as_json:
        kind = "is_maximum" if maximum else "is_minimum"
        fields = {"verified": verification.ok, kind: verification.is_minimum}
        print_fields({**fields, "message": verification.message}, as_json)
    elif verification.ok:
        notice(verification.message, err=False)
    return code
