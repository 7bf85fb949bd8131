"""``boruvka algorithms`` and ``boruvka formats``."""

from __future__ import annotations

import click

from boruvka.cli.output import print_table


@click.command()
def algorithms() -> None:
    """List the algorithms."""
    from boruvka.algorithms.registry import ALGORITHMS

    rows = [(a.name, a.use, a.complexity, " ".join(a.options), a.source) for a in ALGORITHMS.values()]
    print_table(("name", "use it for", "complexity", "options", "source"), rows)


@click.command()
def formats() -> None:
    """List the file formats."""
    from boruvka.formats import FORMATS

    rows = [(f.name, " ".join(f.endings), f.description) for f in FORMATS]
    print_table(("name", "endings", "what it is"), rows)
