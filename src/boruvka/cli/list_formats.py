"""``boruvka formats``."""

from __future__ import annotations

import click

from boruvka.cli.output import print_table


@click.command()
def formats() -> None:
    """List the file formats."""
    from boruvka.formats import FORMATS

    rows = [(f.name, " ".join(f.endings), f.description) for f in FORMATS]
    print_table(("name", "endings", "what it is"), rows)
