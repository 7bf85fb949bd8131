"""The program ``boruvka``: its group of commands, and its handling of errors.

Every command imports its modules when it runs, so that help appears without loading the compiler.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout, suppress
from typing import NoReturn

import click

from boruvka.cli import BAD_INPUT, BROKEN_PIPE, INTERRUPTED, OK, UNFORESEEN, WARNINGS
from boruvka.cli.options import option_text
from boruvka.errors import BackendWarning, BoruvkaError, FileError, GraphWarning
from boruvka.runtime.arguments import did_you_mean, on_command_line
from boruvka.runtime.processors import UNLIMITED, advice_on_addresses, free_addresses

COMMANDS = {
    "solve": ("solve", "Find the minimum spanning forest of a graph."),
    "verify": ("verify", "Check a forest that is in a file."),
    "info": ("graphs", "Summarise a graph or points."),
    "convert": ("graphs", "Convert a graph to another file format."),
    "generate": ("graphs", "Generate a graph of a family."),
    "steiner": ("trees", "Find a light tree that connects some vertices."),
    "update": ("trees", "Add the edges of a file to a forest that was written."),
    "compare": ("trees", "Compare two trees or networks that were written."),
    "arborescence": ("trees", "Find the lightest arcs that lead from a root to every vertex."),
    "network": ("trees", "Find the edges that are in some minimum spanning forest."),
    "sensitivity": ("trees", "Find how far the weight of each edge may change."),
    "path": ("trees", "Find the path between two vertices in the forest."),
    "branches": ("trees", "Find the paths without a fork of the forest, perhaps pruned."),
    "ranked": ("trees", "Find the k best spanning trees."),
    "nearest": ("trees", "Find the nearest vertices of each vertex."),
    "clusters": ("trees", "Find the clusters of single linkage, or of HDBSCAN."),
    "support": ("trees", "Find how sure clusters of profiles are, by the bootstrap."),
    "windows": ("trees", "Find the forests of a rolling window of returns or prices."),
    "plot": ("plot", "Draw a forest: a map, a dendrogram, or an animation."),
    "algorithms": ("installation", "List the algorithms."),
    "backends": ("installation", "List the backends, and why some are not available."),
    "formats": ("installation", "List the file formats."),
    "warmup": ("installation", "Compile kernels ahead, for an image or a cluster."),
}
"""The module of each command, and its line in `boruvka --help`."""

_OTHER_WORDS = {
    **dict.fromkeys(("cut", "linkage"), "clusters"),
    "hdbscan": "clusters FILE --points --min-cluster-size NUMBER",
    "mst": "solve",
    "msn": "network",
    "draw": "plot",
    **dict.fromkeys(("kbest", "second", "second-best"), "ranked FILE -k 2"),
    **{name: f"solve FILE --algorithm {name}" for name in ("boruvka", "kruskal", "prim")},
    "steps": "plot FILE --algorithm kruskal -o steps.png",
    **dict.fromkeys(("matrix", "distances"), "convert FILE distances.tsv --to matrix"),
    "bootstrap": "support",
}
"""Commands that users look for, and ours."""

on_command_line(option_text)


class Commands(click.Group):
    """A group whose commands are imported when they are run or listed."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command."""
        if name not in COMMANDS:
            return None
        module, _ = COMMANDS[name]
        return getattr(importlib.import_module(f"boruvka.cli.{module}"), name)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names of the commands and their lines."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])
        formatter.write_paragraph()
        formatter.write_text("COMMAND -h lists the options of a command, with examples.")

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names; if it is a file, the error says what is missing."""
        if arguments[0] not in COMMANDS and os.path.isfile(arguments[0]):
            raise click.UsageError(f"Name a command before the file: boruvka solve {arguments[0]}", context)
        if other := _OTHER_WORDS.get(arguments[0]):
            raise click.UsageError(f"No such command {arguments[0]!r}: write boruvka {other}", context)
        if arguments[0] not in COMMANDS and (close := did_you_mean(arguments[0], COMMANDS)):
            raise click.UsageError(f"No such command {arguments[0]!r}{close}", context)
        return super().resolve_command(context, arguments)


@click.command(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="boruvka", prog_name="boruvka")
def app() -> None:
    """Minimum spanning forests of large graphs, exact and fast.

    \b
    Examples:
      boruvka generate kronecker --scale 14 --seed 1 -o graph.npz
      boruvka solve graph.npz -o forest.csv --verify
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command of ``boruvka``.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments after ``boruvka``; by default the arguments of the process.

    Returns
    -------
    int
        0 on success, 1 if a verification fails, 2 on bad input or usage or if standard output cannot be
        written, 70 on an unforeseen error, 130 on an interrupt, 141 on a broken pipe.
    """
    atexit.register(gc.freeze)  # else Python searches all objects for garbage at exit
    try:
        if free_addresses() < UNLIMITED:
            from boruvka.stream.memory import free_memory_at_once

            free_memory_at_once()  # else polars takes addresses for each thread, and aborts without them
        with warnings.catch_warnings(), _standard_output():
            warnings.showwarning = _warning_writer()
            for category in GraphWarning, BackendWarning:  # they are for the user, not for a developer
                warnings.simplefilter("always", category)
            return _invoke(arguments)
    except BrokenPipeError:
        code = BROKEN_PIPE
    except SystemExit as error:  # click exits with 1 on a broken pipe, and with 0 after a completion
        code = BROKEN_PIPE if error.code else OK
    except BaseException as error:  # a panic of polars is not an Exception
        if sys.flags.dev_mode or isinstance(error, KeyboardInterrupt):
            raise
        found = f"unforeseen {type(error).__name__}: {BoruvkaError(error)}"
        code, what = UNFORESEEN, f"{found}; python -X dev -m boruvka ... shows where"
        if isinstance(error, OSError) and error.errno:  # of standard output: errors of files are ours
            code, what = BAD_INPUT, f"{error.filename or 'standard output'}: {error.strerror}"
        with suppress(OSError):
            click.echo(f"error: {what}", err=True)
    _discard_unwritten_output()
    return code


def _invoke(arguments: Sequence[str] | None) -> int:
    try:
        return app.main(arguments, prog_name="boruvka", standalone_mode=False) or OK
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt) as error:
        notes = getattr(error.__context__ or error, "__notes__", [])
        click.echo(": ".join(["interrupted", *notes]), err=True)
        return INTERRUPTED
    except (BoruvkaError, MemoryError) as error:
        what = str(error)
        if isinstance(error, MemoryError):
            what = f"not enough memory{what and f': {what}'}{advice_on_addresses()}"
        click.echo(f"error: {what}", err=True)
        return BAD_INPUT


def _standard_output() -> AbstractContextManager[object]:
    """Let what is printed raise an error if standard output is closed; click would drop it."""
    return redirect_stdout(_ClosedOutput()) if sys.stdout is None else nullcontext()


class _ClosedOutput(io.TextIOBase):
    """Standard output that is closed."""

    def write(self, text: str = "") -> NoReturn:
        """Raise a `FileError`."""
        raise FileError("standard output is closed")

    buffer = property(write)


def _warning_writer() -> Callable[..., None]:
    """Return a function that shows each warning once, without its place in the code."""
    WARNINGS.clear()

    def show(message: object, *where: object, **more: object) -> None:
        if (text := str(message)) not in WARNINGS:
            WARNINGS.append(text)
            click.echo(f"warning: {text}", err=True)

    return show


def _discard_unwritten_output() -> None:
    """Send output that cannot be written to the null device.

    Python flushes both streams again at exit, and would replace our exit code with its own.
    """
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
