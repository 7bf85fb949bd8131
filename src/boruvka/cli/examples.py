"""The examples at the end of each command's help; the tests run them."""

from __future__ import annotations

import click

__all__ = ["EXAMPLES", "EXAMPLES_OF_FAMILIES", "with_examples"]

EXAMPLES: dict[str | None, tuple[str, ...]] = {
    None: (
        "boruvka generate kronecker --scale 14 --seed 1 -o graph.npz",
        "boruvka solve graph.npz -o forest.csv --verify",
    ),
    "algorithms": ("boruvka algorithms",),
    "animate": ("boruvka animate graph.gr -o rounds.gif",),
    "convert": (
        "boruvka convert graph.gr graph.npz",
        "boruvka convert roads.csv graph.parquet --columns from,to,cost",
    ),
    "formats": ("boruvka formats",),
    "generate": ("boruvka generate grid --rows 300 --cols 200 --seed 1 -o graph.npz",),
    "info": ("boruvka info graph.gr", "boruvka info --backends"),
    "plot": (
        "boruvka plot graph.gr -o map.png",
        "boruvka plot graph.gr --coordinates places.csv --by weight -o map.svg",
    ),
    "solve": (
        "boruvka solve graph.gr -o forest.csv --verify",
        "boruvka solve roads.csv --columns from,to,cost --maximum --json",
        "boruvka solve places.csv --points --columns x,y -o forest.csv",
        'boruvka solve "edges/*.parquet" --memory 2G -o forest.parquet',
    ),
    "verify": ("boruvka verify graph.gr forest.csv",),
    "warmup": ("boruvka warmup", "boruvka warmup --all"),
}
"""Command lines by command; those of `boruvka --help` under None."""

EXAMPLES_OF_FAMILIES = {
    "complete": "boruvka generate complete --n 500 --seed 1 -o graph.npz",
    "geometric": "boruvka generate geometric --n 10000 --degree 12 --seed 1 -o graph.npz",
    "grid": "boruvka generate grid --rows 300 --cols 200 --shuffle --seed 1 -o graph.npz",
    "kronecker": "boruvka generate kronecker --scale 12 --edge-factor 16 --seed 1 -o graph.npz",
    "path": "boruvka generate path --n 1000 -o graph.csv",
    "random": "boruvka generate random --n 1000 --m 9000 --dtype int64 --seed 1 -o graph.gr",
    "rmat": "boruvka generate rmat --scale 12 --m 30000 --permute --seed 1 -o graph.npz",
    "star": "boruvka generate star --n 1000 -o graph.csv",
}
"""A command line by family of ``boruvka generate``."""


def with_examples(command: click.Command, *examples: str) -> click.Command:
    """Put examples at the end of the help of a command."""
    if not examples:
        return command
    title = "Examples" if len(examples) > 1 else "Example"
    lines = "\n".join(f"  {example}" for example in examples)
    command.epilog = f"\b\n{title}:\n{lines}"  # after \b click does not wrap lines
    return command
