"""Options, the progress line, and the end of a measurement, for all commands."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from boruvka.runtime.output_files import check_writable
from lab.harness.results import Record
from lab.harness.tables import markdown

SHOWN = 60
"""Rows: longer tables are written only to the file."""


def split_names(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """Split names with commas, each once."""
    return None if value is None else tuple(dict.fromkeys(filter(None, value.split(","))))


def counts(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Parse numbers with commas."""
    allowed = click.IntRange(1, 1024)
    found = (int(allowed(text, parameter, context)) for text in (value or "").split(",") if text)
    return tuple(sorted(set(found)))


FILE = click.Path(path_type=Path)

output_option = click.option("-o", "--output", type=FILE, help="Write the results to this JSON file.")
threads_option = click.option(
    "--threads", callback=counts, default="1", show_default=True, help="Numbers of threads, with commas."
)
runs_option = click.option("--runs", type=click.IntRange(1), default=5, show_default=True)


def show(doing: str) -> None:
    """Say on a terminal what is being done, on one line that the next one replaces."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{doing[:100]}", nl=False, err=True)


def check_output(path: Path | None) -> None:
    """Raise a `FileError` if a result cannot be written, before hours are spent on it."""
    if path is not None:
        check_writable(path)


def finish(record: Record, output: Path | None) -> None:
    """Write a measurement if asked, and print its tables and remarks."""
    show("")
    if output is not None:
        record.write(output)
    for name, rows in record.tables.items():
        if 0 < len(rows) <= SHOWN:
            click.echo(f"\n{record.measurement}: {name}\n\n{markdown(rows)}", nl=False)
    for remark in record.remarks:
        click.echo(remark)
