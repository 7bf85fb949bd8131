"""``boruvka warmup``."""

from __future__ import annotations

import click


@click.command()
@click.option("--all", "everything", is_flag=True, help="All algorithms, weight types, formats, distances.")
def warmup(everything: bool) -> None:
    """Compile kernels ahead, for an image or the nodes of a cluster.

    Kernels are compiled when they are first used, once for a machine and a type of weights, and kept in the
    user's cache folder, or in the folder BORUVKA_CACHE_DIR. This compiles the usual ones: the default
    algorithms, streamed edges, points in two and three dimensions, reading text files, verification.

    \b
    Examples:
      boruvka warmup
      boruvka warmup --all
    """
    from boruvka.compile_ahead import warmup

    folder = warmup(everything=everything, progress=True)
    click.echo(f"{len(list(folder.glob('*.kernel')))} kernels are in {folder}")
