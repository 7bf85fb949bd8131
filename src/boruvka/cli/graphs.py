"""``boruvka info``, ``convert`` and ``generate``, which has one command for each family of graphs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli import outputs
from boruvka.cli.file_command import FileCommand
from boruvka.cli.inputs import Input
from boruvka.cli.options import JSON, OUTPUT_FORMAT, OUTPUT_PATH, REQUIRED_OUTPUT, refuse_options
from boruvka.cli.outputs import Output, notice, print_fields, print_written, show_progress
from boruvka.runtime.progress import report

WORST = 5
"""Number of profiles with missing alleles that ``boruvka info`` shows."""

if TYPE_CHECKING:
    from boruvka.generators import Family, Parameter


@click.command(cls=FileCommand, reads="file", takes_points=True, params=[JSON])
@click.option("--gaps", type=OUTPUT_PATH, help="Write gaps between streets: .gpkg, .csv, .tsv or .parquet.")
def info(file: Input, gaps: Path | None, as_json: bool) -> None:
    """Summarise the graph, or with --points the points, in FILE; - is standard input.

    With --gaps, ends of streets within a metre of another one, and not joined to it, are written as lines to
    it, with their length in the column distance; the report counts them.

    \b
    Examples:
      boruvka info graph.gr
      boruvka info roads.gpkg --node --gaps gaps.gpkg
      boruvka info places.csv --points --columns x,y --id id
    """
    if file.is_points:
        refuse_options("weighs pairs of points: leave it out, info shows points", "min_samples", "box")
        refuse_options("is for streets: leave it out with --points", "gaps")
    if gaps is not None:
        outputs.check_table(gaps, takes_maps=True)
    with show_progress():
        fields = _facts_of_points(file) if file.is_points else _facts_of_graph(file, gaps)
    print_fields(fields, as_json)


def _facts_of_graph(file: Input, gaps: Path | None) -> dict[str, Any]:
    from boruvka.graph.summary import summarise

    graph, found = file.read(), {}
    if gaps is not None:
        from boruvka.interop.geopandas import street_gaps

        outputs.write_table(table := street_gaps(graph), gaps)
        found["gaps"] = len(table)
    report("summarise", 0)
    fields = summarise(graph)
    if graph.first_id and graph.names is None:
        fields = {"vertices": fields.pop("vertices"), "first_id": graph.first_id, **fields}
    fields |= found | _facts_of_profiles(graph)
    return {**fields, "hints": [*hints_on_streets(graph, gaps is None)]}


def _facts_of_profiles(graph: Any) -> dict[str, Any]:
    """Count profiles, loci and missing alleles, and show the profiles that lack most."""
    import numpy as np

    if graph.profiles is None or graph.profiles.missing is None:
        return {}
    missing, names = graph.profiles.missing, graph.profiles.names
    names = graph.shown_id(np.arange(graph.n)) if names is None else names
    worst = np.argsort(-missing, kind="stable")[:WORST]
    return {
        "profiles": missing.size,
        "loci": graph.profiles.n_loci,
        "missing_alleles": int(missing.sum()),
        "most_missing": {str(names[k]): int(missing[k]) for k in worst.tolist() if missing[k]},
        "most_missing_loci": dict(graph.profiles.most_missing_loci),
    }


def _facts_of_points(file: Input) -> dict[str, Any]:
    import numpy as np

    # The columns of latitude and longitude are those of solve, but stay in degrees.
    as_in_file = file._replace(metric=file.metric or "euclidean", degrees=file.degrees or not file.metric)
    found = as_in_file._replace(read_options=file.read_options | {"missing": "drop"}).read_points()
    x = found.coordinates
    facts = {
        "points": len(x),
        "distinct_points": len(np.unique(x, axis=0)),
        "coordinates": x.shape[1],
        "type": str(x.dtype),
        "columns": list(found.columns),
    }
    if len(x) and len(found.columns) == x.shape[1]:  # else a column holds several coordinates
        facts["ranges"] = list(zip(x.min(axis=0).tolist(), x.max(axis=0).tolist(), strict=True))
    return facts


def hints_on_streets(graph: Any, of_gaps: bool = True) -> Iterable[str]:
    """Return hints on lines that may have been read wrongly, if the graph is a map."""
    if not hasattr(getattr(graph.annotations.table, "frame", None), "geometry"):
        return ()
    from boruvka.interop.geopandas import gaps_hint, meetings_hint

    return filter(None, [gaps_hint(graph) if of_gaps else "", meetings_hint(graph)])


def print_hints(graph: Any) -> None:
    """Print hints on lines that may have been read wrongly, to standard error."""
    for text in hints_on_streets(graph):
        notice(f"hint: {text}")


@click.command(cls=FileCommand, reads="input", takes_points=True, has_report=False, params=[OUTPUT_FORMAT])
@click.argument("output", type=OUTPUT_PATH)
def convert(input: Input, output: Path, output_format: str | None) -> None:
    """Convert the graph in INPUT to the format of OUTPUT; - is standard input or standard output.

    Of points and profiles, every pair is an edge; --to matrix writes all distances as a square matrix.

    A table of edges gets the columns u, v, w and those that --keep names.

    \b
    Examples:
      boruvka convert graph.gr graph.npz
      boruvka convert roads.csv graph.parquet --columns from,to,cost
      boruvka convert profiles.txt distances.tsv --profiles --to matrix
    """
    from boruvka.graph.edge_set import EdgeSet

    keep = input.read_options["keep"]
    target = Output(output, output_format, keep=keep)
    target.check()
    with show_progress():
        graph = input.read()
        target.check(graph.names)
        target.write(EdgeSet(graph, range(graph.m)) if keep else graph)


class Families(click.Group):
    """A group with one command for each family, made from the signature of its generator."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the families."""
        from boruvka.generators import FAMILIES

        return list(FAMILIES)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return the command of a family."""
        from boruvka.generators import FAMILIES

        return _command_of(FAMILIES[name]) if name in FAMILIES else None


@click.command(cls=Families)
def generate() -> None:
    """Generate a graph of a family; the same seed gives the same graph.

    \b
    Examples:
      boruvka generate grid --rows 300 --cols 200 --shuffle --seed 1 -o graph.npz
      boruvka generate random --n 1000 --m 9000 --dtype int64 --seed 1 -o graph.gr
    """


def _command_of(family: Family) -> click.Command:
    def run(output: Path, output_format: str | None, **arguments: Any) -> None:
        target = Output(output, output_format)
        target.check()
        with show_progress():
            report("generate", 0)
            graph = family.function(**arguments)
            target.write(graph)
        print_written(output, f"{graph.n:,} vertices, {graph.m:,} edges")

    text = f"{family.summary}\n\nSource: {family.source}."
    parameters = [*map(_option_of, family.parameters), REQUIRED_OUTPUT, OUTPUT_FORMAT]
    return FileCommand(family.name, callback=run, help=text, params=parameters)


def _option_of(parameter: Parameter) -> click.Option:
    flag = "--" + parameter.name.replace("_", "-")
    return click.Option(
        [f"{flag}/--no-{flag[2:]}" if parameter.type is bool else flag, parameter.name],
        type=click.Choice(parameter.choices) if parameter.choices else parameter.type,
        default=parameter.default,
        show_default=parameter.default is not None,
        help=parameter.help,
    )
