"""``boruvka algorithms``, ``backends``, ``formats`` and ``warmup``: what is installed, and compiling it."""

from __future__ import annotations

import click

from boruvka import backends as one_machine
from boruvka.cli.inputs import READ_OPTIONS
from boruvka.cli.options import completing
from boruvka.cli.outputs import print_table

MPI = "mpi"
BACKENDS = (*one_machine.BACKENDS, MPI)
"""The names that ``--backend`` takes besides auto."""


@click.command()
def algorithms() -> None:
    """List the algorithms: use, complexity, options and source of each."""
    from boruvka.algorithms.registry import ALGORITHMS

    rows = []
    for each in ALGORITHMS.values():
        options = f"--option {', '.join(each.options)}" if each.options else ""
        rows.append((each.name, each.use, each.complexity, options, each.source))
    print_table(rows)


@click.command()
def backends() -> None:
    """List the backends, and why some are not available."""
    print_table((name, why_not(name) or "available") for name in BACKENDS)


def why_not(name: str) -> str | None:
    """Return the reason why one of `BACKENDS` cannot run here, or None if it can."""
    if name != MPI:
        return one_machine.why_not(name)
    from boruvka.distributed.communicator import mpi

    try:
        mpi()
    except ImportError as error:
        return str(error)
    return None


@click.command()
@click.argument("name", required=False, shell_complete=completing("boruvka.formats", "FORMATS"))
def formats(name: str | None) -> None:
    """List the file formats: the endings of file names, and what the files hold.

    With NAME, list the options with which commands read files of that format.

    \b
    Examples:
      boruvka formats
      boruvka formats csv
    """
    from boruvka.formats import FORMATS
    from boruvka.formats.registry import format_named

    if name is None:
        print_table((f.name, " ".join(f.endings), f.description) for f in FORMATS)
        return
    chosen = format_named(name)
    formatter = click.HelpFormatter(width=100)
    formatter.write_text(f"{chosen.name} ({' '.join(chosen.endings) or 'no ending'}): {chosen.description}")
    options = [option for option in READ_OPTIONS if option.name in chosen.codec.options]
    if options:
        with formatter.section("Options for reading"):
            context = click.get_current_context()
            formatter.write_dl(filter(None, (option.get_help_record(context) for option in options)))
    click.echo(formatter.getvalue(), nl=False)


@click.command()
def warmup() -> None:
    """Compile kernels ahead, for an image or the nodes of a cluster.

    An installed package has the machine code of its kernels, and this compiles only kernels of a GPU. In
    an editable installation, and on systems without machine code in the package, it compiles all kernels.
    They are kept in the user's cache folder, or in the folder BORUVKA_CACHE_DIR.

    \b
    Examples:
      boruvka warmup
    """
    from boruvka.compile_kernels import warmup

    folder = warmup(progress=True)
    if folder is None:
        click.echo("nothing to compile: the package has the machine code of its kernels")
        return
    click.echo(f"{len(list(folder.glob('*.kernel')))} kernels are in {folder}")
