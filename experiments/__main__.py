"""Run all experiments, or those that are named: ``python -m experiments [NAME]... [--quick]``."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any

import click

from boruvka.cli.exit_codes import FAILED, OK
from boruvka.cli.main import run_command
from boruvka.errors import BoruvkaError, OptionError
from boruvka.runtime.extras import require
from experiments.common.experiment import Experiment, Request, requesting

NAMES = tuple(
    module.name
    for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    if module.name not in ("__main__", "common")
)


def experiment_named(name: str) -> Experiment:
    """Get an experiment by the name of its file."""
    if name not in NAMES:
        raise OptionError(f"unknown experiment {name!r}; there are {', '.join(NAMES)}")
    return importlib.import_module(f"experiments.{name}").EXPERIMENT


def run(names: tuple[str, ...], **asked: Any) -> int:
    """Run experiments one after the other; one that fails is told, and the others go on."""
    require("matplotlib", "plot")  # all draw
    failed = 0
    for experiment in [experiment_named(name) for name in names or NAMES]:
        try:
            experiment.run(Request(**asked))
        except BoruvkaError as error:
            click.echo(f"error: {experiment.name}: {error}\n", err=True)
            failed += 1
    return FAILED if failed else OK


def command() -> click.Command:
    """Make the command."""
    command = click.command(help=(__doc__ or "").partition(":")[0] + ".")(run)
    command.params.append(click.Argument(["names"], nargs=-1, metavar="[NAME]..."))
    return requesting(command)


if __name__ == "__main__":
    raise SystemExit(run_command(command(), None, "python -m experiments"))
