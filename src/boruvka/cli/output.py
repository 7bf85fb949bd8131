"""Output of commands: tables, lists of fields, JSON, exit codes."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from boruvka.forest.verify import Verification

OK, FAILED, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
"""Exit codes: `FAILED` if a verification fails, `BAD_INPUT` also if standard output cannot be written."""
WIDTH_OF_FILES = 10_000
"""Characters per line of a table that is not printed on a terminal."""


def quantity(number: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is 1."""
    plural = {"vertex": "vertices"}.get(noun, f"{noun}s")
    return f"{number:,} {noun if number == 1 else plural}"


def json_number(x: Any) -> Any:
    """Return a number as JSON can hold it: infinities, NaN and long doubles beyond float64 as strings."""
    if x is None or isinstance(x, int | str):
        return x
    number = float(x)
    return number if math.isfinite(number) else str(x)


def print_json(value: Any, err: bool = False) -> None:
    """Print a value as JSON on one line, on standard error if asked."""
    import json

    click.echo(json.dumps(value, allow_nan=False), err=err)


def print_fields(fields: Sequence[tuple[str, str]], err: bool = False) -> None:
    """Print names and values in two columns, on standard error if asked."""
    width = max(len(name) for name, _ in fields)
    for name, value in fields:
        click.echo(f"{click.style(name.ljust(width), bold=True)}  {value}", err=err)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, with cells wrapped to the width of the terminal; none is wrapped elsewhere."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for name in header:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*row)
    on_terminal = sys.stdout is not None and sys.stdout.isatty()
    Console(width=None if on_terminal else WIDTH_OF_FILES).print(table)


def print_verification_failure(verification: Verification | None) -> int:
    """Print what is wrong with a forest on standard error.

    Returns
    -------
    int
        The exit code: `FAILED` if something is wrong, `OK` if not or if nothing was verified.
    """
    if verification is None or verification.ok:
        return OK
    click.echo(f"verification failed: {verification.message}", err=True)
    return FAILED
