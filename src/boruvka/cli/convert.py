"""``boruvka convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boruvka.cli.options import FILE_PATH, output_format_option, with_read_options
from boruvka.runtime.progress import spinner


@click.command()
@click.argument("input", type=FILE_PATH)
@click.argument("output", type=FILE_PATH)
@output_format_option
@with_read_options
def convert(input: Path, output: Path, output_format: str | None, read_options: dict[str, Any]) -> None:
    """Convert the graph in INPUT to the format of OUTPUT."""
    from boruvka.formats import check_output, read, write

    check_output(output, output_format)
    with spinner(f"reading {input}"):
        graph = read(input, **read_options)
    check_output(output, output_format, graph.names)
    with spinner(f"writing {output}"):
        write(graph, output, format=output_format)
