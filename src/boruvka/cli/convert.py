"""``boruvka convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boruvka.cli.options import (
    FILE_PATH,
    output_format_option,
    standard_input,
    standard_output,
    with_read_options,
)
from boruvka.runtime.progress import listening


@click.command()
@click.argument("input", type=FILE_PATH)
@click.argument("output", type=FILE_PATH)
@output_format_option
@with_read_options
def convert(input: Path, output: Path, output_format: str | None, read_options: dict[str, Any]) -> None:
    """Convert the graph in INPUT to the format of OUTPUT; - is standard input or standard output.

    \b
    Examples:
      boruvka convert graph.gr graph.npz
      boruvka convert roads.csv graph.parquet --columns from,to,cost
    """
    from boruvka.formats import check_output, read, write
    from boruvka.formats.format import EdgeTable
    from boruvka.formats.name_columns import portable_names

    source, target = standard_input(input), standard_output(output)
    check_output(target, output_format)
    with listening(True):
        table = EdgeTable.of(read(source, **read_options))
        table = table._replace(names=portable_names(table.names))
        check_output(target, output_format, table.names)
        write(table, target, format=output_format)
