"""The command line: ``python -m lab NAME ...``."""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import click

from boruvka.errors import BoruvkaError

MEASUREMENTS = {
    "race": "Graphs, against SciPy, other libraries and programs in C++.",
    "cores": "Solves on more and more cores, measured or computed on one.",
    "points": "Trees and clusters of points, against other libraries.",
    "start": "Whole processes, from their start to their end.",
    "stream": "Streamed edges, beside decoding them and a solve in memory.",
    "clusters": "Dask and Spark, beside the same code on threads.",
    "clustering": "HDBSCAN and regions of graphs, against other libraries.",
    "trees": "Steiner trees, arborescences, batches and updates, against other libraries.",
    "jobs": "Jobs from data to answer, against what people use for them.",
    "verification": "Verification, beside a solve.",
    "gpu": "Algorithms on an NVIDIA GPU, against threads and ECL-MST.",
    "literature": "Every table and figure of the five papers, by name.",
    "tables": "Tables of the documents, made from the committed results.",
}
"""The measurements; a module of this name has the command."""


class Measurements(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the measurements."""
        return list(MEASUREMENTS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Import the command of a measurement."""
        if name not in MEASUREMENTS:
            return None
        module = {"literature": "lab.literature.command", "tables": "lab.document_tables"}
        return importlib.import_module(module.get(name, f"lab.{name}")).command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the measurements without importing them."""
        with formatter.section("Measurements"):
            formatter.write_dl(list(MEASUREMENTS.items()))


@click.command(cls=Measurements)
def app() -> None:
    """Measure; each NAME has its own --help. Results are JSON; tables are printed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, and turn errors into one line on standard error and an exit code."""
    try:
        return app.main(arguments, prog_name="python -m lab", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return 130
    except BoruvkaError as error:
        click.echo(f"error: {error}", err=True)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
