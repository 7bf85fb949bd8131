"""``boruvka convert`` and ``boruvka generate``, which has one command for each family of graphs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli.file_command import FileCommand
from boruvka.cli.inputs import Input
from boruvka.cli.options import OUTPUT_FORMAT, OUTPUT_PATH, REQUIRED_OUTPUT, STANDARD_STREAM
from boruvka.cli.outputs import Output
from boruvka.runtime.progress import listening, report

if TYPE_CHECKING:
    from boruvka.generators import Family, Parameter


@click.command(cls=FileCommand, reads="input", has_report=False, params=[OUTPUT_FORMAT])
@click.argument("output", type=OUTPUT_PATH)
def convert(input: Input, output: Path, output_format: str | None) -> None:
    """Convert the graph in INPUT to the format of OUTPUT; - is standard input or standard output.

    \b
    Examples:
      boruvka convert graph.gr graph.npz
      boruvka convert roads.csv graph.parquet --columns from,to,cost
    """
    target = Output(output, output_format)
    target.check()
    with listening(True):
        graph = input.read()
        target.check(graph.names)
        target.write(graph)


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
        with listening(True):
            report("generate", 0)
            graph = family.function(**arguments)
            target.write(graph)
        click.echo(f"{output}: {graph.n:,} vertices, {graph.m:,} edges", err=output == STANDARD_STREAM)

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
